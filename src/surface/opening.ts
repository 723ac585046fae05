/** Why a session did not open, as an error with its exit code. */
import { shown, TrustError, tellingLines } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import { describe, type Outcome, redactor, type Session } from "../wire/index.ts";

const STDERR_LINES = 5;

export function openingError(target: Target, session: Session): TrustError {
  const { label } = target;
  const { opening } = session;
  const hide = redactor(target.secrets);
  const { text } = session.stderrTail();
  const stderr = tellingLines(hide?.text(text) ?? text, STDERR_LINES);
  const said = stderr.length > 0 ? `\n${stderr.map((line) => `  server: ${shown(line)}`).join("\n")}` : "";
  if (opening.kind === "unauthorized") return authError(target, opening);
  const isThere = isReached(opening);
  const message =
    opening.kind === "unreachable"
      ? `${label}: ${withoutOrigin(opening.reason, target)}`
      : `${label} ${shown(describe(opening))}`;
  if (isThere) return new TrustError("WIRE_NO_MCP", message + said);
  const isRemote = target.launch.kind === "http";
  return new TrustError("WIRE_UNREACHABLE", message + said, isRemote ? { hint: LOOK_THERE } : {});
}

const LOOK_THERE = "check the URL, and that the server is running there";

/** The label of a URL says already where that is. */
function withoutOrigin(reason: string, { label, launch }: Target): string {
  if (launch.kind !== "http" || !label.startsWith(launch.url.origin)) return reason;
  const place = `${launch.url.origin}: `;
  return reason.startsWith(place) ? reason.slice(place.length) : reason;
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
