/** `touchstone audit show` and `audit export`, as a user runs them: each filter, hostile texts, and entries that come while it looks. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { checkChain, checkManifest } from "../../src/audit/contract/index.ts";
import { ENTRY_TYPES, OUTCOMES } from "../../src/audit/entry.ts";
import { type Entry, leafHash } from "../../src/audit/index.ts";
import { program } from "../kit/paths.ts";
import { ESCAPES, type EventName, errorIn, HOUR_MS, type Kept, keptLog, LONG, timeout } from "./audit-kit.ts";

const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const OLD: readonly EventName[] = ["admitted", "sent", "refused", "asked"];
const NEW: readonly EventName[] = ["failed", "hostile", "secret", "labelled", "approved"];

/** Names of the events that entries were made of; the first entry of a log is its own. */
function namesOf(kept: Kept, ids: readonly string[]): string[] {
  const names = new Map<string, string>(Object.entries(kept.receipts).map(([name, { id }]) => [id, name]));
  return ids.map((id) => names.get(id) ?? "created");
}

const filters: readonly (readonly [words: readonly string[], want: readonly string[]])[] = [
  [[], ["created", ...OLD, ...NEW]],
  [["--type", "drift"], ["hostile"]],
  [
    ["--type", "approval", "--type", "label"],
    ["asked", "labelled", "approved"],
  ],
  [
    ["--outcome", "denied"],
    ["refused", "hostile"],
  ],
  [
    ["--outcome", "error", "--outcome", "deferred"],
    ["asked", "failed"],
  ],
  [
    ["--server", "files"],
    ["asked", "failed", "hostile", "approved"],
  ],
  [
    ["--tool", "send"],
    ["sent", "labelled"],
  ],
  [
    ["--actor", "agent-7"],
    ["sent", "refused"],
  ],
  [["--actor", "agent-8", "--server", "mail"], ["labelled"]],
  [["--server", "nobody"], []],
  [["--since", "1h"], NEW],
  [["--since", "61m"], NEW],
  [
    ["--since", "7d"],
    ["created", ...OLD, ...NEW],
  ],
  [
    ["--until", ago(2)],
    ["created", ...OLD],
  ],
  [["--since", ago(4), "--until", ago(2), "--outcome", "deferred"], ["asked"]],
  [["--since", "2999-01-01"], []],
  [
    ["--last", "2"],
    ["labelled", "approved"],
  ],
  [["--last", "1", "--outcome", "denied"], ["hostile"]],
  [["--last", "50", "--tool", "wipe"], ["refused"]],
];
test("each filter gives its entries, oldest first, as text and as JSON", { timeout }, async () => {
  using kept = await keptLog();
  for (const [words, want] of filters) {
    const name = words.join(" ");
    const [json, text] = await Promise.all([
      kept.done("show", "log", ...words, "--json"),
      kept.done("show", "log", ...words),
    ]);
    const inJson = (JSON.parse(json) as Entry[]).map(({ id }) => id);
    assert.deepEqual(namesOf(kept, inJson), want, `${name} --json`);
    const inText = text.split("\n").slice(0, -1);
    assert.deepEqual(
      namesOf(
        kept,
        inText.map((line) => line.slice(line.lastIndexOf(" ") + 1)),
      ),
      want,
      name,
    );
  }
});

test("show and export take every type and outcome that an entry can have", { timeout }, async () => {
  using kept = await keptLog();
  const all = (name: string, values: readonly string[]): string[] =>
    values.flatMap((value) => [`--${name}`, value]);
  for (const verb of ["show", "export"]) {
    const every = await kept.done(verb, "log");
    assert.equal(await kept.done(verb, "log", ...all("type", ENTRY_TYPES)), every, verb);
    assert.equal(await kept.done(verb, "log", ...all("outcome", OUTCOMES)), every, verb);
  }
});

