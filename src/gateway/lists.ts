/** All that a server lists, read to its end or not taken at all. Implements spec/gateway.md, GTW-22 and GTW-95. */
import { isRecord, type Listing, type ListMethod, list, type Outcome, type Session } from "../wire/index.ts";
import { reasonOf } from "./reason-of.ts";

export interface Lists {
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

export const EMPTY: Lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
export const METHODS: Readonly<Record<keyof Lists, ListMethod>> = {
  tools: "tools/list",
  resources: "resources/list",
  resourceTemplates: "resources/templates/list",
  prompts: "prompts/list",
};

/** For people. */
export const LIST_WORDS: Readonly<Record<keyof Lists, string>> = {
  tools: "tools",
  resources: "resources",
  resourceTemplates: "templates",
  prompts: "prompts",
};

/** Whether it is a resource, or a template, of these by the letter. */
export const listsByLetter = ({ resources, resourceTemplates }: Lists, uri: string): boolean =>
  resources.some((item) => isRecord(item) && item.uri === uri) ||
  resourceTemplates.some((item) => isRecord(item) && item.uriTemplate === uri);

export interface Reading {
  readonly lists: Lists;
  /** The same as one text, to tell whether something has changed. */
  readonly text: string;
  /** What says that the session is over. */
  readonly over: Outcome | undefined;
  /** Lists that it says it has and that were not read to their end, and why, in our words alone. */
  readonly unread: Unread;
}

export type Unread = ReadonlyMap<keyof Lists, string>;
export const WHOLE: Unread = new Map();

/** So long all lists of a server may take together, and so much may be in one of them. */
const [READING_MS, MAX_ITEMS] = [10_000, 10_000];

export async function readLists(
  session: Session,
  isOver: (page: Outcome) => boolean,
  readingMs = READING_MS,
): Promise<Reading> {
  const capabilities = isRecord(session.face?.capabilities) ? session.face.capabilities : {};
  const has = (name: keyof Lists): boolean =>
    Object.hasOwn(capabilities, name === "resourceTemplates" ? "resources" : name);
  const limits = { ...session.limits, maxItems: MAX_ITEMS };
  // What is late is given up: whoever sends one page after another would never be looked at again.
  const signal = AbortSignal.timeout(readingMs);
  let over: Outcome | undefined;
  const entries = await Promise.all(
    (Object.keys(METHODS) as (keyof Lists)[]).map(async (name) => {
      const listing = has(name) ? await list(session, METHODS[name], limits, { signal }) : undefined;
      over ??= listing?.pages.find(isOver);
      // Of a list that was not read to its end nothing is taken: what is missing may be what matters. Nor of one that nobody can write.
      const text = listing?.end === "complete" ? writtenForm(listing.items) : undefined;
      const isUnread = listing !== undefined && text === undefined && !isUnknown(listing);
      return { name, items: text === undefined ? [] : (listing?.items ?? []), text, listing, isUnread };
    }),
  );
  const lists = Object.fromEntries(entries.map(({ name, items }) => [name, items])) as unknown as Lists;
  const unread = new Map(
    entries.flatMap(({ name, listing, isUnread }) => (isUnread && listing ? [[name, whyOf(listing)]] : [])),
  );
  return { lists, text: entries.map((entry) => entry.text).join("\n"), over, unread };
}

/** Those of these lists that are unread. */
export const only = (unread: Unread, lists: Lists): Partial<Lists> =>
  Object.fromEntries([...unread.keys()].map((name) => [name, lists[name]]));

/** Nothing is there to be read. */
const isUnknown = ({ pages }: Listing): boolean => {
  const last = pages.at(-1);
  return last?.kind === "error" && last.error.code === METHOD_NOT_FOUND;
};
const METHOD_NOT_FOUND = -32601;

function whyOf({ end, pages }: Listing): string {
  const last = pages.at(-1);
  switch (end) {
    case "no-answer":
      return last ? reasonOf(last) : "it was not answered";
    case "bad-page":
      return "it was answered with no list";
    case "repeated-cursor":
      return "its pages repeat";
    case "too-many-pages":
    case "too-large":
      return "it is too long";
    case "complete":
      return "it is nested too deeply";
  }
}

/** What is nested too deeply can be read, and not be written again. */
function writtenForm(items: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(items);
  } catch {
    return undefined;
  }
}
