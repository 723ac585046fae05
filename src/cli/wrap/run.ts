/** One run of `wrap`: what the config names is looked at once and pinned, all that is needed to undo it is kept, and only then the
 *  config is changed. Implements spec/gateway.md, GTW-36 and GTW-37. */
import { existsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { type ExitCode, shown, TrustError } from "../../core/index.ts";
import { entrySecrets } from "../../target/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { plainRedactor } from "../redact.ts";
import { type Config, exchangeFor, readWhole } from "./config.ts";
import { makeFolder } from "./durable.ts";
import { ENTRY_NAME } from "./entry.ts";
import { hasRoom, type Located } from "./locate.ts";
import { lookAt } from "./look.ts";
import { planOf, type Stay } from "./plan.ts";
import { settle } from "./settle.ts";
import { showPlan, showWrapped } from "./show.ts";
import type { State } from "./state.ts";

export async function runWrap(words: Words, out: Output): Promise<ExitCode> {
  const config = await readWhole(words);
  const { located, kept } = config;
  const hide = hiding(out, config);
  const exchange = exchangeFor(config, []);
  const fresh = config.entries.filter(({ name, folder }) => folder !== undefined || !isKept(kept, name));
  const { candidates, stays } = await planOf(
    located,
    config.original,
    fresh,
    {
      known: new Map(config.state?.servers.map(({ name, as }) => [name, as])),
      used: config.behind,
    },
    exchange,
  );
  checkFolder(located.folder);
  checkName(stays, located);
  if (words.flag("dry-run")) {
    showPlan({ located, kept, candidates, stays, entry: exchangeFor(config, candidates).value }, out);
    return exitFor(stays);
  }
  const isNew = !existsSync(located.folder);
  await makeFolder(located.folder);
  try {
    const seen = await lookAt(candidates, located.folder, config.lock, words, { out, hide });
    if (!seen) {
      out.json({ file: located.file, isWritten: false, exit: 1 });
      out.line("nothing was started, and nothing was changed");
      return 1;
    }
    const all = [...stays, ...seen.failed];
    if (seen.looked.length > 0) checkName(all, located);
    const isWritten = await settle(config, seen.looked);
    showWrapped({ located, kept, looked: seen.looked, stays: all, isWritten }, out);
    return exitFor(all);
  } finally {
    if (isNew) await rmdir(located.folder).catch(() => {});
  }
}

const exitFor = (stays: readonly Stay[]): ExitCode => (stays.some(({ isFault }) => isFault) ? 1 : 0);
const isKept = (kept: State["servers"], name: string): boolean => kept.some((each) => each.name === name);

/** What is secret is kept out of all that is printed, but for words that stand in the names of files and servers anyway. */
function hiding(out: Output, { entries, located }: Config): (secrets: readonly string[]) => void {
  const names = new Set(entries.map(({ name }) => name));
  const isPublic = (text: string): boolean =>
    names.has(text) || located.file.includes(text) || located.folder.includes(text);
  const all = new Set<string>();
  const hide = (secrets: readonly string[]): void => {
    for (const secret of secrets) if (!isPublic(secret)) all.add(secret);
    out.hide(plainRedactor([...all]));
  };
  hide(entries.flatMap(entrySecrets));
  return hide;
}

/** Our entry needs its name. */
function checkName(stays: readonly Stay[], { file }: Located): void {
  const own = stays.find(({ name }) => name === ENTRY_NAME);
  if (!own) return;
  throw new TrustError(
    "TGT_NOT_REWRITABLE",
    `${file}: "${ENTRY_NAME}" is the name of an entry that stays: ${own.reason}`,
    {
      hint: "give it another name there; the file was left as it is",
    },
  );
}

function checkFolder(folder: string): void {
  if (hasRoom(folder)) return;
  throw new TrustError("CLI_BAD_VALUE", `${shown(folder)} is too long a name: a socket has to stand in it`, {
    hint: "give a folder with a shorter one: --folder DIR",
  });
}
