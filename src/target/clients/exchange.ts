/** Puts one entry of ours in the place of several, and back: as the file was where it is as we left it, around what was changed
 *  elsewhere, or entry by entry. What cannot be done exactly is refused. */
import { isDeepStrictEqual } from "node:util";
import { shown, TrustError } from "../../core/index.ts";
import { type Edited, insertEntry, pieceOf, removeEntry, takeBack } from "./edit.ts";
import { read, without } from "./rewrite.ts";
import type { Format } from "./table.ts";
import { isObject, type Path, valueAt } from "./values.ts";

export interface Exchange {
  readonly format: Format;
  /** The group that holds the servers by name. */
  readonly root: Path;
  /** Those that go. */
  readonly names: readonly string[];
  /** The one that comes. */
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export async function exchangeEntries(text: string, exchange: Exchange): Promise<Edited> {
  const { format, root, names, name, value } = exchange;
  const isFirstKept = !names.includes((await firstIn(text, format, root)) ?? "");
  let edited: Edited = { text, edits: [] };
  for (const each of names) edited = then(edited, await removeEntry(edited.text, format, [...root, each]));
  return then(edited, await insertEntry(edited.text, format, [...root, name], { value }, isFirstKept));
}

/** Which entry stands before all others. Where it stays, so does the comment above it; of one that goes ours takes the place. */
async function firstIn(text: string, format: Format, root: Path): Promise<string | undefined> {
  const document = await read(text, format, (reason) => new TrustError("TGT_NOT_REWRITABLE", reason));
  const offsetOf = (name: string): number => document.keyOffset([...root, name]) ?? Number.POSITIVE_INFINITY;
  const [first] = Object.keys(servers(document.value, root)).sort((a, b) => offsetOf(a) - offsetOf(b));
  return first;
}

const then = ({ edits }: Edited, next: Edited): Edited => ({
  text: next.text,
  edits: [...edits, ...next.edits],
});

export interface Restored {
  readonly text: string;
  /** `exact`: all of it is as it was. `around`: so is all but what was changed since. `entries`: the same entries, in another place. */
  readonly how: "exact" | "around" | "entries";
}

/** `isOurs` tells whether an entry of our name is the one that we put there. */
export async function restoreEntries(
  current: string,
  original: string,
  exchange: Exchange,
  isOurs: (value: unknown) => boolean,
): Promise<Restored> {
  const { format, root, names, name } = exchange;
  const refuse = (reason: string): TrustError => new TrustError("TGT_NOT_REWRITABLE", reason);
  const [now, first] = [await read(current, format, refuse), await read(original, format, refuse)];
  const [present, past] = [servers(now.value, root), servers(first.value, root)];
  const hasOurs = Object.hasOwn(present, name) && isOurs(present[name]);
  if (Object.hasOwn(present, name) && !hasOurs && !isDeepStrictEqual(present[name], past[name]))
    throw refuse(`"${name}" is not the entry that was put there`);
  const wanted = new Map(Object.entries(present));
  if (hasOurs) wanted.delete(name);
  const missing = names.filter((each) => !wanted.has(each));
  for (const each of names) {
    if (wanted.has(each) && !isDeepStrictEqual(wanted.get(each), past[each]))
      throw refuse(`"${shown(each, 80)}" stands there again, with another content`);
    wanted.set(each, past[each]);
  }
  const isRight = async (text: string): Promise<boolean> => {
    const { value, duplicates } = await read(text, format, refuse);
    return (
      duplicates.length <= now.duplicates.length &&
      isDeepStrictEqual(servers(value, root), Object.fromEntries(wanted)) &&
      isDeepStrictEqual(without(value, root), without(now.value, root))
    );
  };

  const there = await exchangeEntries(original, exchange);
  if (current === there.text) return { text: original, how: "exact" };
  const back = takeBack(current, there);
  if (back !== undefined && (await isRight(back).catch(() => false))) return { text: back, how: "around" };

  let text = current;
  if (hasOurs) ({ text } = await removeEntry(text, format, [...root, name]));
  for (const each of [...missing].reverse()) {
    const path = [...root, each];
    ({ text } = await insertEntry(text, format, path, { piece: await pieceOf(original, format, path) }));
  }
  if (!(await isRight(text))) throw refuse("the entries cannot be put back exactly");
  return { text, how: "entries" };
}

function servers(value: unknown, root: Path): Readonly<Record<string, unknown>> {
  const found = valueAt(value, root);
  return isObject(found) ? found : {};
}
