/** Where a log is kept. What a kind of store has to promise is written as tests: test/kit/audit-store.ts. */
import type { LogFiles } from "../verify.ts";

export interface Store {
  /** What is there, for recovery, verification and queries. */
  readonly files: LogFiles;
  /** Begins the segment with this first number; later lines go there. The one before is closed. */
  begin(first: number): void;
  /** Appends whole lines. Returns when the system has taken all of them; throws when it has not, and then none of them is there. */
  write(lines: Uint8Array): void;
  /** Resolves when everything that was written is on the disk. */
  sync(): Promise<void>;
  /** Keeps the leaf hashes of a closed segment. */
  keepHashes(first: number, hashes: Buffer): Promise<void>;
  /** Appends a signed note, on the disk when it resolves. */
  addCheckpoint(note: string): Promise<void>;
  /** Keeps the public key, for whoever trusts the folder. */
  keepKey(text: string): Promise<void>;
  /** Empties a segment of which no entry is whole. */
  cutSegment(first: number): void;
  /** Takes back a note that was not written to its end. */
  cutCheckpoints(bytes: number): void;
  /** Removes a segment, not its hashes. */
  drop(first: number): Promise<void>;
  /** Throws where somebody else has taken the place of this writer. */
  assertOwned(): void;
  close(): Promise<void>;
}
