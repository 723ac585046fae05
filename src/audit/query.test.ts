import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { memoryFiles } from "../../test/kit/audit-cases.ts";
import { type AuditEvent, ENTRY_TYPES, FIRST_PREV, OUTCOMES, readEntry } from "./entry.ts";
import { type Filter, type Indexes, query } from "./query.ts";
import { leafHash } from "./tree.ts";
import { segmentName } from "./verify.ts";
import { entryLine } from "./write-entry.ts";

const BEGAN = Date.parse("2026-11-15T10:00:00.000Z");
const timeOf = (n: number): string => new Date(BEGAN + n * 1000).toISOString();
const idOf = (n: number): string => `e-${String(n).padStart(8, "0")}`;

/** Segments of so many entries each; all but the last one are closed. */
function logOf(sizes: readonly number[], eventOf: (n: number) => AuditEvent): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let [n, prev] = [0, FIRST_PREV];
  for (const size of sizes) {
    const lines: string[] = [];
    const first = n;
    for (; n < first + size; n++) {
      const line = entryLine(eventOf(n), {
        n,
        prev,
        now: Date.parse(timeOf(n)),
        id: idOf(n),
        redact: (text) => text,
      });
      prev = leafHash(line);
      lines.push(`${line}\n`);
    }
    files.set(segmentName(first), Buffer.from(lines.join("")));
  }
  return files;
}

/** Asks, and notes which files are read from where, and what is kept. */
class Asked {
  readonly reads: string[] = [];
  readonly kept: number[] = [];
  readonly indexes = new Map<number, Buffer>();
  readonly files: Map<string, Buffer>;

  constructor(files: Map<string, Buffer>) {
    this.files = files;
  }

  numbers(filter: Filter): number[] {
    [this.reads.length, this.kept.length] = [0, 0];
    const files = memoryFiles(this.files);
    const indexes: Indexes = {
      read: (first) => this.indexes.get(first),
      keep: (first, bytes) => {
        this.kept.push(first);
        this.indexes.set(first, bytes);
      },
    };
    const noted = {
      ...files,
      chunks: (name: string, from = 0) => {
        this.reads.push(`${Number.parseInt(name, 10)} from ${from}`);
        return files.chunks(name, from);
      },
    };
    const found = [...query(noted, filter, indexes)];
    for (const { entry, line } of found)
      assert.deepEqual(readEntry(line), entry, "the line is that of the entry");
    return found.map(({ entry }) => entry.n);
  }
}

/** Entries 0 to 3, 4 to 7, 8 to 11; 12 and 13 are in the segment that is written on. */
const SIZES = [4, 4, 4, 2];
const events: readonly AuditEvent[] = [
  { type: "log", data: { event: "created" } },
  { type: "decision", actor: "ann", server: "mail", tool: "send", data: { to: 'é 🔒 \u2028 "q" \\' } },
  { type: "decision", actor: "bob", server: "mail", tool: "read", outcome: "denied" },
  { type: "approval", actor: "ann", server: "mail", tool: "send" },
  { type: "decision", actor: "ann", server: "files", tool: "read" },
  { type: "decision", actor: "bob", server: "files", tool: "send", outcome: "deferred" },
  { type: "drift", server: "files", outcome: "error" },
  { type: "decision", actor: "ann", server: "files", tool: "read" },
  { type: "log", data: { event: "opened" } },
  { type: "config", actor: "root" },
  { type: "decision", actor: "ann", server: "mail", tool: "send", outcome: "denied" },
  { type: "admission", server: "maps" },
  { type: "decision", actor: "bob", server: "maps", tool: "find" },
  { type: "label", actor: "ann", outcome: "denied" },
];
const all = (): Map<string, Buffer> => logOf(SIZES, (n) => events[n] as AuditEvent);
const EVERY = events.map((_, n) => n);

