/** What a server answers, read as an agent would read it: orders to the agent and hidden texts are told with the label, taken out, or kept
 *  from it altogether. It only ever lowers trust. Pure. Implements spec/gateway.md, GTW-27 and GTW-28. */
import { shown } from "../core/index.ts";
import { type Excuse, type Hit, repeatedFrom, scanOrders, withoutExcused } from "../scan/index.ts";
import { isRecord } from "../wire/index.ts";
import { type Room, roomFor, textsIn } from "./texts.ts";

export const OUTPUT_MODES = ["observe", "annotate", "redact", "block"] as const;

/** Something in an answer that speaks to the agent. */
export interface Seen {
  readonly rule: string;
  readonly severity: "warn" | "fail";
  /** The part of the answer it stands in: `content[0]`. */
  readonly where: string;
  readonly message: string;
}

const LISTS: ReadonlySet<string> = new Set(["content", "contents", "messages"]);
/** Where something stands that only shows when all parts are read one after another. */
const ALL_PARTS = "all parts";
const [MAX_SEEN, MAX_SEEN_IN_PART] = [16, 4];
const MESSAGE_CHARS = 160;
/** Of the name of a member, which the server chose. */
const NAME_CHARS = 40;
const MAX_JOINED_CHARS = 256 * 1024;

/** What is seen in a result or an error. What it repeats of its own call is nothing that it says. A crash that shows its insides is no
 *  order to anybody. */
export function seenIn(answer: unknown, given: unknown): readonly Seen[] {
  if (!isRecord(answer)) return NOTHING;
  const seeing: Seeing = {
    excuse: repeatedIn(given),
    seen: [],
    hostile: 0,
    room: roomFor(),
    isCut: false,
    spoken: [],
    joined: MAX_JOINED_CHARS,
  };
  // Each member, and of a list each item: what can be taken out by itself.
  for (const name of Object.keys(answer)) {
    const value = answer[name];
    if (!LISTS.has(name) || !Array.isArray(value))
      seeIn(placeOf(name), name === "_meta" ? { _meta: value } : value, seeing);
    else for (const [index, item] of value.entries()) seeIn(`${name}[${index}]`, item, seeing);
  }
  const { excuse, seen, hostile, spoken } = seeing;
  // Of what nobody counts any more nothing can be taken out by itself.
  if (hostile >= MAX_SEEN)
    seen.push({
      rule: "SCAN-08",
      severity: "fail",
      where: ALL_PARTS,
      message: "more is hostile than is told",
    });
  else if (spoken.length > 1)
    for (const { rule, message } of ordersOver(spoken, excuse).slice(0, MAX_SEEN_IN_PART))
      seen.push({ rule, severity: "fail", where: ALL_PARTS, message: shown(message, MESSAGE_CHARS) });
  return seen;
}
const NOTHING: readonly Seen[] = [];

/** A name that a server chose must not be taken for a block of a list. */
const placeOf = (name: string): string =>
  PLAIN_NAME.test(name) ? name : shown(JSON.stringify(name), NAME_CHARS);
const PLAIN_NAME = /^[\w-]{1,40}$/;

interface Seeing {
  /** Made once: what was given may be long, and the parts many. */
  readonly excuse: Excuse;
  readonly seen: Seen[];
  /** How much of that is. */
  hostile: number;
  readonly room: Room;
  /** Whether it was told that there is more than is scanned. */
  isCut: boolean;
  /** What is told by the parts in which nothing hostile is, where they meet, and how much more of that is read together. */
  readonly spoken: string[];
  joined: number;
}

function seeIn(where: string, value: unknown, seeing: Seeing): void {
  const { excuse, seen, room, spoken } = seeing;
  if (seeing.hostile >= MAX_SEEN) return;
  const { texts, isWhole } = textsIn(value, room);
  const text = texts.join("\n");
  if (text !== "") {
    const before = seeing.hostile;
    for (const { rule, severity, message } of ordersIn(text, excuse)) {
      const isFail = severity === "fail" && seeing.hostile - before < MAX_SEEN_IN_PART;
      if (isFail) seeing.hostile += 1;
      if (isFail || (severity === "warn" && seen.length < MAX_SEEN))
        seen.push({ rule, severity, where, message: shown(message, MESSAGE_CHARS) });
    }
    const edges = seeing.hostile === before ? edgesOf(spokenIn(value) ?? text) : "";
    seeing.joined -= edges.length;
    if (edges !== "" && seeing.joined >= 0) spoken.push(edges);
  }
  if ((isWhole && seeing.joined >= 0) || seeing.isCut) return;
  seeing.isCut = true;
  seen.push({ rule: "SCAN-08", severity: "warn", where, message: "there is more than is scanned" });
}

