/** Why a server could not be looked at, where there is room for one line. */

/** How it ended, and the last that it said itself. */
export function inOneLine(message: string): string {
  const [first = "", ...said] = message
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return [first, ...said.slice(-1)].join("; ");
}
