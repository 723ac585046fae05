/** What watching flows costs and finds: `npm run bench:flow`. One call with about 2 KB of arguments against one search of the same
 *  text, for the shortest value that counts and for one of 80 characters, in one run; how it grows; what is kept; and the labelled flows of the test fixtures, kind by kind. */
import { found, labelledFlows, wanted } from "../test/fixtures/flows/read.ts";
import { median, report } from "./kit.ts";

/** What is shipped, without the wrappers that running from source adds. */
const built = new URL("../dist/flow/index.js", import.meta.url).href;
const { createFlowContext, FLOW_KINDS } = (await import(built)) as typeof import("../src/flow/index.ts");

const MEGABYTE = 1024 * 1024;
const SIZES = [1, 4, 16];
const ROUNDS = 41;
const WARM_UP = 10;
const FIRST = 10;
/** One alone is too short to be measured. */
const SEARCHES = 10;
const PAGE_CHARS = 8192;
/** Against one search of the same text. */
const MOST = 50;
/** From 1 to 16 MB. */
const MOST_GROWTH = 20;

/** The same numbers on every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const next = numbers(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
const [ONSETS, VOWELS, CODAS] = [
  "b c d f g h j k l m n p r s t v w z br ch cl dr fl gr pl pr sh st th tr",
  "a e i o u ai ea ee oo ou",
  "_ _ _ _ n r s t l m d ng st rt ck",
].map((list) => list.replaceAll("_", "").split(" ")) as [string[], string[], string[]];
const syllable = (): string => pick(ONSETS) + pick(VOWELS) + pick(CODAS);
/** A line of these repeats itself about as often as the manuals of programs do. */
const WORDS = Array.from({ length: 12_000 }, () =>
  Array.from({ length: 1 + Math.floor(next() * 3.2) }, syllable).join(""),
);
/** Few words are frequent and most are rare, as in any language. */
const word = (): string => WORDS[Math.floor(next() ** 3 * WORDS.length)] as string;

const SHAPES: readonly (() => string)[] = [
  () => `${Array.from({ length: 12 }, word).join(" ")}.`,
  () => JSON.stringify({ id: Math.floor(next() * 1e9), name: word(), note: `${word()} ${word()}` }),
  () => `${word()}.${word()}@${word()}.example`,
  () => `/srv/${word()}/${word()}/${Math.floor(next() * 1e6).toString(36)}.csv`,
  () =>
    `2026-0${1 + Math.floor(next() * 9)}-11T10:22:0${Math.floor(next() * 9)}Z INFO ${word()} ${word()} took ${Math.floor(next() * 999)} ms`,
  () => Buffer.from(`${word()} ${word()} ${word()} ${word()}`).toString("base64"),
];

function textOf(chars: number): string {
  const lines: string[] = [];
  for (let size = 0; size < chars; ) {
    const line = pick(SHAPES)();
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n").slice(0, chars);
}

/** About 2 KB in several arguments, of the same words as what was said: what nobody has said is what costs most to look for. */
const args = {
  title: textOf(80),
  body: textOf(1400),
  query: { where: { path: textOf(60), name: `${word()} ${word()}` }, limit: 20 },
  tags: Array.from({ length: 20 }, word),
  token: "q7Xk2Lz9VbTn4Rw8",
};
const argumentChars = JSON.stringify(args).length;

interface Measured {
  readonly megabytes: number;
  /** One of the first calls of a process, and one later on. */
  readonly firstMs: number;
  readonly callMs: number;
  /** For a value of 16 characters, and for one of 80. */
  readonly searchMs: number;
  readonly longSearchMs: number;
  readonly observeMs: number;
  readonly heapMegabytes: number;
}

const heap = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MEGABYTE;
};

