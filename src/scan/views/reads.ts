/** Whether decoded bytes read as text somebody wrote. */

const MIN_LETTERS = 8;

const SAMPLE_CHARS = 400;
const WINDOW_CHARS = 80;
const WINDOWS = 8;

/** Mostly letters and spaces, no control characters, words of a writable length: at its start, or in a window further on,
 *  since the words may come late. */
export function reads(text: string): boolean {
  if (readsHere(text.slice(0, SAMPLE_CHARS))) return true;
  if (text.length <= SAMPLE_CHARS) return false;
  const step = (text.length - WINDOW_CHARS) / (WINDOWS - 1);
  return Array.from({ length: WINDOWS }, (_, n) => Math.floor(n * step)).some((from) =>
    readsHere(text.slice(from, from + WINDOW_CHARS)),
  );
}

function readsHere(sample: string): boolean {
  let letters = 0;
  let spaces = 0;
  for (let i = 0; i < sample.length; i++) {
    const unit = sample.charCodeAt(i);
    if ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) letters += 1;
    else if (unit === 0x20 || unit === 0x0a) spaces += 1;
    else if (unit === 0xfffd || (unit < 0x20 && unit !== 0x09 && unit !== 0x0d)) return false;
    else if (unit >= 0x250) letters += 1;
  }
  if (letters < MIN_LETTERS || letters + spaces < sample.length * 0.75) return false;
  // A single word is too easily an accident; text in scripts without spaces is not.
  return spaces * 14 >= letters || /[\u3040-\u9fff\u0e00-\u0e7f]/.test(sample);
}
