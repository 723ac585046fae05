/** Opens a session and reads every list: what `inspect` and `demo` show. */
import { defined, type Finding, shown, TrustError } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import {
  connect,
  describe,
  isRecord,
  type Listing,
  type ListMethod,
  list,
  type Outcome,
  type Recorder,
  redactor,
  type Session,
  wireFindings,
} from "../wire/index.ts";

export interface Look {
  readonly session: Session;
  readonly lists: Readonly<Record<ListMethod, Listing>>;
  /** Lists that could not be read, and how each ended. An unread list is not an empty one. */
  readonly unread: readonly {
    readonly method: ListMethod;
    readonly how: string;
    readonly isDeclared: boolean;
  }[];
  readonly findings: readonly Finding[];
}

const LISTS = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resources",
  "prompts/list": "prompts",
} as const;
const METHOD_NOT_FOUND = -32601;
/** All lists together may take this many times the limit of one request. */
const TOTAL_FACTOR = 10;
/** No honest list is larger; a library user may set more. */
const FRAME_BYTES = 16 * 1024 * 1024;

/** Opens a session, reads all lists, closes it, and only then judges: what a server says at the end counts too.
 *  Throws a coded error when no session could be opened. */
export async function look(
  target: Target,
  recorder?: Recorder,
  onProgress: (text: string) => void = () => {},
): Promise<Look> {
  const { launch, label, era } = target;
  const limits = { maxFrameBytes: FRAME_BYTES, ...target.limits };
  const session = await connect(launch, { limits, peer: label, ...defined({ era, recorder }) });
  const found: Partial<Record<ListMethod, Listing>> = {};
  try {
    if (!session.isOpen) throw openingError(target, session);
    const signal = AbortSignal.timeout(Math.min(session.limits.timeoutMs * TOTAL_FACTOR, MAX_TIMER_MS));
    for (const method of Object.keys(LISTS) as ListMethod[]) {
      onProgress(`${label}: ${method}`);
      found[method] = await list(session, method, session.limits, { signal });
    }
  } finally {
    await session.close();
  }
  const lists = found as Record<ListMethod, Listing>;
  return {
    session,
    lists,
    unread: unreadOf(session, lists),
    findings: wireFindings(session, label, lists, redactor(target.secrets)),
  };
}

const MAX_TIMER_MS = 2 ** 31 - 1;

function unreadOf(session: Session, lists: Look["lists"]): Look["unread"] {
  const { capabilities } = session.face ?? {};
  return (Object.entries(lists) as [ListMethod, Listing][]).flatMap(([method, { end, pages }]) => {
    const last = pages.at(-1);
    const isDeclared = isRecord(capabilities) && Object.hasOwn(capabilities, LISTS[method]);
    // A method the server neither has nor claims to have is no gap.
    if (end === "complete" || !last || (!isDeclared && isAbsent(last))) return [];
    return [{ method, isDeclared, how: end === "no-answer" ? describe(last) : end }];
  });
}

const isAbsent = (outcome: Outcome): boolean =>
  outcome.kind === "error" && outcome.error.code === METHOD_NOT_FOUND;

/** Why a session did not open, as an error with its exit code. */
function openingError(target: Target, session: Session): TrustError {
  const { label } = target;
  const { opening } = session;
  const hide = redactor(target.secrets);
  const stderr = (hide?.text(session.stderrTail().text) ?? session.stderrTail().text)
    .trim()
    .split("\n")
    .slice(-5)
    .filter(Boolean);
  const said = stderr.length > 0 ? `\n${stderr.map((line) => `  server: ${shown(line)}`).join("\n")}` : "";
  if (opening.kind === "unauthorized") return authError(target, opening);
  const isThere = isReached(opening);
  const message =
    opening.kind === "unreachable" ? `${label}: ${opening.reason}` : `${label} ${shown(describe(opening))}`;
  return new TrustError(isThere ? "WIRE_NO_MCP" : "WIRE_UNREACHABLE", message + said);
}

/** A refusal names the login for this very server; where a token was sent, that it was not taken. */
function authError({ label, launch }: Target, opening: Outcome & { kind: "unauthorized" }): TrustError {
  const url = launch.kind === "http" ? launch.url.origin + launch.url.pathname : label;
  const sent = launch.kind === "http" && Object.hasOwn(launch.headers ?? {}, "authorization");
  const hint = `log in with: touchstone login ${url}\n  or pass a token with --bearer-env NAME`;
  return new TrustError(
    "WIRE_AUTH_NEEDED",
    `${label} ${describe(opening)}${sent ? "; the token sent was not taken" : ""}`,
    { hint },
  );
}

function isReached(outcome: Outcome): boolean {
  return !["unreachable", "crashed", "closed", "timed-out"].includes(outcome.kind);
}

/** Members a tool, resource or prompt may have by the specification; clients drop all others. */
const KNOWN_MEMBERS = new Set(
  "name title description inputSchema outputSchema annotations icons execution _meta uri uriTemplate mimeType size arguments".split(
    " ",
  ),
);

const KNOWN_ANNOTATIONS = new Set(
  "title readOnlyHint destructiveHint idempotentHint openWorldHint audience priority lastModified".split(" "),
);

export function unknownMembers(item: unknown): [string, unknown][] {
  if (!isRecord(item)) return [];
  const annotations = isRecord(item.annotations) ? Object.entries(item.annotations) : [];
  return [
    ...Object.entries(item).filter(([key]) => !KNOWN_MEMBERS.has(key)),
    ...annotations
      .filter(([key]) => !KNOWN_ANNOTATIONS.has(key))
      .map(([key, value]): [string, unknown] => [`annotations.${key}`, value]),
  ];
}
