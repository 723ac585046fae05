import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { composed, unescapeOnce } from "./unescape.ts";

const cases = [
  { name: "line breaks of JSON", raw: "a\\n  b\\tc", want: "a\n  b\tc" },
  { name: "quotes of JSON", raw: '\\"x\\"', want: '"x"' },
  { name: "unicode escapes", raw: "\\u0041\\u{1f600}\\x42", want: "A😀B" },
  { name: "an octal escape", raw: "\\101", want: "A" },
  { name: "entities by number", raw: "&#65;&#x42;&#67", want: "ABC" },
  { name: "entities by name", raw: "&lt;b&gt; &amp; &quot;", want: '<b> & "' },
  { name: "percent signs", raw: "100%25 %41", want: "100% A" },
  { name: "markup", raw: "a<b>b</b><br/>c", want: "ab\nc" },
  { name: "colours of a terminal", raw: "\u001b[31mred\\u001b[0m", want: "red" },
  { name: "a number beyond all characters", raw: "x&#9999999;y", want: "xy" },
];
for (const { name, raw, want } of cases)
  test(`undone: ${name}`, () => assert.equal(unescapeOnce(raw)?.text, want));

for (const raw of ["", "plain text", "50% off", "a & b", "<anonymous>", "C:\\Users\\kim", "&unknown;"])
  test(`nothing to undo in ${JSON.stringify(raw)}`, () => assert.equal(unescapeOnce(raw), undefined));

test("kept markup and colours stay where they are", () => {
  assert.equal(unescapeOnce("<b>&lt;</b>\\u001b[8m", { markup: "kept" })?.text, "<b><</b>\u001b[8m");
});

test("a place in the new text is the place of its escape in the raw one", () => {
  const raw = "ab\\u0041cd&#66;";
  const view = unescapeOnce(raw);
  assert.equal(view?.text, "abAcdB");
  assert.deepEqual([0, 2, 3, 5].map(view.rawStart), [0, 2, 8, 10]);
  assert.deepEqual([1, 3, 4, 6].map(view.rawEnd), [1, 8, 9, raw.length]);
});

test("two layers lead back to the same place", () => {
  const raw = 'x\\\\"y';
  const outer = unescapeOnce(raw);
  const inner = outer && unescapeOnce(outer.text);
  assert.equal(inner?.text, 'x"y');
  if (outer === undefined) return;
  const both = composed(outer, inner);
  assert.deepEqual([raw.slice(both.rawStart(1), both.rawEnd(2)), both.rawStart(2)], ['\\\\"', 4]);
});

test("places never run backwards nor beyond the text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 5 }),
    fc.constantFrom("\\n", "\\u0041", "&#128512;", "%41", "<br>", "\ud800", "\u001b[1m", "\\\\"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const raw = pieces.join("");
      const view = unescapeOnce(raw);
      if (view === undefined) return;
      let last = 0;
      for (let index = 0; index <= view.text.length; index++) {
        const [start, end] = [view.rawStart(index), view.rawEnd(index)];
        assert.ok(start >= last && start <= raw.length && end <= raw.length, `${index}: ${start}, ${end}`);
        last = start;
      }
    }),
  );
});
