/** Writes a log: entries in the order of their events, one write for all of a moment, and nothing told as written that is not.
 *  Implements spec/audit-log.md, AUD-12 to AUD-16. */
import { randomBytes } from "node:crypto";
import { TrustError } from "../core/index.ts";
import { Batch } from "./batch.ts";
import { signCheckpoint } from "./checkpoint.ts";
import { Disk } from "./disk.ts";
import type { AuditEvent } from "./entry.ts";
import type { Filled } from "./form.ts";
import { Growth } from "./growth.ts";
import { DEFAULTS, type LogOptions, type Receipt } from "./log-options.ts";
import { isInstantMs, type Moment, newMoment } from "./moment.ts";
import { isKeyName, type VerifierKey, verifierKey } from "./note.ts";
import { Pace } from "./pace.ts";
import type { Plain } from "./plain.ts";
import { recover } from "./recover.ts";
import { firstKept, segmentsBelow } from "./retention.ts";
import type { Sheet } from "./sheet.ts";
import type { Store } from "./store/store.ts";
import { Hashes } from "./tree.ts";
import { FORMAT, segmentName } from "./verify.ts";
import { entryLine, type Redact } from "./write-entry.ts";

/** What is durable already: for this nobody has to wait. */
export const DURABLE: Promise<void> = Promise.resolve();

/** So many wait for each other at most: the system takes them from there, while others go on. */
const MOST_TOGETHER = 8;
/** So often in one turn. Who waits goes on at once then, and might never let timers and the disk have their turn. */
const MOST_EARLY = 4;

/** Opens the log of a store, and recovers it where a crash has left something behind. Closes the store where that fails. */
export async function openLog(store: Store, options: LogOptions): Promise<AuditLog> {
  try {
    if (!isKeyName(options.origin))
      throw new Error(`a log cannot be called ${JSON.stringify(options.origin)}`);
    const key = verifierKey(options.origin, options.key.publicKey);
    const end = recover(store.files, key);
    if (end.cutCheckpoints !== undefined) store.cutCheckpoints(end.cutCheckpoints);
    for (const { first, hashes } of end.unkept) await store.keepHashes(first, hashes);
    return await AuditLog.begin(store, options, key, end);
  } catch (cause) {
    await store.close();
    throw cause instanceof TrustError ? cause : unwritable(cause);
  }
}

export class AuditLog {
  readonly key: VerifierKey;
  readonly #store: Store;
  readonly #options: Required<Omit<LogOptions, "keepMs" | "onFailure">> & LogOptions;
  readonly #isSynced: boolean;
  readonly #growth: Growth;
  #size: number;
  #head: string;
  #signed: number;
  #signedAt = Number.NEGATIVE_INFINITY;
  /** So many entries the system has. */
  #written: number;
  readonly #disk: Disk;
  #segment: { readonly first: number; readonly ends: number; bytes: number };
  readonly #batch = new Batch();
  /** When the last entry was made. */
  #now: number;
  #redact: Redact;
  /** Ids are of this run, and then by number: nobody can take one for that of another log. */
  readonly #run = `e-${randomBytes(6).toString("hex")}`;
  #moment: Moment | undefined;
  readonly #pace = new Pace();
  #early = 0;
  #failure: TrustError | undefined;
  #isClosing = false;
  #signTimer: NodeJS.Timeout | undefined;
  #isDue = false;
  /** Rotations and checkpoints, one after another. */
  #upkeep: Promise<void> = Promise.resolve();

  private constructor(store: Store, options: LogOptions, key: VerifierKey, end: ReturnType<typeof recover>) {
    this.#store = store;
    this.#options = { ...DEFAULTS, ...options };
    this.#now = this.#options.now();
    this.#isSynced = this.#options.durability === "synced";
    this.#redact = this.#options.redact;
    this.key = key;
    this.#size = end.tree.size;
    this.#head = end.head;
    this.#signed = end.signed;
    this.#written = end.tree.size;
    // What was there before may not be on the disk either.
    this.#disk = new Disk(store, this.#options, end.signed, (cause) => this.#fail(cause));
    const { first = 0, hashes = new Hashes(), bytes = 0 } = end.segment ?? {};
    this.#growth = new Growth(end.tree, hashes);
    this.#segment = { first, ends: this.#now + this.#options.segmentMs, bytes };
  }

