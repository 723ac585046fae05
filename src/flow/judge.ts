/** Which flows are findings, by what was declared. Implements the decision table of spec/flow.md. */
import { count, type Finding, finding, shown } from "../core/index.ts";
import { type Flow, type FlowKind, type Hop, UNMODIFIED } from "./model.ts";

export interface TrustBoundary {
  /** Pairs of servers that were reviewed, in this direction. */
  readonly allowedFlows: readonly { readonly from: string; readonly to: string }[];
  /** Points that bound a flow: `tool`, `server.tool` or `server`. */
  readonly requiredSanitizers: readonly string[];
}

export interface FlowVerdict {
  readonly status: "pass" | "fail" | "not-assessed";
  /** Failures, and warnings for what came over in another form. */
  readonly findings: readonly Finding[];
  readonly cleared: readonly { readonly flow: Flow; readonly why: string }[];
}

export interface JudgeOptions {
  /** Kinds that count as if nothing had been changed. */
  readonly raise?: readonly FlowKind[];
  /** How people know a server; by its name unless told. */
  readonly named?: (server: string) => string;
}

const plainly = (server: string): string => shown(server, 80);

/** Without a declaration nothing is assessed, which is not a pass. */
export function judgeFlows(
  flows: readonly Flow[],
  boundary: TrustBoundary | undefined,
  { raise = [], named = plainly }: JudgeOptions = {},
): FlowVerdict {
  if (boundary === undefined) return { status: "not-assessed", findings: [], cleared: [] };
  const findings: Finding[] = [];
  const cleared: { readonly flow: Flow; readonly why: string }[] = [];
  for (const flow of flows) {
    const why = clearedBy(flow, boundary);
    if (why === undefined) findings.push(findingOf(flow, boundary, raise, named));
    else {
      cleared.push({ flow, why });
      if (flow.isUnchanged && isRouted(flow, boundary)) findings.push(advisoryOf(flow, named));
    }
  }
  const isFailed = findings.some(({ severity }) => severity === "fail");
  return { status: isFailed ? "fail" : "pass", findings, cleared };
}

/** Why a flow is no finding. */
function clearedBy(flow: Flow, boundary: TrustBoundary): string | undefined {
  const { requiredSanitizers, allowedFlows } = boundary;
  if (isSanitizer(flow.consumer, requiredSanitizers)) return "it goes into a sanitizer";
  if (isRouted(flow, boundary)) return "it was routed through a sanitizer";
  if (requiredSanitizers.length > 0) return undefined;
  const { producer, consumer } = flow;
  const isAllowed = allowedFlows.some(({ from, to }) => from === producer.server && to === consumer.server);
  return isAllowed ? `${producer.server} to ${consumer.server} is allowed` : undefined;
}

/** What the consumer gets is what a sanitizer gave, which had been given what the producer said. */
const isRouted = ({ chain }: Flow, { requiredSanitizers }: TrustBoundary): boolean =>
  chain.slice(0, -1).some((hop) => isSanitizer(hop, requiredSanitizers));

const isSanitizer = ({ server, tool }: Hop, names: readonly string[]): boolean =>
  names.some((name) => name === tool || name === `${server}.${tool}` || name === server);

function findingOf(
  flow: Flow,
  { requiredSanitizers, allowedFlows }: TrustBoundary,
  raise: readonly FlowKind[],
  named: (server: string) => string,
): Finding {
  const nameOf = (hop: Hop): string => hopName(hop, named);
  const { producer, consumer, kind, reading, chars, chain, excerpt } = flow;
  const severity = UNMODIFIED.has(kind) || raise.includes(kind) ? "fail" : "warn";
  const how = reading === undefined ? WORDS[kind] : `${WORDS[kind]} (${reading})`;
  const isAllowed = allowedFlows.some(({ from, to }) => from === producer.server && to === consumer.server);
  const why =
    isAllowed && requiredSanitizers.length > 0
      ? `the pair is allowed only through ${requiredSanitizers.map((name) => shown(name, 80)).join(", ")}`
      : "nobody declared this boundary";
  if (kind === "unseen")
    return finding(
      "SEC-060",
      `${producer.server} to ${consumer.server}, ${consumer.call}`,
      `${nameOf(consumer)} is given more than is looked through (${[placeOf(consumer.path), ...(reading === undefined ? [] : [reading])].join(": ")}): what ${named(producer.server)} has said may be in it; ${why}`,
      undefined,
      severity,
    );
  const way = chain.length > 2 ? `, by way of ${chain.slice(1, -1).map(nameOf).join(", ")}` : "";
  const message = `${nameOf(producer)} (${shown(quoted(producer.path), 160)}) reaches ${nameOf(consumer)} (${shown(quoted(consumer.path), 160)})${way}: ${count(chars, "character")} ${how}; ${why}`;
  return finding(
    "SEC-060",
    `${producer.server} to ${consumer.server}, ${consumer.call}`,
    message,
    excerpt,
    severity,
  );
}

function advisoryOf(
  { chain, consumer, producer, excerpt }: Flow,
  named: (server: string) => string,
): Finding {
  const way = chain
    .slice(1, -1)
    .map((hop) => hopName(hop, named))
    .join(", ");
  return finding(
    "SEC-060",
    `${producer.server} to ${consumer.server}, ${consumer.call}`,
    `${way} gave back what it was given, as it was: the flow is cleared by declaration, and nothing was taken out of it`,
    excerpt,
    "info",
  );
}

/** A name that could be read as more than a name is quoted, so that it says nothing by itself. */
const hopName = ({ server, tool }: Hop, named: (server: string) => string): string =>
  `${named(server)}.${shown(LIKE_NAME.test(tool) ? tool : JSON.stringify(tool), 80)}`;
const LIKE_NAME = /^[\w./:-]+$/;

const placeOf = (path: string): string => (path === "" ? "the arguments" : shown(quoted(path), 160));

/** A path with the names that somebody chose in quotes; those of the protocol stand for themselves. */
const quoted = (path: string): string =>
  path.replace(/"[^"]*"|[A-Za-z_$][\w$-]*/g, (word) =>
    word.startsWith('"') || PROTOCOL.has(word) ? word : `"${word}"`,
  );
const PROTOCOL: ReadonlySet<string> = new Set([
  ...["content", "contents", "structuredContent", "messages", "text", "blob", "data", "uri", "resource"],
  ...["name", "title", "description", "role", "type", "mimeType", "annotations", "error", "message", "_meta"],
]);

const WORDS: Readonly<Record<FlowKind, string>> = {
  "structural-equal": "as an equal value",
  verbatim: "word for word",
  contained: "inside a longer text or as a part of one",
  normalized: "but for case, white space and invisible characters",
  encoded: "encoded",
  partial: "in part",
  unseen: "perhaps",
};
