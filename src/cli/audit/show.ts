/** `audit show` and `audit export`. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import {
  CONTRACT_MANIFEST,
  contractExport,
  type Entry,
  type EntryOutcome,
  type EntryType,
  type Filter,
  type FoundEntry,
  type LogFiles,
  leafHash,
  numbersOf,
  type Place,
  query,
  since,
} from "../../audit/index.ts";
import { count, type ExitCode, TrustError } from "../../core/index.ts";
import { newFile } from "../attest/keys.ts";
import { type Words, wholeNumber } from "../command.ts";
import type { Output } from "../output.ts";
import { folderFrom, indexesFor } from "./folder.ts";

const POLL_MS = 250;

export async function runShow(words: Words, out: Output): Promise<ExitCode> {
  const { folder, files, more } = folderFrom(words, "show");
  if (more.length > 0) throw new TrustError("CLI_BAD_VALUE", `audit show: what is ${more[0]}?`);
  const filter = filterFrom(words);
  const [last, follows] = [wholeNumber(words, "last"), words.flag("follow")];
  if (follows && out.isJson) throw new TrustError("CLI_BAD_VALUE", "--follow does not end: leave out --json");
  const place = { segment: numbersOf(files.names(), "jsonl").at(-1) ?? 0, offset: 0 };
  const shown: Entry[] = [];
  let next = 0;
  for (const { entry } of query(files, filter, indexesFor(folder))) {
    next = entry.n + 1;
    if (last === undefined && !out.isJson) print(entry, out);
    else {
      shown.push(entry);
      if (last !== undefined && shown.length > last) shown.shift();
    }
  }
  for (const entry of shown) print(entry, out);
  out.json(shown);
  if (follows) await follow(files, { ...filter, from: next }, place, (entry) => print(entry, out));
  return 0;
}

/** Until Ctrl-C. */
async function follow(
  files: LogFiles,
  filter: Filter,
  from: Place,
  each: (entry: Entry) => void,
): Promise<void> {
  let [place, next, isOver] = [from, filter.from ?? 0, false];
  const stopped = new Promise<void>((done) => {
    process.once("SIGINT", () => {
      isOver = true;
      done();
    });
  });
  while (!isOver) {
    const entries = since(files, { ...filter, from: next }, place);
    let read = entries.next();
    for (; !read.done; read = entries.next()) {
      next = read.value.entry.n + 1;
      each(read.value.entry);
    }
    place = read.value;
    await Promise.race([stopped, new Promise((done) => setTimeout(done, POLL_MS))]);
  }
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
  // What a reader asks first, before the line is cut.
  const first = ["rule", "reason"].filter((name) => typeof data[name] === "string" && data[name] !== "");
  const rest = Object.entries(data).filter(([name]) => !first.includes(name));
  const parts = [
    `${about}${by}`,
    first.map((name) => data[name]).join(": "),
    rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest)),
  ];
  const what = parts.filter((part) => part !== "").join("  ");
  out.line(`${at}  ${type} ${word}  ${out.text(what, 400)}  ${id}`);
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
  // Nothing is overwritten, and nobody else may read it.
  if (file !== undefined) newFile(file, Buffer.alloc(0), 0o600);
  if (manifest !== undefined)
    newFile(manifest, Buffer.from(`${JSON.stringify(CONTRACT_MANIFEST, null, 2)}\n`), 0o644);
  const stream = file === undefined ? process.stdout : createWriteStream(file);
  const found = query(files, filterFrom(words), indexesFor(folder));
  const written = await writeLines(stream, found, text);
  if (stream !== process.stdout) {
    stream.end();
    await once(stream, "finish");
  }
  if (file === undefined) return 0;
  out.json({ file, entries: written });
  out.line(`${file}: ${count(written, "entry", "entries")}`);
  return 0;
}

/** Whoever reads may have had enough: that is no error. */
async function writeLines(
  stream: NodeJS.WritableStream,
  entries: Iterable<FoundEntry>,
  text: (found: FoundEntry) => string,
): Promise<number> {
  let [written, isGone] = [0, false];
  stream.once("error", () => {
    isGone = true;
  });
  for (const found of entries) {
    if (isGone) break;
    written += 1;
    if (stream.write(`${text(found)}\n`)) continue;
    await new Promise<void>((done) => {
      stream.once("drain", done);
      stream.once("error", () => done());
    });
  }
  return written;
}

function filterFrom(words: Words): Filter {
  const [id, begin, until] = [words.text("id"), instantFrom(words, "since"), instantFrom(words, "until")];
  const list = <T extends string>(name: string): readonly T[] | undefined =>
    words.texts(name).length === 0 ? undefined : (words.texts(name) as readonly T[]);
  const [types, outcomes] = [list<EntryType>("type"), list<EntryOutcome>("outcome")];
  const [servers, tools, actors] = [list("server"), list("tool"), list("actor")];
  return {
    ...(id === undefined ? {} : { id }),
    ...(begin === undefined ? {} : { since: begin }),
    ...(until === undefined ? {} : { until }),
    ...(types ? { types } : {}),
    ...(outcomes ? { outcomes } : {}),
    ...(servers ? { servers } : {}),
    ...(tools ? { tools } : {}),
    ...(actors ? { actors } : {}),
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A day, a moment, or so long ago. A day is meant as a whole. */
export function instantFrom(words: Words, name: "since" | "until"): string | undefined {
  const text = words.text(name);
  if (text === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return new Date(Date.now() - Number(amount) * (UNITS[unit] ?? 0)).toISOString();
  const [, day = "", time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z)?$/.exec(text) ?? [];
  const at = Date.parse(`${day}T${time ?? (name === "until" ? "23:59:59.999" : "00:00")}Z`);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `--${name}: want 2026-11-15, 2026-11-15T10:00:00Z, or 2h, not ${text}`,
    );
  return new Date(at).toISOString();
}
