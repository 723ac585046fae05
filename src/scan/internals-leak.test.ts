import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { internalsLeak } from "./internals-leak.ts";

/** Milliseconds of our own work: what else the machine does must not count. */
const ownMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

const folder = fileURLToPath(new URL("../../test/fixtures/traces/", import.meta.url));
const worst = (text: string): string =>
  internalsLeak(text).reduce((most, { severity }) => (severity === "fail" ? "fail" : most), "") ||
  (internalsLeak(text)[0]?.severity ?? "none");

interface Section {
  readonly name: string;
  readonly text: string;
}

function sections(file: string): Section[] {
  return readFileSync(folder + file, "utf8")
    .split(/^=== /m)
    .slice(1)
    .map((part) => ({
      name: part.slice(0, part.indexOf("\n")),
      text: part.slice(part.indexOf("\n") + 1),
    }));
}

const honest = sections("honest.txt");
const files = readdirSync(folder).filter((file) => file.endsWith(".txt") && file !== "honest.txt");
const traces = files.flatMap((file) => sections(file).map((section) => ({ file, ...section })));

for (const file of files) {
  test(`of the traces in ${file} nine in ten are found, those written afterwards too`, () => {
    const all = sections(file);
    const later = all.filter(({ name }) => name.startsWith("after: "));
    assert.ok(
      all.length >= 8 && later.length >= 3,
      `${file} has ${all.length} traces, ${later.length} later`,
    );
    const missed = all.filter(({ text }) => worst(text) !== "fail").map(({ name }) => name);
    assert.ok(missed.length <= all.length / 10, `${file} misses ${missed.join("; ")}`);
    const missedLater = missed.filter((name) => name.startsWith("after: "));
    assert.ok(missedLater.length <= later.length / 5, `${file} misses ${missedLater.join("; ")}`);
  });
}

