/** Writes a log: entries in the order of their events, one write for all of a moment, and nothing told as written that is not.
 *  Implements spec/audit-log.md, AUD-12 to AUD-16. */
import { randomBytes } from "node:crypto";
import type { SigningKey } from "../attest/index.ts";
import { TrustError } from "../core/index.ts";
import { signCheckpoint } from "./checkpoint.ts";
import { type AuditEvent, entryLine } from "./entry.ts";
import { type VerifierKey, verifierKey } from "./note.ts";
import { recover } from "./recover.ts";
import type { Store } from "./store/store.ts";
import { type Frontier, leafHash } from "./tree.ts";
import { FORMAT, numbersOf, segmentName } from "./verify.ts";

export interface LogOptions {
  readonly key: SigningKey;
  /** The name of the log, in its checkpoints: `host/what`, without spaces. */
  readonly origin: string;
  /** When an entry counts: when the system has it, or when the disk has it. */
  readonly durability?: "written" | "synced";
  /** Written is on the disk after this, at the latest. */
  readonly syncMs?: number;
  readonly segmentBytes?: number;
  readonly segmentMs?: number;
  readonly checkpointEvery?: number;
  readonly checkpointMs?: number;
  /** Segments whose last entry is older are dropped when one is closed. */
  readonly keepMs?: number;
  readonly redact?: (text: string) => string;
  /** Told once, when nothing more can be written. */
  readonly onFailure?: (failure: TrustError) => void;
  readonly now?: () => number;
}

export interface Receipt {
  readonly id: string;
  readonly n: number;
  readonly at: string;
}

interface Waiting {
  readonly receipt: Receipt;
  readonly done: (receipt: Receipt) => void;
  readonly failed: (failure: TrustError) => void;
}

const DEFAULTS = {
  durability: "written",
  syncMs: 10,
  segmentBytes: 32 * 1024 * 1024,
  segmentMs: 24 * 3_600_000,
  checkpointEvery: 1000,
  checkpointMs: 10_000,
  now: Date.now,
  redact: (text: string): string => text,
} as const;

