/** Stack traces and crashes in an output. What a log search shows is a trace as well: text alone cannot tell whose it is,
 *  so the judge of a run subtracts what the run itself planted (see reflection.ts). */
import { count } from "../core/index.ts";
import { type Hit, hit } from "./hit.ts";
import { moreRuntimes } from "./internals/more.ts";
import { runtimes } from "./internals/runtimes.ts";
import type { Role, Runtime, Sign } from "./internals/sign.ts";
import { literalSearch } from "./search/literals.ts";
import { composed, type Unescaped, unescapeOnce } from "./search/unescape.ts";

const RUNTIMES: readonly Runtime[] = [...runtimes, ...moreRuntimes];

/** No trace is without one of these: a place in a file, a line number, an address, a frame on its own line, a word. */
const COARSE = [
  /[^\d\s:]:\d{1,7}[:)\s"\\]/,
  /line[ ,]{1,2}(?:<b>)?\d|:(?:line|Zeile|ligne|l\u00ednea|riga|linha|\u884c)/,
  /(?:\n|\\n)(?:\\t|[ \t]){1,12}(?:at|bei|\u00e0) \S/,
  /0x[0-9a-f]{4}/,
];
const WORDS = [
  "goroutine |panic: |fatal error: |Traceback (most|backtrace:|panicked at|overflowed its",
  "terminate called|terminating |Sanitizer: |stack smashing|core dumped|Segmentation fault",
  "Fatal Python|CallStack (|Fatal error|Uncaught |nhandled |stack traceback|Native stack",
  "heap out of memory|Caused by: |Exception|Error: |runtime error|{main}|double free|Native Method",
  "Unknown Source|FullyQualified|GenServer |REPORT====|SQLSTATE[|SQL syntax|Unclosed quot|SQLITE_",
  "ORA-00|ORA-01|ORA-12|PG::Und|PG::Syn|PG::Uni|ER_PARSE|.dart |ER_BAD_|ER_NO_|ER_DUP_|ENOENT",
  "EACCES|EPERM:|EISDIR|EEXIST|EROFS:|EMFILE",
].flatMap((row) => row.split("|"));
const wordSearch = literalSearch(WORDS.map((word) => ({ bytes: Buffer.from(word, "latin1"), tag: word })));

function isWorthALook(text: string): boolean {
  if (COARSE.some((sign) => sign.test(text))) return true;
  let isFound = false;
  wordSearch(Buffer.from(text, "latin1"), () => {
    isFound = true;
    return true;
  });
  return isFound;
}

/** Lines of one trace stand this near each other. */
const MAX_GAP_CHARS = 1500;
const MAX_LAYERS = 2;
/** More of the same tells nothing new; the order of the text decides which are kept. */
const MAX_HITS = 32;
const MAX_WORD_CHARS = 300;
const MAX_LINE_CHARS = 1000;
const MAX_PREFIX_CHARS = 120;

interface Sighting {
  readonly sign: Sign;
  readonly role: Role;
  readonly start: number;
  readonly end: number;
}

interface Trace {
  readonly severity: "fail" | "warn";
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Every trace (`fail`) and every line that smells of one (`warn`), in the order of the text. */
export function internalsLeak(text: string): Hit[] {
  if (!isWorthALook(text)) return [];
  const found: Array<Trace & { views: readonly string[] }> = [];
  let view: Unescaped | undefined;
  for (let layer = 0; layer <= MAX_LAYERS; layer++) {
    if (layer > 0) {
      const inner = unescapeOnce(view?.text ?? text);
      if (inner === undefined) break;
      view = view === undefined ? inner : composed(view, inner);
    }
    const here = view;
    for (const trace of tracesIn(here?.text ?? text)) {
      const start = here === undefined ? trace.start : here.rawStart(trace.start);
      const end = here === undefined ? trace.end : here.rawEnd(trace.end);
      const views = Array.from({ length: layer }, () => "unescaped");
      found.push({ ...trace, ...wholeCharacters(text, start, Math.max(start, end)), views });
    }
  }
  return distinct(found).map(({ start, end, message, severity, views }) =>
    hit("SCAN-05", text, start, end, message, { severity, views }),
  );
}

/** A hard sighting hides softer ones at the same place; among equals the one that needed less reading stays. */
function distinct<T extends Trace>(found: readonly T[]): T[] {
  const kept: T[] = [];
  for (const severity of ["fail", "warn"] as const) {
    let room = MAX_HITS;
    for (const trace of found) {
      if (room === 0) break;
      if (trace.severity !== severity) continue;
      if (kept.some((other) => trace.start < other.end && other.start < trace.end)) continue;
      kept.push(trace);
      room--;
    }
  }
  return kept.sort((a, b) => a.start - b.start || a.end - b.end);
}

function tracesIn(text: string): Trace[] {
  return RUNTIMES.filter(({ gate }) => gate.test(text)).flatMap((runtime) => {
    const sightings = runtime.signs.flatMap((sign) => sightingsOf(text, sign));
    sightings.sort((a, b) => a.start - b.start || b.end - a.end);
    return clusters(sightings).flatMap((cluster) => judged(text, runtime.name, cluster));
  });
}

function sightingsOf(text: string, sign: Sign): Sighting[] {
  const found: Sighting[] = [];
  const { pattern } = sign;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = sign.reachesBack ? wordStart(text, match.index) : match.index;
    if (sign.opensLine && !opensLine(text, start)) continue;
    const isBare = sign.after !== undefined && !sign.after.test(lineBefore(text, start, MAX_LINE_CHARS));
    found.push({ sign, role: isBare ? "weak" : sign.role, start, end: match.index + match[0].length });
  }
  return found;
}

