/** Whatever a server or a file says, it is text in every format of a grade. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sha256 } from "../../src/grade/index.ts";
import { clipped, html, ours } from "../../src/report/grade/html.ts";
import { gradeBadge, gradeHtml, gradeJunit, gradeMarkdown, gradeSarif } from "../../src/report/index.ts";
import { bundleSaying, HOSTILE, recordingOf } from "./grade-sample.ts";
import { sarifFaults } from "./sarif-shape.ts";

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.stringMatching(/^[`|\\<>[\]()!@#&;"'={} /-]{0,30}$/),
  fc.constantFrom(
    HOSTILE,
    "</script><script>",
    "<SCRIPT src=//evil.example>",
    "]]>",
    "<![CDATA[",
    "<!--",
    "--!>",
    '" href="https://evil.example" x="',
    "&#60;script&#62;",
    "__proto__",
    "constructor",
    "\u0000\u0008\ufffe\uffff\ud800",
    "javascript:alert(1)",
  ),
);
const numRuns = 150;

test("nothing foreign acts in the page", () => {
  const tags = shapeOf(page("plain", "words"));
  fc.assert(
    fc.property(anything, anything, (text, other) => {
      const found = page(text, other);
      assert.equal(found.match(/<script/gi)?.length, 1);
      assert.equal(found.match(/<\/script/gi)?.length, 1);
      for (const [, name, value = ""] of found.matchAll(
        /\s(src|href|action|on\w+|style|srcset)\s*=\s*"([^"]*)"/g,
      ))
        assert.ok(name === "href" && value.startsWith("#"), `${name}=${value}`);
      // No tag or attribute that plain words do not bring as well, but for links of ours and marks of what cannot be seen.
      for (const tag of shapeOf(found)) assert.ok(tags.has(tag) || ["a href", "mark"].includes(tag), tag);
    }),
    { numRuns },
  );
});

function page(text: string, other: string): string {
  const calls = [{ tool: text, args: { [other]: text }, texts: [other, text] }];
  const recording = recordingOf(calls);
  const bundle = { ...bundleSaying(text, other), recording: { sha256: sha256(recording), events: 6 } };
  return gradeHtml(bundle, { recording });
}

/** Tags with the names of their attributes. */
function shapeOf(page: string): Set<string> {
  const body = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
  return new Set(
    [...body.matchAll(/<([a-z][^\s>]*)([^>]*)>/gi)].map(([, tag, rest = ""]) =>
      [
        tag,
        ...[...rest.replace(/"[^"]*"/g, '""').matchAll(/[^\s=]+/g)]
          .map(([name]) => name)
          .filter((name) => name !== '""'),
      ].join(" "),
    ),
  );
}

test("JUnit and the badge are well-formed XML, whatever is said", () => {
  fc.assert(
    fc.property(anything, anything, (text, other) => {
      const bundle = bundleSaying(text, other);
      for (const xml of [gradeJunit(bundle), gradeBadge(bundle)]) assert.deepEqual(xmlFaults(xml), [], xml);
    }),
    { numRuns },
  );
});

test("SARIF keeps its shape, and no message of it acts", () => {
  fc.assert(
    fc.property(anything, anything, (text, other) => {
      const log = JSON.parse(gradeSarif(bundleSaying(text, other)));
      assert.deepEqual(sarifFaults(log), []);
      for (const { message } of log.runs[0].results)
        assert.doesNotMatch(message.text, /\]\(|\{\d+\}|https?:|<[a-z!/?]/i);
    }),
    { numRuns },
  );
});

test("nothing foreign acts in Markdown", () => {
  fc.assert(
    fc.property(anything, anything, (text, other) => {
      const lines = gradeMarkdown(bundleSaying(text, other)).split("\n");
      const plain = gradeMarkdown(bundleSaying("plain", "words")).split("\n");
      assert.equal(lines.length, plain.length);
      for (const [index, line] of lines.entries()) {
        const ownWords = line.replace(/`[^`]*`/g, "");
        assert.doesNotMatch(ownWords, /[`<>[\]@!]|https?:|www\./, line);
        assert.equal(
          ownWords.split("|").length,
          plain[index]?.replace(/`[^`]*`/g, "").split("|").length,
          line,
        );
      }
    }),
    { numRuns },
  );
});

const templates = [
  [
    "text is escaped",
    html`<p title="${`"'<&>`}">${"<b>"}</p>`,
    '<p title="&quot;&#39;&lt;&amp;&gt;">&lt;b&gt;</p>',
  ],
  ["control characters stand by number", html`${"a\u0000\u202e\n"}`, "a\\u{0}\\u{202e}\\n"],
  ["what XML does not allow stands by number", html`${"\ufffe\uffff\ud800"}`, "\\u{fffe}\\u{ffff}\\u{d800}"],
  ["markup of our own is kept, also in lists", html`${[html`<i>${1}</i>`, ours("<b>")]}`, "<i>1</i><b>"],
  [
    "an object that looks like markup is text",
    html`${{ text: "<b>" } as never}`,
    "{&quot;text&quot;:&quot;&lt;b&gt;&quot;}",
  ],
  ["a long text is cut", html`${"x".repeat(4010)}`, `${"x".repeat(4000)}… (+10 characters)`],
] as const;
for (const [name, made, wanted] of templates) test(`html: ${name}`, () => assert.equal(made.text, wanted));

test("a text of several lines keeps its lines and stays below its limit when it is shown", () => {
  assert.deepEqual(
    { ...clipped("a<\r\nb", 100), html: clipped("a<\r\nb", 100).html.text },
    { html: "a&lt;<mark>\\u{d}</mark>\nb", bytes: 9, leftOut: 0 },
  );
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 0, max: 200 }),
      (text, maxBytes) => {
        const { bytes, leftOut } = clipped(text, maxBytes);
        assert.ok(bytes <= maxBytes && leftOut >= 0 && leftOut <= text.length);
      },
    ),
  );
});