function ordersIn(text: string, excuse: Excuse): readonly Hit[] {
  const hits = scanOrders(text, OUTPUT);
  return hits.length === 0 ? hits : scanOrders(text, OUTPUT, excuse);
}
const OUTPUT = { kind: "output" } as const;

/** Nothing of what was given is read before something is found: most answers are plain. */
function repeatedIn(given: unknown): Excuse {
  let repeated: Excuse | undefined;
  return (text) => {
    repeated ??= repeatedFrom(textsIn(given).texts, () => false);
    return repeated(text);
  };
}

/** The text of a block, without what stands beside it. */
function spokenIn(block: unknown): string | undefined {
  if (!isRecord(block)) return undefined;
  const { text, content, resource } = block;
  const inner = isRecord(content) ? content.text : isRecord(resource) ? resource.text : text;
  return typeof inner === "string" ? inner : undefined;
}

/** Orders of which each part says a piece. What a part says alone was looked at: only where parts meet is read again. */
function ordersOver(spoken: readonly string[], excuse: Excuse): readonly Hit[] {
  for (const join of [inLines, inWords]) {
    if (!scanOrders(join(spoken), OUTPUT).some(isFail)) continue;
    const own = join(spoken.map((text) => withoutExcused(text, excuse)));
    const hits = scanOrders(own, OUTPUT, excuse).filter(isFail);
    if (hits.length > 0) return hits;
  }
  return [];
}

const isFail = ({ severity }: { readonly severity: string }): boolean => severity === "fail";

const edgesOf = (text: string): string =>
  text.length <= 2 * EDGE_CHARS ? text : `${text.slice(0, EDGE_CHARS)}\n\n${text.slice(-EDGE_CHARS)}`;
const EDGE_CHARS = 256;

const inLines = (texts: readonly string[]): string => texts.join("\n");
/** One word may stand in two parts. A capital behind another letter begins a sentence. */
const inWords = (texts: readonly string[]): string =>
  texts.map((text, index) => `${goesOn(texts[index - 1] ?? "", text) ? "" : "\n"}${text}`).join("");
const goesOn = (before: string, text: string): boolean =>
  /\p{L}$/u.test(before.slice(-2)) &&
  /^\p{L}/u.test(text) &&
  !/\p{Ll}\p{Lu}/u.test(before.slice(-1) + text[0]);

export const isHostile: (seen: Seen) => boolean = isFail;

/** Why an answer is kept back in which this was seen. */
export function hostileReason(rules: readonly string[]): string {
  return `the answer gives orders to the agent or hides text (${[...new Set(rules)].join(", ")})`;
}

/** A result without the parts that speak to the agent; undefined where nothing is left that a client could take. */
export function redacted(
  result: Readonly<Record<string, unknown>>,
  seen: readonly Seen[],
  decision: string,
): Readonly<Record<string, unknown>> | undefined {
  const rules = new Map<string, string>();
  for (const { where, rule } of seen.filter(isHostile))
    rules.set(where, [...new Set([...(rules.get(where)?.split(", ") ?? []), rule])].join(", "));
  // What is no block of a list has a form that others rely on.
  if ([...rules.keys()].some((where) => !where.endsWith("]"))) return undefined;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      LISTS.has(name) && Array.isArray(value)
        ? value.map((item: unknown, index) => {
            const why = rules.get(`${name}[${index}]`);
            return why === undefined ? item : inPlaceOf(name, item, notice(why, decision));
          })
        : value,
    ]),
  );
}

function inPlaceOf(list: string, item: unknown, text: string): unknown {
  if (list === "content") return { type: "text", text };
  if (list === "messages")
    return {
      role: isRecord(item) && item.role === "assistant" ? "assistant" : "user",
      content: { type: "text", text },
    };
  return {
    uri: isRecord(item) && typeof item.uri === "string" ? item.uri : "",
    mimeType: "text/plain",
    text,
  };
}

const notice = (rules: string, decision: string): string =>
  `[withheld by the gateway: this part gives orders to the agent or hides text (${rules}), decision ${decision}]`;
