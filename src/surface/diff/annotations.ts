/** Changed hints, with what each direction means: clients decide by them whether to ask a person first.
 *  Implements spec/surface.md, SUR-12. */
import { isRecord } from "../../wire/index.ts";
import { comparable } from "../digest.ts";
import type { Change } from "./change.ts";
import { memberChange } from "./member.ts";

interface Hint {
  /** What MCP takes for granted where nothing is said. */
  readonly usual: boolean;
  readonly toTrue: string;
  readonly toFalse: string;
}

const HINTS: Readonly<Record<string, Hint>> = {
  readOnlyHint: {
    usual: false,
    toTrue: "it claims now to only read, so clients may call it without asking",
    toFalse: "it no longer claims to only read: what was let through as harmless may change things",
  },
  destructiveHint: {
    usual: true,
    toTrue: "it may destroy now, where it claimed only to add",
    toFalse: "it claims now to destroy nothing, so clients may call it without asking",
  },
  idempotentHint: {
    usual: false,
    toTrue: "it claims now that calling it twice does no more than once",
    toFalse: "calling it twice may do more than once now",
  },
  openWorldHint: {
    usual: true,
    toTrue: "it may reach out to other systems now, where it claimed not to",
    toFalse: "it claims now to stay within its own data",
  },
};

export function annotationChanges(subject: string, before: unknown, after: unknown): Change[] {
  if (!isRecord(before ?? {}) || !isRecord(after ?? {}))
    return [memberChange("annotation", subject, "annotations", before, after)];
  const [old, now] = [(before ?? {}) as Record<string, unknown>, (after ?? {}) as Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changes = names.flatMap((name) => {
    const was = Object.hasOwn(old, name) ? old[name] : undefined;
    const is = Object.hasOwn(now, name) ? now[name] : undefined;
    if (comparable(was) === comparable(is)) return [];
    const hint = Object.hasOwn(HINTS, name) ? HINTS[name] : undefined;
    if (hint && isHint(was) && isHint(is)) return [flipped(subject, name, hint, was, is)];
    return [memberChange(name === "title" ? "prose" : "annotation", subject, `annotations.${name}`, was, is)];
  });
  // `{}` and no annotations at all differ by a member, and by nothing inside it.
  return changes.length > 0 ? changes : [memberChange("annotation", subject, "annotations", before, after)];
}

const isHint = (value: unknown): value is boolean | undefined =>
  value === undefined || typeof value === "boolean";

function flipped(
  subject: string,
  name: string,
  hint: Hint,
  before: boolean | undefined,
  after: boolean | undefined,
): Change {
  const [was, is] = [before ?? hint.usual, after ?? hint.usual];
  const meaning = was === is ? "which is what was taken for granted before" : is ? hint.toTrue : hint.toFalse;
  const said = (value: boolean | undefined): string => (value === undefined ? "unsaid" : String(value));
  const message = `${name} ${said(before)} -> ${said(after)}: ${meaning}`;
  return { kind: "annotation", subject, message };
}
