/** The deprecated HTTP+SSE transport of 2024-11-05, as a client: one standing stream brings every frame, POSTs carry ours.
 *  Implements spec/wire.md, WIR-11. */
import type { Channel, ChannelEvents } from "./channel.ts";
import { WHOLE_CHANNEL } from "./channel.ts";
import type { HttpOptions } from "./http.ts";
import { type Exchange, exchange, waysTo, withoutFraming } from "./http-exchange.ts";

export function openSse(url: URL, options: HttpOptions, events: ChannelEvents): Channel {
  const { limits, tap } = options;
  const headers = withoutFraming(options.headers);
  const ways = waysTo(url);
  const common = { ways, maxBytes: limits.maxFrameBytes, tap };
  const live = new Map<number, Exchange>();
  let nextExchange = 1;
  let endpoint: URL | undefined;
  let waiting: { frame: Buffer; x: number }[] = [];

  const post = (frame: Buffer, x: number): void => {
    if (!endpoint) {
      waiting.push({ frame, x });
      return;
    }
    const request = {
      ...common,
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
        // The answer comes on the standing stream; only a refusal of the POST itself ends the request.
        if (ending.kind === "http" && ending.status < 300) events.delivered(x);
        else events.ended(x, ending);
      },
    });
    live.set(x, opened);
  };

  const stream = exchange(
    { ...common, url, method: "GET", x: WHOLE_CHANNEL, headers: { ...headers, accept: "text/event-stream" } },
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
          for (const { frame, x } of held) post(frame, x);
        } else if (event.event === "message" && event.hasData)
          events.frame(event.data, WHOLE_CHANNEL, status);
        else events.idle();
      },
      body() {},
      end: (ending) => events.ended(WHOLE_CHANNEL, ending),
    },
  );

  return {
    transport: "sse",
    send(frame) {
      const x = nextExchange++;
      post(typeof frame === "string" ? Buffer.from(frame, "utf8") : frame, x);
      return x;
    },
    abandon(x) {
      live.get(x)?.abandon();
    },
    opened() {},
    async close() {
      for (const opened of live.values()) opened.abandon();
      stream.abandon();
      ways.destroy();
    },
  };
}
