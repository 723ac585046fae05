/** A grade as a small SVG picture. Sizes are fixed: no text of a server changes them. */
import type { Bundle } from "../../grade/index.ts";
import { html } from "./html.ts";
import { lookOf } from "./words.ts";

const LABEL_WIDTH = 78;
const HEIGHT = 20;

export function gradeBadge(bundle: Bundle): string {
  const { letter, color } = lookOf(bundle.grade);
  const letterWidth = letter.length === 1 ? 26 : 76;
  const width = LABEL_WIDTH + letterWidth;
  const title = `touchstone: ${letter}, by ${bundle.methodologyVersion} on ${bundle.ranAt.slice(0, 10)}`;
  const text = (x: number, chars: number, value: string, weight: number) =>
    html`<text x="${x}" y="14" textLength="${chars}" font-weight="${weight}">${value}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>
<g clip-path="url(#r)">
<rect width="${LABEL_WIDTH}" height="${HEIGHT}" fill="#30363d"/>
<rect x="${LABEL_WIDTH}" width="${letterWidth}" height="${HEIGHT}" fill="${color}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">
${text(LABEL_WIDTH / 2, LABEL_WIDTH - 14, "touchstone", 400)}
${text(LABEL_WIDTH + letterWidth / 2, letter.length === 1 ? 9 : letterWidth - 14, letter, 700)}
</g>
</svg>
`.text;
}
