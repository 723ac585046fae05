/** Questions about HTTP: what a server takes from strangers, and from pages of others. */
import { LEGACY_VERSION, META, MODERN_VERSION, type Outcome } from "../../wire/index.ts";
import {
  frameOf,
  type Headers,
  isServed,
  type ProtocolCase,
  type ProtocolKit,
  type Seen,
  type Subject,
  statusOf,
} from "./case.ts";
import { said } from "./frames.ts";

const isHttp = ({ transport }: Subject): string | undefined =>
  transport === "http" ? undefined : `over ${transport} there are no headers`;

/** The first request of a client of this server's era, which needs no session. */
function opening({ era }: Subject): { readonly frame: string; readonly headers: Headers } {
  const clientInfo = { name: "mcp-client", version: "1.0.0" };
  if (era === "legacy") {
    const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo };
    return { frame: frameOf(1, "initialize", params), headers: {} };
  }
  const _meta = { [META.version]: MODERN_VERSION, [META.clientInfo]: clientInfo, [META.claims]: {} };
  const headers = { "mcp-protocol-version": MODERN_VERSION, "mcp-method": "server/discover" };
  return { frame: frameOf(1, "server/discover", { _meta }), headers };
}

async function sendAsStranger(
  { stranger, timeoutMs }: ProtocolKit,
  frame: string,
  headers: Headers,
): Promise<Outcome> {
  await using session = await stranger();
  return session.sendRaw(frame, { id: 1, headers, timeoutMs });
}

const refusedWith = (outcome: Outcome): string =>
  isServed(outcome) ? "it was served" : `refused: ${statusOf(outcome) ?? said(outcome)}`;

export const contentType: ProtocolCase = {
  id: "wrong_content_type",
  rule: "PROTO-05",
  title: "a body of another content type",
  skip: isHttp,
  async ask(kit) {
    const { frame, headers } = opening(kit.subject);
    const outcome = await sendAsStranger(kit, frame, { ...headers, "content-type": "text/plain" });
    return [{ isMet: !isServed(outcome), what: refusedWith(outcome), outcome, request: frame }];
  },
};

export const missingHeaders: ProtocolCase = {
  id: "missing_headers",
  rule: "PROTO-06",
  title: "headers that are missing or contradict the body",
  skip: isHttp,
  async ask(kit) {
    const { subject } = kit;
    if (subject.era === "legacy") {
      const { session, events } = await kit.apart();
      const hasSession = sessionIn(events) !== undefined;
      await session.close();
      if (!hasSession)
        return [{ isMet: true, what: "it keeps no sessions", outcome: undefined, request: undefined }];
      const request = frameOf(1, "tools/list");
      const outcome = await sendAsStranger(kit, request, { "mcp-protocol-version": LEGACY_VERSION });
      return [
        { isMet: !isServed(outcome), what: `no session id: ${refusedWith(outcome)}`, outcome, request },
      ];
    }
    const { frame, headers } = opening(subject);
    const variants: readonly (readonly [string, Headers])[] = [
      ["no protocol version", { "mcp-method": "server/discover" }],
      ["another method than the body", { ...headers, "mcp-method": "tools/list" }],
      ["another version than the body", { ...headers, "mcp-protocol-version": LEGACY_VERSION }],
    ];
    const seen: Seen[] = [];
    for (const [name, given] of variants) {
      const outcome = await sendAsStranger(kit, frame, given);
      const what = `${name}: ${refusedWith(outcome)}`;
      seen.push({ isMet: !isServed(outcome), what, outcome, request: { headers: given, frame } });
    }
    return seen;
  },
};

export const endedSession: ProtocolCase = {
  id: "terminated_session",
  rule: "PROTO-07",
  title: "a session that was ended",
  skip: (subject) =>
    isHttp(subject) ?? (subject.era === "legacy" ? undefined : "there are no sessions from 2026-07-28 on"),
  async ask(kit) {
    const { session, events } = await kit.apart();
    const id = sessionIn(events);
    await session.close();
    if (id === undefined)
      return [{ isMet: true, what: "it keeps no sessions", outcome: undefined, request: undefined }];
    const request = frameOf(1, "tools/list");
    const headers = { "mcp-session-id": id, "mcp-protocol-version": LEGACY_VERSION };
    const outcome = await sendAsStranger(kit, request, headers);
    const status = statusOf(outcome);
    const isMet = !isServed(outcome);
    const note = isMet && status !== 404 ? `${refusedWith(outcome)} (404 tells a client to begin anew)` : "";
    return [{ isMet, what: note === "" ? refusedWith(outcome) : note, outcome, request }];
  },
};

export const foreignOrigin: ProtocolCase = {
  id: "foreign_host_origin",
  rule: "PROTO-08",
  title: "requests that pages of others could make",
  skip: (subject) =>
    isHttp(subject) ?? (subject.isLocal ? undefined : "it does not listen on this machine or its network"),
  async ask(kit) {
    const { frame, headers } = opening(kit.subject);
    const seen: Seen[] = [];
    for (const foreign of [{ origin: "https://pages.example" }, { host: "pages.example" }] as Headers[]) {
      const outcome = await sendAsStranger(kit, frame, { ...headers, ...foreign });
      const [name = ""] = Object.keys(foreign);
      const what = `a foreign ${name}: ${refusedWith(outcome)}`;
      seen.push({ isMet: !isServed(outcome), what, outcome, request: { headers: foreign, frame } });
    }
    return seen;
  },
};

function sessionIn(
  events: readonly { readonly ev: string; readonly headers?: unknown }[],
): string | undefined {
  for (const { ev, headers } of events) {
    if (ev !== "http-response" || typeof headers !== "object" || headers === null) continue;
    const id = (headers as Record<string, unknown>)["mcp-session-id"];
    if (typeof id === "string") return id;
  }
  return undefined;
}
