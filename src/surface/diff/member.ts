/** One member of something that is new, gone or different. */
import { shown } from "../../core/index.ts";
import { type Change, type ChangeKind, excerpt, excerpts, written } from "./change.ts";

export function memberChange(
  kind: ChangeKind,
  subject: string,
  member: string,
  before: unknown,
  after: unknown,
): Change {
  const name = shown(member, 200);
  if (before === undefined)
    return { kind, subject, message: `${name} is new`, after: excerpt(written(after)) };
  if (after === undefined)
    return { kind, subject, message: `${name} is gone`, before: excerpt(written(before)) };
  return { kind, subject, message: `${name} changed`, ...excerpts(written(before), written(after)) };
}
