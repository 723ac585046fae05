/** Frames that answer a client, made of what a server sent: its own bytes, but for what belongs to each hop. Pure.
 *  Implements spec/gateway.md, GTW-7 to GTW-9. */
import type { TrustLabel } from "../policy/index.ts";
import {
  type Era,
  folded,
  type Id,
  META,
  type Member,
  memberNamed,
  membersAt,
  type PeerInfo,
  type Span,
  spliced,
  withoutUnder,
} from "../wire/index.ts";

/** The name under which a label stands in `_meta`. */
export const LABEL_KEY = "touchstone/trust";
const OWN_PREFIX = "touchstone/";
const RESERVED_PREFIX = "io.modelcontextprotocol/";
/** Members that say how the answer of one hop is to be taken. */
const HOP_MEMBERS = ["resultType", "ttlMs", "cacheScope"] as const;

export interface AnswerTerms {
  readonly id: Id;
  readonly era: Era;
  readonly info: PeerInfo;
  readonly label: Readonly<Record<string, unknown>> | TrustLabel;
  readonly isCacheable?: boolean;
}

/** A result as the server wrote it, with our label and the marks of this hop in place of theirs. `raw` holds a result. */
export function answerFrame(raw: string, terms: AnswerTerms): string {
  const { id, era, info, label, isCacheable = false } = terms;
  const result = memberNamed(membersAt(raw), "result") as Span;
  const members = membersAt(raw, result.from) ?? [];
  const isModern = era === "modern";
  const server = isModern ? `"${META.serverInfo}":${JSON.stringify(info)},` : "";
  const meta = metaText(raw, members, `${server}"${LABEL_KEY}":${JSON.stringify(label)}`);
  const kind = isModern ? '"resultType":"complete",' : "";
  const cache = isModern && isCacheable ? '"ttlMs":0,"cacheScope":"private",' : "";
  const without = namesOut(members, (name) => WITHOUT.has(folded(name)));
  const rest = unforged(spliced(raw, result, { without, put: "" }, members));
  const hasRest = members.some(({ name }) => !without.has(name));
  const body = `{${kind}${cache}"_meta":${meta}${hasRest ? "," : ""}${rest.slice(1)}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${body}}`;
}

/** However they are spelled: some clients do not tell cases apart. */
const WITHOUT: ReadonlySet<string> = new Set([...HOP_MEMBERS, "_meta"].map(folded));

const namesOut = (members: readonly Member[], isOut: (name: string) => boolean): ReadonlySet<string> =>
  new Set(members.map(({ name }) => name).filter(isOut));

/** What the server put there stays, but for names that are ours or the protocol's: those it could only forge. */
function metaText(raw: string, members: readonly Member[], own: string): string {
  const span = memberNamed(members, "_meta");
  const inner = span && membersAt(raw, span.from);
  if (!span || !inner) return `{${own}}`;
  const foreign = namesOut(inner, isHopName);
  const rest = unforged(spliced(raw, span, { without: foreign, put: "" }, inner));
  const hasRest = inner.some(({ name }) => !foreign.has(name));
  return `{${own}${hasRest ? "," : ""}${rest.slice(1)}`;
}

export function isHopName(name: string): boolean {
  const one = folded(name);
  return one.startsWith(OWN_PREFIX) || one.startsWith(RESERVED_PREFIX);
}

/** A JSON text without what in the `_meta` of something in it only a gateway may say. */
const unforged = (text: string): string => (NAMED.test(text) ? withoutUnder(text, "_meta", isHopName) : text);
/** The prefixes, or escapes that may spell them. */
const NAMED = /touchstone\/|io\.modelcontextprotocol\/|\\u|\\\//iu;

/** A value of a server, without what in a `_meta` in it belongs to the hop it came by. What is too deep to be written is nothing. */
export function withoutHopNames<T>(value: T): T | undefined {
  try {
    const text = JSON.stringify(value) ?? "";
    const clean = unforged(text);
    return clean === text ? value : (JSON.parse(clean) as T);
  } catch {
    return undefined;
  }
}
