/** Entries that differ in little: what they share is written once, for all of them. Implements spec/audit-log.md, AUD-2 to AUD-5. */
import type { AuditEvent } from "./entry.ts";
import { eventLine, HOLE, type Placed, type Redact, SLOT, valueText } from "./write-entry.ts";

/** An event of a form, and what it has of its own. */
export interface Filled {
  readonly form: Form;
  readonly actor?: string | undefined;
  readonly id?: string | undefined;
  /** For the slots, in the order in which they are written. */
  readonly values: readonly (string | number)[];
}

export class Form {
  /** With slots in its data. */
  readonly event: Omit<AuditEvent, "actor" | "id">;
  /** What stands between the values, as long as the same is hidden. */
  #shared: { readonly redact: Redact; readonly pieces: readonly string[] } | undefined;

  constructor(event: Omit<AuditEvent, "actor" | "id">) {
    this.event = event;
  }

  /** The same line that the event would have with these values. */
  line({ actor, values }: Filled, { at, id, n, prev, redact }: Placed): string {
    if (this.#shared?.redact !== redact) this.#shared = { redact, pieces: this.#piecesFor(redact) };
    const { pieces } = this.#shared;
    const slots = values.length;
    if (pieces.length !== slots + OWN_PIECES)
      throw new RangeError(`an event has ${slots} values and its form other slots`);
    let line = `${pieces[0]}${valueText(actor, redact)}${pieces[1]}${at}${pieces[2]}`;
    for (let slot = 0; slot < slots; slot++) line += `${valueText(values[slot], redact)}${pieces[slot + 3]}`;
    return `${line}${id}${pieces[slots + 3]}${n}${pieces[slots + 4]}${prev}${pieces[slots + 5]}`;
  }

  #piecesFor(redact: Redact): readonly string[] {
    return eventLine(this.event, SLOT, { at: HOLE, id: HOLE, n: HOLE, prev: HOLE, redact }).split(HOLE);
  }
}

/** Around who asked, and when, and the id, the number and the entry before: every event has these. */
const OWN_PIECES = 6;
