/** What the parsers of hostile bytes share. Nothing here throws or reads beyond the end. */

/** A number of two bytes, the high one first; a missing byte counts as 0. */
export const u16 = (bytes: Buffer, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

const UNSEEN = /[^\x20-\x7e\xa1-\xac\xae-\xff]/g;

/** One sign for each character, and `?` for those that cannot be seen: two texts that differ only there never become a
 *  text that somebody trusts. */
export const printable = (text: string): string => text.replace(UNSEEN, "?");
