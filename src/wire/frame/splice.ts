/** Where the members of an object stand in a JSON text, so that one can be taken out, or put in, and all others stay as they came.
 *  For texts that `JSON.parse` has taken: nothing is checked twice. */
import { folded } from "./read-once.ts";
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  nameOf,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  type Span,
  skipBlank,
  stringEnd,
  valueEnd,
} from "./tokens.ts";

export interface Member {
  readonly name: string;
  /** Where its name begins, with the quote. */
  readonly from: number;
  readonly value: Span;
}

/** The members of the object that begins at or after `at`; undefined where something else does. */
export function membersAt(text: string, at = 0): Member[] | undefined {
  let place = skipBlank(text, at);
  if (text.charCodeAt(place) !== OPEN_OBJECT) return undefined;
  const members: Member[] = [];
  place = skipBlank(text, place + 1);
  while (place < text.length && text.charCodeAt(place) !== CLOSE_OBJECT) {
    const from = place;
    const nameEnd = stringEnd(text, from);
    const valueFrom = skipBlank(text, skipBlank(text, nameEnd) + 1);
    const end = valueEnd(text, valueFrom);
    members.push({ name: nameOf(text, from, nameEnd), from, value: { from: valueFrom, end } });
    place = skipBlank(text, end);
    if (text.charCodeAt(place) === COMMA) place = skipBlank(text, place + 1);
  }
  return members;
}

/** The items of the list that begins at or after `at`; undefined where something else does. */
export function itemsAt(text: string, at = 0): Span[] | undefined {
  let place = skipBlank(text, at);
  if (text.charCodeAt(place) !== OPEN_LIST) return undefined;
  const items: Span[] = [];
  place = skipBlank(text, place + 1);
  while (place < text.length && text.charCodeAt(place) !== CLOSE_LIST) {
    const end = valueEnd(text, place);
    items.push({ from: place, end });
    place = skipBlank(text, end);
    if (text.charCodeAt(place) === COMMA) place = skipBlank(text, place + 1);
  }
  return items;
}

/** The last of a name counts, as `JSON.parse` has it. */
export const memberNamed = (members: readonly Member[] | undefined, name: string): Span | undefined =>
  members?.findLast((member) => member.name === name)?.value;

export const sliceOf = (text: string, { from, end }: Span): string => text.slice(from, end);

/** An object without some of its members, and with others at its beginning: `"a":1,"b":2`, without braces. `members` are all it has. */
export function spliced(
  text: string,
  span: Span,
  { without, put }: { readonly without: ReadonlySet<string>; readonly put: string },
  members: readonly Member[] = membersAt(text, span.from) ?? [],
): string {
  const isKept = ({ name }: Member): boolean => !without.has(name);
  if (members.every(isKept)) {
    const rest = text.slice(text.indexOf("{", span.from) + 1, span.end);
    return `{${put}${put !== "" && members.length > 0 ? "," : ""}${rest}`;
  }
  const kept = members.filter(isKept).map(({ from, value }) => text.slice(from, value.end));
  return `{${[...(put === "" ? [] : [put]), ...kept].join(",")}}`;
}

/** The text without some members of the objects that stand under a name, in any case of its letters, however deep they are. All else
 *  stays as it came. */
export function withoutUnder(text: string, under: string, isOut: (name: string) => boolean): string {
  const open: { readonly isObject: boolean; readonly isUnder: boolean; comma: number }[] = [];
  const cuts: Span[] = [];
  let isNextUnder = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const inner = open.at(-1);
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      open.push({ isObject: unit === OPEN_OBJECT, isUnder: isNextUnder, comma: -1 });
      isNextUnder = false;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) open.pop();
    // Behind a member that stays: the commas of others go with them.
    else if (unit === COMMA && inner) inner.comma = at;
    else if (unit === QUOTE) {
      const from = at;
      const end = stringEnd(text, from);
      at = end - 1;
      const colon = skipBlank(text, end);
      if (!inner?.isObject || text.charCodeAt(colon) !== COLON) continue;
      const name = nameOf(text, from, end);
      const valueFrom = skipBlank(text, colon + 1);
      if (inner.isUnder && isOut(name)) at = cutMember(text, from, valueFrom, inner.comma, cuts) - 1;
      else isNextUnder = folded(name) === under && text.charCodeAt(valueFrom) === OPEN_OBJECT;
    }
  }
  if (cuts.length === 0) return text;
  const kept = cuts.map(({ from }, index) => text.slice(cuts[index - 1]?.end ?? 0, from));
  return kept.join("") + text.slice(cuts.at(-1)?.end);
}

/** With the comma behind it, or, of the last one, that before it. Gives where it ends. */
function cutMember(text: string, from: number, valueFrom: number, comma: number, cuts: Span[]): number {
  const end = valueEnd(text, valueFrom);
  const behind = skipBlank(text, end);
  const isLast = text.charCodeAt(behind) !== COMMA;
  const cut = { from: isLast && comma >= 0 ? comma : from, end: isLast ? end : behind + 1 };
  // Those behind that comma were cut out already.
  while ((cuts.at(-1)?.from ?? -1) >= cut.from) cuts.pop();
  cuts.push(cut);
  return cut.end;
}
