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
    if (!isOwn(name, ownTools) && !isParameter(name, text)) return true;
  }
  return false;
}

/** `- city: …`, `city (str): …`, or a line of its own. */
function isParameter(name: string, text: string): boolean {
  if (FIELD.test(name)) return true;
  if (text.includes(`\n- ${name}`) || text.includes(`\n${name}\n`)) return true;
  for (let at = text.indexOf(name), n = 0; at >= 0 && n < MAX_SIGHTINGS; at = text.indexOf(name, at + 1), n++)
    if (TYPED.test(text.slice(at + name.length, at + name.length + TYPE_CHARS))) return true;
  return false;
}

/** `room_level_id`: named like a field, not like what is done. */
const FIELD = /[a-z](?:_(?:ids?|type|name|url|uri|path|code|count|status|key)|Ids?|ID)$/;
const MAX_SIGHTINGS = 8;
const TYPE_CHARS = 16;
const TYPED =
  /^[`"']?(?: ?\((?:str|int|num|bool|float|list|dict|array|object|opt|req|any|default|enum|date)| ?: (?:str|int|num|bool|float|list|dict|array|object|opt|any))/i;

/** One of the server's tools, or named like them: a server may show more tools to other clients. */
function isOwn(name: string, ownTools: ReadonlySet<string> = NO_TOOLS): boolean {
  if (ownTools.has(name)) return true;
  const { beginnings, pairs } = likeTools(ownTools);
  const words = new Set(wordsOf(name));
  for (const word of words)
    if (beginnings.has(word)) return true;
    else for (const other of words) if (pairs.has(`${word} ${other}`)) return true;
  return false;
}
const NO_TOOLS: ReadonlySet<string> = new Set();

interface LikeTools {
  /** Long words that a name begins with. */
  readonly beginnings: ReadonlySet<string>;
  /** Each two words of one name, in its order. */
  readonly pairs: ReadonlySet<string>;
}

/** Found out once: many texts may name many tools. */
function likeTools(ownTools: ReadonlySet<string>): LikeTools {
  const known = like.get(ownTools);
  if (known) return known;
  const [beginnings, pairs] = [new Set<string>(), new Set<string>()];
  for (const own of ownTools) {
    const words = wordsOf(own);
    for (const [at, word] of words.entries()) {
      if (word.length > 7 && own.startsWith(word)) beginnings.add(word);
      for (const other of words.slice(at + 1)) pairs.add(`${word} ${other}`);
    }
  }
  const made = { beginnings, pairs };
  like.set(ownTools, made);
  return made;
}
const like = new WeakMap<ReadonlySet<string>, LikeTools>();

/** Of a name. No honest one has more. */
const MAX_WORDS = 12;
const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[_-]/)
    .filter((word) => word.length > 3)
    .slice(0, MAX_WORDS);
