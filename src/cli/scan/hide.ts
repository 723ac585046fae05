/** Keeps secrets out of findings. Texts are cut where findings are made, and half a secret is no longer found as one: what a
 *  server says is cleaned before it is put into words, and where a text was cut, its end may be the beginning of a secret. */
import { bounded, type Finding, finding, type RuleId, ruleTable } from "../../core/index.ts";
import { type SurfaceContext, type SurfaceTexts, scanSurface } from "../../scan/index.ts";
import type { Redactor } from "../../wire/index.ts";

/** The mark that `shown` leaves where it cuts. */
const CUT = /(… \(\+\d+ characters\))/;

export function hideIn(hider: Redactor): (text: string) => string {
  return (text) =>
    hider
      .text(text)
      .split(CUT)
      .map((piece, index, all) =>
        index % 2 === 0 && index < all.length - 1
          ? hider.frame(Buffer.from(piece), true).bytes.toString("utf8")
          : piece,
      )
      .join("");
}

/** Scans what a server advertises. Where it holds a secret, places and evidence come from the cleaned text; what is found in
 *  the text as it was sent alone is told without either. */
export function scanHidden(
  surface: SurfaceTexts,
  context: SurfaceContext,
  hider: Redactor | undefined,
): Finding[] {
  const raw = scanSurface(surface, context);
  if (!hider) return raw;
  const printable = bounded(surface);
  const clean = hider.value(printable);
  if (JSON.stringify(clean) === JSON.stringify(printable)) return raw;
  const found = scanSurface(clean as SurfaceTexts, context);
  const seen = new Set(found.map(({ rule }) => rule));
  const lost = new Map<RuleId, Finding>();
  for (const { rule, severity } of raw)
    if (!seen.has(rule) && !lost.has(rule)) {
      const message = `${ruleTable[rule].title}; the text holds a secret too and is not shown`;
      lost.set(rule, finding(rule, context.label, message, undefined, severity));
    }
  return [...found, ...lost.values()];
}
