/** Markup that escapes by default, for HTML and XML alike: whatever is put into the template is shown as text, one
 *  bounded line of it, with control and invisible characters by number. Only what this file made is taken as markup. */
import { asText, shown } from "../../core/index.ts";

const MAX_CHARS = 4000;

/** Made here only: an object of a bundle cannot pass for one. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

export type HtmlValue = string | number | Html | readonly Html[];

export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(
    parts.reduce((text, part, index) => `${text}${index === 0 ? "" : markup(values[index - 1])}${part}`, ""),
  );
}

/** Text of our own that is markup already: a style sheet, a script. Never for what comes from elsewhere. */
export const ours = (text: string): Html => new Html(text);

export const NOTHING = ours("");

// Unknown on purpose: a file may hold something else than its type says.
function markup(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(markup).join("");
  return escaped(shown(asText(value), MAX_CHARS));
}

/** What a server says, apart from our own words: always left to right, and what cannot be seen stands out. */
export const said = (text: string, maxChars = 400): Html =>
  new Html(`<code dir="ltr">${standingOut(escaped(shown(asText(text), maxChars)))}</code>`);

/** Characters that stand there by number. One that a server has written out itself is marked like those it hides. */
const standingOut = (markup: string): string =>
  markup.replace(/(?:\\u\{[0-9a-f]{1,6}\})+/g, (numbers) => `<mark>${numbers}</mark>`);

export interface Clipped {
  readonly html: Html;
  readonly bytes: number;
  /** Characters that are not shown. */
  readonly leftOut: number;
}

/** Text of several lines, as long as it stays below the limit when it is shown. */
export function clipped(text: string, maxBytes: number): Clipped {
  let take = Math.min(text.length, maxBytes);
  let [safe, bytes] = [lines(text.slice(0, take)), 0];
  // One character can become ten; what stays is found by its share, which takes a few turns.
  for (bytes = Buffer.byteLength(safe); bytes > maxBytes; bytes = Buffer.byteLength(safe)) {
    take = Math.min(take - 1, Math.floor((take * maxBytes) / bytes));
    safe = lines(text.slice(0, take));
  }
  return { html: new Html(standingOut(escaped(safe))), bytes, leftOut: text.length - take };
}

const lines = (text: string): string =>
  text
    .split("\n")
    .map((line) => shown(line, line.length))
    .join("\n");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // Not allowed in XML 1.0, and not among what `shown` replaces.
  "\ufffe": "\\u{fffe}",
  "\uffff": "\\u{ffff}",
};

const escaped = (text: string): string => text.replace(/[&<>"'\ufffe\uffff]/g, (one) => ENTITIES[one] ?? "");
