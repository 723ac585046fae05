/** `touchstone audit verify`, as a user runs it: a log that is whole, one that is not, and words that are wrong. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { test } from "node:test";
import { checked, errorIn, type Kept, keptLog, ORIGIN, SECRET, timeout } from "./audit-kit.ts";

const numberIn = (segment: string): number => Number(segment.slice(0, 20));
const OWN_KEY = /the key is the folder's own: this shows that the log agrees with itself, not whose it is/;
const WHOLE = /^whole {2}10 entries, 10 of them signed \(3 checkpoints\)\n/;

test("a whole log, with the key as a file, as text and from its folder [AUD-17]", { timeout }, async () => {
  using kept = await keptLog();
  assert.deepEqual(kept.segments().map(numberIn), [0, 2, 5, 6, 9], "several segments");
  const vkey = kept.read("log/log.vkey").trim();
  for (const [name, words] of [
    ["a file", ["--key", "log/log.vkey"]],
    ["text", ["--key", vkey]],
  ] as const) {
    const shown = await kept.done("verify", "log", ...words);
    assert.match(shown, WHOLE, name);
    assert.doesNotMatch(shown, OWN_KEY, name);
  }
  const own = await kept.done("verify", "log");
  assert.match(own, WHOLE, "the folder's own key");
  assert.match(own, OWN_KEY, "that it is the folder's own is said");
  assert.equal(checked(kept.at("log"), kept.at("log/log.vkey")).status, "whole", "the other checker");
});

test("--json: what was counted, and which key was taken", { timeout }, async () => {
  using kept = await keptLog();
  const whole = {
    status: "whole",
    entries: 10,
    signed: 10,
    pruned: 0,
    torn: 0,
    checkpoints: 3,
    key: kept.read("log/log.vkey").trim(),
  };
  const given = await kept.done("verify", "log", "--json", "--key", "log/log.vkey");
  assert.deepEqual(JSON.parse(given), { ...whole, isKeyOfFolder: false });
  const own = await kept.done("verify", "log", "--json");
  assert.deepEqual(JSON.parse(own), { ...whole, isKeyOfFolder: true });
});

interface Place {
  readonly problem: string;
  readonly file: string;
  readonly line: number;
  readonly n: number;
}
const withoutLine = (text: string, index: number): string => text.split("\n").toSpliced(index, 1).join("\n");

/** What is done to a log, and what has to be said of it. */
const damages: readonly (readonly [name: string, damage: (kept: Kept) => Place])[] = [
  [
    "one letter of an entry",
    (kept) => {
      const [file = ""] = kept.segments();
      kept.edit(`log/${file}`, (text) => text.replace("internal", "Internal"));
      return { problem: "hashes-differ", file: file.replace("jsonl", "hashes"), line: 0, n: 1 };
    },
  ],
  [
    "the outcome of an entry that another one follows",
    (kept) => {
      const [, file = ""] = kept.segments();
      kept.edit(`log/${file}`, (text) => text.replace('"outcome":"allowed"', '"outcome":"denied"'));
      return { problem: "chain-broken", file, line: 2, n: numberIn(file) + 1 };
    },
  ],
  [
    "an entry less",
    (kept) => {
      const [, file = ""] = kept.segments();
      kept.edit(`log/${file}`, (text) => withoutLine(text, 0));
      return { problem: "number-wrong", file, line: 1, n: numberIn(file) };
    },
  ],
  [
    "a space that changes nothing",
    (kept) => {
      const [, file = ""] = kept.segments();
      kept.edit(`log/${file}`, (text) => text.replace("{", "{ "));
      return { problem: "not-canonical", file, line: 1, n: numberIn(file) };
    },
  ],
  [
    "a segment less, with its hashes",
    (kept) => {
      const [, gone = "", next = ""] = kept.segments();
      for (const file of [gone, gone.replace("jsonl", "hashes")]) rmSync(kept.at(`log/${file}`));
      return { problem: "segment-missing", file: next, line: 0, n: numberIn(gone) };
    },
  ],
  [
    "the first segment removed as if it had been pruned",
    (kept) => {
      const [gone = "", next = ""] = kept.segments();
      rmSync(kept.at(`log/${gone}`));
      return { problem: "prune-unannounced", file: next, line: 0, n: numberIn(next) };
    },
  ],
  [
    "another number of entries in a checkpoint",
    (kept) => {
      kept.edit("log/checkpoints", (text) => text.replace("\n5\n", "\n4\n"));
      return { problem: "checkpoint-forged", file: "checkpoints", line: 9, n: 1 };
    },
  ],
  [
    "the last entries gone",
    (kept) => {
      const last = kept.segments().at(-1) ?? "";
      rmSync(kept.at(`log/${last}`));
      return { problem: "truncated", file: "checkpoints", line: 17, n: numberIn(last) };
    },
  ],
];
for (const [name, damage] of damages)
  test(`not whole: ${name} [AUD-18]`, { timeout }, async () => {
    using kept = await keptLog();
    const place = damage(kept);
    const json = await kept.audit("verify", "log", "--key", "log/log.vkey", "--json");
    const { message, key, isKeyOfFolder, ...told } = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.deepEqual(told, { status: "problem", ...place }, "problem and place");
    assert.equal(json.code, 1, "exit code with --json");
    assert.equal(typeof message === "string" && message !== "", true, "what the problem means");
    assert.deepEqual([key, isKeyOfFolder], [kept.read("log/log.vkey").trim(), false], "the key");
    const text = await kept.audit("verify", "log", "--key", "log/log.vkey");
    assert.equal(text.code, 1, "exit code");
    assert.equal(text.stdout.startsWith(`not whole  ${place.problem}: ${message}\n`), true, text.stdout);
    assert.equal(text.stdout.includes(place.file), true, `the file in ${text.stdout}`);
    if (place.line > 0)
      assert.equal(text.stdout.includes(`line ${place.line}`), true, `the line in ${text.stdout}`);
    assert.deepEqual(
      checked(kept.at("log"), kept.at("log/log.vkey")),
      { status: "problem", ...place },
      "the other checker",
    );
  });

