/** Where a text links to: Markdown, HTML, autolinks, reference definitions, bare addresses. Code is no link. */

export interface Link {
  /** An image is fetched without a click. */
  readonly form: "link" | "image" | "bare";
  readonly target: string;
  readonly label?: string;
  readonly start: number;
  readonly end: number;
}

const MAX_LINKS = 2000;
const MARKDOWN =
  /(!?)\[([^\]\n]{0,300})\]\(\s{0,4}<?([^)\n]{1,2000}?)>?(?:\s{1,4}["'][^"')\n]{0,200}["'])?\s{0,4}\)/g;
const REFERENCE = /(?:^|\n) {0,3}\[([^\]\n]{1,200})\]:\s{0,4}<?([^\s>]{1,2000})>?/g;
const BY_REFERENCE = /\[([^\]\n]{1,300})\]\[([^\]\n]{0,200})\]/g;
const ATTRIBUTE =
  /<(a|area|img|image|iframe|source|video|audio|embed|object|form|link|script|svg)\b[^>]{0,400}?\b(href|src|srcset|data|action|xlink:href)\s{0,4}=\s{0,4}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>]{1,2000}))[^>]{0,200}>?(?:([^<]{0,200})<\/a>)?/gi;
const HANDLER =
  /<[a-z][^>]{0,400}?\bon[a-z]{3,20}\s{0,4}=\s{0,4}["'`\\\w]{0,8}\s{0,4}(javascript:[^"'>\s]{1,300})/gi;
const ODD_ADDRESS = /\b(?:javascript|vbscript|data|file):[^\s"'<>`)\]]{1,2000}/gi;
/** A scheme that is spoken about: nothing of it can be run. */
const ONLY_NAMED = /^(?:javascript|vbscript):[^\w%\\&(]*$/i;
const SOURCES = new Set([
  "img",
  "image",
  "iframe",
  "source",
  "video",
  "audio",
  "embed",
  "object",
  "script",
  "svg",
]);

/** `addresses` are the web addresses of the text, by start and end. */
export function findLinks(
  text: string,
  addresses: Iterable<readonly [number, number]>,
  hasOddAddress: boolean,
): Link[] {
  const links: Link[] = [];
  const taken: [number, number][] = [];
  const code = codeSpans(text);
  const add = (link: Link): void => {
    if (links.length >= MAX_LINKS || isIn(code, link.start)) return;
    links.push(link);
    taken.push([link.start, link.end]);
  };
  for (const match of all(MARKDOWN, text, "]("))
    add({
      form: match[1] === "!" ? "image" : "link",
      label: match[2] ?? "",
      target: match[3] ?? "",
      ...span(match),
    });
  for (const match of all(ATTRIBUTE, text, "<"))
    add({
      form: SOURCES.has(match[1]?.toLowerCase() ?? "") ? "image" : "link",
      ...(match[6] === undefined ? {} : { label: match[6] }),
      target: match[3] ?? match[4] ?? match[5] ?? "",
      ...span(match),
    });
  for (const match of all(HANDLER, text, "<")) add({ form: "image", target: match[1] ?? "", ...span(match) });
  const defined = new Map<string, string>();
  for (const match of all(REFERENCE, text, "]:")) {
    defined.set((match[1] ?? "").toLowerCase(), match[2] ?? "");
    if (/^[a-z]+:/i.test(match[2] ?? "")) add({ form: "link", target: match[2] ?? "", ...span(match) });
  }
  if (defined.size > 0)
    for (const match of all(BY_REFERENCE, text, "]["))
      add({
        form: "link",
        label: match[1] ?? "",
        target: defined.get((match[2] || match[1] || "").toLowerCase()) ?? "",
        ...span(match),
      });
  const bare = (start: number, end: number): void => {
    if (isIn(taken, start)) return;
    if (hasOddAddress && ONLY_NAMED.test(text.slice(start, end))) return;
    const isAutolink = text[start - 1] === "<" && text[end] === ">";
    add({ form: isAutolink ? "link" : "bare", target: text.slice(start, end), start, end });
  };
  for (const [start, end] of addresses) bare(start, end);
  if (hasOddAddress)
    for (const match of text.matchAll(ODD_ADDRESS)) bare(match.index, match.index + match[0].length);
  return links;
}

/** All matches, looked for only in a text that has the sign none is without. */
const all = (pattern: RegExp, text: string, sign: string): Iterable<RegExpMatchArray> =>
  text.includes(sign) ? text.matchAll(pattern) : [];

const span = (match: RegExpMatchArray): { start: number; end: number } => ({
  start: match.index ?? 0,
  end: (match.index ?? 0) + match[0].length,
});

const isIn = (spans: readonly (readonly [number, number])[], at: number): boolean =>
  spans.some(([start, end]) => at >= start && at < end);

/** Fenced blocks and inline code, which are shown and not followed. */
function codeSpans(text: string): [number, number][] {
  if (!text.includes("`")) return [];
  return [...text.matchAll(/```[\s\S]{0,20000}?(?:```|$)|`[^`\n]{1,400}`/g)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}
