/** `audit show` and `audit export`. */

import { once } from "node:events";
import { createWriteStream, writeFileSync } from "node:fs";
import {
  CONTRACT_MANIFEST,
  contractExport,
  type Entry,
  type EntryOutcome,
  type EntryType,
  type Filter,
  type FoundEntry,
  leafHash,
  query,
} from "../../audit/index.ts";
import { count, type ExitCode, TrustError } from "../../core/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import type { Output } from "../output.ts";
import { folderFrom, indexesIn } from "./folder.ts";

const POLL_MS = 250;

export async function runShow(words: Words, out: Output): Promise<ExitCode> {
  const { folder, files, more } = folderFrom(words, "show");
  if (more.length > 0) throw new TrustError("CLI_BAD_VALUE", `audit show: what is ${more[0]}?`);
  const filter = filterFrom(words);
  const [last, follows] = [wholeNumber(words, "last"), words.flag("follow")];
  if (follows && out.isJson) throw new TrustError("CLI_BAD_VALUE", "--follow does not end: leave out --json");
  const shown: Entry[] = [];
  let next = filter.from ?? 0;
  const look = (each: (entry: Entry) => void): void => {
    for (const { entry } of query(files, { ...filter, from: next }, indexesIn(folder))) {
      next = entry.n + 1;
      each(entry);
    }
  };
  look((entry) => {
    if (last === undefined && !out.isJson) return print(entry, out);
    shown.push(entry);
    if (last !== undefined && shown.length > last) shown.shift();
  });
  for (const entry of shown) print(entry, out);
  out.json(shown);
  while (follows) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    look((entry) => print(entry, out));
  }
  return 0;
}

function print({ at, id, type, outcome, server, tool, actor, data }: Entry, out: Output): void {
  const about = [server, tool].filter((part) => part !== null).join(" ");
  const by = actor === null ? "" : ` by ${actor}`;
  const word =
    outcome === "allowed"
      ? outcome
      : outcome === "denied" || outcome === "error"
        ? out.color.red(outcome)
        : out.color.yellow(outcome);
  const rest = Object.keys(data).length === 0 ? "" : `  ${JSON.stringify(data)}`;
  out.line(`${at}  ${type} ${word}  ${out.text(`${about}${by}${rest}`, 400)}  ${id}`);
}

export async function runExport(words: Words, out: Output): Promise<ExitCode> {
  const { folder, files, more } = folderFrom(words, "export");
  if (more.length > 0) throw new TrustError("CLI_BAD_VALUE", `audit export: what is ${more[0]}?`);
  const [file, manifest] = [words.text("out"), words.text("manifest")];
  const isContract = words.text("format") === "contract";
  if (manifest !== undefined && !isContract)
    throw new TrustError("CLI_BAD_VALUE", "--manifest belongs to --format contract");
  if (out.isJson && file === undefined)
    throw new TrustError(
      "CLI_BAD_VALUE",
      "--json needs --out FILE: the export itself is what goes to stdout",
    );
  const record = contractExport();
  const text = ({ entry, line }: FoundEntry): string =>
    isContract ? JSON.stringify(record({ ...entry, hash: leafHash(line) })) : line;
  const stream = file === undefined ? process.stdout : createWriteStream(file, { mode: 0o600 });
  let written = 0;
  for (const found of query(files, filterFrom(words), indexesIn(folder))) {
    written += 1;
    if (!stream.write(`${text(found)}\n`)) await once(stream, "drain");
  }
  if (stream !== process.stdout) {
    stream.end();
    await once(stream, "finish");
  }
  if (manifest !== undefined) writeFileSync(manifest, `${JSON.stringify(CONTRACT_MANIFEST, null, 2)}\n`);
  if (file === undefined) return 0;
  out.json({ file, entries: written });
  out.line(`${file}: ${count(written, "entry", "entries")}`);
  return 0;
}

function filterFrom(words: Words): Filter {
  const [id, since, until] = [words.text("id"), instantFrom(words, "since"), instantFrom(words, "until")];
  const list = <T extends string>(name: string): readonly T[] | undefined =>
    words.texts(name).length === 0 ? undefined : (words.texts(name) as readonly T[]);
  const [types, outcomes] = [list<EntryType>("type"), list<EntryOutcome>("outcome")];
  const [servers, tools, actors] = [list("server"), list("tool"), list("actor")];
  return {
    ...(id === undefined ? {} : { id }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(types ? { types } : {}),
    ...(outcomes ? { outcomes } : {}),
    ...(servers ? { servers } : {}),
    ...(tools ? { tools } : {}),
    ...(actors ? { actors } : {}),
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A day, a moment, or so long ago. */
function instantFrom(words: Words, name: string): string | undefined {
  const text = words.text(name);
  if (text === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const isMoment = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text);
  const at = amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  if ((amount === undefined && !isMoment) || Number.isNaN(at))
    throw new TrustError(
      "CLI_BAD_VALUE",
      `--${name}: want 2026-11-15, 2026-11-15T10:00:00Z, or 2h, not ${text}`,
    );
  return new Date(at).toISOString();
}