test("another log's key, and the same key under another name, are not this log's", { timeout }, async () => {
  using kept = await keptLog();
  await kept.keygen("other.key");
  for (const words of [
    { log: "other-key", key: "other.key" },
    { log: "other-name", origin: "log.example/gateway-2" },
  ]) {
    await (await kept.open(words)).close();
    const ran = await kept.audit("verify", "log", "--key", `${words.log}/log.vkey`);
    assert.deepEqual([ran.code, /checkpoint-foreign/.test(ran.stdout)], [1, true], ran.stdout);
  }
});

/** Cuts a log and its checkpoints back to the second checkpoint, which counts five entries. */
function cutBack(kept: Kept, log: string): void {
  kept.edit(`${log}/checkpoints`, (text) => `${text.split("\n\n").slice(0, 4).join("\n\n")}\n`);
  for (const file of kept.segments(log)) {
    if (numberIn(file) < 5) continue;
    for (const ending of ["jsonl", "hashes", "index"])
      rmSync(kept.at(`${log}/${file.replace("jsonl", ending)}`), { force: true });
  }
}

test("a log that was cut with its checkpoints is found out by an anchor alone [AUD-18]", {
  timeout,
}, async () => {
  using kept = await keptLog();
  const to = await kept.done("checkpoint", "log", "--to", "kept.checkpoint");
  assert.match(to, /^kept\.checkpoint: 10 entries, signed at \d{4}-.*Z\n$/, "what was kept");
  const words = ["verify", "log", "--key", "log/log.vkey"];
  assert.match(await kept.done(...words, "--anchor", "kept.checkpoint"), /^whole {2}10 entries/, "before");
  cutBack(kept, "log");
  const cut = await kept.done(...words);
  assert.match(cut, /^whole {2}\d entries, 5 of them signed \(2 checkpoints\)\n/, "without the anchor");
  const ran = await kept.audit(...words, "--anchor", "kept.checkpoint");
  assert.equal(ran.code, 1, "exit code with the anchor");
  assert.match(ran.stdout, /^not whole {2}truncated: the log is shorter than what was signed\n/, "why");
});

