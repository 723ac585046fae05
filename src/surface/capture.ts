/** Opens a session as one kind of client, reads every list, closes it, and only then judges: what a server says at the end
 *  counts too. No tool is called. Implements spec/surface.md, SUR-4, SUR-5, SUR-6 and SUR-21. */
import { defined, type Finding } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import {
  connect,
  describe,
  isRecord,
  type Launcher,
  type Listing,
  type ListMethod,
  type Recorder,
  redactor,
  type Session,
  wireFindings,
} from "../wire/index.ts";
import { openingError } from "./opening.ts";
import { areaOf, LIST_METHODS, Reading, type Replaced, replacedFindings } from "./reading.ts";
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
  /** Whether the server says that it has this list. One that it does not declare and that ends in anything but "method not
   *  found" was not read either. */
  readonly isDeclared: boolean;
}

export interface Capture {
  readonly surface: Surface;
  /** The closed session, for what only it knows: stray frames, stderr, the raw opening. */
  readonly session: Session;
  readonly lists: Readonly<Record<ListMethod, Listing>>;
  /** Lists that could not be read, and how each ended. An unread list is not an empty one. */
  readonly unread: readonly Unread[];
  /** Lists that the server said had changed and that then did differ, as they were first. */
  readonly replaced: Replaced;
  /** What the wire itself shows, and SURF-04 for what was replaced. */
  readonly findings: readonly Finding[];
}

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
  const reading = new Reading();
  const session = await connect(launch, {
    limits,
    peer: label,
    claims: claimsOf(claims),
    onNotification: ({ method }) => reading.heard(method),
    ...defined({ era, recorder, launcher }),
  });
  try {
    if (!session.isOpen) throw openingError(target, session);
    const signal = AbortSignal.timeout(Math.min(session.limits.timeoutMs * TOTAL_FACTOR, MAX_TIMER_MS));
    await reading.read(session, signal, (method) => onProgress(`${label}: ${method}`));
  } finally {
    await session.close();
  }
  const { lists, replaced } = reading;
  return {
    surface: surfaceOf(session, lists, claims),
    session,
    lists,
    unread: unreadOf(session, reading),
    replaced,
    findings: [
      ...wireFindings(session, label, lists, redactor(target.secrets)),
      ...replacedFindings(label, reading),
    ],
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

function unreadOf({ face }: Session, { lists, isRestless }: Reading): Unread[] {
  return LIST_METHODS.flatMap((method) => {
    const { end, pages } = lists[method];
    const isDeclared = isRecord(face?.capabilities) && Object.hasOwn(face.capabilities, areaOf(method));
    if (end === "complete")
      return isRestless(method)
        ? [{ method, isDeclared, how: "it changed again after it was read twice" }]
        : [];
    // A method the server neither has nor claims to have is no gap. Templates are declared by nothing of their own: many have resources alone.
    if ((!isDeclared || method === "resources/templates/list") && isAbsent(pages)) return [];
    const last = pages.at(-1);
    return [{ method, isDeclared, how: end === "no-answer" && last ? describe(last) : end }];
  });
}

/** Said of the first page: who has given one has the list. */
const isAbsent = ([first, ...others]: Listing["pages"]): boolean =>
  first?.kind === "error" && first.error.code === METHOD_NOT_FOUND && others.length === 0;
