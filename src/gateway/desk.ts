/** Calls that wait for a person whom the client cannot ask: held here, shown and answered over a socket that only the operator's own user
 *  opens. A held call is one call: the word for it is spent with it. Implements spec/gateway.md, GTW-17 to GTW-19, GTW-25, GTW-71
 *  and GTW-81. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { TrustError } from "../core/index.ts";
import { isRecord, type StopSignal } from "../wire/index.ts";

export interface Held {
  readonly id: string;
  readonly at: string;
  /** Whose calls are counted together: the name of its token, or its session. */
  readonly caller: string;
  /** As the log names it, where it does. */
  readonly actor?: string;
  /** That name is the client's own word: no token stands for it. */
  readonly isClaimed?: boolean;
  readonly server: string;
  /** What people call the server, where they call it something. */
  readonly label?: string;
  readonly tool: string;
  /** Why a person is asked. */
  readonly reason: string;
  /** What it is called with: all of it, up to 16384 characters, and then how many more there are. */
  readonly arguments: string;
}

export type Word = "approved" | "denied" | "late" | "gone" | "full";

/** In the folder of the log. */
export const DESK_FILE = "approve.sock";
const HOLD_MS = 5 * 60_000;
/** In all, and of one caller: nobody takes the desk away from everybody else. */
const [MAX_HELD, MAX_OF_ONE] = [100, 16];
const MAX_LINE = 4096;
/** A longer name would be cut without a word, and the socket be another one than this. */
const MAX_PATH_BYTES = 103;

interface Place {
  readonly shown: Held;
  /** It is written down that it waits: only then it does. */
  isOpen: boolean;
  readonly end: (word: Word) => void;
}

export class Desk {
  readonly #held = new Map<string, Place>();
  readonly #holdMs: number;
  readonly #onHeld: (held: Held) => void;

  constructor(onHeld: (held: Held) => void = () => {}, holdMs = HOLD_MS) {
    this.#onHeld = onHeld;
    this.#holdMs = holdMs;
  }

  get held(): readonly Held[] {
    return [...this.#held.values()].flatMap(({ shown, isOpen }) => (isOpen ? [shown] : []));
  }

  /** Resolves when somebody has said a word, nobody did for too long, or the client is gone: one of `signals` tells. `write` is given the id
   *  that it will wait under; nobody is asked before that is done, or where it fails. */
  hold(
    what: Omit<Held, "id" | "at">,
    signals: readonly StopSignal[],
    write: (id: string) => unknown = () => {},
  ): Promise<Word> {
    if (signals.some(({ aborted }) => aborted)) return Promise.resolve("gone");
    const ofOne = [...this.#held.values()].filter(({ shown }) => shown.caller === what.caller).length;
    if (this.#held.size >= MAX_HELD || ofOne >= MAX_OF_ONE) return Promise.resolve("full");
    const id = `a-${randomBytes(4).toString("hex")}`;
    const shown = { id, at: new Date().toISOString(), ...what };
    return new Promise((done, fail) => {
      let timer: NodeJS.Timeout | undefined;
      const onAbort = (): void => end("gone");
      const leave = (): void => {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener("abort", onAbort);
        this.#held.delete(id);
      };
      const end = (word: Word): void => {
        leave();
        done(word);
      };
      for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
      const place: Place = { shown, isOpen: false, end };
      this.#held.set(id, place);
      const open = (): void => {
        if (this.#held.get(id) !== place) return;
        place.isOpen = true;
        timer = setTimeout(() => end("late"), this.#holdMs);
        this.#onHeld(shown);
      };
      const failed = (cause: unknown): void => {
        leave();
        fail(cause);
      };
      try {
        const written = write(id);
        if (written instanceof Promise) written.then(open, failed);
        else open();
      } catch (cause) {
        failed(cause);
      }
    });
  }

  /** False where nothing waits under that id: it was answered before, or never was. */
  answer(id: string, isYes: boolean): boolean {
    const held = this.#held.get(id);
    if (!held?.isOpen) return false;
    held.end(isYes ? "approved" : "denied");
    return true;
  }

  close(): void {
    for (const { end } of this.#held.values()) end("gone");
  }
}

/** One line a request: `{"list":true}`, `{"id":"a-…","allow":true}`; one line an answer. */
export async function serveDesk(desk: Desk, path: string): Promise<Server> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new TrustError(
      "CFG_BAD_VALUE",
      `${path}: a socket has a name of at most ${MAX_PATH_BYTES} bytes, this one has ${Buffer.byteLength(path)}`,
      { hint: "use a shorter path for the folder of the log (audit: folder)" },
    );
  if (existsSync(path)) rmSync(path);
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const end = text.indexOf("\n");
      if (end < 0 && text.length <= MAX_LINE) return;
      socket.end(`${JSON.stringify(answerTo(desk, text.slice(0, Math.max(0, end))))}\n`);
    });
  });
  // Nobody else connects, not even between its making and the change of its rights.
  const before = process.umask(0o177);
  try {
    await new Promise<void>((done, fail) => {
      server.once("error", fail);
      server.listen(path, done);
    });
  } finally {
    process.umask(before);
  }
  chmodSync(path, 0o600);
  server.unref();
  return server;
}

function answerTo(desk: Desk, line: string): unknown {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    return { fault: "not a request" };
  }
  if (!isRecord(request)) return { fault: "not a request" };
  const { id, allow } = request;
  if (request.list === true) return { held: desk.held };
  if (typeof id !== "string" || typeof allow !== "boolean") return { fault: "not a request" };
  return { isDone: desk.answer(id, allow) };
}

/** What a gateway says to a request at its desk. */
export function askDesk(path: string, request: object): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((done, fail) => {
    // A letter may come in two parts.
    const socket = connect(path).setEncoding("utf8");
    let text = "";
    socket.on("connect", () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("end", () => {
      try {
        done(JSON.parse(text) as Record<string, unknown>);
      } catch (cause) {
        fail(new TrustError("WIRE_NO_MCP", `${path} does not answer as a gateway does`, { cause }));
      }
    });
    socket.on("error", (cause: Error) =>
      fail(
        new TrustError("WIRE_UNREACHABLE", `no gateway answers at ${path}: ${cause.message}`, {
          cause,
          hint: "is it running, from the same touchstone.yml and by the same user?",
        }),
      ),
    );
  });
}
