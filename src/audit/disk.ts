/** The disk follows what is written, within the time that was promised: one sync at a time, and who waits is told by the one that has its
 *  entries. */
import type { TrustError } from "../core/index.ts";
import type { Moment } from "./moment.ts";
import type { Store } from "./store/store.ts";

export interface DiskOptions {
  readonly durability: "written" | "synced";
  readonly syncMs: number;
}

export class Disk {
  readonly #store: Store;
  readonly #options: DiskOptions;
  readonly #onFailure: (cause: unknown) => TrustError;
  /** So many entries the system has, and so many the disk. */
  #written: number;
  #synced: number;
  #waiting: Moment[] = [];
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(store: Store, options: DiskOptions, synced: number, onFailure: (cause: unknown) => TrustError) {
    [this.#store, this.#options, this.#onFailure] = [store, options, onFailure];
    [this.#written, this.#synced] = [synced, synced];
  }

  /** So many entries are written, and whom to tell once the disk has them. */
  follow(written: number, moment?: Moment): void {
    this.#written = written;
    if (moment) this.#waiting.push(moment);
    this.#soon();
  }

  /** Resolves when it has so many entries, or nothing is written any more. */
  async has(size: number): Promise<void> {
    while (this.#synced < size && !this.#isOver) await this.#sync();
  }

  #soon(): void {
    if (this.#syncing || this.#timer) return;
    if (this.#options.durability === "synced") void this.#sync();
    else
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.#sync();
      }, this.#options.syncMs);
  }

  /** One at a time; what is written meanwhile waits for the next. */
  #sync(): Promise<void> {
    this.#syncing ??= (async () => {
      const [size, waiting] = [this.#written, this.#waiting.splice(0)];
      try {
        await this.#store.sync();
        this.#synced = size;
        for (const { done } of waiting) done();
      } catch (cause) {
        const failure = this.#onFailure(cause);
        for (const { failed } of waiting) failed(failure);
      }
      this.#syncing = undefined;
      if (this.#written > this.#synced && !this.#isOver) this.#soon();
    })();
    return this.#syncing;
  }

  fail(failure: TrustError): void {
    this.#isOver = true;
    this.rest();
    for (const { failed } of this.#waiting.splice(0)) failed(failure);
  }

  rest(): void {
    clearTimeout(this.#timer);
  }
}
