/** What a sign is made of, and how much signs of one group may say together. */
import type { Concept } from "../words/lexicon.ts";
import type { Hints } from "../words/tokens.ts";

export interface Sign {
  readonly name: string;
  /** What the text does, in words for the finding. */
  readonly words: string;
  readonly family: "mimicry" | "poisoning";
  /** A description should hold no orders at all; an output may quote the whole world. */
  readonly weight: { readonly description: number; readonly output: number };
  /** Patterns over ideas; any of them will do. */
  readonly ideas?: readonly string[];
  /** A frame: ideas that all have to stand in one sentence, in whatever order; see `framed.ts`. `MENTION ~4` has to stand
   *  within four words of the idea named before it. */
  readonly roles?: readonly string[];
  /** Most words from the first of them to the last. */
  readonly within?: number;
  /** How many sentences before may hold some of them. */
  readonly reach?: number;
  /** What has to stand right after the words that carry the ideas. */
  readonly following?: RegExp;
  /** What has to stand right before them. */
  readonly preceding?: RegExp;
  /** What has to be seen in the text from so many characters before the words to so many after them. */
  readonly around?: { readonly before: number; readonly after: number; readonly pattern: RegExp };
  /** A spelling, looked for only where one of the ideas in `needs` occurs. */
  readonly shape?: RegExp;
  readonly needs?: Concept;
  /** And only in a text that has these letters. */
  readonly contains?: string;
  /** And only where the characters hint at it. */
  readonly hint?: keyof Hints;
  /** Not when one of these ideas stands at most so many words before. */
  readonly unlessAfter?: Readonly<Partial<Record<Concept, number>>>;
  /** And not when this idea is among the words of the match. */
  readonly unlessWithin?: Concept;
  /** Signs of one group say much the same: together they count at most GROUP_LIMITS. */
  readonly group?: Group;
  /** Honest authors write it too: such signs alone may warn, and never fail. */
  readonly isSoft?: boolean;
  /** It tells what is wanted; that the text speaks to an agent, another sign has to show. */
  readonly isAside?: boolean;
  /** Seen only where the tool it names is none of the server's own. */
  readonly isTrespass?: boolean;
}

export type Group = "quiet" | "command" | "workflow" | "label" | "reason" | "agent" | "consent" | "address";

/** What honest workflow notes reach ("you must call X first") stays below a warning by itself; see `foreignTool`. */
export const GROUP_LIMITS: Readonly<Record<Group, number>> = {
  command: 3,
  workflow: 1.25,
  label: 2.5,
  reason: 1.5,
  agent: 1.9,
  consent: 1.75,
  address: 2.5,
  quiet: 3.25,
};
/** With another server's tool named the same words are worth more. */
export const FOREIGN_WORKFLOW_LIMIT = 3;

type Rest = Pick<
  Sign,
  | "ideas"
  | "roles"
  | "within"
  | "reach"
  | "following"
  | "preceding"
  | "around"
  | "shape"
  | "needs"
  | "contains"
  | "hint"
  | "unlessAfter"
  | "unlessWithin"
  | "group"
  | "isSoft"
  | "isTrespass"
  | "isAside"
>;

export const sign = (
  name: string,
  words: string,
  family: Sign["family"],
  [description, output]: readonly [number, number],
  rest: Rest,
): Sign => ({ name, words, family, weight: { description, output }, ...rest });
