/** `touchstone audit prove`, `checkpoint` and `prune`, as a user runs them. */
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Entry } from "../../src/audit/index.ts";
import { checked, errorIn, type Kept, keptLog, ORIGIN, timeout } from "./audit-kit.ts";

const KEY = ["--key", "log/log.vkey"];
const SIGN = ["--key", "log.key", "--plain"];

/** Proves an entry; the name of the proof. */
async function proof(kept: Kept, id: string): Promise<string> {
  const file = `${id}.tlog-proof`;
  const shown = await kept.done("prove", "log", id);
  assert.equal(shown, `${file}: touchstone audit verify --proof ${file} --key KEY\n`, "what to do with it");
  return file;
}

test("a proof of any entry holds without the log [AUD-22]", { timeout }, async () => {
  using kept = await keptLog();
  for (const [name, { id, n }] of Object.entries(kept.receipts)) {
    const file = await proof(kept, id);
    const json = await kept.done("verify", "--proof", file, ...KEY, "--json");
    const { status, entry, checkpoint } = JSON.parse(json) as {
      status: string;
      entry: Entry;
      checkpoint: { origin: string; size: number; time: string };
    };
    assert.deepEqual([status, entry.id, entry.n], ["holds", id, n], name);
    assert.deepEqual([checkpoint.origin, checkpoint.size], [ORIGIN, 10], name);
  }
  const file = `${kept.receipts.hostile.id}.tlog-proof`;
  const shown = await kept.done("verify", "--proof", file, ...KEY);
  assert.match(shown, /^holds {2}entry 6 of log\.example\/gateway-1, signed with 10 entries at .*Z\n/);
  assert.equal(shown.includes("\u001b") || shown.includes("\u009b"), false, "its text acts on no terminal");
  const other = checked("--proof", kept.at(file), kept.at("log/log.vkey"));
  assert.equal(other.status, "holds", "the other checker");
});

/** A place in a proof where one character is changed. */
const places: readonly (readonly [name: string, place: RegExp])[] = [
  ["its first line", /tlog/],
  ["the entry", /extra .{40}/],
  ["the number", /index /],
  ["a hash beside the way", /index \d+\n.{10}/],
  ["the origin", /\n\nlog/],
  ["the number of entries", /gateway-1\n/],
  ["the root", /gateway-1\n10\n.{5}/],
  ["the last hash", /head ./],
  ["the time", /time 2/],
  ["the signature", /\u2014 \S+ .{30}/],
];
test("a proof is refused after one character was changed, and with another log's key [AUD-22]", {
  timeout,
}, async () => {
  using kept = await keptLog();
  const file = await proof(kept, kept.receipts.refused.id);
  for (const [name, place] of places) {
    const text = kept.read(file);
    const found = place.exec(text);
    assert.notEqual(found, null, name);
    const at = (found?.index ?? 0) + (found?.[0].length ?? 0);
    const changed = `${text.slice(0, at)}${text[at] === "4" ? "5" : "4"}${text.slice(at + 1)}`;
    writeFileSync(kept.at("changed"), changed);
    const ran = await kept.audit("verify", "--proof", "changed", ...KEY);
    assert.deepEqual([ran.code, /^refused {2}/.test(ran.stdout)], [1, true], `${name}: ${ran.stdout}`);
  }
  await kept.keygen("other.key");
  await (await kept.open({ log: "other", key: "other.key" })).close();
  const ran = await kept.audit("verify", "--proof", file, "--key", "other/log.vkey", "--json");
  assert.deepEqual(
    [ran.code, JSON.parse(ran.stdout)],
    [1, { status: "refused", reason: "the checkpoint is of another log or key" }],
  );
});

