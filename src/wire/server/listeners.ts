/** Clients of the modern era that listen: standing `subscriptions/listen` requests and what each asked to hear. */
import { isRecord, META } from "../era.ts";
import type { Id } from "../frame/message.ts";
import type { StopSignal } from "../stop.ts";
import { type Door, frameOf } from "./door.ts";

type Body = Readonly<Record<string, unknown>>;

interface Listener {
  readonly id: Id;
  readonly door: Door;
  readonly filter: Body;
  readonly end: (isEnded: boolean) => void;
}

export class Listeners {
  readonly #all = new Set<Listener>();

  /** Acknowledges at once; resolves with true when we end the request, with false when the client is gone. */
  add(id: Id, filter: Body, door: Door, signal: StopSignal): Promise<boolean> {
    return new Promise((end) => {
      const listener: Listener = { id, door, filter, end };
      this.#all.add(listener);
      signal.addEventListener("abort", () => {
        this.#all.delete(listener);
        end(false);
      });
      const acknowledged = { notifications: filter, _meta: { [META.subscription]: id } };
      door.send(frameOf({ method: "notifications/subscriptions/acknowledged", params: acknowledged }));
    });
  }

  /** Passes a notification to those who asked for its kind, under the id of their own request. */
  tell(method: string, params: Body): void {
    for (const { id, door, filter } of this.#all) {
      if (!wants(filter, method, params)) continue;
      const meta = isRecord(params._meta) ? params._meta : {};
      door.send(frameOf({ method, params: { ...params, _meta: { ...meta, [META.subscription]: id } } }));
    }
  }

  /** Ends all standing requests in good order, and says which they were. */
  end(): Set<Id> {
    const ended = new Set([...this.#all].map(({ id }) => id));
    for (const listener of this.#all) listener.end(true);
    this.#all.clear();
    return ended;
  }
}

const FLAG: Readonly<Record<string, string>> = {
  "notifications/tools/list_changed": "toolsListChanged",
  "notifications/prompts/list_changed": "promptsListChanged",
  "notifications/resources/list_changed": "resourcesListChanged",
};

function wants(filter: Body, method: string, params: Body): boolean {
  const flag = FLAG[method];
  if (flag !== undefined) return filter[flag] === true;
  const uris = filter.resourceSubscriptions;
  return method === "notifications/resources/updated" && Array.isArray(uris) && uris.includes(params.uri);
}
