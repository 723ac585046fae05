/** Writes recordings: append-only, streaming, secrets replaced before anything is hashed. Implements spec/recording.md, REC-1 to REC-11. */
import { closeSync, openSync, writeSync } from "node:fs";
import { TrustError } from "../../core/index.ts";
import { type EventFields, frameMembers, RECORDING_FORMAT } from "./format.ts";
import { type Redactor, redactor } from "./redact.ts";

/** What a channel tells about one peer. `era` is stamped on each line and changes once it is known. */
export interface Tap {
  era: "legacy" | "modern" | "unknown";
  event(ev: string, fields?: EventFields): void;
  frame(ev: string, fields: EventFields, raw: Buffer | string): void;
}

export interface Recorder {
  /** A tap for one peer of the run. */
  peer(name: string): Tap;
  event(ev: string, fields?: EventFields): void;
  /** Writes what is left and the closing line. Fails if any part of the recording could not be written. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Values that must not reach the file: header values, env values, tokens. */
  readonly secrets?: readonly string[];
  readonly now?: () => number;
  /** Members for the opening line: target, command line, tool version. */
  readonly about?: EventFields;
}

/** A line as text. One that no string can hold is recorded as such instead of ending us. */
function lineOf(event: object, place: object): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    return JSON.stringify({ ...place, ev: "unrecordable", reason: (cause as Error).message });
  }
}

/** A recorder that hands finished lines to `write`. */
export function createRecorder(write: (line: string) => void, options: RecorderOptions = {}): Recorder {
  const now = options.now ?? Date.now;
  const redact: Redactor | undefined = redactor(options.secrets ?? []);
  const started = now();
  let seq = 0;
  let isClosed = false;

  const line = (ev: string, fields: EventFields, frame: object = {}): void => {
    if (isClosed) return;
    const clean = redact ? (redact.value(fields) as EventFields) : fields;
    const place = { seq, t_ms: now() - started, ev };
    // Given twice: first for the order of members, last so that no member can take their place.
    write(`${lineOf({ ...place, ...clean, ...frame, ...place }, place)}\n`);
    seq += 1;
  };
  const frame = (ev: string, fields: EventFields, raw: Buffer | string): void => {
    const bytes = typeof raw === "string" ? Buffer.from(raw, "utf8") : raw;
    const clean = redact
      ? redact.frame(bytes, fields.oversized === true || fields.unterminated === true)
      : { bytes, count: 0 };
    const members = frameMembers(clean.bytes);
    line(ev, fields, clean.count === 0 ? members : { ...members, redacted: clean.count });
  };

  line("recording", { format: RECORDING_FORMAT, started: new Date(started).toISOString(), ...options.about });
  return {
    event: (ev, fields = {}) => line(ev, fields),
    peer(name) {
      const tap: Tap = {
        era: "unknown",
        event: (ev, fields = {}) => line(ev, { peer: name, era: tap.era, ...fields }),
        frame: (ev, fields, raw) => frame(ev, { peer: name, era: tap.era, ...fields }, raw),
      };
      return tap;
    },
    async close() {
      line("end", { events: seq });
      isClosed = true;
    },
  };
}

/** A server that talks without end must not fill the disk; the recording then says where it stopped. */
const MAX_FILE_CHARS = 1024 * 1024 * 1024;
const FLUSH_CHARS = 64 * 1024;
const FLUSH_MS = 20;

/** A recorder into a new file that only its owner can read. An existing file is refused. */
export function recordToFile(path: string, options: RecorderOptions = {}): Recorder {
  let failure: TrustError | undefined;
  const fail = (cause: unknown): TrustError =>
    new TrustError("WIRE_RECORDING_FAILED", `${path}: ${(cause as Error).message}`, { cause });
  let fd: number;
  try {
    fd = openSync(path, "wx", 0o600);
  } catch (cause) {
    throw fail(cause);
  }
  let held: string[] = [];
  let heldChars = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = Buffer.from(held.join(""), "utf8");
    held = [];
    heldChars = 0;
    try {
      for (let at = 0; at < text.length && !failure; ) at += writeSync(fd, text, at);
    } catch (cause) {
      failure = fail(cause);
    }
  };
  let written = 0;
  const recorder = createRecorder((line) => {
    if (failure) return;
    written += line.length;
    if (written > MAX_FILE_CHARS) {
      failure ??= new TrustError("WIRE_RECORDING_FAILED", `${path}: more than ${MAX_FILE_CHARS} characters`);
      return;
    }
    held.push(line);
    heldChars += line.length;
    if (heldChars >= FLUSH_CHARS) flush();
    else timer ??= setTimeout(flush, FLUSH_MS).unref();
  }, options);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await recorder.close();
    flush();
    closeSync(fd);
    if (failure) throw failure;
  };
  return { ...recorder, close: () => (closing ??= close()) };
}
