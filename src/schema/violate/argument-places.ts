/** Every place of valid arguments that has a type, for those who put odd values there. */
import { operands } from "../generate/members.ts";
import type { Path } from "../generate/place.ts";
import { described, hasNamed, type Type, typesOf } from "../generate/types.ts";
import { isTimeLike } from "../generate/words.ts";
import { budget, openWork, unlessTooDeep } from "../generate/work.ts";
import { spotsOf } from "./places.ts";

export interface ArgumentPlace {
  readonly path: Path;
  readonly types: readonly Type[];
  readonly format?: string;
  /** What stands there in the given arguments; `undefined` where nothing does. */
  readonly value: unknown;
  readonly isRequired: boolean;
  /** The schema lists what may stand here. */
  readonly isChoice: boolean;
  /** A number here makes a server wait. */
  readonly isTime: boolean;
}

const DEFAULT_STEPS = 200_000;

/** Outer places first; the arguments themselves are none. */
export function argumentPlaces(
  schema: unknown,
  valid: Readonly<Record<string, unknown>>,
  { maxSteps = DEFAULT_STEPS }: { readonly maxSteps?: number } = {},
): readonly ArgumentPlace[] {
  const work = openWork(schema, {}, budget(maxSteps), false);
  const found: ArgumentPlace[] = [];
  unlessTooDeep(() => {
    for (const { path, parts, value, isRequired } of spotsOf(work, work.root, valid)) {
      const isTyped = [...operands(parts, "type")].length > 0 || hasNamed(parts);
      if (path.length === 0 || !isTyped) continue;
      const format = [...operands(parts, "format")].find((name) => typeof name === "string");
      const name = path.findLast((step) => typeof step === "string") ?? "";
      found.push({
        path,
        types: typesOf(parts),
        ...(format === undefined ? {} : { format }),
        value,
        isRequired,
        isChoice: hasNamed(parts),
        isTime: isTimeLike(name, described(parts)),
      });
    }
  });
  return found;
}
