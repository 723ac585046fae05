/** A secret that comes back in pieces with other words between: `"part1": "3f2b8c", "part2": "1e9d0a"`. */

/** Shorter pieces between labels happen by chance. */
export const PIECE_CHARS = 6;
/** The next piece stands at most this far behind the one before it. */
const MAX_GAP = 200;
const MAX_PIECES = 12;
/** What may be missing at the beginning and at the end together. */
const MAX_MISSING = 2 * (PIECE_CHARS - 1);

/** Where the pieces end when all of `secret` follows from `start`, whose first piece begins `skipped` characters into it. */
export function piecesEnd(text: Buffer, start: number, secret: Buffer, skipped: number): number | undefined {
  if (skipped > MAX_MISSING) return undefined;
  return follow(text, start, secret, skipped, MAX_PIECES);
}

function follow(text: Buffer, start: number, secret: Buffer, from: number, room: number): number | undefined {
  let length = 0;
  while (from + length < secret.length && text[start + length] === secret[from + length]) length++;
  if (from + length > secret.length - PIECE_CHARS) return start + length;
  if (room === 0 || length < PIECE_CHARS) return undefined;
  // The first letters of a label may look like the next of the secret: give one or two of them back.
  for (let given = 0; given <= 2 && length - given >= PIECE_CHARS; given++) {
    const next = from + length - given;
    const behind = start + length - given;
    const window = text.subarray(behind, behind + MAX_GAP + PIECE_CHARS);
    const found = window.indexOf(secret.subarray(next, next + PIECE_CHARS));
    if (found < 0) continue;
    const end = follow(text, behind + found, secret, next, room - 1);
    if (end !== undefined) return end;
  }
  return undefined;
}
