/** Opens a session and reads every list: what `inspect` and `demo` show. */
import { defined, type Finding, shown, TrustError } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import {
  connect,
  describe,
  type Listing,
  type ListMethod,
  list,
  type Outcome,
  type Recorder,
  type Session,
  wireFindings,
} from "../wire/index.ts";

export interface Look {
  readonly session: Session;
  readonly lists: Readonly<Record<ListMethod, Listing>>;
  readonly findings: readonly Finding[];
}

const LISTS: readonly ListMethod[] = [
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
];

/** The caller closes the session. Throws a coded error when no session could be opened. */
export async function look(target: Target, recorder?: Recorder): Promise<Look> {
  const { launch, label, limits, era } = target;
  const session = await connect(launch, { limits, peer: label, ...defined({ era, recorder }) });
  if (!session.isOpen) {
    await session.close();
    throw openingError(target, session);
  }
  const found: Partial<Record<ListMethod, Listing>> = {};
  for (const method of LISTS) found[method] = await list(session, method);
  const lists = found as Record<ListMethod, Listing>;
  return { session, lists, findings: wireFindings(session, label, lists) };
}

/** Why a session did not open, as an error with its exit code. */
function openingError(target: Target, session: Session): TrustError {
  const { label } = target;
  const { opening } = session;
  const stderr = session.stderrTail().text.trim().split("\n").slice(-5).filter(Boolean);
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
