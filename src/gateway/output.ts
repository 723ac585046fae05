/** What a server answers, read as an agent would read it: orders to the agent and hidden texts are told with the label, taken out, or kept
 *  from it altogether. It only ever lowers trust. Pure. Implements spec/gateway.md, GTW-27 and GTW-28. */
import { shown } from "../core/index.ts";
import { type Hit, repeatedFrom, scanOrders } from "../scan/index.ts";
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

const LISTS: ReadonlySet<string> = new Set(["content", "contents", "messages"]);
const MAX_TEXTS = 20_000;
const MAX_CHARS = 2 * 1024 * 1024;
const MAX_SEEN = 16;
const MESSAGE_CHARS = 160;

/** What is seen in a result or an error. What it repeats of its own call is nothing that it says. A crash that shows its insides is no
 *  order to anybody. */
export function seenIn(answer: unknown, given: unknown): readonly Seen[] {
  if (!isRecord(answer)) return NOTHING;
  const seen: Seen[] = [];
  // Each member, and of a list each item: what can be taken out by itself.
  for (const name of Object.keys(answer)) {
    const value = answer[name];
    if (name === "_meta") continue;
    if (!LISTS.has(name) || !Array.isArray(value)) seeIn(name, value, given, seen);
    else for (const [index, item] of value.entries()) seeIn(`${name}[${index}]`, item, given, seen);
  }
  return seen.length > MAX_SEEN ? seen.slice(0, MAX_SEEN) : seen;
}
const NOTHING: readonly Seen[] = [];

function seeIn(where: string, value: unknown, given: unknown, seen: Seen[]): void {
  if (seen.length >= MAX_SEEN) return;
  const { texts, isWhole } = textsIn(value);
  const text = texts.join("\n");
  if (text !== "")
    for (const { rule, severity, message } of ordersIn(text, given))
      if (severity !== "info") seen.push({ rule, severity, where, message: shown(message, MESSAGE_CHARS) });
  if (!isWhole)
    seen.push({ rule: "SCAN-08", severity: "warn", where, message: "there is more than is scanned" });
}

function ordersIn(text: string, given: unknown): readonly Hit[] {
  const hits = scanOrders(text, OUTPUT);
  if (hits.length === 0) return hits;
  return scanOrders(
    text,
    OUTPUT,
    repeatedFrom(textsIn(given).texts, () => false),
  );
}
const OUTPUT = { kind: "output" } as const;

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
      const names = Object.keys(value);
      // What is put last is looked at first.
      for (let number = names.length - 1; number >= 0; number--) {
        const name = names[number] as string;
        const member = value[name];
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
