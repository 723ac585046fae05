/** Streamable HTTP as a client, both eras: one POST a frame; in the legacy era also a session, a standing GET stream,
 *  and a lost stream taken up again. Implements spec/wire.md, WIR-10, WIR-11, WIR-15. */
import { readMessage } from "../frame/message.ts";
import type { Headers } from "../headers.ts";
import type { Limits } from "../limits.ts";
import type { Ending } from "../outcome.ts";
import type { Tap } from "../recording/writer.ts";
import { Asides, UNREAD } from "./asides.ts";
import { type Channel, type ChannelEvents, WHOLE_CHANNEL } from "./channel.ts";
import { type Exchange, exchange, waysTo, withoutFraming } from "./http-exchange.ts";

export interface HttpOptions {
  readonly limits: Limits;
  readonly tap?: Tap | undefined;
  /** The operator's own headers, such as Authorization. They go to this origin and nowhere else. */
  readonly headers?: Headers | undefined;
}

interface Sent {
  readonly method: "POST" | "GET";
  readonly headers: Headers;
  readonly body?: Buffer | string;
  readonly isAside?: boolean;
  /** The legacy stream for what the server says unasked, as opposed to the answer to one POST. */
  readonly isStanding: boolean;
}

/** An exchange that is open; let go of when it is over, since a map that was rebuilt leaves its old table behind. */
interface Live {
  exchange: Exchange | undefined;
  answeredAt: number | undefined;
}

/** How long a stream may stay open after its answer: what still comes is evidence, but not for ever. */
const LINGER_MS = 1_000;
const SWEEP_MS = 250;
const MAX_RESUMES = 5;
const MAX_RETRY_MS = 5_000;
const CLOSE_MS = 1_000;

export function openHttp(url: URL, options: HttpOptions, events: ChannelEvents): Channel {
  const { limits, tap } = options;
  const ways = waysTo(url);
  /** All of the others may be taken by requests that wait for what is said over these. */
  const waysAside = waysTo(url);
  const live = new Map<number, Live>();
  let nextExchange = 1;
  let session: Headers = {};
  let version: Headers = {};
  let isClosed = false;
  let standingExchange: number | undefined;
  let canResume = false;
  const resuming = new Map<number, NodeJS.Timeout>();

  const asides = new Asides(limits.timeoutMs, () => {
    events.ended(WHOLE_CHANNEL, UNREAD);
    void close();
  });

  const common = { url, maxBytes: limits.maxFrameBytes, tap };
  const given = withoutFraming(options.headers);
  const standing = (): Headers => ({ ...given, ...session, ...version });

  /** What still comes after its answer is waited for, but not for ever: one timer is enough for all. */
  let sweeper: NodeJS.Timeout | undefined;
  const sweep = (): void => {
    const now = performance.now();
    let isOneLeft = false;
    for (const { answeredAt, exchange: opened } of live.values())
      if (answeredAt !== undefined && now - answeredAt >= LINGER_MS) opened?.abandon();
      else isOneLeft ||= answeredAt !== undefined;
    sweeper = isOneLeft ? setTimeout(sweep, SWEEP_MS).unref() : undefined;
  };

  /** Sends one request and turns its response into frames. A legacy event stream that is lost is taken up again. */
  const start = (x: number, what: Sent, resumes = 0): void => {
    let lastEventId: string | undefined;
    let retryMs = 1_000;
    let isStream = false;
    const { isStanding, method, body, isAside = false } = what;
    const own: Live = { exchange: undefined, answeredAt: undefined };
    live.set(x, own);
    own.exchange = exchange(
      {
        ...common,
        ways: isAside ? waysAside : ways,
        x,
        method,
        headers: { ...standing(), ...what.headers },
        body,
      },
      {
        response(_status, incoming) {
          events.delivered(x);
          const id = incoming["mcp-session-id"];
          if (typeof id === "string" && what.method === "POST") session = { "mcp-session-id": id };
        },
        event(event, status) {
          isStream = true;
          lastEventId = event.id ?? lastEventId;
          retryMs = Math.min(event.retryMs ?? retryMs, MAX_RETRY_MS);
          if (event.event === "message" && event.data.length > 0) events.frame(event.data, x, status);
          else events.idle();
        },
        body(raw, status) {
          // A refusal of what nobody waits for may come with an error in JSON: it answers nothing that was asked.
          const isAnswer = status < 300 || (events.isAwaited(x) && readMessage(raw).kind !== "malformed");
          if (isAnswer) events.frame(raw, x, status);
        },
        end(ending) {
          live.delete(x);
          own.exchange = undefined;
          if (isAside) asides.end(x);
          const isWanted = isStanding ? isStream : events.isAwaited(x) && lastEventId !== undefined;
          if (ending.kind !== "closed" || !isWanted || !canResume || resumes >= MAX_RESUMES || isClosed) {
            events.ended(x, ending);
            return;
          }
          const headers =
            lastEventId === undefined ? GET_HEADERS : { ...GET_HEADERS, "last-event-id": lastEventId };
          const again = (): void => {
            resuming.delete(x);
            start(x, { method: "GET", headers, isStanding }, resumes + 1);
          };
          resuming.set(x, setTimeout(again, retryMs).unref());
        },
      },
    );
  };

  const abandon = (x: number): void => {
    clearTimeout(resuming.get(x));
    live.get(x)?.exchange?.abandon();
  };

  const close = async (): Promise<void> => {
    isClosed = true;
    asides.close();
    clearTimeout(sweeper);
    for (const { exchange: opened } of live.values()) opened?.abandon();
    for (const [x, timer] of resuming) {
      clearTimeout(timer);
      events.ended(x, { kind: "closed", reason: "closed by us" });
    }
    resuming.clear();
    if ("mcp-session-id" in session)
      await endSession({ ...common, ways, x: nextExchange++, headers: standing() });
    ways.destroy();
    waysAside.destroy();
  };

  return {
    transport: "http",
    send(frame, { headers = {}, isAside = false, isOptional = false } = {}) {
      const x = nextExchange++;
      const what = { headers: { ...POST_HEADERS, ...headers }, body: frame, isAside, isStanding: false };
      if (!isAside || asides.begin(x, () => abandon(x), isOptional)) start(x, { method: "POST", ...what });
      return x;
    },
    abandon,
    answered(x) {
      const own = live.get(x);
      if (!own) return;
      own.answeredAt = performance.now();
      sweeper ??= setTimeout(sweep, LINGER_MS).unref();
    },
    isStanding: (x) => x === standingExchange,
    opened(negotiated, era) {
      if (era === "modern") return;
      canResume = true;
      version = { "mcp-protocol-version": negotiated };
      standingExchange = nextExchange++;
      start(standingExchange, { method: "GET", headers: GET_HEADERS, isStanding: true });
    },
    close,
  };
}

const POST_HEADERS: Headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const GET_HEADERS: Headers = { accept: "text/event-stream" };

/** Tells a legacy server that its session is over. It may refuse; it may not keep us waiting. */
function endSession(request: Omit<Parameters<typeof exchange>[0], "method">): Promise<void> {
  return new Promise((done) => {
    const end = (_: Ending): void => {
      clearTimeout(timer);
      done();
    };
    const opened = exchange({ ...request, method: "DELETE" }, { event() {}, body() {}, end });
    const timer = setTimeout(() => opened.abandon(), CLOSE_MS);
  });
}
