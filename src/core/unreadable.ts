/** A file that cannot be read, in words: the system's own say the path twice, and a code. */
import { defined } from "./defined.ts";
import { TrustError } from "./errors.ts";

/** What to do where a file that is no `touchstone.yml` is not there. */
export interface FileHints {
  readonly absent?: string;
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
  EISDIR: "not a regular file",
};

export function unreadable(file: string, cause: unknown, { absent }: FileHints = {}): TrustError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT")
    return new TrustError("CFG_NOT_FOUND", `${file}: no such file`, { cause, ...defined({ hint: absent }) });
  return new TrustError("CFG_UNREADABLE", `${file}: ${WHY[code] ?? message}`, { cause });
}