const cases: readonly (readonly [about: string, filter: Filter, wanted: readonly number[]])[] = [
  ["nothing asked for", {}, EVERY],
  ["a type", { types: ["decision"] }, [1, 2, 4, 5, 7, 10, 12]],
  ["two types", { types: ["log", "label"] }, [0, 8, 13]],
  ["no type at all", { types: [] }, []],
  ["an outcome", { outcomes: ["denied"] }, [2, 10, 13]],
  ["two outcomes", { outcomes: ["deferred", "error"] }, [5, 6]],
  ["a server", { servers: ["mail"] }, [1, 2, 3, 10]],
  ["two servers", { servers: ["maps", "files"] }, [4, 5, 6, 7, 11, 12]],
  ["a server that nobody has", { servers: ["null"] }, []],
  ["a tool", { tools: ["read"] }, [2, 4, 7]],
  ["an actor", { actors: ["bob", "root"] }, [2, 5, 9, 12]],
  ["a time to begin with", { since: timeOf(11) }, [11, 12, 13]],
  ["a time to end with", { until: timeOf(2) }, [0, 1, 2]],
  ["a span of time", { since: timeOf(3), until: timeOf(4) }, [3, 4]],
  ["a time between entries", { since: "2026-11-15T10:00:03.001Z", until: "2026-11-15T10:00:04.999Z" }, [4]],
  ["a time after all", { since: timeOf(14) }, []],
  ["a number within a segment", { from: 6 }, [6, 7, 8, 9, 10, 11, 12, 13]],
  ["the number of a segment", { from: 8 }, [8, 9, 10, 11, 12, 13]],
  ["a number beyond all", { from: 14 }, []],
  ["an id", { id: idOf(6) }, [6]],
  ["an id in the open segment", { id: idOf(13) }, [13]],
  ["an id that nobody has", { id: "e-99999999" }, []],
  ["an id and what its entry is not", { id: idOf(6), types: ["log"] }, []],
  ["an id and a number behind it", { id: idOf(6), from: 7 }, []],
  ["a server and a tool", { servers: ["mail"], tools: ["send"] }, [1, 3, 10]],
  [
    "all at once",
    {
      id: idOf(10),
      types: ["decision", "log"],
      outcomes: ["denied"],
      servers: ["mail"],
      tools: ["send"],
      actors: ["ann"],
      since: timeOf(10),
      until: timeOf(10),
      from: 10,
    },
    [10],
  ],
];
const known = new Asked(all());
known.numbers({});
for (const [about, filter, wanted] of cases)
  test(`by ${about}: entries ${wanted.join(", ") || "none"}`, () => {
    assert.deepEqual(new Asked(all()).numbers(filter), wanted, "without indexes");
    assert.deepEqual(known.numbers(filter), wanted, "with indexes");
    assert.deepEqual(known.kept, [], "no index is made anew");
  });

const readings: readonly (readonly [about: string, filter: Filter, reads: readonly RegExp[]])[] = [
  ["an id in a closed segment reads from its line on", { id: idOf(6) }, [/^4 from [1-9]/]],
  ["the first id of a segment reads from its beginning", { id: idOf(4) }, [/^4 from 0$/]],
  ["an id that nobody has reads what is open", { id: "e-99999999" }, [/^12 from 0$/]],
  ["a server reads the segments that have it", { servers: ["files"] }, [/^4 /, /^12 /]],
  ["a type reads the segments that have it", { types: ["approval"] }, [/^0 /, /^12 /]],
  ["an outcome reads the segments that have it", { outcomes: ["error"] }, [/^4 /, /^12 /]],
  ["a span of time reads the segments in it", { since: timeOf(5), until: timeOf(8) }, [/^4 /, /^8 /, /^12 /]],
  ["a number reads from its segment on", { from: 9 }, [/^8 /, /^12 /]],
  ["the first number of a segment does so too", { from: 8 }, [/^8 /, /^12 /]],
];
for (const [about, filter, reads] of readings)
  test(`with indexes, ${about}`, () => {
    known.numbers(filter);
    assert.equal(known.reads.length, reads.length, known.reads.join(", "));
    for (const [index, read] of reads.entries()) assert.match(known.reads[index] as string, read);
  });

test("by id, each entry is found, read from exactly where it begins", () => {
  const asked = new Asked(all());
  asked.numbers({});
  for (const n of EVERY) {
    assert.deepEqual(asked.numbers({ id: idOf(n) }), [n], idOf(n));
    const first = n - (n % 4);
    const lines = (asked.files.get(segmentName(first)) as Buffer).toString("utf8").split("\n");
    const place = Buffer.byteLength(
      lines
        .slice(0, n - first)
        .map((line) => `${line}\n`)
        .join(""),
    );
    assert.deepEqual(asked.reads, [`${first} from ${n < 12 ? place : 0}`], idOf(n));
  }
});

const indexOf = (change: (summary: Record<string, unknown>) => unknown, ids = Buffer.alloc(0)): Buffer => {
  const [summary = ""] = (known.indexes.get(4) as Buffer).toString("latin1").split("\n");
  return Buffer.concat([Buffer.from(`${JSON.stringify(change(JSON.parse(summary)))}\n`), ids]);
};
const garbage: readonly (readonly [about: string, index: () => Buffer | undefined])[] = [
  ["missing", () => undefined],
  ["empty", () => Buffer.alloc(0)],
  ["no JSON", () => Buffer.from("hello\n")],
  ["without line end", () => Buffer.from("{")],
  ["null", () => Buffer.from("null\n")],
  ["a list", () => Buffer.from("[]\n")],
  ["zeros", () => Buffer.alloc(200)],
  ["of another size", () => indexOf((summary) => ({ ...summary, bytes: 1 }))],
  ["of another format", () => indexOf((summary) => ({ ...summary, format: 2 }))],
  ["without types", () => indexOf(({ types: _, ...rest }) => rest)],
  ["with a text for outcomes", () => indexOf((summary) => ({ ...summary, outcomes: "allowed" }))],
  ["with a number for servers", () => indexOf((summary) => ({ ...summary, servers: 1 }))],
  ["with half of an id", () => indexOf((summary) => summary, Buffer.alloc(7))],
];
for (const [about, index] of garbage)
  test(`an index that is ${about} is made anew, and the answers are the same`, () => {
    for (const filter of [{}, { id: idOf(6) }, { servers: ["files"] }, { since: timeOf(5) }]) {
      const asked = new Asked(all());
      for (const [first, bytes] of known.indexes) asked.indexes.set(first, bytes);
      const bad = index();
      if (bad) asked.indexes.set(4, bad);
      else asked.indexes.delete(4);
      assert.deepEqual(asked.numbers(filter), known.numbers(filter), JSON.stringify(filter));
      assert.deepEqual(asked.kept, [4], "that one alone");
      assert.deepEqual(asked.indexes.get(4), known.indexes.get(4), "and is the same as before");
    }
  });

