/** The lines of what a program has said that tell why it ended. */

const FRAME = /^\s*(?:at |\.\.\. \d+ |node:internal|File ".*", line \d+)/;
const ERROR = /(?:^|\s|\.)\w*(?:Error|Exception)\b|^(?:fatal|panic|error)\b|\berror:/i;
/** What a runtime puts around it: brackets, its own version, marks under a line. */
const AROUND = /^[\s{}[\](),;^~]*$|^Node\.js v\d|^Traceback /;
/** A mark under the line of a source, which is no word of the program's. */
const MARK = /^\s*[\^~]+\s*$/;
const PLACE = /:\d+$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const COLOUR = /\u001b\[[\d;]*m/g;

/** At most so many, without the stack: the first that names an error, and the last ones. */
export function tellingLines(text: string, most: number): string[] {
  const lines = text
    .replace(COLOUR, "")
    .split("\n")
    .filter((line, at, all) => {
      const isSource = MARK.test(all[at + 1] ?? "") || (PLACE.test(line) && MARK.test(all[at + 2] ?? ""));
      return !isSource && !AROUND.test(line) && !FRAME.test(line);
    });
  const error = lines.findIndex((line) => ERROR.test(line));
  const last = lines.slice(Math.max(0, lines.length - most));
  if (error < 0 || error >= lines.length - last.length)
    return most === 1 && error >= 0 ? [lines[error] as string] : last;
  return [lines[error] as string, ...last.slice(1)];
}
