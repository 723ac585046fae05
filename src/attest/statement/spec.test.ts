/** The pages, the schemas and the second reader of spec/check say the same as the code. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { RootCase, StatementCase } from "../../../test/kit/attest-vectors.ts";
import { root } from "../../../test/kit/paths.ts";
import { vectors } from "../../../test/kit/vectors.ts";
import { validate } from "../../schema/index.ts";
import { readEnvelope } from "../keys/envelope.ts";
import { ROOT_CHECKS } from "../root/checks.ts";
import { ROOT_REASONS } from "../root/reasons.ts";
import { STATEMENT_CHECKS } from "./checks.ts";
import { PREDICATE_TYPE } from "./format.ts";
import { STATEMENT_REASONS } from "./reasons.ts";

const read = (path: string): string => readFileSync(join(root, "spec", path), "utf8");

test("a reader that shares only the pages agrees on every vector", { timeout: 120_000 }, () => {
  const { status, stdout, stderr, error } = spawnSync(
    "python3",
    ["-B", join(root, "spec/check/statement.py")],
    {
      encoding: "utf8",
    },
  );
  assert.equal(error, undefined, `python3 is needed for spec/check/statement.py: ${error?.message}`);
  assert.equal(status, 0, `${stdout}${stderr}`);
  const count = vectors("statement").length + vectors("trust-root").length;
  assert.equal(stdout.trim(), `${count} of ${count} cases agree`);
});

const payloadOf = (written: StatementCase["envelope"]): unknown => {
  const envelope = readEnvelope(
    "text" in written ? Buffer.from(written.text, "utf8") : Buffer.from(written.base64, "base64"),
  );
  return typeof envelope === "string"
    ? undefined
    : JSON.parse(Buffer.from(envelope.payload).toString("utf8"));
};

/** What a schema cannot say: relations between members, and how a text was written. */
const BEYOND_SCHEMA =
  /^shape-(not-json|duplicate-key|prototype-key|half-character|huge-serial|subject-twice|two-packages|origin-digest|two-fingerprints|long-life|dates-out-of-order|key-dates-out-of-order|run-after-issue|no-such-day|bad-date|method-twice|main-method|coverage)\.json$/;

const documents = [
  {
    name: "statement",
    cases: vectors<StatementCase>("statement").map((each) => ({ ...each, written: each.envelope })),
  },
  {
    name: "trust-root",
    cases: vectors<RootCase>("trust-root").map((each) => ({ ...each, written: each.root })),
  },
];
for (const { name, cases } of documents) {
  const schema: unknown = JSON.parse(read(`${name}.schema.json`));
  test(`${name}.schema.json takes what is accepted and refuses what has another shape [STM-2, ROO-2]`, () => {
    for (const each of cases) {
      const isAccepted = each.layer === "none";
      const isMisshapen = each.layer === "shape" && !BEYOND_SCHEMA.test(each.file);
      if (!isAccepted && !isMisshapen) continue;
      assert.equal(
        validate(schema, payloadOf(each.written)).verdict,
        isAccepted ? "valid" : "invalid",
        each.file,
      );
    }
  });
}

test("the pages list reasons and codes in the order of the checks [VER-1, ROO-15]", () => {
  const rows = (page: string): [string, number][] =>
    [...read(page).matchAll(/^\| `([a-z-]+)` \| (\d{3}) \|/gm)].map(([, reason = "", code]) => [
      reason,
      Number(code),
    ]);
  const unique = (list: readonly string[]): string[] => [...new Set(list)];
  for (const { page, table, checks } of [
    { page: "statement.md", table: STATEMENT_REASONS, checks: STATEMENT_CHECKS },
    { page: "trust-root.md", table: ROOT_REASONS, checks: ROOT_CHECKS },
  ]) {
    assert.deepEqual(Object.fromEntries(rows(page)), { ...table });
    const ordered = new Set(checks.map(({ reason }) => reason as string));
    const listed = unique(rows(page).map(([reason]) => reason)).filter((reason) => ordered.has(reason));
    const counted = (list: string[]): string[] => list.filter((reason) => reason !== "too-few-signatures");
    assert.deepEqual(counted(listed), counted(unique(checks.map(({ reason }) => reason))));
  }
});

test("the type of the predicate is the one of the page [STM-1]", () => {
  assert.equal(PREDICATE_TYPE, "urn:uuid:3cd8ba5f-e639-45b0-b99a-726bae818f7e#mcp-server-grade/v1");
  assert.ok(read("statement.md").includes(PREDICATE_TYPE));
});
