/** Whether a text looks like one SQL statement: by its words and brackets, not by a grammar. It begins with a verb that SQL
 *  has, quotes and comments end, parentheses close, and nothing follows the semicolon. `SELECT the best of them` passes:
 *  which columns and tables there are, and what a dialect allows, only a database can tell. */
import { shown } from "../../core/index.ts";

export const MAX_SQL_CHARS = 1024 * 1024;

const ALONE = ["BEGIN", "COMMIT", "ROLLBACK", "VACUUM", "ANALYZE", "CHECKPOINT"];
const VERBS = new Set([
  ...ALONE,
  ..."SELECT INSERT UPDATE DELETE WITH VALUES TABLE MERGE REPLACE CREATE ALTER DROP TRUNCATE RENAME COMMENT".split(
    " ",
  ),
  ..."GRANT REVOKE START SAVEPOINT RELEASE SET RESET SHOW USE EXPLAIN DESCRIBE CALL EXECUTE PREPARE".split(
    " ",
  ),
  ..."DEALLOCATE DECLARE FETCH CLOSE COPY LOAD LOCK PRAGMA ATTACH DETACH REINDEX REFRESH CLUSTER".split(" "),
]);

/** Each with how it ends; a doubled quote inside is a part of it. All are matched in one pass, without going back. */
const QUOTES: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`" };
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const DOLLAR = /\$(?:[A-Za-z_]\w{0,62})?\$/y;

/** What speaks against it, or undefined when nothing does. */
export function sqlFault(text: string): string | undefined {
  if (text.length > MAX_SQL_CHARS) return `${text.length} characters, limit ${MAX_SQL_CHARS}`;
  let verb: string | undefined;
  let tokens = 0;
  let depth = 0;
  let isOver = false;
  for (let index = 0; index < text.length; ) {
    const end = endOfBlank(text, index);
    if (end === undefined) return "a comment that does not end";
    if (end > index) {
      index = end;
      continue;
    }
    if (isOver) return "more than one statement";
    const token = readToken(text, index);
    if ("fault" in token) return token.fault;
    if (token.word !== undefined) verb ??= token.word.toUpperCase();
    else if (verb === undefined && text[index] !== "(") return "it does not begin with a verb";
    tokens += 1;
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (depth < 0) return 'a ")" that closes nothing';
    isOver = text[index] === ";";
    if (isOver) tokens -= 1;
    index = token.end;
  }
  if (verb === undefined) return "there is no statement";
  if (!VERBS.has(verb)) return `"${shown(verb, 40)}" is no verb of SQL`;
  if (depth > 0) return 'a "(" that is not closed';
  return tokens === 1 && !ALONE.includes(verb) ? `nothing follows ${verb}` : undefined;
}

/** Where white space or a comment that begins here ends; here when there is none. */
function endOfBlank(text: string, index: number): number | undefined {
  if (/\s/.test(text[index] ?? "")) return index + 1;
  if (text.startsWith("--", index)) {
    const end = text.indexOf("\n", index);
    return end < 0 ? text.length : end + 1;
  }
  if (!text.startsWith("/*", index)) return index;
  const end = text.indexOf("*/", index + 2);
  return end < 0 ? undefined : end + 2;
}

function readToken(text: string, index: number): { end: number; word?: string } | { fault: string } {
  const quote = QUOTES[text[index] ?? ""];
  if (quote !== undefined) return readQuoted(text, index, quote);
  const tag = at(DOLLAR, text, index);
  if (tag !== undefined) {
    const end = text.indexOf(tag, index + tag.length);
    return end < 0 ? { fault: `a ${tag} that does not end` } : { end: end + tag.length };
  }
  const word = at(WORD, text, index);
  return word === undefined ? { end: index + 1 } : { end: index + word.length, word };
}

function readQuoted(text: string, index: number, quote: string): { end: number } | { fault: string } {
  let end = text.indexOf(quote, index + 1);
  while (end >= 0 && text[end + 1] === quote) end = text.indexOf(quote, end + 2);
  return end < 0 ? { fault: `a ${quote} that does not end` } : { end: end + 1 };
}

function at(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}