test("--id finds an entry of any segment, and --json has all of it", { timeout }, async () => {
  using kept = await keptLog();
  for (const [name, { id, n }] of Object.entries(kept.receipts)) {
    const [entry, ...more] = JSON.parse(await kept.done("show", "log", "--id", id, "--json")) as Entry[];
    assert.deepEqual([entry?.id, entry?.n, more.length], [id, n, 0], name);
  }
  const [failed] = JSON.parse(await kept.done("show", "log", "--tool", "read", "--json")) as Entry[];
  assert.deepEqual(Object.keys(failed ?? {}).sort(), [
    "actor",
    "at",
    "data",
    "id",
    "n",
    "outcome",
    "prev",
    "server",
    "tool",
    "type",
  ]);
  const { chars } = (failed as Entry).data.message as { chars: number };
  assert.equal(chars, LONG.length, "how long the text was");
  assert.equal(await kept.done("show", "log", "--id", "e-000000000000-0"), "", "an id that is not there");
});

test("one line an entry: when, what, how it ended, about what and by whom", { timeout }, async () => {
  using kept = await keptLog();
  const { id } = kept.receipts.sent;
  const [entry] = JSON.parse(await kept.done("show", "log", "--id", id, "--json")) as Entry[];
  const line = await kept.done("show", "log", "--id", id);
  assert.equal(line, `${entry?.at}  decision allowed  mail send by agent-7  tools  ${id}\n`);
});

