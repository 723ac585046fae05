/** Requests that wait for their answer, found again by id within their exchange. */
import type { CapabilitySet } from "./capabilities.ts";
import type { Said } from "./event.ts";

export interface OpenRequest {
  readonly said: Said;
  readonly name: string;
  /** What the client claims for this request; absent where nobody has seen it. */
  readonly claims: CapabilitySet | undefined;
  readonly exchange: string | number | undefined;
}

export interface OpenRequests {
  add(request: OpenRequest): void;
  take(id: unknown, exchange: OpenRequest["exchange"]): OpenRequest | undefined;
  /** The claims of a request were cut before it was sent on. */
  narrow(id: unknown, exchange: OpenRequest["exchange"], claims: CapabilitySet): void;
  /** All that is claimed by the stateless requests under way; undefined when there is none. */
  claims(): CapabilitySet | undefined;
}

// A server that never answers must not make us remember for ever.
const MAX_OPEN = 1024;

export function createOpenRequests(): OpenRequests {
  const open = new Map<string, OpenRequest>();
  const find = (id: unknown, exchange: OpenRequest["exchange"]): string | undefined => {
    // An answer may come in another exchange than its request: a stream taken up again is one.
    const keys = [keyOf(id, exchange), keyOf(id, undefined)];
    return keys.find((key) => key !== undefined && open.has(key));
  };
  return {
    add(request) {
      for (const exchange of new Set([request.exchange, undefined])) {
        const key = keyOf(request.said.id, exchange);
        if (key === undefined) return;
        open.delete(key);
        const oldest = open.keys().next();
        if (open.size >= MAX_OPEN && !oldest.done) open.delete(oldest.value);
        open.set(key, request);
      }
    },
    take(id, exchange) {
      const request = open.get(find(id, exchange) ?? "");
      if (!request) return undefined;
      for (const key of [keyOf(id, request.exchange), keyOf(id, undefined)])
        if (key !== undefined && open.get(key) === request) open.delete(key);
      return request;
    },
    narrow(id, exchange, claims) {
      const request = open.get(find(id, exchange) ?? "");
      if (!request) return;
      for (const key of [keyOf(id, request.exchange), keyOf(id, undefined)])
        if (key !== undefined && open.get(key) === request) open.set(key, { ...request, claims });
    },
    claims() {
      const stateless = [...open.values()].filter(({ said }) => said.isStateless);
      return stateless.length === 0
        ? undefined
        : new Set(stateless.flatMap(({ claims }) => [...(claims ?? [])]));
    },
  };
}

/** Ids of other types are no ids: nothing answers them. */
function keyOf(id: unknown, exchange: OpenRequest["exchange"]): string | undefined {
  return typeof id === "string" || typeof id === "number"
    ? JSON.stringify([exchange ?? null, id])
    : undefined;
}
