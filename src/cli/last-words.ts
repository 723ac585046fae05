/** Why a server could not be looked at, where there is room for one line. */
import { tellingLines } from "../core/index.ts";

const OF_SERVER = /^server: +/;

/** How it ended, and of what it said itself the line that tells why. Its name stands before it already. */
export function inOneLine(message: string, name: string): string {
  const [whole = "", ...others] = message
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const first = [`${name}: `, `${name} `].reduce(
    (text, start) => (text.startsWith(start) ? text.slice(start.length) : text),
    whole,
  );
  const [telling] = tellingLines(others.map((line) => line.replace(OF_SERVER, "")).join("\n"), 1);
  if (telling === undefined) return first;
  return others.some((line) => OF_SERVER.test(line))
    ? `${first}; server: ${telling}`
    : `${first}; ${telling}`;
}
