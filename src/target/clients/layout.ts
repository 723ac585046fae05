/** How a text is laid out: its line ends, its indentation, and which lines belong to one piece of it alone. Pure. */

export const lineBreak = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** One step of indentation, as the file has it. */
export const indentOf = (text: string): string => (/\n([ \t]+)\S/.exec(text)?.[1] ?? "  ").slice(0, 10);

/** The blanks at the beginning of the line that an offset is on, and whether nothing else stands before it. */
export function marginAt(
  text: string,
  offset: number,
): { readonly margin: string; readonly isFirst: boolean } {
  const start = lineStart(text, offset);
  let end = start;
  while (end < offset && isBlank(text[end])) end += 1;
  return { margin: text.slice(start, end), isFirst: end === offset };
}

/** A piece with its whole lines where nothing else stands on them, and else with the blanks behind it. */
export function withItsLines(text: string, start: number, end: number): { start: number; end: number } {
  let behind = end;
  while (isBlank(text[behind])) behind += 1;
  const isEnd = behind === text.length || text[behind] === "\n" || text.startsWith("\r\n", behind);
  if (!isEnd || !marginAt(text, start).isFirst) return { start, end: behind };
  return { start: lineStart(text, start), end: lineEnd(text, behind) };
}

export const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;

/** After the line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

const isBlank = (letter: string | undefined): boolean => letter === " " || letter === "\t";
