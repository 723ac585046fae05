/** Where the lines of a chat, the entries of a log or the records of a list begin, if a text is made of them. */

/** `[09:01] ana: `, `2031-02-03T10:00 <bob> `: a time and a name. */
const SPOKEN =
  /(?:^|\n|\\n)[ \t]{0,8}(?:\[[^\]\n]{0,12}\d{1,2}:\d\d[^\]\n]{0,12}\]|\(?\d{1,2}:\d\d(?::\d\d)?\)?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^ \n]{0,12})[ \t]{1,4}[-<(]?[^\s:>)][^:>)\n]{0,31}[:>)]/g;
/** An object and its first member; records of a list begin alike. */
const OBJECT = /\{\s{0,12}\\?"([\w-]{1,24})\\?"\s{0,2}:/g;
/** A single line with a time is no chat. */
const MIN_RECORDS = 2;

/** In order; none when the text is one piece. */
export function recordStarts(text: string): number[] {
  const spoken = [...text.matchAll(SPOKEN)].map(({ index }) => index);
  const objects = new Map<string, number[]>();
  for (const { index, 1: first = "" } of text.matchAll(OBJECT)) {
    const known = objects.get(first);
    if (known) known.push(index);
    else objects.set(first, [index]);
  }
  return [spoken, ...objects.values()]
    .filter(({ length }) => length >= MIN_RECORDS)
    .flat()
    .sort((a, b) => a - b);
}