test("an anchor of a log that was written anew does not fit it [AUD-18]", { timeout }, async () => {
  using kept = await keptLog();
  await kept.done("checkpoint", "log", "--to", "kept.checkpoint");
  rmSync(kept.at("log"), { recursive: true });
  const log = await kept.open();
  for (let n = 0; n < 11; n++) log.append({ type: "decision" });
  await log.close();
  assert.match(await kept.done("verify", "log"), /^whole {2}12 entries/, "it agrees with itself");
  const ran = await kept.audit("verify", "log", "--anchor", "kept.checkpoint", "--json");
  const { status, problem } = JSON.parse(ran.stdout) as Record<string, unknown>;
  assert.deepEqual([ran.code, status, problem], [1, "problem", "root-differs"], ran.stdout);
});

test("nothing signed is refused, unless the chain alone is asked for [AUD-19]", { timeout }, async () => {
  using kept = await keptLog();
  rmSync(kept.at("log/checkpoints"));
  const ran = await kept.audit("verify", "log", "--key", "log/log.vkey");
  assert.deepEqual([ran.code, /^not whole {2}no-log: /.test(ran.stdout)], [1, true], ran.stdout);
  const chain = await kept.done("verify", "log", "--key", "log/log.vkey", "--chain-only");
  assert.match(chain, /^whole {2}10 entries, 0 of them signed/, "the chain alone");
  assert.match(chain, /\n {2}nothing of it is signed\n/, "that nobody signed");
});

test("entries behind the last checkpoint are counted [AUD-19]", { timeout }, async () => {
  using kept = await keptLog();
  kept.edit("log/checkpoints", (text) => `${text.split("\n\n").slice(0, 4).join("\n\n")}\n`);
  const shown = await kept.done("verify", "log", "--key", "log/log.vkey");
  assert.match(shown, /^whole {2}10 entries, 5 of them signed \(2 checkpoints\)\n {2}5 behind the last/);
});

test("a secret was replaced before anything was written [AUD-5]", { timeout }, async () => {
  using kept = await keptLog();
  const written = kept.segments().map((file) => kept.read(`log/${file}`));
  assert.equal(written.join("").includes(SECRET), false, "the secret");
  assert.match(written.join(""), /"header":"Bearer \[redacted\]"/, "what is there instead");
  assert.match(
    written.join(""),
    /"message":\{"chars":1000,"sha256":"[0-9a-f]{64}","text":"much /,
    "long text",
  );
});

const usage: readonly (readonly [name: string, words: readonly string[], code: string, said: RegExp])[] = [
  ["a folder that does not exist", ["verify", "nowhere"], "CFG_NOT_FOUND", /nowhere/],
  ["no folder", ["verify"], "CLI_MISSING_ARGUMENT", /needs the folder of a log/],
  ["two folders", ["verify", "log", "log"], "CLI_BAD_VALUE", /what is log\?/],
  ["a folder without a key", ["verify", "empty"], "CFG_NOT_FOUND", /log\.vkey/],
  [
    "a file that is no verifier key",
    ["verify", "log", "--key", "log.key.pub"],
    "ATT_UNUSABLE",
    /NAME\+ID\+BASE64/,
  ],
  ["a key file that is not there", ["verify", "log", "--key", "no.vkey"], "CFG_NOT_FOUND", /no\.vkey/],
  ["an anchor that is not there", ["verify", "log", "--anchor", "no.note"], "CFG_NOT_FOUND", /no\.note/],
  ["a verb that does not exist", ["verfy", "log"], "CLI_UNKNOWN_COMMAND", /verify/],
];
test("verify: words that are wrong end with 2 and say what is wanted", { timeout }, async () => {
  using kept = await keptLog();
  mkdirSync(kept.at("empty"));
  for (const [name, words, code, said] of usage) {
    const ran = await kept.audit(...words, "--json");
    const error = errorIn(ran);
    assert.deepEqual([ran.code, error.code], [2, code], `${name}: ${error.message}`);
    assert.match(error.message, said, name);
  }
  const ran = await kept.audit("verify", "log", "--key", "log.key.pub");
  assert.equal(ran.stderr.includes("a log's own is the file log.vkey in its folder"), true, ran.stderr);
  assert.equal(kept.read("log/log.vkey").startsWith(`${ORIGIN}+`), true, "as that one is written");
});