function wordStart(text: string, index: number): number {
  let start = index;
  const limit = Math.max(0, index - MAX_WORD_CHARS);
  while (start > limit && !/[\s"'`()]/.test(text.charAt(start - 1))) start--;
  return start;
}

function lineBefore(text: string, index: number, maxChars: number): string {
  const window = text.slice(Math.max(0, index - maxChars), index);
  return window.slice(window.lastIndexOf("\n") + 1);
}

/** Indentation, quote marks, tree and box characters; or a log prefix, which ends in a bar, a bracket or wide space. */
const PREFIX = /^[^A-Za-z0-9]*(?:\d{1,4}:? )?$|(?:[|>\]│┃]|\s\s|\t|[:"\])] |[:[,] ?")\s*$/;

function opensLine(text: string, index: number): boolean {
  return PREFIX.test(lineBefore(text, index, MAX_PREFIX_CHARS));
}

function clusters(sightings: readonly Sighting[]): Sighting[][] {
  const groups: Sighting[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const sighting of sightings) {
    const group = groups.at(-1);
    if (group !== undefined && sighting.start - end <= MAX_GAP_CHARS) group.push(sighting);
    else groups.push([sighting]);
    end = Math.max(end, sighting.end);
  }
  return groups;
}

/** An exception named in words, as it stands before the frames or, in Python, behind them. */
const ERROR_LINE =
  /(?:Error|Exception|Warning|Interrupt|Exit|Throwable)(?: \[[\w.]{1,60}\])?(?: ?[:()]|[ \t]*(?:[\r\n"']|$))|Uncaught|[Uu]nhandled|(?:^|[\s"'])(?:error|ERROR|fatal)(?:: |\s*\n)/;
const WINDOW_CHARS = 500;

function judged(text: string, runtime: string, cluster: readonly Sighting[]): Trace[] {
  const start = cluster[0]?.start ?? 0;
  const end = cluster.reduce((last, sighting) => Math.max(last, sighting.end), start);
  const of = (role: Role): Sighting[] => cluster.filter((sighting) => sighting.role === role);
  const [frames, soft, headers] = [apart(of("frame")), apart(of("weak")), of("header").length];
  const isNamed = (): boolean =>
    headers > 0 ||
    (runtime !== "JSON" &&
      (ERROR_LINE.test(text.slice(Math.max(0, start - WINDOW_CHARS), start)) ||
        ERROR_LINE.test(text.slice(start, Math.min(end, start + MAX_GAP_CHARS) + WINDOW_CHARS))));
  const isTrace =
    cluster.some(({ role }) => role === "whole") || frames >= 2 || (frames + soft / 2 >= 1 && isNamed());
  if (isTrace) {
    const lines = frames + soft;
    const message = lines === 0 ? `a ${runtime} crash` : `a ${runtime} stack trace, ${count(lines, "line")}`;
    return [{ severity: "fail", message, start, end }];
  }
  if (frames === 1) {
    return [{ severity: "warn", message: `a line like one of a ${runtime} stack trace`, start, end }];
  }
  const warning = cluster.find(({ sign, role }) => role === "line" || (role === "header" && sign.warns));
  if (warning === undefined) return [];
  const message = LINES[runtime] ?? `the head of a ${runtime} stack trace`;
  return [{ severity: "warn", message, start: warning.start, end: warning.end }];
}

const LINES: Readonly<Record<string, string>> = {
  SQL: "the words of a database driver",
  path: "an absolute path in an error",
  exception: "an exception by its full name",
};

/** How many sightings that do not overlap: two patterns may see one line. */
function apart(sightings: readonly Sighting[]): number {
  let [count, end] = [0, Number.NEGATIVE_INFINITY];
  for (const sighting of sightings)
    if (sighting.start >= end) {
      count++;
      end = sighting.end;
    }
  return count;
}

/** A span that does not cut a surrogate pair in two. */
function wholeCharacters(text: string, start: number, end: number): { start: number; end: number } {
  const splits = (index: number): boolean =>
    (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
  return { start: splits(start) ? start - 1 : start, end: splits(end) ? end + 1 : end };
}
