/** Paged lists, followed to their end and no further. Implements spec/wire.md, WIR-9. */
import { isRecord } from "../era.ts";
import type { Limits } from "../limits.ts";
import type { Outcome } from "../outcome.ts";
import type { Session } from "./session.ts";
import type { RequestOptions } from "./settings.ts";

const MEMBER = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "prompts/list": "prompts",
} as const;

export type ListMethod = keyof typeof MEMBER;

export interface Listing {
  /** Every item as it was sent, whatever it is. */
  readonly items: readonly unknown[];
  readonly pages: readonly Outcome[];
  readonly end: "complete" | "repeated-cursor" | "too-many-pages" | "too-large" | "bad-page" | "no-answer";
}

export async function list(
  session: Session,
  method: ListMethod,
  limits: Pick<Limits, "maxPages" | "maxListBytes"> & { readonly maxItems?: number } = session.limits,
  options: RequestOptions = {},
): Promise<Listing> {
  const items: unknown[] = [];
  const pages: Outcome[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let bytes = 0;
  const { maxItems = Number.POSITIVE_INFINITY } = limits;
  for (;;) {
    const page = await session.request(method, cursor === undefined ? {} : { cursor }, options);
    pages.push(page);
    if (page.kind !== "result") return { items, pages, end: "no-answer" };
    bytes += page.raw.length;
    const found = isRecord(page.result) ? page.result[MEMBER[method]] : undefined;
    if (!isRecord(page.result) || !Array.isArray(found)) return { items, pages, end: "bad-page" };
    if (items.length + found.length > maxItems) return { items, pages, end: "too-large" };
    // Not by spread: a page may hold more items than a call takes arguments.
    for (const item of found) items.push(item);
    const next = page.result.nextCursor;
    // Absent ends a list; null and the empty string are what servers send that mean the same.
    if (next === undefined || next === null || next === "") return { items, pages, end: "complete" };
    if (typeof next !== "string") return { items, pages, end: "bad-page" };
    if (seen.has(next)) return { items, pages, end: "repeated-cursor" };
    if (pages.length >= limits.maxPages) return { items, pages, end: "too-many-pages" };
    if (bytes >= limits.maxListBytes) return { items, pages, end: "too-large" };
    seen.add(next);
    cursor = next;
  }
}
