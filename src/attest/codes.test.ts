import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../test/kit/paths.ts";
import { documentCases, toolCases } from "../../test/kit/sad.ts";
import { denialTable, explainDenial } from "./codes.ts";

const rows = Object.entries(denialTable);

test("0 to 9 are the reasons of ATSA 1.0 [SAD-6]", () =>
  assert.deepEqual(
    rows.slice(0, 10).map(([code, { reason }]) => [Number(code), reason]),
    [
      [0, "unsupported_version"],
      [1, "not_mcp_server"],
      [2, "unsigned"],
      [3, "signer_not_trusted"],
      [4, "signer_expired"],
      [5, "signer_not_approved"],
      [6, "bad_signature"],
      [7, "below_required"],
      [8, "host_not_bound"],
      [9, "tool_not_admitted"],
    ],
  ));

test("the specification lists exactly the codes of the table, with reason and title [SAD-6]", () => {
  const spec = readFileSync(join(root, "spec/sad.md"), "utf8");
  const listed = [...spec.matchAll(/^\| (\d+) \| `(\w+)` \| [a-z]+(?: \d)? \| (.*) \|$/gm)];
  assert.deepEqual(
    listed.map(([, code, reason, title]) => [code, reason, title]),
    rows.map(([code, { reason, title }]) => [code, reason, title]),
  );
});

test("titles are unique, and every code says a way out", () => {
  assert.equal(new Set(rows.map(([, { title }]) => title)).size, rows.length);
  for (const [code, { hint }] of rows) assert.ok(hint.length > 10, code);
});

test("every code is the answer of a vector, and stands for the reason it gives there", () => {
  const answers = new Map(
    [...documentCases, ...toolCases].map(({ expect }) => [String(expect.code), expect.reason]),
  );
  answers.delete("undefined");
  assert.deepEqual(
    rows.filter(([code, { reason }]) => answers.get(code) !== reason).map(([code]) => code),
    [],
  );
});

test("a code that does not exist is not explained", () => {
  assert.equal(explainDenial(6)?.reason, "bad_signature");
  for (const code of [-1, 10, 99, 1.5, Number.NaN]) assert.equal(explainDenial(code), undefined);
});