function measured(megabytes: number): Measured {
  const pages = Array.from({ length: (megabytes * MEGABYTE) / PAGE_CHARS }, () => textOf(PAGE_CHARS));
  const context = createFlowContext({ maxChars: 64 * MEGABYTE });
  const before = heap();
  const observeMs = timed(() => {
    for (const [index, text] of pages.entries())
      context.observe({
        id: `said ${index}`,
        server: `server ${index % 5}`,
        tool: "read",
        arguments: {},
        result: { content: [{ type: "text", text }] },
      });
  });
  const heapMegabytes = heap() - before;
  const whole = Buffer.from(pages.join("\n"), "latin1").toString("latin1");
  let hits = 0;
  const searched = (text: string): number =>
    timed(() => {
      for (let again = 0; again < SEARCHES; again++) hits += Number(whole.includes(text, again));
    }) / SEARCHES;
  const firstCalls: number[] = [];
  const [calls, searches, longSearches]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const call = timed(() =>
      context.flowsInto({ id: `asked ${round}`, server: "other", tool: "write", arguments: args }),
    );
    const search = searched(args.token);
    // A longer one is skipped through faster.
    const longSearch = searched(args.title);
    if (round < FIRST) firstCalls.push(call);
    if (round < WARM_UP) continue;
    calls.push(call);
    searches.push(search);
    longSearches.push(longSearch);
  }
  if (hits > 0) throw new Error("what is looked for must not be there");
  return {
    megabytes,
    firstMs: median(firstCalls),
    callMs: median(calls),
    searchMs: median(searches),
    longSearchMs: median(longSearches),
    observeMs,
    heapMegabytes,
  };
}

/** In time of the processor: others may use the machine too. */
function timed(run: () => unknown): number {
  const began = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** Of the labelled flows of each kind how many are found, and what is found that nobody labelled. */
function recall(): { readonly rows: string[]; readonly isGood: boolean } {
  const all = labelledFlows().flatMap(({ cases }) => cases);
  const right = new Map<string, { hits: number; n: number }>(
    FLOW_KINDS.filter((kind) => kind !== "unseen").map((kind) => [kind, { hits: 0, n: 0 }]),
  );
  let extra = 0;
  for (const one of all) {
    const rest = found(one);
    for (const line of wanted(one)) {
      const at = rest.indexOf(line);
      const count = right.get(line.split(":")[0] as string) as { hits: number; n: number };
      count.n += 1;
      if (at < 0) continue;
      count.hits += 1;
      rest.splice(at, 1);
    }
    extra += rest.length;
  }
  const rows = [...right].map(([kind, { hits, n }]) => `${kind}: ${hits} of ${n} found`);
  const isGood = [...right].every(([kind, { hits, n }]) =>
    ["normalized", "encoded", "partial"].includes(kind) ? hits >= n * 0.98 : hits === n,
  );
  rows.push(`${extra} false findings in ${all.length} labelled runs`);
  return { rows, isGood: isGood && extra === 0 };
}

const results = SIZES.map(measured);
const [first, last] = [results[0] as Measured, results.at(-1) as Measured];
const labelled = recall();
const isHeld = report(
  `flow, ${argumentChars} characters of arguments`,
  [
    ...results.map(
      ({ megabytes, firstMs, callMs, searchMs, longSearchMs, observeMs, heapMegabytes }) =>
        `${megabytes} MB: one call ${callMs.toFixed(2)} ms (of the first ten ${firstMs.toFixed(1)} ms), one search ${searchMs.toFixed(2)} ms (80 characters: ${longSearchMs.toFixed(2)} ms); observed at ${(observeMs / megabytes).toFixed(0)} ms a MB, kept ${(heapMegabytes / megabytes).toFixed(1)} MB a MB${globalThis.gc ? "" : " (run with --expose-gc)"}`,
    ),
    ...labelled.rows,
  ],
  [
    ...results.flatMap(({ megabytes, callMs, searchMs, longSearchMs }) =>
      [
        { chars: 16, ratio: callMs / searchMs },
        { chars: 80, ratio: callMs / longSearchMs },
      ].map(({ chars, ratio }) => ({
        what: `one call against one search for ${chars} characters, ${megabytes} MB`,
        ratio,
        most: MOST,
      })),
    ),
    { what: "one call, 16 MB against 1 MB", ratio: last.callMs / first.callMs, most: MOST_GROWTH },
  ],
);
if (!isHeld || !labelled.isGood) process.exitCode = 1;
