/** What a server answers, read as an agent would read it: orders to the agent and hidden texts are told with the label, taken out, or kept
 *  from it altogether. It only ever lowers trust. Pure. Implements spec/gateway.md, GTW-27 and GTW-28. */
import { shown } from "../core/index.ts";
import { repeatedFrom, scanText } from "../scan/index.ts";
import { isRecord } from "../wire/index.ts";

export const OUTPUT_MODES = ["observe", "annotate", "redact", "block"] as const;

/** Something in an answer that speaks to the agent. */
export interface Seen {
  readonly rule: string;
  readonly severity: "warn" | "fail";
  /** The part of the answer it stands in: `content[0]`. */
  readonly where: string;
  readonly message: string;
}

/** A crash that shows its insides is no order to anybody. */
const RULES: ReadonlySet<string> = new Set(["SCAN-01", "SCAN-02", "SCAN-03", "SCAN-04", "SCAN-08"]);
const LISTS: ReadonlySet<string> = new Set(["content", "contents", "messages"]);
const MAX_TEXTS = 20_000;
const MAX_CHARS = 2 * 1024 * 1024;
const MAX_SEEN = 16;
const MESSAGE_CHARS = 160;

/** What is seen in a result or an error. What it repeats of its own call is nothing that it says. */
export function seenIn(answer: unknown, given: unknown): readonly Seen[] {
  if (!isRecord(answer)) return [];
  const seen: Seen[] = [];
  for (const { where, value } of partsOf(answer)) {
    const { texts, isWhole } = textsIn(value);
    const text = texts.join("\n");
    if (text === "" || seen.length >= MAX_SEEN) continue;
    const isHit = scanned(text).length > 0;
    const hits = isHit
      ? scanned(
          text,
          repeatedFrom(textsIn(given).texts, () => false),
        )
      : [];
    for (const { rule, severity, message } of hits)
      if (severity !== "info") seen.push({ rule, severity, where, message: shown(message, MESSAGE_CHARS) });
    if (!isWhole)
      seen.push({ rule: "SCAN-08", severity: "warn", where, message: "there is more than is scanned" });
  }
  return seen.slice(0, MAX_SEEN);
}

const scanned = (text: string, excuse?: ReturnType<typeof repeatedFrom>): ReturnType<typeof scanText> =>
  scanText(text, { kind: "output" }, excuse).filter(({ rule }) => RULES.has(rule));

interface PartOf {
  readonly where: string;
  readonly value: unknown;
}

/** What can be taken out by itself: one block, one message, one member. */
function partsOf(answer: Readonly<Record<string, unknown>>): PartOf[] {
  return Object.entries(answer).flatMap(([name, value]): PartOf[] => {
    if (name === "_meta") return [];
    if (!LISTS.has(name) || !Array.isArray(value)) return [{ where: name, value }];
    return value.map((item, index) => ({ where: `${name}[${index}]`, value: item as unknown }));
  });
}

/** All texts of a value, names of members included, and what is packed as bytes but said to be text. No recursion: it may be as deep as it
 *  likes. */
export function textsIn(root: unknown): { readonly texts: readonly string[]; readonly isWhole: boolean } {
  const texts: string[] = [];
  const waiting: unknown[] = [root];
  let chars = 0;
  while (waiting.length > 0) {
    if (texts.length >= MAX_TEXTS || chars >= MAX_CHARS) return { texts, isWhole: false };
    const value = waiting.pop();
    if (typeof value === "string") {
      texts.push(value);
      chars += value.length;
    } else if (Array.isArray(value)) for (const item of value.toReversed()) waiting.push(item);
    else if (isRecord(value)) {
      const isBinary = value.type === "image" || value.type === "audio";
      for (const [name, member] of Object.entries(value).reverse()) {
        if (name === "_meta" || name === "type" || (isBinary && name === "data")) continue;
        waiting.push(name === "blob" ? unpacked(member, value.mimeType) : member);
        if (name.length >= MIN_NAME_CHARS) waiting.push(name);
      }
    }
  }
  return { texts, isWhole: true };
}
const MIN_NAME_CHARS = 16;

function unpacked(blob: unknown, type: unknown): unknown {
  if (typeof blob !== "string" || !/^(?:text\/|application\/(?:json|xml|javascript|yaml))/.test(String(type)))
    return undefined;
  return Buffer.from(blob.slice(0, 2 * MAX_CHARS), "base64").toString("utf8");
}

export const isHostile = ({ severity }: Seen): boolean => severity === "fail";

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
