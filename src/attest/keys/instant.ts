/** Moments as documents write them: UTC, to the second or the millisecond, one text a moment and precision. */

const INSTANT = /^(?:19[7-9]\d|[2-9]\d{3})-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;

/** Milliseconds since 1970; undefined for what is no such text or no such day. */
export function fromInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const ms = Date.parse(text);
  // Engines read the 30th of February as a day in March: what is written back must be what was read.
  const isReal =
    Number.isFinite(ms) &&
    new Date(ms).toISOString() === (text.length === 20 ? `${text.slice(0, 19)}.000Z` : text);
  return isReal ? ms : undefined;
}

/** Without milliseconds where there are none. */
export const toInstant = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
