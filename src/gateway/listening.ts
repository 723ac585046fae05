/** What a server tells by itself: a modern one tells whoever listens, a legacy one of each resource that it was asked to tell of.
 *  Implements spec/gateway.md, GTW-20 and GTW-79. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Id, isRecord, META, type Session } from "../wire/index.ts";
import { atMost } from "./at-most.ts";

export interface ListeningOptions {
  /** The resources of whose changes somebody wants to hear. */
  readonly wanted: () => readonly string[];
  /** What it told meanwhile nobody has heard. */
  readonly onGap: () => void;
}

const [FIRST_WAIT_MS, MOST_WAIT_MS] = [500, 30_000];
/** What has lasted so long begins with the shortest wait again. */
const STEADY_MS = 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** So long somebody waits to be heard by a server that does not say that it has heard. */
const HEARD_MS = 2_000;
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

/** A standing request, and the resources that the server tells of, once it has said so or has ended it. */
interface Standing {
  readonly id: Id;
  readonly heard: Promise<void>;
  uris: readonly unknown[];
  hear: () => void;
}

export class Listening {
  readonly #options: ListeningOptions;
  #session: Session | undefined;
  #hasBegun = false;
  #standing: Standing | undefined;
  /** Whoever wants to hear of more in the same moment asks for it in one request. */
  #next: Promise<readonly unknown[]> | undefined;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** A session was opened. */
  begin(session: Session): void {
    [this.#session, this.#standing] = [session, undefined];
    if (session.era === "modern") void this.#listen(session);
    else for (const uri of this.#wantedOf(session)) void session.request("resources/subscribe", { uri });
    if (this.#hasBegun) this.#options.onGap();
    this.#hasBegun = true;
  }

  /** It is over. */
  end(): void {
    [this.#session, this.#standing] = [undefined, undefined];
  }

  /** Whether the server tells of this resource, which is wanted, from now on; one that is not up is asked when it is. */
  async subscribe(uri: string): Promise<boolean> {
    const session = this.#session;
    if (!session) return true;
    if (!tellsOfResources(session)) return false;
    if (session.era === "legacy")
      return (await session.request("resources/subscribe", { uri })).kind === "result";
    return (await this.#again(session)).includes(uri);
  }

  /** Nobody wants to hear of it any more. */
  unsubscribe(uri: string): void {
    const session = this.#session;
    if (!session || !tellsOfResources(session)) return;
    if (session.era === "legacy") void session.request("resources/unsubscribe", { uri });
    else void this.#again(session);
  }

  #wantedOf(session: Session): readonly string[] {
    return tellsOfResources(session) ? this.#options.wanted() : [];
  }

  /** Whether it was for us. */
  takes(method: string, params: unknown): boolean {
    if (method !== ACKNOWLEDGED) return false;
    const { _meta, notifications } = isRecord(params) ? params : {};
    const { resourceSubscriptions } = isRecord(notifications) ? notifications : {};
    if (this.#standing && isRecord(_meta) && _meta[META.subscription] === this.#standing.id) {
      this.#standing.uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions : [];
      this.#standing.hear();
    }
    return true;
  }

  /** Asks for what is wanted now, and only then gives up what was asked for before. Gives what the server tells of. */
  #again(session: Session): Promise<readonly unknown[]> {
    this.#next ??= Promise.resolve().then(() => {
      this.#next = undefined;
      if (this.#session !== session) return [];
      const before = this.#standing;
      void this.#listen(session);
      if (before) session.cancel(before.id);
      return this.#heard();
    });
    return this.#next;
  }

  /** What the server says to the request that stands; another one that takes its place asks for the same, and more. */
  async #heard(): Promise<readonly unknown[]> {
    const deadline = performance.now() + HEARD_MS;
    for (let standing = this.#standing; standing && performance.now() < deadline; ) {
      await atMost(deadline - performance.now(), standing.heard);
      if (this.#standing === standing) return standing.uris;
      standing = this.#standing;
    }
    return [];
  }

  async #listen(session: Session): Promise<void> {
    let wait = FIRST_WAIT_MS;
    for (;;) {
      const standing = newStanding();
      this.#standing = standing;
      const isOurs = (): boolean => this.#standing === standing;
      const began = performance.now();
      const uris = this.#wantedOf(session);
      const { kind } = await session.request(
        "subscriptions/listen",
        { notifications: { ...LISTS, ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}) } },
        { id: standing.id, timeoutMs: MAX_TIMER_MS },
      );
      standing.hear();
      // It tells nobody. What it shows is looked at again all the same, while it is used.
      if (!isOurs() || kind === "error") return;
      if (performance.now() - began > STEADY_MS) wait = FIRST_WAIT_MS;
      await sleep(wait, undefined, { ref: false });
      if (!isOurs()) return;
      this.#options.onGap();
      wait = Math.min(wait * 2, MOST_WAIT_MS);
    }
  }
}

/** Whether it says that it can. */
function tellsOfResources({ face }: Session): boolean {
  const { resources } = isRecord(face?.capabilities) ? face.capabilities : {};
  return isRecord(resources) && resources.subscribe === true;
}

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } as const;

let made = 0;
function newStanding(): Standing {
  let hear: Standing["hear"] = () => {};
  const heard = new Promise<void>((done) => {
    hear = done;
  });
  return { id: `listen-${++made}`, heard, uris: [], hear };
}
