/** Runs of eight characters as numbers: each from the one before it. */

export const GRAM = 8;
const BASE = 0x01000193;
/** BASE to the power of GRAM - 1: what the first character of a run weighs. */
const TOP = Array.from({ length: GRAM - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** The hash of each run of eight characters, by where it begins. */
export type Grams = Uint32Array;

/** Written into a room that is large enough, where one is given. */
export function gramsOf(text: string, room?: Uint32Array): Grams {
  const size = Math.max(0, text.length - GRAM + 1);
  const grams = room ? room.subarray(0, size) : new Uint32Array(size);
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    const gone = at >= GRAM ? Math.imul(text.charCodeAt(at - GRAM), TOP) : 0;
    hash = (Math.imul(hash - gone, BASE) + text.charCodeAt(at)) | 0;
    if (at >= GRAM - 1) grams[at - GRAM + 1] = spread(hash);
  }
  return grams;
}

/** Runs that are nearly alike are not to be neighbours. Two that differ still differ. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) >>> 0;
}
