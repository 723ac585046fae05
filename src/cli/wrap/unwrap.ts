/** One run of `unwrap`: the config as it was, to the byte where it can be, and otherwise around what was changed since.
 *  Implements spec/gateway.md, GTW-38. */
import { join } from "node:path";
import { asTrustError, type ExitCode, TrustError } from "../../core/index.ts";
import { CONFIG_FILE, type Restored, restoreEntries } from "../../target/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { exchangeOf, refuseOther } from "./config.ts";
import { readConfigText, replaceConfig, sha256 } from "./durable.ts";
import { startsFrom } from "./entry.ts";
import { type Located, locate } from "./locate.ts";
import { forget, readOriginal, readState, type State, writeState } from "./state.ts";

export async function runUnwrap(words: Words, out: Output): Promise<ExitCode> {
  const located = await locate(words, "unwrap");
  const { file, folder } = located;
  const state = await readState(folder, file);
  if (!state) await refuseOther(located, await readConfigText(file));
  if (!state)
    throw new TrustError("WRP_NOT_WRAPPED", `${file} is not wrapped: nothing of it is kept in ${folder}`);
  const isDry = words.flag("dry-run");
  const how = await restore(located, state, isDry);
  const isForgotten = words.flag("forget") && !isDry;
  if (isForgotten) await forget(folder);
  out.json({
    file,
    folder,
    how,
    servers: state.servers.map(({ name }) => name),
    isWritten: how !== "nothing" && !isDry,
    isForgotten,
    exit: 0,
  });
  if (isDry) {
    out.line(out.text(`afterwards ${SAID[how](file)}`, 1000));
    if (words.flag("forget")) out.line(`would remove ${out.text(folder, 1000)}, with lock, policy and log`);
    out.line("nothing was changed");
    return 0;
  }
  out.line(out.text(SAID[how](file), 1000));
  if (how !== "nothing") out.line("start the client again, so that it reads its config");
  out.line(
    isForgotten
      ? `${out.text(folder, 1000)}: lock, policy and log are gone`
      : `${out.text(folder, 1000)}: lock, policy and log are kept; --forget removes them`,
  );
  return 0;
}

const SAID: Readonly<Record<Restored["how"] | "nothing", (file: string) => string>> = {
  nothing: (file) => `${file} is not wrapped, and stays as it is`,
  exact: (file) => `${file} is as it was, byte for byte`,
  around: (file) => `${file} is as it was, but for what was changed in it since: that stays`,
  entries: (file) =>
    `${file} has its entries again, word for word; what else was changed in it since stays, and so they stand first`,
};

async function restore(located: Located, state: State, isDry: boolean): Promise<Restored["how"] | "nothing"> {
  const { file, folder } = located;
  const now = await readConfigText(file);
  if (state.status === "unwrapped" || sha256(now.bytes) === state.original.sha256) {
    if (!isDry && state.status === "wrapped") await writeState(folder, ended(state));
    return "nothing";
  }
  const original = await readOriginal(folder, state);
  const { text, how } = await restored(located, state, now.text, original);
  if (isDry) return how;
  if (text !== now.text) await replaceConfig(file, now, text);
  await writeState(folder, ended(state));
  return how;
}

const ended = ({ format: _, ...state }: State): Omit<State, "format"> => ({ ...state, status: "unwrapped" });

async function restored(located: Located, state: State, text: string, original: string): Promise<Restored> {
  const { folder, file } = located;
  // What has the digest of what was written is that, whatever this version would write.
  if (sha256(text) === state.written) return { text: original, how: "exact" };
  try {
    return await restoreEntries(
      text,
      original,
      exchangeOf(located, state),
      startsFrom(join(folder, CONFIG_FILE)),
    );
  } catch (thrown) {
    const { code, message } = asTrustError(thrown);
    if (code !== "TGT_NOT_REWRITABLE") throw thrown;
    throw new TrustError(code, `${file}: ${message}`, {
      hint: `it was left as it is; its original text lies in ${join(folder, state.original.file)}`,
    });
  }
}
