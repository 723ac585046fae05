/** From a launch to an open session: starts or reaches the server once, finds its era, says how that went.
 *  Implements spec/wire.md, WIR-13, WIR-14. */
import type { Channel, ChannelEvents } from "../channel/channel.ts";
import { openHttp } from "../channel/http.ts";
import { openSse } from "../channel/sse.ts";
import { openStdio } from "../channel/stdio.ts";
import { type Claims, type EraChoice, eraFromProbe, type PeerInfo } from "../era.ts";
import type { Headers } from "../headers.ts";
import { type Limits, limitsFrom } from "../limits.ts";
import type { Ending, Outcome } from "../outcome.ts";
import type { Command } from "../process/command.ts";
import type { Launcher } from "../process/containment.ts";
import type { Recorder } from "../recording/writer.ts";
import { Session } from "./session.ts";
import type { Question } from "./settings.ts";

/** What can be spoken to. */
export type Launch =
  | ({ readonly kind: "stdio" } & Command)
  | {
      readonly kind: "http";
      readonly url: URL;
      readonly headers?: Headers;
      /** `auto` falls back to the deprecated HTTP+SSE transport when the endpoint takes no POST. */
      readonly transport?: "http" | "sse" | "auto";
    };

export interface ConnectOptions {
  readonly era?: EraChoice;
  /** The legacy version to ask for. */
  readonly version?: string;
  /** How we present ourselves. A server that behaves differently for a tester must not be told that we are one. */
  readonly clientInfo?: PeerInfo;
  readonly claims?: Claims;
  readonly limits?: Partial<Limits>;
  readonly answer?: (question: Question) => unknown;
  readonly onNotification?: (notification: Question) => void;
  readonly onEnd?: (ending: Ending) => void;
  readonly recorder?: Recorder;
  /** The server's name in the recording. */
  readonly peer?: string;
  readonly launcher?: Launcher;
  /** False: nothing is said before the caller says it; for tests of what a server does with a stranger. */
  readonly opens?: boolean;
}

export const PLAIN_CLIENT: PeerInfo = { name: "mcp-client", version: "1.0.0" };

/** Opens a session. Never fails for what the server does: `session.isOpen` and `session.opening` tell. */
export async function connect(launch: Launch, options: ConnectOptions = {}): Promise<Session> {
  const limits = limitsFrom(options.limits);
  const tap = options.recorder?.peer(options.peer ?? "server");
  const settings = { limits, tap, launcher: options.launcher };
  const open =
    (transport: "http" | "sse") =>
    (events: ChannelEvents): Channel => {
      if (launch.kind === "stdio") return openStdio(launch, settings, events);
      const http = { ...settings, headers: launch.headers };
      return transport === "sse" ? openSse(launch.url, http, events) : openHttp(launch.url, http, events);
    };
  const wanted = launch.kind === "http" ? (launch.transport ?? "auto") : "http";
  const first = open(wanted === "sse" ? "sse" : "http");
  const session = new Session(first, {
    limits,
    tap,
    clientInfo: options.clientInfo ?? PLAIN_CLIENT,
    claims: options.claims ?? {},
    answer: options.answer,
    onNotification: options.onNotification,
    onEnd: options.onEnd,
  });

  if (options.opens === false) return session;
  const era = options.era ?? "legacy";
  if (era === "modern") {
    await session.discover();
    return session;
  }
  if (era === "auto") {
    const probe = await session.discover(limits.probeTimeoutMs);
    if (eraFromProbe(probe) !== "legacy") return session;
    if (launch.kind === "stdio" && hasLeft(probe)) {
      tap?.event("era-probe-exit");
      session.leftOnProbe = true;
      await session.reconnect(first);
    }
  }
  const initialized = await session.initialize(options.version);
  if (wanted === "auto" && takesNoPost(initialized)) {
    await session.reconnect(open("sse"));
    await session.initialize(options.version);
    // Both ways failed: the first refusal is the one that tells about this URL.
    if (!session.isOpen) session.opening = initialized;
  }
  return session;
}

const hasLeft = (outcome: Outcome): boolean => outcome.kind === "closed" || outcome.kind === "crashed";

const takesNoPost = (outcome: Outcome): boolean =>
  outcome.kind === "http" && [400, 404, 405].includes(outcome.status);
