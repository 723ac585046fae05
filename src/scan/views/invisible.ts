/** Characters that take no room on a screen, and the honest uses of some of them. */

/** Default-ignorable code points, fillers and controls that carry nothing visible. */
export function isInvisible(point: number): boolean {
  return (
    point === 0x00ad ||
    point === 0x034f ||
    point === 0x061c ||
    point === 0x115f ||
    point === 0x1160 ||
    point === 0x17b4 ||
    point === 0x17b5 ||
    (point >= 0x180b && point <= 0x180f) ||
    (point >= 0x200b && point <= 0x200f) ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2060 && point <= 0x206f) ||
    point === 0x2800 ||
    point === 0x3164 ||
    point === 0xfeff ||
    point === 0xffa0 ||
    (point >= 0xfff0 && point <= 0xfffb) ||
    (point >= 0x80 && point <= 0x9f) ||
    (point >= 0x1bca0 && point <= 0x1bca3) ||
    (point >= 0x1d173 && point <= 0x1d17a) ||
    // Tags, selectors, and all that is reserved beside them.
    (point >= 0xe0000 && point <= 0xe0fff) ||
    isSelector(point)
  );
}

export const isTag = (point: number): boolean => point >= 0xe0000 && point <= 0xe007f;

export const isSelector = (point: number): boolean =>
  (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef);

export const selectorByte = (point: number): number =>
  point >= 0xe0100 ? point - 0xe0100 + 16 : point - 0xfe00;

const BLACK_FLAG = 0x1f3f4;
const CANCEL = 0xe007f;
const MAX_REGION = 6;
/** Subdivisions that have a flag: those of the United Kingdom, and two-letter states of the United States. */
const REGION = /^(gb(eng|sct|wls|nir)|us[a-z]{2}|ca[a-z]{2})$/;

/** How many code units a flag made of tag characters takes at `at`; 0 when there is none. */
export function flagLength(text: string, at: number, point = text.codePointAt(at) ?? 0): number {
  if (point !== BLACK_FLAG) return 0;
  let region = "";
  for (let end = at + 2; region.length <= MAX_REGION; end += 2) {
    const next = text.codePointAt(end) ?? 0;
    if (next === CANCEL) return REGION.test(region) ? end + 2 - at : 0;
    if (!isTag(next)) return 0;
    region += String.fromCharCode(next - 0xe0000);
  }
  return 0;
}