test("--since-checkpoint: the log only grew [AUD-23]", { timeout }, async () => {
  using kept = await keptLog();
  await kept.done("checkpoint", "log", "--to", "old.checkpoint");
  kept.copy("behind");
  const log = await kept.open();
  for (let n = 0; n < 5; n++) await log.append({ type: "decision" }).durable;
  await log.close();
  const words = ["prove", "log", "--since-checkpoint", "old.checkpoint"];
  await kept.done(...words);
  const holds = JSON.parse(await kept.done("verify", "--proof", "consistency.proof", ...KEY, "--json"));
  assert.deepEqual([holds.status, holds.from, holds.to], ["holds", 10, 16]);
  assert.match(
    await kept.done("verify", "--proof", "consistency.proof", ...KEY),
    /grew from 10 entries to 16/,
  );
  const other = checked("--proof", kept.at("consistency.proof"), kept.at("log/log.vkey"));
  assert.equal(other.status, "holds", "the other checker");

  kept.edit("consistency.proof", (text) => text.replace(/^(\S+\n)./, (_, head: string) => `${head}_`));
  const ran = await kept.audit("verify", "--proof", "consistency.proof", ...KEY);
  assert.deepEqual([ran.code, /^refused/.test(ran.stdout)], [1, true], ran.stdout);

  await kept.done("checkpoint", "log", "--to", "new.checkpoint");
  const back = await kept.audit("prove", "behind", "--since-checkpoint", "new.checkpoint", "--out", "x");
  assert.equal(back.code, 1, "a log that is behind");
  assert.match(back.stderr, /new\.checkpoint counts 16 entries, the log's newest checkpoint 10/);
});

test("prove: nothing is overwritten, and wrong words end with 2", { timeout }, async () => {
  using kept = await keptLog();
  const { id } = kept.receipts.sent;
  const file = await proof(kept, id);
  const before = kept.read(file);
  writeFileSync(kept.at("mine"), "mine");
  const cases: readonly (readonly [words: readonly string[], said: RegExp])[] = [
    [["prove", "log", id], /exists already/],
    [["prove", "log", id, "--out", "mine"], /mine exists already/],
    [["prove", "log", "e-000000000000-0"], /log has no entry e-000000000000-0/],
    [["prove", "log"], /needs the id of an entry, or --since-checkpoint FILE/],
    [["prove", "log", id, "--since-checkpoint", "mine"], /needs the id of an entry, or --since/],
    [["prove", "log", "--since-checkpoint", "mine"], /mine is no checkpoint/],
    [["prove", "nowhere", id], /nowhere/],
    [["verify", "--proof", file], /a proof needs the key of its log: --key FILE/],
    [["verify", "log", "--proof", file, ...KEY], /leave out the folder/],
    [["verify", "--proof", "nothing", ...KEY], /nothing/],
    [["checkpoint", "log"], /checkpoint needs --to FILE/],
    [["prune", "log", ...SIGN], /--older-than DAYS, as 90d/],
    [["prune", "log", ...SIGN, "--older-than", "90"], /--older-than DAYS, as 90d/],
  ];
  for (const [words, said] of cases) {
    const ran = await kept.audit(...words, "--json");
    assert.equal(ran.code, 2, `${words.join(" ")}: ${ran.stdout}`);
    assert.match(errorIn(ran).message, said, words.join(" "));
  }
  assert.deepEqual([kept.read(file), kept.read("mine")], [before, "mine"], "what was there");
});

test("an entry that nothing has signed yet has no proof; a checkpoint makes one", { timeout }, async () => {
  using kept = await keptLog();
  kept.edit("log/checkpoints", (text) => `${text.split("\n\n").slice(0, 4).join("\n\n")}\n`);
  const { id, n } = kept.receipts.labelled;
  const early = await kept.audit("prove", "log", id);
  assert.equal(early.code, 2, early.stderr);
  assert.match(early.stderr, new RegExp(`entry ${n} is not in a checkpoint yet: the newest counts 5`));
  const signed = await kept.done("checkpoint", "log", "--to", "anchor", ...SIGN, "--json");
  // The one who signs opens the log, and says so in it.
  const { file, size } = JSON.parse(signed) as { file: string; size: number };
  assert.deepEqual([file, size], ["anchor", 11], "everything that was there");
  await proof(kept, id);
  const shown = await kept.done("verify", "log", ...KEY, "--anchor", "anchor");
  assert.match(shown, /^whole {2}11 entries, 11 of them signed/, "the log");
});

test("one log has one writer: checkpoint and prune wait for nobody (AUD_LOCKED)", { timeout }, async () => {
  using kept = await keptLog();
  const log = await kept.open();
  const size = log.size;
  for (const words of [
    ["checkpoint", "log", "--to", "anchor", ...SIGN],
    ["prune", "log", "--older-than", "0d", ...SIGN],
  ]) {
    const ran = await kept.audit(...words, "--json");
    assert.deepEqual([ran.code, errorIn(ran).code], [2, "AUD_LOCKED"], words.join(" "));
  }
  // Without a key nothing is written: that goes on beside the writer.
  assert.match(await kept.done("checkpoint", "log", "--to", "anchor"), /^anchor: 11 entries/);
  await log.append({ type: "decision" }).durable;
  await log.close();
  assert.match(
    await kept.done("verify", "log", ...KEY),
    new RegExp(`^whole {2}${size + 1} entries`),
    "after",
  );
});

test("another key writes nothing", { timeout }, async () => {
  using kept = await keptLog();
  await kept.keygen("other.key");
  const before = kept.read("log/checkpoints");
  const cases: readonly (readonly [words: readonly string[], said: RegExp])[] = [
    [["--key", "other.key", "--plain"], /other\.key is not the key of this log/],
    [["--key", "log.key"], /not protected by a passphrase/],
    [["--key", "log.key.pub", "--plain"], /log\.key\.pub: /],
    [["--key", "none.key", "--plain"], /none\.key: /],
  ];
  for (const [words, said] of cases)
    for (const verb of [
      ["prune", "log", "--older-than", "0d"],
      ["checkpoint", "log", "--to", "anchor"],
    ]) {
      const ran = await kept.audit(...verb, ...words);
      assert.equal(ran.code, 2, `${verb[0]} ${words.join(" ")}: ${ran.stderr}`);
      assert.match(ran.stderr, said, `${verb[0]} ${words.join(" ")}`);
    }
  assert.equal(kept.read("log/checkpoints"), before, "the checkpoints");
  assert.match(
    await kept.done("verify", "log", ...KEY),
    /^whole {2}10 entries, 10 of them signed/,
    "the log",
  );
  assert.equal(readdirSync(kept.folder).includes("anchor"), false, "no checkpoint was kept");
});

test("prune: old segments go, and what they held is still proved [AUD-16, AUD-20]", { timeout }, async () => {
  using kept = await keptLog();
  const vkey = kept.at("log/log.vkey");
  const [old, young] = [kept.receipts.sent, kept.receipts.approved];
  const file = await proof(kept, old.id);
  await kept.done("checkpoint", "log", "--to", "old.checkpoint");
  const segments = kept.segments();
  const last = Number(segments.at(-1)?.slice(0, 20));
  assert.equal(checked(kept.at("log"), vkey).status, "whole", "the other checker, before");

  const none = JSON.parse(await kept.done("prune", "log", "--older-than", "30d", ...SIGN, "--json"));
  assert.deepEqual([none, kept.segments()], [{ segments: 0 }, segments], "nothing is so old");
  const shown = await kept.done("prune", "log", "--older-than", "0d", ...SIGN);
  assert.equal(shown, `${segments.length - 1} segments removed, the hashes stay\n`, "what was removed");
  assert.deepEqual(kept.segments(), segments.slice(-1), "what is left");

  const whole = await kept.done("verify", "log", ...KEY, "--anchor", "old.checkpoint");
  assert.match(whole, new RegExp(`^whole .*\n {2}${last} pruned: known by their hashes\n`), "the log");
  const other = checked(kept.at("log"), vkey, kept.at("old.checkpoint"));
  assert.equal(other.status, "whole", "the other checker, after");
  assert.match(await kept.done("verify", "--proof", file, ...KEY), /^holds {2}entry 2 of /, "an older proof");
  await kept.done("prove", "log", "--since-checkpoint", "old.checkpoint");
  assert.match(await kept.done("verify", "--proof", "consistency.proof", ...KEY), /^holds .*from 10 entries/);

  const left = JSON.parse(await kept.done("show", "log", "--json")) as Entry[];
  assert.equal(left[0]?.id, young.id, "the first entry that is kept");
  assert.deepEqual(left.at(-1)?.data, { before: last, event: "pruned" }, "it is on record");
  assert.equal(await kept.done("show", "log", "--id", old.id), "", "an entry that is gone");
  const gone = await kept.audit("prove", "log", old.id, "--out", "again");
  assert.deepEqual([gone.code, /has no entry/.test(gone.stderr)], [2, true], "no new proof of it");
  assert.notEqual(await kept.done("show", "log", "--id", young.id), "", "an entry that is kept");
});
