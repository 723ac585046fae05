/** Frames that answer a client, made of what a server sent: its own bytes, but for what belongs to each hop. Pure.
 *  Implements spec/gateway.md, GTW-7 to GTW-9. */
import type { TrustLabel } from "../policy/index.ts";
import {
  type Era,
  type Id,
  isRecord,
  META,
  type Member,
  memberNamed,
  membersAt,
  type PeerInfo,
  type Span,
  spliced,
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
export function answerFrame(given: string, terms: AnswerTerms): string {
  const { id, era, info, label, isCacheable = false } = terms;
  const raw = withoutForgery(given);
  const result = memberNamed(membersAt(raw), "result") as Span;
  const members = membersAt(raw, result.from);
  const isModern = era === "modern";
  const server = isModern ? `"${META.serverInfo}":${JSON.stringify(info)},` : "";
  const meta = metaText(raw, members, `${server}"${LABEL_KEY}":${JSON.stringify(label)}`);
  const kind = isModern ? '"resultType":"complete",' : "";
  const cache = isModern && isCacheable ? '"ttlMs":0,"cacheScope":"private",' : "";
  const put = `${kind}${cache}"_meta":${meta}`;
  const body = spliced(raw, result, { without: WITHOUT, put }, members);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${body}}`;
}

const WITHOUT: ReadonlySet<string> = new Set([...HOP_MEMBERS, "_meta"]);

/** What the server put there stays, but for names that are ours or the protocol's: those it could only forge. */
function metaText(raw: string, members: readonly Member[] | undefined, own: string): string {
  const span = memberNamed(members, "_meta");
  const inner = span && membersAt(raw, span.from);
  if (!span || !inner) return `{${own}}`;
  const foreign = inner.map(({ name }) => name).filter((name) => isHopName(name));
  return spliced(raw, span, { without: new Set(foreign), put: own });
}

export const isHopName = (name: string): boolean =>
  name.startsWith(OWN_PREFIX) || name.startsWith(RESERVED_PREFIX);

/** The frame as it is, unless something deep in its result bears our name: then it is written anew without that. */
function withoutForgery(text: string): string {
  // Escapes may spell it.
  if (!text.includes(OWN_PREFIX) && !text.includes("\\u00")) return text;
  const frame = JSON.parse(text) as Record<string, unknown>;
  const { _meta, ...inner } = isRecord(frame.result) ? frame.result : {};
  const clean = withoutForged(inner);
  if (JSON.stringify(clean) === JSON.stringify(inner)) return text;
  return JSON.stringify({
    ...frame,
    result: { ...(clean as object), ...(_meta === undefined ? {} : { _meta }) },
  });
}

/** Wherever a `_meta` stands, what in it only a gateway may say is taken out. */
export function withoutForged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutForged);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withoutForged(name === "_meta" && isRecord(member) ? withoutOwn(member) : member),
    ]),
  );
}

const withoutOwn = (meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith(OWN_PREFIX)));

/** An item of a list, without what in its `_meta` belongs to the hop it came by. */
export function withoutHopNames(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!isRecord(item._meta)) return item;
  const kept = Object.entries(item._meta).filter(([name]) => !isHopName(name));
  return { ...item, _meta: Object.fromEntries(kept) };
}
