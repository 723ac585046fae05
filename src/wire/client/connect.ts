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
import type { Recorder, Tap } from "../recording/writer.ts";
import type { StopSignal } from "../stop.ts";
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
  /** Nobody waits for it any more: it is ended, however far it is. */
  readonly signal?: StopSignal;
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
  const session = new Session(open(wayTo(launch) === "sse" ? "sse" : "http"), {
    limits,
    tap,
    clientInfo: options.clientInfo ?? PLAIN_CLIENT,
    claims: options.claims ?? {},
    answer: options.answer,
    onNotification: options.onNotification,
    onEnd: options.onEnd,
  });
  if (options.opens === false) return session;
  const { signal } = options;
  const giveUp = (): void => void session.close();
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp, { once: true });
  await speak(session, launch, open, options, tap);
  signal?.removeEventListener("abort", giveUp);
  return session;
}

const wayTo = (launch: Launch): "http" | "sse" | "auto" =>
  launch.kind === "http" ? (launch.transport ?? "auto") : "http";

/** The first words: those of one era, or those that tell which it is. */
async function speak(
  session: Session,
  launch: Launch,
  open: (transport: "http" | "sse") => (events: ChannelEvents) => Channel,
  { era = "legacy", version, signal }: ConnectOptions,
  tap: Tap | undefined,
): Promise<void> {
  if (era === "modern") return void (await session.discover());
  if (era === "auto") {
    const probe = await session.discover(session.limits.probeTimeoutMs);
    if (eraFromProbe(probe) !== "legacy") return;
    if (launch.kind === "stdio" && hasLeft(probe) && !signal?.aborted) {
      tap?.event("era-probe-exit");
      session.leftOnProbe = true;
      await session.reconnect(open("http"));
    }
  }
  const initialized = await session.initialize(version);
  if (wayTo(launch) === "auto" && takesNoPost(initialized)) {
    await session.reconnect(open("sse"));
    await session.initialize(version);
    // Both ways failed: the first refusal is the one that tells about this URL.
    if (!session.isOpen) session.opening = initialized;
  }
}

const hasLeft = (outcome: Outcome): boolean => outcome.kind === "closed" || outcome.kind === "crashed";

const takesNoPost = (outcome: Outcome): boolean =>
  outcome.kind === "http" && [400, 404, 405].includes(outcome.status);
