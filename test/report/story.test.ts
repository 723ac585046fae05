/** The page of a story: whatever servers said, it is text there, and every step is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Story, storyHtml } from "../../src/report/index.ts";
import { bundleSaying, HOSTILE } from "./grade-sample.ts";

/** A story with these two texts wherever one can stand. */
const saying = (text: string, other: string): Story => ({
  title: text,
  about: other,
  ranAt: text,
  steps: [
    {
      id: "first",
      title: other,
      ok: true,
      assessed: false,
      why: text,
      claims: [{ claim: text, holds: true }],
      shows: [{ word: text, tone: "good", what: other, text }],
      exhibits: [
        { kind: "grade", name: text, bundle: bundleSaying(text, other) },
        { kind: "table", name: other, head: [text], rows: [[other], [text]] },
        { kind: "text", name: text, text: `${other}\n${text}` },
      ],
      seconds: 1,
    },
    { id: "second", title: text, ok: false, assessed: true, claims: [], shows: [], seconds: 0 },
  ],
  next: [[text, other]],
});

/** Tags with the names of their attributes. */
const shapeOf = (page: string): Set<string> =>
  new Set(
    [...page.replace(/<style>[\s\S]*?<\/style>/g, "").matchAll(/<([a-z][^\s>]*)([^>]*)>/gi)].map(
      ([, name, rest = ""]) =>
        [name, ...[...rest.matchAll(/([a-z-]+)="/g)].map(([, attribute]) => attribute)].join(" "),
    ),
  );

const VOID = new Set(["meta"]);

/** Why its tags do not close each other; undefined when they do. */
function faultIn(page: string): string | undefined {
  const open: string[] = [];
  for (const [tag, slash, name = ""] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/gi)) {
    if (VOID.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return `${tag} closes nothing`;
  }
  return open.length === 0 ? undefined : `${open.join(", ")} stays open`;
}

test("a page is whole, names its steps, and says which of them did not hold", () => {
  const page = storyHtml(saying("plain", "words"));
  assert.equal(faultIn(page), undefined);
  const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, "ids stand once");
  assert.deepEqual(
    [...page.matchAll(/<section class="step (\w+)" id="(\w+)"/g)].map(([, state, id]) => [id, state]),
    [
      ["first", "partial"],
      ["second", "fail"],
    ],
  );
  assert.match(page, /Not assessed: plain/);
  assert.match(page, /aria-label="Not all of it held"/);
  assert.match(page, /1 of 2 held/);
});

test("nothing foreign acts in it", () => {
  const plain = shapeOf(storyHtml(saying("plain", "words")));
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      HOSTILE,
      "</style><script>",
      "</code></pre><img src=x onerror=a()>",
      '" onclick="a()" x="',
    ),
  );
  fc.assert(
    fc.property(anything, anything, (text, other) => {
      const page = storyHtml(saying(text, other));
      assert.doesNotMatch(page, /<script|<img/i);
      assert.equal(faultIn(page), undefined);
      for (const [, name, value = ""] of page.matchAll(
        /<[a-z][^>]*\s(src|href|on\w+|style)\s*=\s*"([^"]*)"/gi,
      ))
        assert.ok(name === "href" && value.startsWith("#"), `${name}=${value}`);
      for (const tag of shapeOf(page)) assert.ok(plain.has(tag) || tag === "mark", tag);
    }),
    { numRuns: 100 },
  );
});

test("characters that nobody sees stand in it by number", () => {
  const page = storyHtml(saying("a\u200bb\u202ec\u{e0041}", "words"));
  assert.doesNotMatch(page, /[\u200b\u202e\u{e0041}]/u);
  assert.match(page, /<mark>\\u\{200b\}<\/mark>/);
});

test("a long table is a click away and bounded, a long text is cut and counted", () => {
  const [step] = saying("plain", "words").steps;
  assert.ok(step);
  const rows = Array.from({ length: 500 }, (_, row) => [`row ${row}`]);
  const exhibits = [
    { kind: "table", name: "rows", head: ["one"], rows },
    { kind: "text", name: "text", text: "x".repeat(50_000) },
  ] as const;
  const page = storyHtml({ ...saying("plain", "words"), steps: [{ ...step, exhibits }] });
  assert.match(page, /<details class="more"><summary>rows: 500 rows<\/summary>/);
  assert.match(page, /row 199</);
  assert.doesNotMatch(page, /row 200</);
  assert.match(page, /and 300 more/);
  assert.match(page, /and 30000 characters more/);
});
