/** The highest serial of a statement that was ever taken for each server, kept over restarts and for all gateways of one file: an older statement,
 *  or another one under the same number, is refused. Implements spec/gateway.md, GTW-32. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { TrustError } from "../core/index.ts";
import { isRecord } from "../wire/index.ts";
import type { Accepted } from "./vouchers.ts";
import { stateOf } from "./watch.ts";

/** In the folder of the log. */
export const SERIALS_FILE = "serials.json";
const MAX_CHARS = 1024 * 1024;
/** To write it takes a moment: a guard of this age was left behind, and who finds a younger one looks so often, so many milliseconds apart. */
const [STALE_MS, TRIES, PAUSE_MS] = [10_000, 40, 5];

export interface Taken {
  readonly serial: number;
  /** Of the statement's payload. */
  readonly digest: string;
}

export class Serials {
  readonly #file: string;
  readonly #isKept: boolean;
  readonly #taken = new Map<string, Taken>();
  /** Of the file when it was read last: other gateways write it too. */
  #state = "";

  /** Where `isKept` is false nothing is written: for looking without doing. */
  constructor(file: string, isKept: boolean) {
    this.#file = file;
    this.#isKept = isKept;
    this.#look();
  }

  of(server: string): Taken | undefined {
    this.#look();
    return this.#taken.get(server);
  }

  /** What others took counts as what was taken here; what is gone from the file is not forgotten. */
  #look(): void {
    const state = stateOf([this.#file]);
    if (state === this.#state) return;
    for (const [server, taken] of readTaken(this.#file))
      if (taken.serial > (this.#taken.get(server)?.serial ?? Number.NEGATIVE_INFINITY))
        this.#taken.set(server, taken);
    this.#state = state;
  }

  /** Why a statement does not count; undefined where it does, and then no older one does. */
  take(server: string, taken: Pick<Accepted, "serial" | "digest">): string | undefined {
    const fault = this.#faultOf(server, taken);
    if (fault !== undefined || this.#taken.get(server)?.serial === taken.serial) return fault;
    if (!this.#isKept) {
      this.#keep(server, taken);
      return undefined;
    }
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    using guard = guarded(`${this.#file}.writing`);
    if (!guard.isOurs) return `its statement was not taken: another gateway is writing ${SERIALS_FILE}`;
    const other = this.#faultOf(server, taken);
    if (other !== undefined) return other;
    // What could not be written was not taken: after a restart an older one would be.
    this.#write(new Map(this.#taken).set(server, keptOf(taken)));
    this.#keep(server, taken);
    return undefined;
  }

  #keep(server: string, taken: Taken): void {
    this.#taken.set(server, keptOf(taken));
  }

  #faultOf(server: string, { serial, digest }: Taken): string | undefined {
    const before = this.of(server);
    if (before && serial < before.serial)
      return `its statement has serial ${serial}, and ${before.serial} was taken before`;
    if (before?.serial === serial)
      return before.digest === digest
        ? undefined
        : `its statement is another one under the same serial, ${serial}: a change needs a higher one`;
    return undefined;
  }

  #write(all: ReadonlyMap<string, Taken>): void {
    const next = `${this.#file}.next`;
    writeFileSync(next, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    renameSync(next, this.#file);
    this.#state = stateOf([this.#file]);
  }
}

const keptOf = ({ serial, digest }: Taken): Taken => ({ serial, digest });

/** One gateway writes at a time, and on top of what the others wrote. */
function guarded(path: string): Disposable & { readonly isOurs: boolean } {
  const isOurs = isMade(path);
  return { isOurs, [Symbol.dispose]: () => void (isOurs && rmSync(path, { force: true })) };
}

function isMade(path: string): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      closeSync(openSync(path, "wx", 0o600));
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    }
    const other = statSync(path, { throwIfNoEntry: false });
    if (other && Date.now() - other.mtimeMs > STALE_MS) rmSync(path, { force: true });
    else Atomics.wait(NOBODY, 0, 0, PAUSE_MS);
  }
  return false;
}
const NOBODY = new Int32Array(new SharedArrayBuffer(4));

function readTaken(file: string): Map<string, Taken> {
  if (!existsSync(file)) return new Map();
  const value = parsed(readFileSync(file, "utf8").slice(0, MAX_CHARS));
  const entries = isRecord(value) ? Object.entries(value) : undefined;
  const taken = entries?.flatMap(([server, one]): [string, Taken][] =>
    isRecord(one) && Number.isSafeInteger(one.serial) && typeof one.digest === "string"
      ? [[server, { serial: one.serial as number, digest: one.digest }]]
      : [],
  );
  // To begin anew would take every old statement again.
  if (!taken || taken.length !== entries?.length)
    throw new TrustError("CFG_BAD_VALUE", `${file}: it does not hold serials`, {
      hint: "which statements were taken stands in the audit log; remove it to begin anew",
    });
  return new Map(taken);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
