/** The highest serial of a statement that was ever taken for each server, kept over restarts: an older statement, or another one under the same
 *  number, is refused. Implements spec/gateway.md, GTW-32. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { TrustError } from "../core/index.ts";
import { isRecord } from "../wire/index.ts";
import type { Accepted } from "./vouchers.ts";

/** In the folder of the log. */
export const SERIALS_FILE = "serials.json";
const MAX_CHARS = 1024 * 1024;

export interface Taken {
  readonly serial: number;
  /** Of the statement's payload. */
  readonly digest: string;
}

export class Serials {
  readonly #file: string;
  readonly #isKept: boolean;
  readonly #taken: Map<string, Taken>;

  /** Where `isKept` is false nothing is written: for looking without doing. */
  constructor(file: string, isKept: boolean) {
    this.#file = file;
    this.#isKept = isKept;
    this.#taken = readTaken(file);
  }

  of(server: string): Taken | undefined {
    return this.#taken.get(server);
  }

  /** Why a statement does not count; undefined where it does, and then no older one does. */
  take(server: string, { serial, digest }: Pick<Accepted, "serial" | "digest">): string | undefined {
    const before = this.#taken.get(server);
    if (before && serial < before.serial)
      return `its statement has serial ${serial}, and ${before.serial} was taken before`;
    if (before?.serial === serial)
      return before.digest === digest
        ? undefined
        : `its statement is another one under the same serial, ${serial}: a change needs a higher one`;
    this.#taken.set(server, { serial, digest });
    if (this.#isKept) this.#write();
    return undefined;
  }

  #write(): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const next = `${this.#file}.next`;
    writeFileSync(next, `${JSON.stringify(Object.fromEntries(this.#taken), null, 1)}\n`, { mode: 0o600 });
    renameSync(next, this.#file);
  }
}

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