test("an index is made anew when its segment has become another", () => {
  const asked = new Asked(all());
  asked.numbers({});
  const longer = logOf([4, 4], (n) =>
    n < 4 ? (events[n] as AuditEvent) : { type: "label", server: "longer-name" },
  );
  asked.files.set(segmentName(4), longer.get(segmentName(4)) as Buffer);
  assert.deepEqual(asked.numbers({ types: ["label"] }), [4, 5, 6, 7, 13]);
  assert.deepEqual(asked.kept, [4]);
});

test("an index that cannot be kept is no hindrance", () => {
  const indexes: Indexes = { read: () => undefined, keep: () => {} };
  const found = [...query(memoryFiles(all()), { servers: ["files"] }, indexes)].map(({ entry }) => entry.n);
  assert.deepEqual(found, [4, 5, 6, 7]);
});

const [NONE, ALL] = [["300 from 0"], ["0 from 0", "300 from 0"]];
for (const [count, reads] of [
  [255, NONE],
  [256, NONE],
  [257, ALL],
  [300, ALL],
] as const)
  test(`of ${count} servers in a segment each is found; one that nobody has is looked for in ${reads.length} segments`, () => {
    const asked = new Asked(logOf([300, 1], (n) => ({ type: "decision", server: `s${n % count}` })));
    asked.numbers({});
    for (const n of [0, 100, count - 1]) {
      const wanted = [n, n + count].filter((one) => one < 300);
      assert.deepEqual(asked.numbers({ servers: [`s${n}`], until: timeOf(299) }), wanted, `s${n}`);
    }
    assert.deepEqual(asked.numbers({ servers: ["none"] }), []);
    assert.deepEqual(asked.reads, reads);
  });

test("what is in the open segment is found without an index, and none is made of it", () => {
  const asked = new Asked(logOf([5], (n) => events[n] as AuditEvent));
  assert.deepEqual(asked.numbers({ servers: ["mail"] }), [1, 2, 3]);
  assert.deepEqual(asked.numbers({ id: idOf(4) }), [4]);
  assert.deepEqual(asked.kept, []);
  asked.files.set(segmentName(5), Buffer.alloc(0));
  assert.deepEqual(asked.numbers({ id: idOf(4) }), [4], "closed, before an empty one");
  assert.deepEqual(asked.kept, [0]);
});

const spoilt: readonly (readonly [about: string, bytes: Buffer])[] = [
  ["is no entry", Buffer.from("{}\n")],
  ["is not UTF-8", Buffer.of(0xff, 0xfe, 10)],
  ["is too long", Buffer.from(`${"x".repeat(70_000)}\n`)],
  ["is empty", Buffer.from("\n")],
];
for (const [about, bytes] of spoilt)
  test(`a line that ${about} is left out, and what is behind it is found`, () => {
    const asked = new Asked(all());
    const segment = asked.files.get(segmentName(4)) as Buffer;
    const end = segment.indexOf(10) + 1;
    const torn = Buffer.from('{"actor"');
    asked.files.set(
      segmentName(4),
      Buffer.concat([segment.subarray(0, end), bytes, segment.subarray(end), torn]),
    );
    assert.deepEqual(asked.numbers({}), EVERY);
    for (const n of EVERY) assert.deepEqual(asked.numbers({ id: idOf(n) }), [n], idOf(n));
  });

test("a log without a segment has no entries", () => {
  assert.deepEqual(new Asked(new Map([["checkpoints", Buffer.from("x")]])).numbers({}), []);
});

test("any filter finds with indexes what reading everything finds", () => {
  const some = <T>(...list: T[]): fc.Arbitrary<T[]> => fc.subarray(list, { minLength: 1 });
  const time = fc.nat(14).map(timeOf);
  const filters = fc.record(
    {
      id: fc.nat(14).map(idOf),
      types: some(...ENTRY_TYPES),
      outcomes: some(...OUTCOMES),
      servers: some("mail", "files", "maps", "none"),
      tools: some("send", "read", "find"),
      actors: some("ann", "bob", "root"),
      since: time,
      until: time,
      from: fc.nat(14),
    },
    { requiredKeys: [] },
  );
  const open = new Asked(logOf([14], (n) => events[n] as AuditEvent));
  fc.assert(
    fc.property(filters, (filter) => assert.deepEqual(known.numbers(filter), open.numbers(filter))),
    { numRuns: 400 },
  );
});
