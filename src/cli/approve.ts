/** One run of `approve`: what waits at a gateway's desk, and a word for it. */
import { join } from "node:path";
import { count, type ExitCode, TrustError } from "../core/index.ts";
import { askDesk, DESK_FILE, type Held, logFolders } from "../gateway/index.ts";
import { serverNamed } from "../policy/index.ts";
import { CONFIG_FILE } from "../target/index.ts";
import type { Words } from "./command.ts";
import type { Output } from "./output.ts";

export async function runApprove(words: Words, out: Output): Promise<ExitCode> {
  const [id, ...more] = words.positionals;
  if (more.length > 0) throw new TrustError("CLI_BAD_VALUE", "approve takes one id: one word, one call");
  const folders = await logFolders(words.text("config") ?? CONFIG_FILE);
  const ask = (request: object) =>
    askEach(
      folders.map((folder) => join(folder, DESK_FILE)),
      request,
    );
  const isShown = words.flag("show");
  if (id !== undefined && !isShown) {
    const allow = !words.flag("deny");
    const answers = await ask({ id, allow });
    if (!answers.some(({ isDone }) => isDone === true)) throw unknown(id, out);
    out.json({ id, allow });
    out.line(`${id}: ${allow ? "approved, this once" : "denied"}`);
    return 0;
  }
  const all = (await ask({ list: true })).flatMap(({ held }) =>
    Array.isArray(held) ? (held as readonly Held[]) : [],
  );
  const waiting = id === undefined ? all : all.filter((each) => each.id === id);
  if (id !== undefined && waiting.length === 0) throw unknown(id, out);
  out.json(waiting);
  out.line(
    waiting.length === 0
      ? "nothing waits"
      : `${count(waiting.length, "call waits", "calls wait")} for a word`,
  );
  for (const held of waiting) {
    const { id: each, at, server, label, tool, reason, arguments: args } = held;
    out.line(
      `${each}  ${at}  ${out.text(serverNamed(server, label), 300)}: ${out.text(tool, 80)}, asked by ${askerOf(held, out)}`,
    );
    out.line(`  why: ${out.text(reason, 600)}`);
    out.line(`  with: ${out.text(args, isShown ? ALL_CHARS : FEW_CHARS)}`);
    if (!isShown && args.length > FEW_CHARS) out.line(`  all of it: touchstone approve ${each} --show`);
  }
  return 0;
}

/** As the log has it. A name that no token stands for could be anybody's. */
function askerOf({ actor, isClaimed }: Held, out: Output): string {
  if (actor === undefined) return "nobody named";
  return isClaimed ? `${out.text(JSON.stringify(actor), 160)} (by its own word)` : out.text(actor, 80);
}

/** What the desk gives, with room for what is escaped. */
const [FEW_CHARS, ALL_CHARS] = [600, 256 * 1024];

const unknown = (id: string, out: Output): TrustError =>
  new TrustError("CLI_BAD_VALUE", `nothing waits under ${out.text(id, 80)}`, {
    hint: "it was answered, its client is gone, or its five minutes are over; `touchstone approve` lists what waits",
  });

/** Several gateways may run from one file; those that do not run any more have nothing to say. */
async function askEach(
  sockets: readonly string[],
  request: object,
): Promise<Readonly<Record<string, unknown>>[]> {
  const asked = await Promise.allSettled(sockets.map((socket) => askDesk(socket, request)));
  const answers = asked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [first] = asked;
  if (answers.length === 0 && first?.status === "rejected") throw first.reason;
  return answers;
}
