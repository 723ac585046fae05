/** What must not surprise who keeps a log: young entries, forged helpers, a writer at work, links. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { readKeyFile } from "../../src/attest/index.ts";
import { fileStore, logFiles, openLog, verifyLog } from "../../src/audit/index.ts";
import { errorIn, keptLog, ORIGIN, timeout } from "./audit-kit.ts";

test("prune: a segment with an entry that is young enough stays", { timeout }, async () => {
  using kept = await keptLog();
  const read = readKeyFile(readFileSync(kept.at("log.key")), { allowPlain: true });
  if (read.status !== "read") throw new Error("no key");
  let days = 100;
  const options = { key: read.key, origin: ORIGIN, segmentBytes: 1200, segmentMs: Number.MAX_SAFE_INTEGER };
  const log = await openLog(fileStore(kept.at("old")), {
    ...options,
    now: () => Date.now() - days * 86_400_000,
  });
  // Segments: 100 to 50 days old, 40 to 5, 1 and 0.
  for (days of [100, 95, 60, 50, 40, 30, 20, 10, 5, 1, 0])
    await log.append({ type: "decision", server: "mail", tool: "send", actor: "agent-7", data: { days } })
      .durable;
  await log.close();
  const pruned = await kept.done(
    "prune",
    "old",
    "--older-than",
    "90d",
    "--key",
    "log.key",
    "--plain",
    "--json",
  );
  assert.deepEqual(JSON.parse(pruned), { segments: 0 }, "the first segment holds entries of 60 and 50 days");
});

test("who can write to the folder of a log cannot hide entries of it with an index", {
  timeout,
}, async () => {
  using kept = await keptLog();
  const denied = async (): Promise<number> =>
    (await kept.done("show", "log", "--outcome", "denied")).split("\n").length - 1;
  const before = await denied();
  assert.deepEqual(
    readdirSync(kept.at("log")).filter((name) => name.endsWith(".index")),
    [],
    "indexes are elsewhere",
  );
  writeFileSync(kept.at("log/00000000000000000000.index"), '{"format":1,"outcomes":[]}\n');
  assert.equal(await denied(), before, "denied entries");
});

test("a log that grows while it is verified is whole", { timeout }, async () => {
  using kept = await keptLog();
  const files = logFiles(kept.at("log"));
  const log = await kept.open();
  const [names, notes] = [files.names(), files.read("checkpoints")];
  for (let n = 0; n < 5; n++)
    await log.append({ type: "decision", data: { filler: "x".repeat(300) } }).durable;
  await log.checkpoint();
  // Whatever is looked at first is from before.
  let isFirst = true;
  const first = <T>(old: T, now: () => T): T => {
    const seen = isFirst ? old : now();
    isFirst = false;
    return seen;
  };
  const growing = {
    ...files,
    names: () => first(names, files.names),
    read: (name: string) =>
      name === "checkpoints" ? first(notes, () => files.read(name)) : files.read(name),
  };
  assert.equal(verifyLog(growing, { key: log.key }).status, "whole");
  await log.close();
});

test("a checkpoint that counts more than the log has is not replaced", { timeout }, async () => {
  using kept = await keptLog();
  await kept.done("checkpoint", "log", "--to", "anchor");
  const anchor = readFileSync(kept.at("anchor"), "utf8");
  kept.edit("log/checkpoints", (text) => `${text.split("\n\n").slice(0, 2).join("\n\n")}\n`);
  const ran = await kept.audit("checkpoint", "log", "--to", "anchor", "--json");
  assert.deepEqual([ran.code, /counts \d+ entries/.test(errorIn(ran).message)], [2, true], ran.stderr);
  assert.equal(readFileSync(kept.at("anchor"), "utf8"), anchor);
});

test("a link in place of a segment is no file of a log (AUD_DAMAGED)", { timeout }, async () => {
  using kept = await keptLog();
  const [name = ""] = readdirSync(kept.at("log")).filter((each) => each.endsWith(".jsonl"));
  renameSync(kept.at(`log/${name}`), kept.at("moved"));
  symlinkSync(kept.at("moved"), kept.at(`log/${name}`));
  const ran = await kept.audit("verify", "log", "--json");
  assert.deepEqual([ran.code, errorIn(ran).code], [1, "AUD_DAMAGED"], ran.stderr);
});

test("prune without a key says that one is needed", { timeout }, async () => {
  using kept = await keptLog();
  const ran = await kept.audit("prune", "log", "--older-than", "0d", "--json");
  assert.deepEqual([ran.code, errorIn(ran).code], [2, "CLI_MISSING_ARGUMENT"], errorIn(ran).message);
});