const xmlCases = [
  ["<a><b c='1'/>x &amp; y</a>", 0],
  ["<a><b></a>", 1],
  ["<a>&nbsp;</a>", 1],
  ["<a b=1/>", 1],
  ['<a b="<"/>', 1],
  ['<a b="1" b="2"/>', 1],
  ["<a>]]></a>", 1],
  ["<a>\u0001</a>", 1],
  ["<a/><b/>", 1],
] as const;
for (const [text, faults] of xmlCases)
  test(`the checker of XML sees ${faults === 0 ? "no fault" : "the fault"} in ${JSON.stringify(text)}`, () =>
    assert.equal(xmlFaults(text).length > 0, faults > 0));

/** What keeps a text from being well-formed: of XML 1.0 the part without document types and processing instructions. */
function xmlFaults(text: string): string[] {
  const faults: string[] = [];
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(text)) faults.push("a character");
  const open: string[] = [];
  let roots = 0;
  const isText = (part: string): boolean =>
    !/[<>]/.test(part) && !/&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(part);
  for (const [part] of text.replace(/^<\?xml [^?]*\?>\n/, "").matchAll(/<[^>]*>|[^<]+|</g)) {
    if (!part.startsWith("<")) {
      if (!isText(part)) faults.push(`text ${part}`);
      if (open.length === 0 && part.trim() !== "") faults.push(`text outside ${part}`);
      continue;
    }
    const close = /^<\/([\w:-]+)\s*>$/.exec(part);
    if (close) {
      if (open.pop() !== close[1]) faults.push(`closes ${close[1]}`);
      continue;
    }
    const start = /^<([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*)\s*(\/?)>$/.exec(part);
    if (!start) {
      faults.push(`tag ${part}`);
      continue;
    }
    const attributes = [...(start[2] ?? "").matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
    if (new Set(attributes.map(([, name]) => name)).size !== attributes.length) faults.push(`twice ${part}`);
    for (const [, , a, b] of attributes) if (!isText(a ?? b ?? "")) faults.push(`value ${part}`);
    if (open.length === 0) roots += 1;
    if (start[3] === "") open.push(start[1] ?? "");
  }
  if (open.length > 0 || roots !== 1) faults.push(`${roots} roots, open: ${open.join(" ")}`);
  return faults;
}
