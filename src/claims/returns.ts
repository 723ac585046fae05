/** Claims that a client leaves out and takes up again. Implements spec/claims.md, CLM-19. */
import type { CapabilitySet } from "./capabilities.ts";

// A name is free to choose: whoever changes it all the time is forgotten, not remembered without end.
const MAX_CLIENTS = 16;

export interface Returns {
  /** The capabilities that this client had claimed, then left out, and claims again now. */
  of(client: string, claims: CapabilitySet): string[];
  clear(): void;
}

export function createReturns(): Returns {
  const clients = new Map<string, { current: CapabilitySet; left: Set<string> }>();
  return {
    of(client, claims) {
      const known = clients.get(client);
      if (!known) {
        const oldest = clients.keys().next();
        if (clients.size >= MAX_CLIENTS && !oldest.done) clients.delete(oldest.value);
        clients.set(client, { current: claims, left: new Set() });
        return [];
      }
      for (const path of known.current) if (!claims.has(path)) known.left.add(path);
      known.current = claims;
      const back = [...claims].filter((path) => known.left.has(path));
      for (const path of back) known.left.delete(path);
      return back;
    },
    clear: () => clients.clear(),
  };
}
