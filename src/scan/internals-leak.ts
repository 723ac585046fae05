/** Stack traces and crashes in an output. What a log search shows is a trace as well: text alone cannot tell whose it is,
 *  so the judge of a run subtracts what the run itself planted (see reflection.ts). */
import { composed, type Unescaped, unescapeOnce } from "./canary/unescape.ts";
import { type Hit, hit } from "./hit.ts";
import { moreSigns } from "./internals-leak-more.ts";
import { type Sign, signs } from "./internals-leak-signs.ts";

const ALL: readonly Sign[] = [...signs, ...moreSigns];
const NEEDLES = [...new Set(ALL.map(({ needle }) => needle))];
/** One pass that tells an honest text from one worth a second look. */
const PREFILTER = new RegExp(NEEDLES.join("|"));
const GATES = new Map(NEEDLES.map((needle) => [needle, new RegExp(needle)]));

/** Lines of one trace stand this near each other. */
const MAX_GAP_CHARS = 1500;
const MAX_LAYERS = 2;
/** More of the same tells nothing new; the order of the text decides which are kept. */
const MAX_HITS = 32;
const MAX_WORD_CHARS = 300;
const MAX_PREFIX_CHARS = 120;

interface Sighting {
  readonly sign: Sign;
  readonly role: Sign["role"];
  readonly start: number;
  readonly end: number;
}

interface Trace {
  readonly runtime: string;
  readonly severity: "fail" | "warn";
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Every trace (`fail`) and every line that smells of one (`warn`), in the order of the text. */
export function internalsLeak(text: string): Hit[] {
  if (!PREFILTER.test(text)) return [];
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
  const byRuntime = new Map<string, Sighting[]>();
  const isOpen = new Map<string, boolean>();
  for (const sign of ALL) {
    let open = isOpen.get(sign.needle);
    if (open === undefined) {
      open = GATES.get(sign.needle)?.test(text) ?? true;
      isOpen.set(sign.needle, open);
    }
    if (!open) continue;
    const list = byRuntime.get(sign.runtime) ?? [];
    byRuntime.set(sign.runtime, list);
    collect(text, sign, list);
  }
  return [...byRuntime.values()].flatMap((sightings) =>
    clusters(sightings.sort((a, b) => a.start - b.start || b.end - a.end)).flatMap((cluster) =>
      judged(text, cluster),
    ),
  );
}

function collect(text: string, sign: Sign, into: Sighting[]): void {
  const { pattern } = sign;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    if (match[0].length === 0) pattern.lastIndex++;
    const start = sign.reachesBack ? wordStart(text, match.index) : match.index;
    if (sign.opensLine && !opensLine(text, start)) continue;
    const isBare = sign.after !== undefined && !sign.after.test(lineBefore(text, start, 1000));
    into.push({ sign, role: isBare ? "weak" : sign.role, start, end });
  }
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
const PREFIX = /^[^A-Za-z0-9]*(?:\d{1,4}:? )?$|(?:[|>\]│┃]|\s\s|\t|[:"\])] )\s*$/;

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
  /(?:Error|Exception|Warning|Interrupt|Exit|Throwable)(?: \[[\w.]{1,60}\])?(?: ?[:(]|[ \t]*(?:[\r\n"']|$))|Uncaught|[Uu]nhandled|(?:^|[\s"'])(?:error|ERROR|fatal)(?:: |\s*\n)/;
const WINDOW_CHARS = 500;

function judged(text: string, cluster: readonly Sighting[]): Trace[] {
  const first = cluster[0];
  if (first === undefined) return [];
  const { runtime } = first.sign;
  const end = Math.max(...cluster.slice(0, 4096).map((sighting) => sighting.end));
  const of = (role: Sign["role"]): Sighting[] => cluster.filter((sighting) => sighting.role === role);
  const [frames, weak, headers, wholes] = [apart(of("frame")), apart(of("weak")), of("header"), of("whole")];
  const span = { runtime, start: first.start, end };
  const isNamed =
    headers.length > 0 ||
    (runtime !== "JSON" &&
      ERROR_LINE.test(text.slice(Math.max(0, first.start - WINDOW_CHARS), first.start)) ) ||
    (runtime !== "JSON" && ERROR_LINE.test(text.slice(first.start, end + WINDOW_CHARS)));
  const isTrace =
    wholes.length > 0 || frames >= 2 || (frames >= 1 && isNamed) || (weak >= 2 && isNamed && frames + headers.length + weak >= 2);
  if (isTrace) {
    const lines = frames + weak;
    const what = lines > 0 ? `a ${runtime} stack trace of ${lines} line${lines === 1 ? "" : "s"}` : `a ${runtime} crash`;
    return [{ ...span, severity: "fail", message: what }];
  }
  if (frames === 1) return [{ ...span, severity: "warn", message: `a line like one of a ${runtime} stack trace` }];
  const warning = cluster.find(({ sign, role }) => role === "line" || (role === "header" && sign.warns));
  if (warning === undefined) return [];
  const message =
    runtime === "SQL"
      ? "the words of a database driver"
      : runtime === "path"
        ? "an absolute path in an error"
        : runtime === "exception"
          ? "an exception by its full name"
          : `the head of a ${runtime} stack trace`;
  return [{ runtime, start: warning.start, end: warning.end, severity: "warn", message }];
}

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
