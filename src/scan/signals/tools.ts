/** Whose a tool is that a text names. */
import type { Tokens } from "../words/tokens.ts";
import { grammar } from "./grammar.ts";

/** Whether a name between `start` and `end` is none of the server's own tools. */
export function namesForeignTool(
  text: string,
  tokens: Tokens,
  start: number,
  end: number,
  ownTools: ReadonlySet<string> | undefined,
): boolean {
  const { identifiers } = grammar();
  for (let i = 0; i < tokens.count && tokens.startAt(i) < end; i++) {
    if (tokens.startAt(i) < start || !identifiers[tokens.classAt(i)]) continue;
    const name = text.slice(tokens.startAt(i), tokens.endAt(i));
    // A parameter of the tool itself stands in its own line, and so does a value it takes.
    if (!isOwn(name, ownTools) && !text.includes(`\n- ${name}`) && !text.includes(`\n${name}\n`)) return true;
  }
  return false;
}

/** One of the server's tools, or named like them: a server may show more tools to other clients. */
function isOwn(name: string, ownTools: ReadonlySet<string> = new Set()): boolean {
  if (ownTools.has(name)) return true;
  const words = new Set(name.toLowerCase().split(/[_-]/));
  for (const own of ownTools) {
    const shared = own
      .toLowerCase()
      .split(/[_-]/)
      .filter((word) => word.length > 3 && words.has(word));
    if (shared.length > 1 || shared.some((word) => word.length > 7 && own.startsWith(word))) return true;
  }
  return false;
}
