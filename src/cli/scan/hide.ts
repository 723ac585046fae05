/** Keeps secrets out of a report. Texts are cut where findings are made, and half a secret is no longer found as one: where a
 *  text was cut, its end may be the beginning of a secret. */
import type { Finding } from "../../core/index.ts";
import type { Redactor } from "../../wire/index.ts";
import { withoutDigests } from "../redact.ts";

/** The mark that `shown` leaves where it cuts. */
const CUT = /(… \(\+\d+ characters\))/;
/** Scanners cut evidence without a mark; shorter evidence is whole. */
const MIN_CUT_CHARS = 100;

/** For every text of a report. Marks that were made on the way lose their digest too. */
export function hideIn(hider: Redactor | undefined): (text: string) => string {
  if (!hider) return withoutDigests;
  return (text) =>
    withoutDigests(hider.text(text))
      .split(CUT)
      .map((piece, index, all) => (index % 2 === 0 && index < all.length - 1 ? untorn(piece, hider) : piece))
      .join("");
}

/** The finding with evidence that does not end in the middle of a secret. */
export function withWholeEvidence<F extends Finding>(found: F, hider: Redactor | undefined): F {
  const { evidence } = found;
  if (!hider || evidence === undefined || evidence.length < MIN_CUT_CHARS) return found;
  return { ...found, evidence: untorn(evidence, hider) };
}

const untorn = (text: string, hider: Redactor): string =>
  hider.frame(Buffer.from(text), true).bytes.toString("utf8");