test("what decided stands before what the line may have no room for", { timeout }, async () => {
  using kept = await keptLog();
  const { id } = kept.receipts.failed;
  const line = await kept.done("show", "log", "--id", id);
  assert.match(line, / {2}files read {2}server-down {2}\{"message":\{.{200}/);
  assert.ok(line.endsWith(`characters)  ${id}\n`), line);
});

test("no text of an entry acts on the terminal", { timeout }, async () => {
  using kept = await keptLog();
  const text = await kept.done("show", "log", "--type", "drift");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/, "text");
  assert.match(text, /\\u\{1b\}\[2J/, "it is shown by number");
  const json = await kept.done("show", "log", "--type", "drift", "--json");
  assert.equal(json.includes("\u001b"), false, "JSON");
  const [hostile] = JSON.parse(json) as Entry[];
  assert.equal(hostile?.tool, ESCAPES, "and read again it is what it was");
});

const wrong: readonly (readonly [words: readonly string[], said: RegExp])[] = [
  [
    ["show", "log", "--since", "yesterday"],
    /--since: want 2026-11-15, 2026-11-15T10:00:00Z, or 2h, not yester/,
  ],
  [["show", "log", "--since", "2026-13-01"], /--since: want /],
  [["show", "log", "--since", "2026-11-15 10:00"], /--since: want /],
  [["show", "log", "--until", "1w"], /--until: want /],
  [["show", "log", "--last", "0"], /--last: want a whole number from 1/],
  [["show", "log", "--type", "decisions"], /want admission, .*did you mean/i],
  [["show", "log", "--outcome", "ok"], /want allowed, denied, deferred, error/],
  [["show", "log", "more"], /what is more\?/],
  [["show", "log", "--follow"], /--follow does not end: leave out --json/],
  [["show", "nowhere"], /nowhere/],
  [["export", "log"], /--json needs --out FILE/],
  [["export", "log", "--out", "x", "--manifest", "m"], /--manifest belongs to --format contract/],
  [["export", "log", "--out", "x", "--format", "csv"], /want jsonl, contract/],
  [["export", "log", "more", "--out", "x"], /what is more\?/],
];
test("show and export: words that are wrong end with 2 and say what is wanted", { timeout }, async () => {
  using kept = await keptLog();
  for (const [words, said] of wrong) {
    const ran = await kept.audit(...words, "--json");
    assert.equal(ran.code, 2, words.join(" "));
    assert.match(errorIn(ran).message, said, words.join(" "));
  }
  assert.deepEqual(
    readdirSync(kept.folder).filter((name) => name === "x" || name === "m"),
    [],
    "nothing was written",
  );
});

test("--follow prints what is appended while it looks, and ends with Ctrl-C", { timeout }, async () => {
  using kept = await keptLog();
  const words = ["audit", "show", "log", "--outcome", "denied", "--last", "1", "--follow"];
  const child = spawn(process.execPath, [program, ...words], {
    cwd: kept.folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    assert.equal((await next()).endsWith(kept.receipts.hostile.id), true, "what was there before");
    const log = await kept.open();
    await log.append({ type: "decision", server: "mail", tool: "send" }).durable;
    const first = log.append({ type: "decision", outcome: "denied", server: "mail", tool: "wipe" });
    assert.match(await next(), new RegExp(` decision denied {2}mail wipe {2}${first.id}$`), "one that came");
    // The segment it was reading is closed meanwhile.
    for (let n = 0; n < 5; n++)
      await log.append({ type: "decision", data: { filler: "x".repeat(200) } }).durable;
    const second = log.append({ type: "drift", outcome: "denied", server: "mail" });
    assert.match(
      await next(),
      new RegExp(` drift denied {2}mail {2}${second.id}$`),
      "one in another segment",
    );
    await log.close();
  } finally {
    child.kill("SIGINT");
  }
  assert.deepEqual(await ended, [0, null], "how it ended");
});

test("export: line by line the bytes of the segments", { timeout }, async () => {
  using kept = await keptLog();
  const whole = kept
    .segments()
    .map((file) => kept.read(`log/${file}`))
    .join("");
  assert.equal(await kept.done("export", "log"), whole, "to stdout");
  assert.equal(
    await kept.done("export", "log", "--out", "all.jsonl"),
    "all.jsonl: 10 entries\n",
    "what is said",
  );
  assert.equal(kept.read("all.jsonl"), whole, "to a file");
  assert.equal(statSync(kept.at("all.jsonl")).mode & 0o777, 0o600, "which is for its owner");
  const some = whole.split("\n").filter((line) => line.includes('"server":"mail"'));
  assert.equal(await kept.done("export", "log", "--server", "mail"), `${some.join("\n")}\n`, "filtered");
  const told = await kept.done("export", "log", "--out", "mail.jsonl", "--server", "mail", "--json");
  assert.deepEqual(JSON.parse(told), { file: "mail.jsonl", entries: some.length }, "--json");
  assert.equal(await kept.done("export", "log", "--server", "nobody"), "", "nothing");
});

test("export --format contract: a chain of records, each of which names its entry", { timeout }, async () => {
  using kept = await keptLog();
  const words = ["export", "log", "--format", "contract"];
  const recordsIn = (text: string): Record<string, unknown>[] =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const records = recordsIn(await kept.done(...words));
  assert.equal(checkChain(records), undefined, "the chain");
  const entries = kept.segments().flatMap((file) => kept.read(`log/${file}`).trimEnd().split("\n"));
  assert.deepEqual(
    records.map(({ extensions }) => {
      const { entry_number: number, entry_hash: hash } = (
        extensions as Record<"touchstone-decision", Record<string, unknown>>
      )["touchstone-decision"];
      return { number, hash };
    }),
    entries.map((line, n) => ({ number: String(n), hash: leafHash(line) })),
    "the entries",
  );
  assert.deepEqual(checkChain(records.toSpliced(3, 1))?.index, 3, "a record less is found");
  await kept.done(...words, "--outcome", "denied", "--out", "denied.jsonl", "--manifest", "manifest.json");
  const denied = recordsIn(kept.read("denied.jsonl"));
  assert.deepEqual([denied.length, checkChain(denied)], [2, undefined], "some of them are a chain too");
  assert.equal(checkManifest(JSON.parse(kept.read("manifest.json"))), undefined, "the manifest");
});
