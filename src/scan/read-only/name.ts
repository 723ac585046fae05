/** What the name of a tool says it does. The first verb is the action; what is a verb depends on where it stands. */
import {
  ABOUT_ENDINGS,
  CHANGES,
  DESTROYS,
  HARMLESS_OBJECTS,
  MAKES,
  MOVES,
  NOT_ORDERS,
  NOUN_ENDINGS,
  OBEYED,
  READS,
  REHEARSAL_ENDINGS,
} from "./words.ts";

export interface Action {
  readonly kind: "reads" | "destroys" | "changes" | "makes" | "none";
  /** The word that says so. */
  readonly verb: string;
}

/** `github_deleteRepo` is `github`, `delete`, `repo`. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 300)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

const RANK = { destroys: 4, changes: 3, makes: 2, reads: 1, none: 0 } as const;
const NONE: Action = { kind: "none", verb: "" };

/** `get_or_create` is two names in one: the one that changes more counts. */
export function actionOf(name: string): Action {
  const clauses: string[][] = [[]];
  for (const word of wordsOf(name)) {
    if (word === "and" || word === "or" || word === "then") clauses.push([]);
    else clauses.at(-1)?.push(word);
  }
  return clauses
    .map(clauseAction)
    .reduce((most, next) => (RANK[next.kind] > RANK[most.kind] ? next : most), NONE);
}

/** A vendor or a namespace may stand before the verb: `github_delete_repo`, `mcp__x__delete`. */
const MAX_PREFIX_WORDS = 3;

function clauseAction(words: readonly string[]): Action {
  const last = words.at(-1) ?? "";
  for (const [index, verb] of words.slice(0, MAX_PREFIX_WORDS + 1).entries()) {
    if (READS.has(verb)) return { kind: "reads", verb };
    const rest = words.slice(index + 1);
    const isNoun = rest.length === 0 && NOT_ORDERS.has(words[index - 1] ?? "");
    const isAbout = index > 0 && rest.length > 0 && ABOUT_ENDINGS.has(last);
    const kind = isNoun || isAbout || REHEARSAL_ENDINGS.has(last) ? "none" : verbKind(verb, rest, index);
    if (kind !== undefined) return { kind, verb };
  }
  return NONE;
}

/** What a word says as the action of a name; nothing when it is no verb there. */
function verbKind(verb: string, rest: readonly string[], index: number): Action["kind"] | undefined {
  const [next = "", last = ""] = [rest[0], rest.at(-1)];
  if (DESTROYS.has(verb)) return "destroys";
  const objects = MOVES.get(verb);
  if (objects !== undefined) {
    if (objects.has(next)) return "destroys";
    if (index > 0) return undefined;
    if (NOUN_ENDINGS.has(next) || NOUN_ENDINGS.has(last)) return "none";
    return verb === "transfer" || verb === "pay" ? "destroys" : "changes";
  }
  if (verb === "run" || verb === "execute" || verb === "exec")
    return rest.some((word) => OBEYED.has(word)) || verb !== "run" ? "changes" : undefined;
  if (CHANGES.has(verb)) return [next, last].some((word) => HARMLESS_OBJECTS.has(word)) ? "none" : "changes";
  return MAKES.has(verb) ? "makes" : undefined;
}
