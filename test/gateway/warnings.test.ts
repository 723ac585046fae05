/** What goes on although a control warns of it: the client is told beside the label, the operator once a minute. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LABEL_KEY } from "../../src/gateway/index.ts";
import { isRecord, type Outcome } from "../../src/wire/index.ts";
import { call, gatewayOf, LIMIT, reads, textOf } from "./kit.ts";

function warningsOf(outcome: Outcome): unknown {
  const result = outcome.kind === "result" && isRecord(outcome.result) ? outcome.result : {};
  const label = isRecord(result._meta) ? result._meta[LABEL_KEY] : undefined;
  return isRecord(label) ? label.warnings : "no label";
}

const notes = {
  tools: [reads("read", "a note")],
  resources: [{ uri: "note://1", name: "one", answer: "one" }],
  prompts: [{ name: "sum", answer: "sum up" }],
};
const REASON = "notes is not admitted: nothing vouches for it: no statement, and it is not locked";
const OPEN = { mcp_servers: { notes: { allowed_tools: ["read"] } } };

for (const era of ["legacy", "modern"] as const)
  test(
    `where admission warns, each answer says so, and the operator is told once: ${era} [GTW-80]`,
    LIMIT,
    async () => {
      await using gateway = await gatewayOf({ notes }, { ...OPEN, modes: { admission: "warn" } });
      await using session = await gateway.connect({ era });
      const warnings = [{ rule: "admission", reason: REASON }];
      for (let n = 0; n < 3; n++) {
        const outcome = await call(session, "notes__read");
        assert.equal(textOf(outcome), "a note");
        assert.deepEqual(warningsOf(outcome), warnings);
      }
      assert.deepEqual(warningsOf(await session.request("resources/read", { uri: "note://1" })), warnings);
      assert.deepEqual(warningsOf(await session.request("prompts/get", { name: "notes__sum" })), warnings);
      const told = gateway.told.filter((text) => text.startsWith("warning: "));
      assert.deepEqual(told, [
        `warning: notes: the tool "read" is let through, against admission: ${REASON}`,
        `warning: notes: the resource "note://1" is let through, against admission: ${REASON}`,
        `warning: notes: the prompt "sum" is let through, against admission: ${REASON}`,
      ]);
      assert.deepEqual(
        gateway.entries("decision").map(({ outcome, data }) => [outcome, isRecord(data) && data.kind]),
        Array.from({ length: 5 }, () => ["allowed", "warn"]),
      );
    },
  );

test("where admission is observed only the log tells of it [GTW-80]", LIMIT, async () => {
  await using gateway = await gatewayOf({ notes }, { ...OPEN, modes: { admission: "observe" } });
  await using session = await gateway.connect();
  const outcome = await call(session, "notes__read");
  assert.deepEqual([textOf(outcome), warningsOf(outcome)], ["a note", undefined]);
  assert.deepEqual(
    gateway.told.filter((text) => text.startsWith("warning: ")),
    [],
  );
  assert.match(JSON.stringify(gateway.entries("decision")[0]?.data), /"beside":\[\{[^\]]*"rule":"admission"/);
});