for (const { name, text } of honest) {
  test(`honest: ${name}`, () => assert.deepEqual(internalsLeak(text), []));
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const disguises = [
  { name: "as a JSON string", wrap: (text: string) => JSON.stringify({ content: [{ type: "text", text }] }) },
  {
    name: "as JSON inside JSON",
    wrap: (text: string) => JSON.stringify({ text: JSON.stringify({ error: text }) }),
  },
  { name: "in structured content", wrap: (text: string) => JSON.stringify({ structuredContent: { text } }) },
  { name: "with CRLF", wrap: (text: string) => text.replaceAll("\n", "\r\n") },
  {
    name: "HTML escaped",
    wrap: (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? ""),
  },
  { name: "behind bars", wrap: (text: string) => text.replaceAll(/^/gm, "| ") },
  { name: "as a quotation", wrap: (text: string) => text.replaceAll(/^/gm, "> ") },
  { name: "indented", wrap: (text: string) => text.replaceAll(/^/gm, "        ") },
  {
    name: "behind times",
    wrap: (text: string) => text.replaceAll(/^/gm, "2026-01-02T03:04:05.006Z [error] "),
  },
  { name: "behind words", wrap: (text: string) => `The tool failed with the following text.\n\n${text}` },
];
for (const { name, wrap } of disguises) {
  test(`a trace ${name} is still found`, () => {
    const found = traces.filter(({ text }) => worst(text) === "fail");
    const lost = found.filter(({ text }) => worst(wrap(text)) !== "fail").map((t) => `${t.file}: ${t.name}`);
    assert.ok(lost.length <= found.length / 20, `${lost.length} of ${found.length}: ${lost.join("; ")}`);
  });
  test(`an honest text ${name} stays honest`, () => {
    assert.deepEqual(
      honest.filter(({ text }) => worst(wrap(text)) === "fail").map((t) => t.name),
      [],
    );
  });
}

const lines = [
  { name: "one frame alone is a warning", text: "see    at run (src/a.js:1:2)", want: "warn" },
  {
    name: "one frame under its exception is a trace",
    text: "Error: x\n    at run (src/a.js:1:2)",
    want: "fail",
  },
  { name: "two frames are a trace", text: "at a (src/a.js:1:2)\nat b (src/b.js:3:4)", want: "fail" },
  { name: "the head alone is a warning", text: "Traceback (most recent call last):\n...", want: "warn" },
  {
    name: "an absolute path in an error is a warning",
    text: "ENOENT: no such file or directory, open '/srv/app/.env'",
    want: "warn",
  },
  {
    name: "a relative path in an error is nothing",
    text: "ENOENT: no such file or directory, open 'notes.md'",
    want: "none",
  },
  {
    name: "a driver's words are a warning",
    text: "SQLSTATE[42S02]: Base table or view not found: 1146",
    want: "warn",
  },
  { name: "the words of SQLite", text: 'SQLITE_ERROR: near "FORM": syntax error', want: "warn" },
  { name: "the words of PostgreSQL", text: 'PG::UndefinedTable: ERROR:  relation "x"', want: "warn" },
  { name: "the words of a Python driver", text: "sqlite3.OperationalError: no such table: x", want: "warn" },
  { name: "an exception by its full name", text: "java.lang.NullPointerException: x", want: "warn" },
  { name: "a place in a template is nothing", text: "Error: bad filter at page.html:12:5", want: "none" },
];
for (const { name, text, want } of lines) test(name, () => assert.equal(worst(text), want));

test("a hit names the runtime, the lines and where the trace begins in bytes", () => {
  const [hit] = internalsLeak("größer\nError: x\n    at a (src/a.js:1:2)\n    at b (src/b.js:3:4)\n");
  assert.equal(hit?.rule, "SCAN-05");
  assert.equal(hit?.message, "a Node stack trace, 2 lines");
  assert.equal(hit?.offset, Buffer.byteLength("größer\nError: x\n    "));
  assert.equal(hit?.bytes, Buffer.byteLength("at a (src/a.js:1:2)\n    at b (src/b.js:3:4)"));
});

test("a trace that had to be unescaped says so and lies where the escapes lie", () => {
  const raw = `{"text":${JSON.stringify('Traceback (most recent call last):\n  File "a.py", line 1, in x\nE: y')}}`;
  const [hit] = internalsLeak(raw);
  assert.deepEqual(hit?.views, ["unescaped"]);
  assert.equal(
    Buffer.from(raw)
      .subarray(hit.offset, hit.offset + 9)
      .toString(),
    "Traceback",
  );
});

test("no text makes it throw, and every hit lies within the bytes of the text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      ..."\ud800|\udc00|\n|    at |:1:2)|Error: |(/a.js|\\n|&#10;|line 1|😀|.rb:1:in `x': y|%41".split("|"),
    ),
    fc.constantFrom(...traces.map(({ text }) => text)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join("");
      for (const { offset, bytes } of internalsLeak(text))
        if (offset < 0 || bytes < 0 || offset + bytes > Buffer.byteLength(text)) return false;
      return true;
    }),
  );
});

// One unit repeated: what a pattern could run over again and again.
const units = [
  ..."at |at a|    at x (|\n    at |File \"|\\n|&#10;|panicked at '|in a.php in |:1:in `|a:1:1)|1: a::".split(
    "|",
  ),
  ...'    at a.b.c(|"file":"a",|Caused by: a.|goroutine 1 [a|#0 0x12345 in |.go:1 |at a.b.c() in |\\\\'.split(
    "|",
  ),
];
test("eight times the text takes about eight times as long, whatever it repeats", {
  timeout: 120_000,
}, () => {
  const milliseconds = (unit: string, size: number): number => {
    const text = unit.repeat(Math.ceil(size / unit.length));
    const start = process.cpuUsage();
    internalsLeak(text);
    return ownMs(process.cpuUsage(start));
  };
  for (const unit of units) {
    const [small, large] = [milliseconds(unit, 1 << 20), milliseconds(unit, 8 << 20)];
    assert.ok(large < 20 * Math.max(small, 20), `${JSON.stringify(unit)}: ${small} ms, then ${large} ms`);
  }
});
