import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance } from "./distance.ts";
import { sqlFault } from "./sql.ts";
import { xmlFault } from "./xml.ts";

/** Undefined: nothing speaks against it. */
const xml: readonly (readonly [string, string | undefined])[] = [
  ["<a/>", undefined],
  [
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- c --><a b="1" c=\'2\'>x &amp; &#10; &#x1F600;<b:c/><![CDATA[<&]]></a>\n',
    undefined,
  ],
  ["<!DOCTYPE html><html></html>", undefined],
  ["<ä>ü</ä>", undefined],
  ["", "there is no element"],
  ["text", "text outside of the root at character 1"],
  ["<a></b>", "<a> is closed by another name at character 4"],
  ["<a><b></a></b>", "<b> is closed by another name at character 7"],
  ["<a>", "<a> is not closed"],
  ["</a>", "a closing tag for nothing at character 1"],
  ["<a/><b/>", "a second root at character 5"],
  ["<a/>x", "text outside of the root at character 5"],
  ["<a b=1/>", "<a is not a proper tag at character 3"],
  ['<a b="1" b="2"/>', "the attribute b twice at character 15"],
  ["<a>&lol;</a>", "an entity that XML does not have by itself at character 4"],
  ['<a b="&lol;"/>', "an entity that XML does not have by itself at character 13"],
  ["<a>a & b</a>", "an entity that XML does not have by itself at character 4"],
  ['<!DOCTYPE a [<!ENTITY lol "x">]><a>&lol;</a>', "a document type that declares something at character 1"],
  ["<a><!-- -- --></a>", "a comment that is not closed by --> at character 4"],
  ["<a>1 < 2</a>", 'a "<" that opens nothing at character 6'],
  ["<a>\u0000</a>", "a character that XML does not have"],
  [' <?xml version="1.0"?><a/>', "an XML declaration that does not stand first at character 2"],
];
for (const [text, fault] of xml) test(`XML: ${text.slice(0, 50)}`, () => assert.equal(xmlFault(text), fault));

const sql: readonly (readonly [string, string | undefined])[] = [
  ["SELECT * FROM t WHERE a = 'it''s; (' -- ( '", undefined],
  ["select 1;", undefined],
  ["/* why */ WITH x AS (SELECT 1) SELECT * FROM x ;  ", undefined],
  ["(SELECT 1) UNION (SELECT 2)", undefined],
  ["COMMIT", undefined],
  ["CREATE FUNCTION f() AS $body$ ; ' ( $body$", undefined],
  ["", "there is no statement"],
  ["-- only a comment", "there is no statement"],
  ["hello there", '"HELLO" is no verb of SQL'],
  ["SELECT", "nothing follows SELECT"],
  ["SELECT 1; DROP TABLE t", "more than one statement"],
  ["SELECT 'a", "a ' that does not end"],
  ["SELECT (1", 'a "(" that is not closed'],
  ["SELECT 1)", 'a ")" that closes nothing'],
  ["SELECT /* 1", "a comment that does not end"],
  ["1 SELECT", "it does not begin with a verb"],
];
for (const [text, fault] of sql) test(`SQL: ${text.slice(0, 50)}`, () => assert.equal(sqlFault(text), fault));

const long: readonly (readonly [string, string])[] = [
  ["a name of a document type", `<!DOCTYPE ${"a".repeat(900_000)}`],
  ["attributes", `<a ${"b ".repeat(400_000)}`],
  ["spaces in a tag", `<a${" ".repeat(900_000)}`],
  ["open tags", "<a>".repeat(300_000)],
  ["ampersands", `<a>${"&".repeat(900_000)}`],
  ["quotes", "SELECT ".concat("'' ".repeat(300_000), "'")],
  ["dollars", `SELECT ${"$ ".repeat(400_000)}`],
  ["parentheses", `SELECT ${"(".repeat(900_000)}`],
  ["dashes", `SELECT ${"-".repeat(900_000)}`],
];
for (const [name, text] of long)
  test(`long texts of servers are judged in time: ${name}`, { timeout: 10_000 }, () => {
    xmlFault(text);
    sqlFault(text);
  });

/** The textbook's, for comparison. */
function slow(a: readonly string[], b: readonly string[]): number {
  let previous = b.map((_, j) => j).concat(b.length);
  for (const [i, letter] of a.entries()) {
    const row = [i + 1];
    for (const [j, other] of b.entries())
      row.push(
        Math.min(
          (previous[j] ?? 0) + (letter === other ? 0 : 1),
          (previous[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
        ),
      );
    previous = row;
  }
  return previous[b.length] ?? 0;
}

test("the banded distance is the distance, as far as it is asked", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), maxLength: 12 });
  fc.assert(
    fc.property(text, text, fc.nat(14), (a, b, max) => {
      const far = slow([...a], [...b]);
      assert.equal(distance(a, b, max), far <= max ? far : undefined);
    }),
    { numRuns: 2000 },
  );
});

test("a long text is not measured out", { timeout: 10_000 }, () => {
  assert.equal(distance("a".repeat(10_000), "b".repeat(11_000), 1_000), undefined);
  assert.equal(distance("a".repeat(8_000_000), "b", 1_000), undefined);
});
