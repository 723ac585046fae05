/** Errors about us or our input. Codes, exit codes and hints come from spec/registry/errors.json. */
import { errorTable } from "./registry.ts";

export type ErrorCode = keyof typeof errorTable;
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

export class TrustError extends Error {
  override readonly name = "TrustError";
  readonly code: ErrorCode;
  /** The next step for this very case, where the registry's general hint is not enough. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? errorTable[code].hint;
  }

  get exit(): ExitCode {
    return errorTable[this.code].exit;
  }
}

/** Turns anything thrown into a TrustError; what is not ours is a fault of ours. */
export function asTrustError(thrown: unknown): TrustError {
  if (thrown instanceof TrustError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new TrustError("INTERNAL", message, { cause: thrown });
}
