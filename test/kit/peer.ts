/** A session with a peer that is a function: no process, no socket, every frame under the test's control. */
import { type ChannelEvents, WHOLE_CHANNEL } from "../../src/wire/channel/channel.ts";
import { Session } from "../../src/wire/client/session.ts";
import type { SessionSettings } from "../../src/wire/client/settings.ts";
import { DEFAULT_LIMITS, type Ending, type Id } from "../../src/wire/index.ts";

/** What we sent, parsed. */
export interface Sent {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

export interface Peer {
  readonly session: Session;
  /** Everything the session sent, in order. */
  readonly sent: readonly Sent[];
  send(frame: Buffer | string): void;
  end(ending: Ending): void;
}

/** `answer` gives the frames the peer sends back for each of ours, before anything else happens. */
export function peer(
  answer: (sent: Sent) => readonly (Buffer | string)[] = () => [],
  settings: Partial<SessionSettings> = {},
): Peer {
  const sent: Sent[] = [];
  let events: ChannelEvents | undefined;
  const send = (frame: Buffer | string): void => events?.frame(Buffer.from(frame), WHOLE_CHANNEL);
  const end = (ending: Ending): void => events?.ended(WHOLE_CHANNEL, ending);
  const session = new Session(
    (given) => {
      events = given;
      return {
        transport: "stdio",
        send(frame) {
          const message = JSON.parse(frame.toString()) as Sent;
          sent.push(message);
          queueMicrotask(() => answer(message).forEach(send));
          return WHOLE_CHANNEL;
        },
        abandon() {},
        opened() {},
        close: async () => end({ kind: "closed", reason: "closed by us" }),
      };
    },
    { limits: DEFAULT_LIMITS, clientInfo: { name: "test", version: "1" }, claims: {}, ...settings },
  );
  return { session, sent, send, end };
}

export const resultFrame = (id: Id | undefined, result: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result });
