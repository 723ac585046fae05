/** Where the members of an object stand in a JSON text, so that one can be taken out, or put in, and all others stay as they came.
 *  For texts that `JSON.parse` has taken: nothing is checked twice. */

export interface Span {
  readonly from: number;
  readonly end: number;
}

export interface Member {
  readonly name: string;
  /** Where its name begins, with the quote. */
  readonly from: number;
  readonly value: Span;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

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

/** The text without some members of the objects that stand under a name, however deep they are. All else stays as it came. */
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
      else isNextUnder = name === under && text.charCodeAt(valueFrom) === OPEN_OBJECT;
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

/** Whether a name stands twice in one object, however deep: readers differ on which of the two counts. And where the member stands that
 *  is reached by these names, one object inside another. */
export function readOnce(
  text: string,
  path: readonly string[] = [],
): { readonly hasTwins: boolean; readonly found?: Span } {
  const open: (Names | undefined)[] = [];
  let found: Span | undefined;
  /** So many of the objects that are open are on the way. */
  let onWay = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN_OBJECT) open.push(new Names());
    else if (unit === OPEN_LIST) open.push(undefined);
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      open.pop();
      if (onWay > open.length) onWay = Math.max(1, open.length);
    } else if (unit === QUOTE) {
      const end = stringEnd(text, at);
      const names = open.at(-1);
      const colon = skipBlank(text, end);
      if (names && text.charCodeAt(colon) === COLON) {
        const name = nameOf(text, at, end);
        if (!names.isNew(name)) return { hasTwins: true };
        if (open.length === onWay && name === path[onWay - 1]) {
          const from = skipBlank(text, colon + 1);
          if (onWay === path.length) found = { from, end: valueEnd(text, from) };
          else if (text.charCodeAt(from) === OPEN_OBJECT) onWay += 1;
        }
      }
      at = end - 1;
    }
  }
  return found ? { hasTwins: false, found } : { hasTwins: false };
}
const COLON = 0x3a;

/** The names of one object. Most have few: those are sooner looked through than hashed. */
class Names {
  #few: string[] = [];
  #many: Set<string> | undefined;

  isNew(name: string): boolean {
    if (this.#many) return this.#many.size < this.#many.add(name).size;
    if (this.#few.includes(name)) return false;
    this.#few.push(name);
    if (this.#few.length > FEW) this.#many = new Set(this.#few);
    return true;
  }
}
const FEW = 12;

/** Whether a number in it is written as another one once it is read: 9007199254740993, 1e400. Two texts may then be read as one value. */
export function hasInexactNumbers(text: string): boolean {
  if (!MANY_DIGITS.test(text)) return false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const end = valueEnd(text, at);
      const written = text.slice(at, end);
      if (decimal(written) !== decimal(String(Number(written)))) return true;
      at = end - 1;
    }
  }
  return false;
}
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];
/** Up to fifteen digits are read as they are. */
const MANY_DIGITS = /(?:\d\.?){16}|\de[+-]?\d{3}/i;

/** One text for all ways to write a decimal number. */
function decimal(written: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const places = BigInt(power) - BigInt(part.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${places}`;
}

function nameOf(text: string, from: number, end: number): string {
  const written = text.slice(from + 1, end - 1);
  return written.includes("\\") ? (JSON.parse(text.slice(from, end)) as string) : written;
}

function skipBlank(text: string, at: number): number {
  let place = at;
  for (let unit = text.charCodeAt(place); isBlank(unit); unit = text.charCodeAt(place)) place += 1;
  return place;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** Behind the closing quote. */
function stringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return stringEnd(text, from);
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) {
    let end = from;
    for (let unit = text.charCodeAt(end); end < text.length && !isEnd(unit); unit = text.charCodeAt(end))
      end += 1;
    return end;
  }
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth += 1;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

const isEnd = (unit: number): boolean =>
  unit === COMMA || unit === CLOSE_OBJECT || unit === CLOSE_LIST || isBlank(unit);
