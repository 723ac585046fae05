/** Entries that differ in little: what they share is written once, for all of them. Implements spec/audit-log.md, AUD-2 to AUD-5. */
import { type AuditEvent, isIdLong, MAX_LINE_BYTES } from "./entry.ts";
import { instant } from "./moment.ts";
import type { Plain } from "./plain.ts";
import { Sheet } from "./sheet.ts";
import { eventLine, HOLE, type Placed, type Redact, SLOT, valueText } from "./write-entry.ts";

/** An event of a form, and what it has of its own. */
export interface Filled {
  readonly form: Form;
  readonly actor?: string | undefined;
  readonly id?: Plain | undefined;
  /** For the slots, in the order in which they are written. */
  readonly values: readonly (Plain | number)[];
}

/** What stands between the values, as long as the same is hidden. */
interface Shared {
  readonly redact: Redact;
  readonly pieces: readonly string[];
  /** The last line of each who asks; null where it cannot be one. */
  readonly sheets: Map<string | undefined, Sheet | null>;
}

/** So many who ask have a line of their own. */
const MOST_ACTORS = 32;

export class Form {
  /** With slots in its data. */
  readonly event: Omit<AuditEvent, "actor" | "id">;
  #shared: Shared | undefined;

  constructor(event: Omit<AuditEvent, "actor" | "id">) {
    this.event = event;
  }

  /** The same line that the event would have with these values. */
  line(filled: Filled, placed: Placed): string {
    const { pieces } = this.#sharedFor(filled, placed);
    const texts = textsOf(filled, placed);
    let line = pieces[0] as string;
    for (let each = 0; each < texts.length; each++) line += `${texts[each]}${pieces[each + 1]}`;
    return line;
  }

  /** The same as bytes; undefined where it has to be written as a text. */
  sheet(filled: Filled, placed: Placed): Sheet | undefined {
    if (filled.id !== undefined && !isIdLong(filled.id)) return undefined;
    const { actor, values } = filled;
    const { pieces, sheets } = this.#sharedFor(filled, placed);
    const last = sheets.get(actor);
    if (last === null) return undefined;
    if (last?.put(values, placed)) return last;
    const sheet = Sheet.of(pieces, textsOf(filled, placed));
    const isOne = sheet?.put(values, placed) && sheet.line.length <= MAX_LINE_BYTES;
    if (isOne || !sheet) {
      if (sheets.size >= MOST_ACTORS) sheets.clear();
      sheets.set(actor, sheet ?? null);
    } else sheets.delete(actor);
    return isOne ? sheet : undefined;
  }

  #sharedFor({ values }: Filled, { redact }: Placed): Shared {
    if (this.#shared?.redact !== redact)
      this.#shared = { redact, pieces: this.#piecesFor(redact), sheets: new Map() };
    const { pieces } = this.#shared;
    if (pieces.length !== values.length + OWN_PIECES)
      throw new RangeError(`an event has ${values.length} values and its form other slots`);
    return this.#shared;
  }

  #piecesFor(redact: Redact): readonly string[] {
    return eventLine(this.event, SLOT, { id: HOLE, n: HOLE, prev: HOLE, redact }, HOLE).split(HOLE);
  }
}

/** Around who asked, and when, and the id, the number and the entry before: every event has these. */
const OWN_PIECES = 6;

const textsOf = ({ actor, values }: Filled, { now, id, n, prev, redact }: Placed): readonly string[] => [
  valueText(actor, redact),
  instant(now),
  ...values.map((value) => (typeof value === "string" ? `"${value}"` : valueText(value, redact))),
  id,
  String(n),
  prev,
];
