/** What changed between two surfaces, said so that a person can decide. Pure. Finds something whenever the digests differ.
 *  Implements spec/surface.md, SUR-10. */
import { byUnits, shown } from "../core/index.ts";
import { isRecord } from "../wire/index.ts";
import type { Change } from "./diff/change.ts";
import { itemChanges } from "./diff/item.ts";
import { memberChange } from "./diff/member.ts";
import { comparable, sortedItems } from "./digest.ts";
import { identityOf, LIST_NAMES, type ListName, type Surface, wordFor } from "./surface.ts";

export type { Change, ChangeKind } from "./diff/change.ts";

export function diff(before: Surface, after: Surface): Change[] {
  return [
    ...faceChanges(before, after),
    ...capabilityChanges(before.capabilities, after.capabilities),
    ...LIST_NAMES.flatMap((list) => listChanges(list, before[list], after[list])),
  ];
}

function faceChanges(before: Surface, after: Surface): Change[] {
  const changes: Change[] = [];
  const differs = (a: unknown, b: unknown): boolean => comparable(a) !== comparable(b);
  for (const member of ["era", "protocolVersion", "claims"] as const)
    if (before[member] !== after[member])
      changes.push(memberChange("version", "server", member, before[member], after[member]));
  if (differs(before.info, after.info)) {
    const isPair = isRecord(before.info) && isRecord(after.info);
    const [old, now] = isPair ? [before.info, after.info] : [{ info: before.info }, { info: after.info }];
    changes.push(...members("version", old as object, now as object));
  }
  if (differs(before.instructions, after.instructions))
    changes.push(
      memberChange("instructions", "server", "instructions", before.instructions, after.instructions),
    );
  return changes;
}

function capabilityChanges(before: unknown, after: unknown): Change[] {
  if (comparable(before) === comparable(after)) return [];
  if (!isRecord(before) || !isRecord(after))
    return [memberChange("capability", "server", "capabilities", before, after)];
  return members("capability", before, after).map((change) => ({
    ...change,
    message: `capability ${change.message}`,
  }));
}

/** Each member that differs. */
function members(kind: Change["kind"], before: object, after: object): Change[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => comparable(old.get(key)) !== comparable(now.get(key)))
    .map((key) => memberChange(kind, "server", key, old.get(key), now.get(key)));
}

function listChanges(list: ListName, before: readonly unknown[], after: readonly unknown[]): Change[] {
  const [old, now] = [grouped(list, before), grouped(list, after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort(byUnits);
  const gone = keys.filter((key) => !now.has(key));
  const fresh = keys.filter((key) => !old.has(key));
  const renamed = renames(list, gone, fresh, old, now);
  const origins = new Map([...renamed].map(([from, to]) => [to, from]));
  return keys.flatMap((key): Change[] => {
    const [was, is] = [old.get(key) ?? [], now.get(key) ?? []];
    const subject = subjectOf(list, was[0] ?? is[0]);
    if (is.length === 0) {
      if (renamed.has(key)) return [];
      return was.map((item) => memberChange("removed", subject, wordFor(list), item, undefined));
    }
    if (was.length > 0) return sameNameChanges(list, subject, was, is);
    const from = origins.get(key);
    if (from === undefined)
      return is.map((item) => memberChange("added", subject, wordFor(list), undefined, item));
    const [oldItem, newItem] = [old.get(from)?.[0], is[0]];
    const message = `looks like ${subjectOf(list, oldItem)} under another name`;
    return [
      { kind: "renamed", subject, message },
      ...itemChanges(subject, unnamed(list, oldItem), unnamed(list, newItem)),
    ];
  });
}

function subjectOf(list: ListName, item: unknown): string {
  const identity = identityOf(list, item);
  return identity === undefined
    ? `${wordFor(list)} without a name`
    : `${wordFor(list)} ${shown(identity, 120)}`;
}

/** Items by name or address; those without one under their text, which no name can be. */
function grouped(list: ListName, items: readonly unknown[]): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const item of sortedItems(list, items)) {
    const identity = identityOf(list, item);
    const key = identity === undefined ? `\u0001${comparable(item)}` : `\u0000${identity}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Items of one name on both sides: pairs in their order, and what is left over. */
function sameNameChanges(
  list: ListName,
  subject: string,
  before: readonly unknown[],
  after: readonly unknown[],
): Change[] {
  const texts = (items: readonly unknown[]): string[] => items.map(comparable);
  const [old, now] = [texts(before), texts(after)];
  if (old.join("\n") === now.join("\n")) return [];
  if ([...old].sort(byUnits).join("\n") === [...now].sort(byUnits).join("\n"))
    return [{ kind: "order", subject, message: `stands ${old.length} times, now in another order` }];
  const changes: Change[] = [];
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    if (index >= before.length)
      changes.push(
        memberChange("added", subject, `another ${wordFor(list)} of this name`, undefined, after[index]),
      );
    else if (index >= after.length)
      changes.push(
        memberChange("removed", subject, `a second ${wordFor(list)} of this name`, before[index], undefined),
      );
    else changes.push(...itemChanges(subject, before[index], after[index]));
  }
  return changes;
}

/** From a name that is gone to a new one, where everything else is equal and nothing else could be meant. */
function renames(
  list: ListName,
  gone: readonly string[],
  fresh: readonly string[],
  old: ReadonlyMap<string, readonly unknown[]>,
  now: ReadonlyMap<string, readonly unknown[]>,
): Map<string, string> {
  const bodies = (keys: readonly string[], from: typeof old): Map<string, string[]> => {
    const byBody = new Map<string, string[]>();
    for (const key of keys) {
      const [only, ...more] = from.get(key) ?? [];
      if (more.length > 0 || !isRecord(only)) continue;
      const body = comparable(unnamed(list, only, true));
      const same = byBody.get(body);
      if (same) same.push(key);
      else byBody.set(body, [key]);
    }
    return byBody;
  };
  const [oldBodies, newBodies] = [bodies(gone, old), bodies(fresh, now)];
  return new Map(
    [...oldBodies].flatMap(([body, from]) => {
      const to = newBodies.get(body) ?? [];
      return from.length === 1 && to.length === 1 ? [[from[0] ?? "", to[0] ?? ""] as const] : [];
    }),
  );
}

/** An item without what names it; for finding its like also without its title. */
function unnamed(list: ListName, item: unknown, isLoose = false): unknown {
  if (!isRecord(item)) return item;
  const identity = identityOf(list, item);
  return Object.fromEntries(
    Object.entries(item).filter(
      ([key, value]) => !(value === identity && KEYS.has(key)) && !(isLoose && key === "title"),
    ),
  );
}

const KEYS = new Set(["name", "uri", "uriTemplate"]);