  static async begin(
    store: Store,
    options: LogOptions,
    key: VerifierKey,
    end: ReturnType<typeof recover>,
  ): Promise<AuditLog> {
    const log = new AuditLog(store, options, key, end);
    const { segment, torn } = end;
    let data: Record<string, unknown> = { event: "opened", ...(torn ? { torn } : {}) };
    if (torn && segment && segment.hashes.count > 0) {
      await store.keepHashes(segment.first, segment.hashes.bytes);
      log.#begin();
      data = { event: "recovered", segment: segmentName(segment.first), torn };
    } else {
      if (torn && segment) store.cutSegment(segment.first);
      store.begin(log.#segment.first);
    }
    if (log.size === 0) {
      await store.keepKey(key.text);
      data = { event: "created", format: FORMAT, key: key.text, origin: options.origin };
    }
    await log.append({ type: "log", data }).durable;
    await log.checkpoint();
    return log;
  }

  /** Entries so far. */
  get size(): number {
    return this.#size;
  }

  /** Why nothing more can be written. Nothing may take effect then. */
  get failure(): TrustError | undefined {
    return this.#failure;
  }

  /** From the next entry on. */
  redactBy(redact: Redact = DEFAULTS.redact): void {
    this.#redact = redact;
  }

  /** Throws where the log has failed or is closed, and where an event cannot be an entry. `others`: so many more whoever appends it knows to
   *  be at work, where that is known. With none, nothing is kept until the end of the turn for them to come. */
  append(event: AuditEvent | Filled, others?: number): Receipt {
    if (this.#failure) throw this.#failure;
    if (this.#isClosing) throw new TrustError("AUD_UNWRITABLE", "the log is closed");
    const n = this.#size;
    const now = this.#options.now();
    if (!isInstantMs(now)) throw new TrustError("AUD_UNWRITABLE", `the clock says ${now}`);
    // One that is not our own is looked at where its line is made.
    const id = (event.id ?? `${this.#run}-${n}`) as Plain;
    const placed = { n, prev: this.#head, now, id, redact: this.#redact };
    const sheet = "form" in event ? event.form.sheet(event, placed) : undefined;
    this.#head = sheet?.leafHash() ?? this.#batch.add(entryLine(event, placed));
    this.#growth.add(this.#head);
    this.#size = n + 1;
    this.#now = now;
    if (!this.#isDue && this.#size - this.#signed >= this.#options.checkpointEvery) this.#signSoon(true);
    return { id, n, durable: this.#durable(sheet, others) };
  }

  /** What comes alone is written at once. Of more, all that is at hand goes into one write, and timers and the disk get their turn; where others
   *  are at work who wait for these, sooner. */
  #durable(sheet: Sheet | undefined, others: number | undefined): Promise<void> {
    const isAtOnce = !this.#moment && !this.#isSynced && this.#pace.isAlone(others === 0);
    if (isAtOnce) return this.#write(sheet?.line ?? this.#batch.take()) ? DURABLE : refused(this.#failure);
    // The next one of its form is put over it.
    if (sheet) this.#batch.copy(sheet.line);
    const isFirst = !this.#moment;
    this.#moment ??= newMoment();
    const { durable } = this.#moment;
    if (isFirst)
      setImmediate(() => {
        this.#early = 0;
        this.#flush();
      });
    else if (
      others &&
      !this.#isSynced &&
      this.#early < MOST_EARLY &&
      this.#size - this.#written >= MOST_TOGETHER
    ) {
      this.#early += 1;
      this.#flush();
    }
    return durable;
  }

  #flush(): void {
    const moment = this.#moment;
    if (!moment) return;
    this.#moment = undefined;
    this.#pace.waited(this.#size - this.#written);
    const lines = this.#batch.take();
    if (!this.#write(lines, this.#isSynced ? moment : undefined)) moment.failed(this.#failure as TrustError);
    else if (!this.#isSynced) moment.done();
  }

  /** Lines, and whom to tell once the disk has them. Whether they could be written. */
  #write(lines: Buffer, unsynced?: Moment): boolean {
    if (this.#failure) return false;
    try {
      this.#store.write(lines);
    } catch (cause) {
      this.#fail(cause);
      return false;
    }
    this.#written = this.#size;
    this.#disk.follow(this.#written, unsynced);
    this.#growth.soon();
    if (!this.#signTimer) this.#signSoon(false);
    const segment = this.#segment;
    segment.bytes += lines.length;
    if (segment.bytes >= this.#options.segmentBytes || this.#now >= segment.ends) this.#rotate();
    return true;
  }

  /** Closes the segment at the end of what is written, and begins the next. */
  #rotate(): void {
    const { first } = this.#segment;
    try {
      const hashes = this.#begin();
      this.#beside(async () => {
        await this.#store.keepHashes(first, hashes);
        await this.#prune();
      });
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** Gives the hashes of the segment before. */
  #begin(): Buffer {
    const first = this.#size;
    this.#store.begin(first);
    this.#segment = { first, ends: this.#options.now() + this.#options.segmentMs, bytes: 0 };
    return this.#growth.next();
  }

  /** Drops what is older than is kept, once an entry says so and a checkpoint covers it. */
  async #prune(): Promise<void> {
    const { keepMs, now } = this.#options;
    if (keepMs === undefined || this.#isClosing) return;
    await this.#dropBelow(firstKept(this.#store.files, this.#signed, now() - keepMs));
  }

  /** Removes the segments whose entries are all below this number. Gives how many. */
  prune(before: number): Promise<number> {
    return this.#later(() => this.#dropBelow(before));
  }

  async #dropBelow(before: number): Promise<number> {
    const old = segmentsBelow(this.#store.files, before);
    const [first, last] = [old[0], old.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const kept = segmentsBelow(this.#store.files, Number.POSITIVE_INFINITY).find((each) => each > last);
    this.append({ type: "log", data: { event: "pruned", before: kept ?? this.#segment.first } });
    await this.#sign();
    for (const each of old) await this.#store.drop(each);
    return old.length;
  }

  /** In a while, or as soon as the last one is old enough. */
  #signSoon(isDue: boolean): void {
    if (this.#failure || this.#isClosing || (this.#signTimer && !isDue)) return;
    clearTimeout(this.#signTimer);
    this.#isDue = isDue;
    const { checkpointMs, restMs, now } = this.#options;
    const wait = isDue ? Math.max(0, this.#signedAt + restMs - now()) : checkpointMs;
    this.#signTimer = setTimeout(() => {
      this.#signTimer = undefined;
      this.#beside(() => this.#sign());
    }, wait);
    this.#signTimer.unref();
  }

  /** Signs everything that is written so far, once it is on the disk. */
  checkpoint(): Promise<void> {
    return this.#later(() => this.#sign());
  }

  async #sign(): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#flushNow();
    const [size, head] = [this.#size, this.#head];
    if (size === this.#signed) return;
    const root = this.#growth.root();
    await this.#disk.has(size);
    if (this.#failure) throw this.#failure;
    const { origin, key, now } = this.#options;
    this.#signedAt = now();
    const time = new Date(this.#signedAt).toISOString();
    await this.#store.addCheckpoint(signCheckpoint({ origin, size, root, head, time }, key));
    this.#signed = size;
    this.#isDue = false;
  }

  #flushNow(): void {
    if (this.#moment) this.#flush();
  }

  /** One after another; the first that fails ends the log. */
  #later<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#upkeep.then(work);
    this.#upkeep = done.then(
      () => {},
      (cause: unknown) => void this.#fail(cause),
    );
    return done;
  }

  #beside(work: () => Promise<void>): void {
    // Who asked for nothing learns of it by the failure of the log.
    this.#later(work).catch(() => {});
  }

  /** Nothing is written any more: who asks is told why. */
  #fail(cause: unknown): TrustError {
    if (this.#failure) return this.#failure;
    const failure = cause instanceof TrustError ? cause : unwritable(cause);
    this.#failure = failure;
    clearTimeout(this.#signTimer);
    this.#disk.fail(failure);
    this.#options.onFailure?.(failure);
    return failure;
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#flushNow();
    try {
      if (!this.#failure) await this.checkpoint();
    } finally {
      this.#isClosing = true;
      // What came while the last checkpoint was made.
      this.#flushNow();
      await this.#disk.has(this.#written);
      this.#disk.rest();
      clearTimeout(this.#signTimer);
      await this.#upkeep;
      await this.#store.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function refused(failure: TrustError | undefined): Promise<void> {
  const durable = Promise.reject(failure);
  // Who does not wait for it learns of it by the failure of the log.
  durable.catch(() => {});
  return durable;
}

const unwritable = (cause: unknown): TrustError =>
  new TrustError("AUD_UNWRITABLE", (cause as Error).message, { cause });
