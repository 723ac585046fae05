/** What a conversation has heard in lists of resources, templates and prompts: each item once, and again when it says something else.
 *  Implements spec/gateway.md, GTW-16. */
import { hash } from "node:crypto";
import { Recent } from "../core/index.ts";
import type { ShownItem } from "./listing.ts";

/** Of so many it is known that they were heard. */
const MAX_ITEMS = 10_000;

export interface News {
  readonly items: readonly object[];
  readonly chars: number;
}

export class HeardLists {
  /** Items are the same objects for as long as their server lists the same. */
  readonly #objects = new WeakSet<object>();
  readonly #texts = new Recent<string, true>(MAX_ITEMS);

  /** What was not heard yet, by server. */
  news(shown: readonly ShownItem[]): ReadonlyMap<string, News> {
    const found = new Map<string, { readonly items: object[]; chars: number }>();
    for (const { server, source, item } of shown) {
      if (this.#objects.has(source)) continue;
      this.#objects.add(source);
      const text = JSON.stringify(item);
      const key = hash("sha256", JSON.stringify([server, text]), "base64");
      if (this.#texts.get(key)) continue;
      this.#texts.set(key, true);
      const news = found.get(server) ?? { items: [], chars: 0 };
      news.items.push(item);
      news.chars += text.length;
      found.set(server, news);
    }
    return found;
  }
}
