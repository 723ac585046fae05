/** How requests ended, in the few words that tables of cases use. */
import type { Id, Outcome, Session } from "../../src/wire/index.ts";

/** The kind of an outcome, and what tells it further. */
export function told(outcome: Outcome): string {
  switch (outcome.kind) {
    case "malformed":
      return `malformed ${outcome.fault}`;
    case "error":
      return outcome.withoutId ? "error without id" : "error";
    case "crashed":
      return `crashed ${outcome.exit.signal ?? outcome.exit.code}`;
    default:
      return outcome.kind;
  }
}

/** The strays of a session so far, sorted. */
export const straysOf = ({ strays }: Session): string[] =>
  [...strays.counts].flatMap(([reason, times]) => Array<string>(times).fill(reason)).sort();

/** Bytes with the id of the request in place of `<id>`. */
export function filledIn(bytes: string | Buffer, id: Id): Buffer {
  const text = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  return Buffer.from(text.toString("latin1").replaceAll("<id>", String(id)), "latin1");
}
