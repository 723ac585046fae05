/** The servers of a run: opened when they are first needed, and again when they have gone. */
import { describe, isRecord, list, type Session } from "../../wire/index.ts";
import type { Peer, PeerSession } from "../negative/drive.ts";
import type { ToolFacts } from "../negative/tool.ts";

/** How a server is reached. In a sandbox or not, recorded or not: that is the caller's. */
export interface TestedServer {
  readonly name: string;
  /** `opens: false` gives a connection on which nothing was said yet. */
  connect(options?: { readonly opens?: boolean }): Promise<Session>;
}

/** It did not open; what it did instead stands in the session. */
export class NotOpened extends Error {
  readonly server: string;
  readonly session: Session;
  /** One line: what came instead. */
  readonly reason: string;

  constructor(server: string, session: Session) {
    super(`${server} did not open a session`);
    this.server = server;
    this.session = session;
    this.reason = describe(session.opening);
  }
}

export class Servers {
  readonly #find: (name: string) => TestedServer;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #spare = new Map<string, Session>();
  readonly #tools = new Map<string, Promise<readonly ToolFacts[]>>();

  constructor(find: (name: string) => TestedServer) {
    this.#find = find;
  }

  async session(name: string): Promise<Session> {
    const known = await this.#sessions.get(name)?.catch(() => undefined);
    if (known?.isOpen) return known;
    const opening = this.open(name);
    this.#sessions.set(name, opening);
    return opening;
  }

  /** A session of its own, which the caller closes. */
  async open(name: string): Promise<Session> {
    const session = await this.#find(name).connect();
    if (session.isOpen) return session;
    await session.close();
    throw new NotOpened(name, session);
  }

  tested(name: string): TestedServer {
    return this.#find(name);
  }

  /** For checks that may end the server: each gets the session of the one before as long as that still answers. */
  peer(name: string): Peer {
    return {
      open: async () => {
        const session = (await this.#takeSpare(name)) ?? (await this.#find(name).connect());
        return lent(session, (back) => void this.#spare.set(name, back));
      },
    };
  }

  /** A session that a check has left alive. */
  async #takeSpare(name: string): Promise<Session | undefined> {
    const session = this.#spare.get(name);
    this.#spare.delete(name);
    return session;
  }

  /** What the server advertises; read once. */
  tools(name: string): Promise<readonly ToolFacts[]> {
    let tools = this.#tools.get(name);
    if (!tools) {
      tools = this.session(name).then(async (session) =>
        toolFacts((await list(session, "tools/list")).items),
      );
      this.#tools.set(name, tools);
    }
    return tools;
  }

  async close(name: string): Promise<void> {
    const session = await this.#sessions.get(name)?.catch(() => undefined);
    this.#sessions.delete(name);
    await session?.close();
  }

  async closeAll(): Promise<void> {
    const spare = [...this.#spare.values()];
    this.#spare.clear();
    await Promise.all([
      ...[...this.#sessions.keys()].map((name) => this.close(name)),
      ...spare.map((one) => one.close()),
    ]);
  }
}

const ALIVE_MS = 2_000;

/** A session that goes back instead of being closed, if it still answers. */
function lent(session: Session, giveBack: (session: Session) => void): PeerSession {
  return {
    isOpen: session.isOpen,
    transport: session.transport,
    strays: session.strays,
    request: (...words) => session.request(...words),
    async close() {
      const outcome = await session.request("tools/list", {}, { timeoutMs: ALIVE_MS });
      if (outcome.kind === "result" && outcome.ms < ALIVE_MS / 2) giveBack(session);
      else await session.close();
    },
  };
}

function toolFacts(items: readonly unknown[]): ToolFacts[] {
  const tools = items.filter(isRecord).filter(({ name }) => typeof name === "string");
  const names = tools.map(({ name }) => String(name));
  return tools.map(({ name, inputSchema, annotations }) => ({
    name: String(name),
    inputSchema,
    annotations,
    names,
  }));
}
