/** Parts of Markdown in which foreign text is harmless. In a code span no link, image, markup, mention or autolink exists;
 *  what could end the span or the cell is shown by number. */

/** A code span of one backtick. Neither a backtick nor a pipe is left in it. */
export function code(text: string, maxChars = 300): string {
  if (text.trim() === "") return "";
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return `\`${cut.replaceAll("`", "\\u{60}").replaceAll("|", "\\u{7c}")}\``;
}

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  maxRows: number,
): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    line(head.map(() => "---")),
    ...rows.slice(0, maxRows).map(line),
    ...(rows.length > maxRows ? ["", `and ${rows.length - maxRows} more`] : []),
  ];
}

/** Sections with a blank line between them; an empty one leaves none. */
export const document = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
