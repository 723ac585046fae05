/** What the hash of a contract record covers: canonical form `audit-record-contract/1` of SEP-3004. It is not RFC 8785: texts are
 *  normalised, names are in the order of code points, and there are neither numbers nor lists. */
import { createHash } from "node:crypto";
import { shown } from "../../core/index.ts";

export const CANONICAL_FORM = "audit-record-contract/1";
export const MAX_TEXT_UNITS = 8192;
/** No text loses more than three quarters of its units by NFC; some, all of marks, take time that grows with the square. */
const MAX_RAW_UNITS = 4 * MAX_TEXT_UNITS;
/** Objects within each other, the record counted. */
const MAX_DEPTH = 64;

/** Why a value has no canonical form. `name` is that of a member with a character no text may hold. */
export type FormProblem = "missing" | "value" | "control" | "surrogate" | "length" | "name" | "depth";
/** `at` says where in the record. */
export interface FormFault {
  readonly fault: FormProblem;
  readonly at: string;
}

/** All but `event_hash`, in the order they are hashed. What else stands at the top of a record is ignored, as the contract wants. */
const COVERED = [
  "event_id",
  "event_type",
  "extensions",
  "occurred_at",
  "outcome",
  "previous_hash",
  "principal_id",
  "tool_name",
] as const;

export function preimage(record: unknown): { readonly text: string } | FormFault {
  if (!isObject(record)) return { fault: "value", at: "" };
  const parts: string[] = [];
  for (const name of COVERED) {
    if (!Object.hasOwn(record, name)) return { fault: "missing", at: name };
    const value = record[name];
    // Only extensions are objects.
    if (isObject(value) !== (name === "extensions")) return { fault: "value", at: name };
    const part = written(value, name, 1);
    if (typeof part !== "string") return part;
    parts.push(`"${name}":${part}`);
  }
  return { text: `{${parts.join(",")}}` };
}

export function eventHash(record: unknown): { readonly hash: string } | FormFault {
  const form = preimage(record);
  return "fault" in form ? form : { hash: createHash("sha256").update(form.text).digest("hex") };
}

function written(value: unknown, at: string, depth: number): string | FormFault {
  const fault = (problem: FormProblem): FormFault => ({ fault: problem, at: shown(at, 200) });
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    const form = canonicalText(value);
    return "fault" in form ? fault(form.fault) : quoted(form.text);
  }
  if (!isObject(value)) return fault("value");
  // Depth is attacker-controlled: bound it before the stack is.
  if (depth >= MAX_DEPTH) return fault("depth");
  const parts: string[] = [];
  for (const name of Object.keys(value).sort(byCodePoints)) {
    // Names are not normalised; but these cannot be written at all.
    if (UNWRITABLE.test(name)) return fault("name");
    const part = written(value[name], `${at}.${name}`, depth + 1);
    if (typeof part !== "string") return part;
    parts.push(`${quoted(name)}:${part}`);
  }
  return `{${parts.join(",")}}`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** The order of UTF-8. That of UTF-16 puts what is above U+FFFF before U+E000. */
export const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const CONTROL = /\p{Cc}/u;
const SURROGATE = /\p{Surrogate}/u;
const UNWRITABLE = /[\p{Cc}\p{Surrogate}]/u;
const EACH_UNWRITABLE = /[\p{Cc}\p{Surrogate}]/gu;

/** A text as it is hashed: equal texts in other writings become the same. */
export function canonicalText(text: string): { readonly text: string } | { readonly fault: FormProblem } {
  const trimmed = withoutSpaceAround(text);
  if (trimmed.length > MAX_RAW_UNITS) return { fault: "length" };
  if (CONTROL.test(trimmed)) return { fault: "control" };
  if (SURROGATE.test(trimmed)) return { fault: "surrogate" };
  const normal = trimmed.normalize("NFC");
  return normal.length > MAX_TEXT_UNITS ? { fault: "length" } : { text: normal };
}

/** The nearest text that is its own canonical form: what cannot be written becomes U+FFFD, what is too long is cut. */
export function fitted(text: string): string {
  const bounded = withoutSpaceAround(text).slice(0, MAX_RAW_UNITS).replace(EACH_UNWRITABLE, "\ufffd");
  // Every part of a text in NFC is in NFC, so it can be cut afterwards.
  const cut = bounded.normalize("NFC").slice(0, MAX_TEXT_UNITS);
  return withoutSpaceAround(/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut);
}

/** U+0020 alone; other white space is content. By hand, since a pattern would look at each run of spaces many times. */
function withoutSpaceAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === " ") start += 1;
  while (end > start && text[end - 1] === " ") end -= 1;
  return text.slice(start, end);
}

/** As JSON has them: not a list, and without a class of its own. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}
