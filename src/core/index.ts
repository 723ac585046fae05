/** Shared values that every room speaks: errors, findings, text, strict config reading.
 *  Imports nothing of ours; does no I/O but reading a file it is told to read. */
export { asText, bounded } from "./bounded.ts";
export { byUnits, CanonicalError, type CanonicalOptions, canonicalJson } from "./canonical.ts";
export { type Placed, readConfig, readConfigFile, readPlacedFile, readTextFile } from "./config.ts";
export { defined } from "./defined.ts";
export { asTrustError, type ErrorCode, type ExitCode, TrustError } from "./errors.ts";
export { type Finding, finding, type RuleId, type Severity } from "./finding.ts";
export { isSource, ownFile, ownProgram } from "./own.ts";
export { Recent } from "./recent.ts";
export { errorTable, ruleTable } from "./registry.ts";
export { lookAlikes, skeleton } from "./skeleton.ts";
export { didYouMean, suggest } from "./suggest.ts";
export { dayOf, type Ignore, type Suppressed, type Suppression, suppress } from "./suppressions.ts";
export { IGNORE_FILE, readIgnoreFile, readIgnores } from "./suppressions-file.ts";
export { tellingLines } from "./telling.ts";
export { count, shown, urlTold } from "./text.ts";
export { unreadable } from "./unreadable.ts";
