/** The deprecated HTTP+SSE transport of 2024-11-05, as a client: one standing stream brings every frame, POSTs carry ours.
 *  Implements spec/wire.md, WIR-11. */
import { Asides, UNREAD } from "./asides.ts";
import type { Channel, ChannelEvents } from "./channel.ts";
import { WHOLE_CHANNEL } from "./channel.ts";
import type { HttpOptions } from "./http.ts";
import { type Exchange, exchange, waysTo, withoutFraming } from "./http-exchange.ts";

export function openSse(url: URL, options: HttpOptions, events: ChannelEvents): Channel {
  const { limits, tap } = options;
  const headers = withoutFraming(options.headers);
  const ways = waysTo(url);
  /** All of the others may be taken by what is posted and not answered. */
  const waysAside = waysTo(url);
  const common = { maxBytes: limits.maxFrameBytes, tap };
  const live = new Map<number, Exchange>();
  let nextExchange = 1;
  let endpoint: URL | undefined;
  let waiting: Posted[] = [];
  const asides = new Asides(limits.timeoutMs, () => {
    events.ended(WHOLE_CHANNEL, UNREAD);
    void close();
  });

  const post = (posted: Posted): void => {
    const { frame, x, isAside } = posted;
    if (!endpoint) {
      waiting.push(posted);
      return;
    }
    const request = {
      ...common,
      ways: isAside ? waysAside : ways,
      url: endpoint,
      method: "POST" as const,
      x,
      body: frame,
      headers: { ...headers, "content-type": "application/json" },
    };
    const opened = exchange(request, {
      event() {},
      body() {},
      end(ending) {
        live.delete(x);
        if (isAside) asides.end(x);
        // The answer comes on the standing stream; only a refusal of the POST itself ends the request.
        if (ending.kind === "http" && ending.status < 300) events.delivered(x);
        else events.ended(x, ending);
      },
    });
    live.set(x, opened);
  };

  const stream = exchange(
    {
      ...common,
      ways,
      url,
      method: "GET",
      x: WHOLE_CHANNEL,
      headers: { ...headers, accept: "text/event-stream" },
    },
    {
      event(event, status) {
        if (event.event === "endpoint" && !endpoint) {
          const named = URL.canParse(event.data.toString("utf8"), url.href)
            ? new URL(event.data.toString("utf8"), url)
            : undefined;
          if (named?.origin !== url.origin) {
            // The server names where our frames and credentials go: another origin is refused.
            events.ended(WHOLE_CHANNEL, { kind: "malformed", fault: "bad-http", raw: event.data, status });
            stream.abandon();
            return;
          }
          endpoint = named;
          const held = waiting;
          waiting = [];
          held.forEach(post);
        } else if (event.event === "message" && event.hasData)
          events.frame(event.data, WHOLE_CHANNEL, status);
        else events.idle();
      },
      body() {},
      end: (ending) => events.ended(WHOLE_CHANNEL, ending),
    },
  );

  const close = async (): Promise<void> => {
    asides.close();
    for (const opened of live.values()) opened.abandon();
    stream.abandon();
    ways.destroy();
    waysAside.destroy();
  };

  return {
    transport: "sse",
    send(given, { isAside = false, isOptional = false } = {}) {
      const x = nextExchange++;
      const frame = typeof given === "string" ? Buffer.from(given, "utf8") : given;
      const giveUp = (): void => live.get(x)?.abandon();
      if (!isAside || asides.begin(x, giveUp, isOptional)) post({ frame, x, isAside });
      return x;
    },
    abandon(x) {
      live.get(x)?.abandon();
    },
    opened() {},
    close,
  };
}

interface Posted {
  readonly frame: Buffer;
  readonly x: number;
  readonly isAside: boolean;
}
