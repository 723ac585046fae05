/** What changed in one tool, resource, template or prompt that is still there. */
import { isRecord } from "../../wire/index.ts";
import { comparable } from "../digest.ts";
import { proseOf, withoutProse } from "../schema/parts.ts";
import { relation } from "../schema/relation.ts";
import { annotationChanges } from "./annotations.ts";
import { type Change, excerpts, written } from "./change.ts";
import { memberChange } from "./member.ts";

const PROSE = new Set(["title", "description"]);
const SCHEMAS = new Set(["inputSchema", "outputSchema"]);
/** A schema with more changed texts than this is shown as far. */
const MAX_TEXTS = 30;

/** All that differs; at least one change when the items differ at all. */
export function itemChanges(subject: string, before: unknown, after: unknown): Change[] {
  if (comparable(before) === comparable(after)) return [];
  if (!isRecord(before) || !isRecord(after))
    return [
      { kind: "member", subject, message: "is another value", ...excerpts(written(before), written(after)) },
    ];
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return members.flatMap((member) => {
    const old = Object.hasOwn(before, member) ? before[member] : undefined;
    const now = Object.hasOwn(after, member) ? after[member] : undefined;
    if (comparable(old) === comparable(now)) return [];
    if (SCHEMAS.has(member)) return schemaChanges(subject, member, old, now);
    if (member === "annotations") return annotationChanges(subject, old, now);
    const kind = PROSE.has(member) ? "prose" : "member";
    return [memberChange(kind, subject, member, old, now)];
  });
}

function schemaChanges(subject: string, member: string, before: unknown, after: unknown): Change[] {
  const texts = proseChanges(subject, member, before, after);
  if (before === undefined || after === undefined)
    return [memberChange("schema-changed", subject, member, before, after), ...texts];
  const { isSuperset, isSubset } = relation(before, after);
  const change = (kind: Change["kind"], meaning: string): Change => ({
    kind,
    subject,
    message: `${member} ${meaning}`,
    ...excerpts(written(before), written(after)),
  });
  if (isSuperset && isSubset) {
    if (comparable(withoutProse(before)) === comparable(withoutProse(after))) return texts;
    return [change("schema-changed", "is written in another way; it takes the same values"), ...texts];
  }
  if (isSuperset) return [change("schema-widened", "takes all it took before, and more"), ...texts];
  if (isSubset) return [change("schema-narrowed", "takes less than before, and nothing new"), ...texts];
  return [change("schema-changed", "changed; whether it takes more or less is not decided"), ...texts];
}

/** Texts inside a schema: a model reads them as it reads the description. */
function proseChanges(subject: string, member: string, before: unknown, after: unknown): Change[] {
  const [old, now] = [proseOf(before), proseOf(after)];
  const places = [...new Set([...old.keys(), ...now.keys()])].filter(
    (place) => old.get(place) !== now.get(place),
  );
  const told = places
    .slice(0, MAX_TEXTS)
    .map((place) =>
      memberChange("prose", subject, `text at ${member}${place}`, old.get(place), now.get(place)),
    );
  const left = places.length - told.length;
  if (left <= 0) return told;
  return [...told, { kind: "prose", subject, message: `${left} more texts in ${member} changed` }];
}
