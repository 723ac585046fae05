/** Opens a session as one kind of client, reads every list, closes it, and only then judges: what a server says at the end
 *  counts too. No tool is called. Implements spec/surface.md, SUR-4 and SUR-5. */
import { defined, type Finding } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import {
  connect,
  describe,
  isRecord,
  type Launcher,
  type Listing,
  type ListMethod,
  list,
  type Outcome,
  type Recorder,
  redactor,
  type Session,
  wireFindings,
} from "../wire/index.ts";
import { openingError } from "./opening.ts";
import { type ClaimSet, claimsOf, type Surface } from "./surface.ts";

export interface CaptureOptions {
  /** What we say we can do; nothing unless said. */
  readonly claims?: ClaimSet;
  readonly recorder?: Recorder;
  readonly launcher?: Launcher;
  readonly onProgress?: (text: string) => void;
}

export interface Unread {
  readonly method: ListMethod;
  readonly how: string;
  /** Whether the server says that it has this list. */
  readonly isDeclared: boolean;
}

export interface Capture {
  readonly surface: Surface;
  /** The closed session, for what only it knows: stray frames, stderr, the raw opening. */
  readonly session: Session;
  readonly lists: Readonly<Record<ListMethod, Listing>>;
  /** Lists that could not be read, and how each ended. An unread list is not an empty one. */
  readonly unread: readonly Unread[];
  /** What the wire itself shows. */
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
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Throws a coded error when no session could be opened. */
export async function capture(target: Target, options: CaptureOptions = {}): Promise<Capture> {
  const { launch, label, era } = target;
  const { claims = "none", recorder, launcher, onProgress = () => {} } = options;
  const limits = { maxFrameBytes: FRAME_BYTES, ...target.limits };
  const session = await connect(launch, {
    limits,
    peer: label,
    claims: claimsOf(claims),
    ...defined({ era, recorder, launcher }),
  });
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
    surface: surfaceOf(session, lists, claims),
    session,
    lists,
    unread: unreadOf(session, lists),
    findings: wireFindings(session, label, lists, redactor(target.secrets)),
  };
}

function surfaceOf(session: Session, lists: Capture["lists"], claims: ClaimSet): Surface {
  const { face, era } = session;
  return {
    era,
    protocolVersion: face?.version ?? "",
    claims,
    info: face?.info,
    capabilities: face?.capabilities,
    instructions: face?.instructions,
    tools: lists["tools/list"].items,
    resources: lists["resources/list"].items,
    resourceTemplates: lists["resources/templates/list"].items,
    prompts: lists["prompts/list"].items,
  };
}

function unreadOf(session: Session, lists: Capture["lists"]): Unread[] {
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
