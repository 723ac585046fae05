/** Reads every list of a session, and those once more of which the server says meanwhile that they have changed: what counts
 *  is what it shows last. Implements spec/surface.md, SUR-21. */
import { byUnits, type Finding, finding } from "../core/index.ts";
import { isRecord, type Listing, type ListMethod, list, type Session } from "../wire/index.ts";
import { comparable } from "./digest.ts";

/** The member of the capabilities that declares a list, which is also what a notification calls it. */
const AREAS = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resources",
  "prompts/list": "prompts",
} as const satisfies Record<ListMethod, string>;

export const LIST_METHODS = Object.keys(AREAS) as readonly ListMethod[];
export const areaOf = (method: ListMethod): string => AREAS[method];

export type Replaced = Readonly<Partial<Record<ListMethod, Listing>>>;

/** How long a server that declares `listChanged` is listened to after its last answer. */
const SETTLE_MS = 100;

const NO_LIST: Listing = { items: [], pages: [], end: "no-answer" };

export class Reading {
  readonly #lists: Partial<Record<ListMethod, Listing>> = {};
  readonly #replaced: Partial<Record<ListMethod, Listing>> = {};
  /** Lists said to have changed since we last asked for them. */
  readonly #stale = new Set<ListMethod>();

  /** As they were read last. */
  get lists(): Readonly<Record<ListMethod, Listing>> {
    const entries = LIST_METHODS.map((method) => [method, this.#lists[method] ?? NO_LIST] as const);
    return Object.fromEntries(entries) as Record<ListMethod, Listing>;
  }
  /** The first reading of each list whose second one differed. */
  get replaced(): Replaced {
    return this.#replaced;
  }
  /** It differed when it was read again, and was then said to have changed once more: nobody knows what it shows. */
  readonly isRestless = (method: ListMethod): boolean =>
    this.#replaced[method] !== undefined && this.#stale.has(method);

  /** Takes a notification by its method; any but those about lists is nothing to us. */
  heard(notification: string): void {
    const [, area] = /^notifications\/(\w+)\/list_changed$/.exec(notification) ?? [];
    for (const method of LIST_METHODS) if (AREAS[method] === area) this.#stale.add(method);
  }

  /** Each list once, and once more where that is called for: a server cannot keep us reading. */
  async read(session: Session, signal: AbortSignal, onStart: (method: ListMethod) => void): Promise<void> {
    const fetch = (method: ListMethod): Promise<Listing> => {
      onStart(method);
      this.#stale.delete(method);
      return list(session, method, session.limits, { signal });
    };
    for (const method of LIST_METHODS) this.#lists[method] = await fetch(method);
    if (declaresChanges(session)) await new Promise((done) => setTimeout(done, SETTLE_MS));
    for (const method of [...this.#stale]) {
      const first = this.#lists[method] ?? NO_LIST;
      const second = await fetch(method);
      const isWhole = second.end === "complete";
      // What was shown once stays in view when the second reading breaks off; the list is unread all the same.
      this.#lists[method] = isWhole ? second : { ...second, items: first.items };
      // A refusal that became a list took nothing away.
      const hadShown = first.end === "complete" || first.items.length > 0;
      if (isWhole && hadShown && !areEqual(first, second)) this.#replaced[method] = first;
    }
  }
}

/** In any order: that of a list says nothing. */
const areEqual = (first: Listing, second: Listing): boolean => contentOf(first) === contentOf(second);
const contentOf = ({ items }: Listing): string => items.map(comparable).sort(byUnits).join("\n");

function declaresChanges({ face }: Session): boolean {
  const areas = isRecord(face?.capabilities) ? Object.values(face.capabilities) : [];
  return areas.some((area) => isRecord(area) && area.listChanged === true);
}

/** SURF-04 for each list that was replaced. */
export function replacedFindings(label: string, { lists, replaced }: Reading): Finding[] {
  return (Object.entries(replaced) as [ListMethod, Listing][]).map(([method, first]) => {
    const counts = `${first.items.length} -> ${lists[method].items.length} items`;
    return finding("SURF-04", `${label} ${method}`, `${method} changed while it was read: ${counts}`);
  });
}