/** Opens the log of a store, and recovers it where a crash has left something behind. Closes the store where that fails. */
export async function openLog(store: Store, options: LogOptions): Promise<AuditLog> {
  try {
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
  readonly #tree: Frontier;
  #head: string;
  #signed: number;
  #segment: { readonly first: number; readonly began: number; bytes: number; hashes: Buffer[] };
  #lines = "";
  #waiting: Waiting[] = [];
  #unsynced: Waiting[] = [];
  #failure: TrustError | undefined;
  #isClosing = false;
  #syncing: Promise<void> | undefined;
  #syncTimer: NodeJS.Timeout | undefined;
  #signTimer: NodeJS.Timeout | undefined;
  #isDue = false;
  /** Rotations and checkpoints, one after another. */
  #upkeep: Promise<void> = Promise.resolve();

  private constructor(store: Store, options: LogOptions, key: VerifierKey, end: ReturnType<typeof recover>) {
    this.#store = store;
    this.#options = { ...DEFAULTS, ...options };
    this.key = key;
    this.#tree = end.tree;
    this.#head = end.head;
    this.#signed = end.signed;
    const { first = 0, hashes = [], bytes = 0 } = end.segment ?? {};
    this.#segment = { first, began: this.#options.now(), bytes, hashes: [...hashes] };
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
    if (torn && segment && segment.hashes.length > 0) {
      await store.keepHashes(segment.first, Buffer.concat(segment.hashes));
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
    await log.append({ type: "log", data });
    await log.checkpoint();
    return log;
  }

  /** Entries so far. */
  get size(): number {
    return this.#tree.size;
  }

  /** Why nothing more can be written. Nothing may take effect then. */
  get failure(): TrustError | undefined {
    return this.#failure;
  }

  /** Resolves when the entry is as durable as the log was opened for; rejects when it is not. */
  append(event: AuditEvent): Promise<Receipt> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#isClosing) return Promise.reject(new TrustError("AUD_UNWRITABLE", "the log is closed"));
    const { now, redact, checkpointEvery } = this.#options;
    const n = this.#tree.size;
    const at = new Date(now()).toISOString();
    const id = event.id ?? newId();
    let line: string;
    try {
      line = entryLine(event, { n, prev: this.#head, at, id, redact });
    } catch (cause) {
      return Promise.reject(cause as Error);
    }
    this.#head = leafHash(line);
    const leaf = Buffer.from(this.#head, "hex");
    this.#tree.push(leaf);
    this.#segment.hashes.push(leaf);
    if (this.#lines === "") queueMicrotask(() => this.#flush());
    this.#lines += `${line}\n`;
    if (!this.#isDue && this.#tree.size - this.#signed >= checkpointEvery) this.#signNow();
    return new Promise((done, failed) => {
      this.#waiting.push({ receipt: { id, n, at }, done, failed });
    });
  }

  #flush(): void {
    const [lines, waiting] = [this.#lines, this.#waiting];
    [this.#lines, this.#waiting] = ["", []];
    if (this.#failure) return reject(waiting, this.#failure);
    try {
      this.#store.write(lines);
    } catch (cause) {
      this.#fail(cause);
      return reject(waiting, this.#failure);
    }
    this.#segment.bytes += lines.length;
    if (this.#options.durability === "synced") this.#unsynced.push(...waiting);
    else for (const { done, receipt } of waiting) done(receipt);
    this.#syncSoon();
    this.#signSoon();
    const { segmentBytes, segmentMs, now } = this.#options;
    const { bytes, began } = this.#segment;
    if (bytes >= segmentBytes || (now() - began >= segmentMs && bytes > 0)) this.#rotate();
  }

  #syncSoon(): void {
    if (this.#syncing || this.#syncTimer) return;
    if (this.#options.durability === "synced") void this.#sync();
    else
      this.#syncTimer = setTimeout(() => {
        this.#syncTimer = undefined;
        void this.#sync();
      }, this.#options.syncMs);
  }

  /** One at a time; what is written meanwhile waits for the next. */
  #sync(): Promise<void> {
    this.#syncing ??= (async () => {
      const waiting = this.#unsynced.splice(0);
      try {
        await this.#store.sync();
        for (const { done, receipt } of waiting) done(receipt);
      } catch (cause) {
        this.#fail(cause);
        reject(waiting, this.#failure);
      }
      this.#syncing = undefined;
      if (this.#unsynced.length > 0 && !this.#failure) void this.#sync();
    })();
    return this.#syncing;
  }

  /** Closes the segment at the end of what is written, and begins the next. */
  #rotate(): void {
    const { first, hashes } = this.#segment;
    const last = this.#segment;
    try {
      this.#begin();
    } catch (cause) {
      return this.#fail(cause);
    }
    this.#beside(async () => {
      await this.#store.keepHashes(first, Buffer.concat(hashes));
      last.hashes = [];
      await this.#prune();
    });
  }

  #begin(): void {
    const first = this.#tree.size;
    this.#store.begin(first);
    this.#segment = { first, began: this.#options.now(), bytes: 0, hashes: [] };
  }

  /** Drops what is older than is kept, once an entry says so and a checkpoint covers it. */
  async #prune(): Promise<void> {
    const { keepMs, now } = this.#options;
    if (keepMs === undefined) return;
    const oldest = now() - keepMs;
    const segments = numbersOf(this.#store.files.names(), "jsonl");
    const old: number[] = [];
    for (const [index, first] of segments.slice(0, -1).entries()) {
      const next = segments[index + 1] as number;
      if (next > this.#signed || beganAt(this.#store, next) > oldest) break;
      old.push(first);
    }
    const last = old.at(-1);
    if (last === undefined) return;
    await this.prune(segments[segments.indexOf(last) + 1] as number);
  }

  /** Removes the segments whose entries are all below this number. Gives how many. */
  async prune(before: number): Promise<number> {
    const segments = numbersOf(this.#store.files.names(), "jsonl");
    const old = segments.filter((_, index) => (segments[index + 1] ?? Number.POSITIVE_INFINITY) <= before);
    if (old.length === 0) return 0;
    const kept = segments[old.length] as number;
    await this.append({ type: "log", data: { event: "pruned", before: kept } });
    await this.checkpoint();
    for (const first of old) await this.#store.drop(first);
    return old.length;
  }

  #signSoon(): void {
    if (this.#failure || this.#isClosing || this.#signTimer) return;
    this.#signTimer = setTimeout(() => {
      this.#signTimer = undefined;
      this.#signNow();
    }, this.#options.checkpointMs);
    this.#signTimer.unref();
  }

  #signNow(): void {
    this.#isDue = true;
    this.#beside(() => this.#sign());
  }

  /** Signs everything that is written so far, once it is on the disk. */
  checkpoint(): Promise<void> {
    return this.#later(() => this.#sign());
  }

  async #sign(): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#flushNow();
    const [size, head] = [this.#tree.size, this.#head];
    if (size === this.#signed) return;
    const root = this.#tree.root();
    await this.#syncing;
    await this.#sync();
    if (this.#failure) throw this.#failure;
    const { origin, key, now } = this.#options;
    const time = new Date(now()).toISOString();
    await this.#store.addCheckpoint(signCheckpoint({ origin, size, root, head, time }, key));
    this.#signed = size;
    this.#isDue = false;
  }

  #flushNow(): void {
    if (this.#lines !== "") this.#flush();
  }

  /** One after another; the first that fails ends the log. */
  #later(work: () => Promise<void>): Promise<void> {
    const done = this.#upkeep.then(work);
    this.#upkeep = done.catch((cause: unknown) => this.#fail(cause));
    return done;
  }

  #beside(work: () => Promise<void>): void {
    // Who asked for nothing learns of it by the failure of the log.
    this.#later(work).catch(() => {});
  }

  /** Nothing is written any more: who asks is told why. */
  #fail(cause: unknown): void {
    if (this.#failure) return;
    this.#failure = cause instanceof TrustError ? cause : unwritable(cause);
    clearTimeout(this.#syncTimer);
    clearTimeout(this.#signTimer);
    reject(this.#unsynced.splice(0), this.#failure);
    this.#options.onFailure?.(this.#failure);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#flushNow();
    try {
      if (!this.#failure) await this.checkpoint();
    } finally {
      this.#isClosing = true;
      clearTimeout(this.#syncTimer);
      clearTimeout(this.#signTimer);
      await this.#upkeep;
      await this.#store.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function reject(waiting: readonly Waiting[], failure: TrustError | undefined): void {
  for (const { failed } of waiting) failed(failure as TrustError);
}

/** When the first entry of a segment was written. */
function beganAt({ files }: Store, first: number): number {
  for (const chunk of files.chunks(segmentName(first))) {
    const [, at = ""] = /"at":"([^"]+)"/.exec(chunk.subarray(0, 2048).toString("utf8")) ?? [];
    return Date.parse(at);
  }
  return Number.POSITIVE_INFINITY;
}

const newId = (): string => `e-${randomBytes(10).toString("hex")}`;

const unwritable = (cause: unknown): TrustError =>
  new TrustError("AUD_UNWRITABLE", (cause as Error).message, { cause });
