/** Clients of the modern era that listen: standing `subscriptions/listen` requests and what each asked to hear. */
import { isRecord, META } from "../era.ts";
import type { Id } from "../frame/message.ts";
import type { Call, ServerDefinition } from "./definition.ts";
import { type Door, frameOf } from "./door.ts";

type Body = Readonly<Record<string, unknown>>;

interface Listener {
  readonly id: Id;
  readonly door: Door;
  filter: Body;
  end: (isEnded: boolean) => void;
}

const UPDATED = "notifications/resources/updated";

export class Listeners {
  readonly #all = new Set<Listener>();

  /** Acknowledges what can be heard; resolves with true when we end the request, with false when the client is gone. */
  async listen(definition: ServerDefinition, asked: unknown, call: Call, door: Door): Promise<boolean> {
    const filter = honoured(asked, definition.capabilities);
    const listener: Listener = { id: call.id, door, filter, end: () => {} };
    const { resourceSubscriptions: uris } = filter;
    if (!uris || !definition.subscribe) return this.#add(listener, call);
    // Nobody hears of anything before it is acknowledged.
    const hear = (uri: string): void => {
      if (this.#all.has(listener)) tell(listener, UPDATED, { uri });
    };
    const subscribed = await definition.subscribe(uris, call, hear);
    try {
      listener.filter = { ...filter, resourceSubscriptions: subscribed.uris };
      return await this.#add(listener, call);
    } finally {
      subscribed.end();
    }
  }

  #add(listener: Listener, { id, signal }: Call): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((end) => {
      listener.end = end;
      this.#all.add(listener);
      signal.addEventListener("abort", () => {
        this.#all.delete(listener);
        end(false);
      });
      const acknowledged = { notifications: listener.filter, _meta: { [META.subscription]: id } };
      listener.door.send(
        frameOf({ method: "notifications/subscriptions/acknowledged", params: acknowledged }),
      );
    });
  }

  /** Passes a notification to those who asked for its kind, under the id of their own request. */
  tell(method: string, params: Body): void {
    for (const listener of this.#all)
      if (wants(listener.filter, method, params)) tell(listener, method, params);
  }

  /** Ends all standing requests in good order, and says which they were. */
  end(): Set<Id> {
    const ended = new Set([...this.#all].map(({ id }) => id));
    for (const listener of this.#all) listener.end(true);
    this.#all.clear();
    return ended;
  }
}

function tell({ id, door }: Listener, method: string, params: Body): void {
  const meta = isRecord(params._meta) ? params._meta : {};
  const frame = frameOf({ method, params: { ...params, _meta: { ...meta, [META.subscription]: id } } });
  // They come as often as resources and lists change: who does not read must not fill our memory with them.
  door.send(frame, method === UPDATED ? "message" : "change");
}

/** The part of what a listener asks for that a server with these capabilities can announce. */
function honoured(asked: unknown, { tools, prompts, resources }: Body): Filter {
  const can = (capability: unknown, what: string): boolean =>
    isRecord(capability) && capability[what] === true;
  const wanted = isRecord(asked) ? asked : {};
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions: uris } = wanted;
  return {
    ...(toolsListChanged === true && can(tools, "listChanged") ? { toolsListChanged } : {}),
    ...(promptsListChanged === true && can(prompts, "listChanged") ? { promptsListChanged } : {}),
    ...(resourcesListChanged === true && can(resources, "listChanged") ? { resourcesListChanged } : {}),
    ...(Array.isArray(uris) && can(resources, "subscribe")
      ? { resourceSubscriptions: uris.filter((uri): uri is string => typeof uri === "string") }
      : {}),
  };
}
type Filter = Body & { readonly resourceSubscriptions?: readonly string[] };

const FLAG: Readonly<Record<string, string>> = {
  "notifications/tools/list_changed": "toolsListChanged",
  "notifications/prompts/list_changed": "promptsListChanged",
  "notifications/resources/list_changed": "resourcesListChanged",
};

function wants(filter: Body, method: string, params: Body): boolean {
  const flag = FLAG[method];
  if (flag !== undefined) return filter[flag] === true;
  const uris = filter.resourceSubscriptions;
  return method === UPDATED && Array.isArray(uris) && uris.includes(params.uri);
}
