/** Compressed bytes made readable, within bounds: what grows a thousandfold is read at its beginning only. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_INPUT_BYTES = 256 * 1024;
/** Fewer bytes hold no secret. */
const MIN_BYTES = 16;
/** Bytes that were cut, go on with something else or hold too much are tried again by halves. */
const MAX_HALVES = 8;

/** How much one text may cost: every attempt takes from it what it reads and what it makes. */
export interface Budget {
  attempts: number;
  bytes: number;
}
export const newBudget = (): Budget => ({ attempts: 1000, bytes: 32 * MAX_OUTPUT_BYTES });

/** What the bytes hold, by gzip, zlib, deflate or brotli; undefined when they are none of these. */
export function inflated(bytes: Buffer, budget: Budget): string | undefined {
  if (bytes.length < MIN_BYTES) return undefined;
  const [first = 0, second = 0] = bytes;
  if (first === 0x1f && second === 0x8b) return halving(gunzipSync, bytes, budget);
  if ((first & 0x0f) === 8 && first >> 4 < 8 && ((first << 8) | second) % 31 === 0)
    return halving(inflateSync, bytes, budget);
  // These two have no sign at their beginning, but are no text either.
  if (isText(bytes)) return undefined;
  const text = mayBeDeflated(bytes) ? attempt(inflateRawSync, bytes, budget) : undefined;
  return text ?? attempt(brotliDecompressSync, bytes, budget);
}

/** Whether the first block has a head that deflate knows (RFC 1951, 3.2.3): most bytes have none, and to ask costs nothing. */
function mayBeDeflated(bytes: Buffer): boolean {
  const head = bytes.readUInt32LE(0);
  const kind = (head >> 1) & 3;
  // Stored: a length and its complement. By tables: how many codes there are.
  if (kind === 0) return (bytes.readUInt16LE(1) ^ bytes.readUInt16LE(3)) === 0xffff;
  if (kind === 2) return ((head >> 3) & 31) <= 29 && ((head >> 8) & 31) <= 29;
  return kind === 1;
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number; finishFlush: number }) => Buffer;

function halving(decompress: Decompress, bytes: Buffer, budget: Budget): string | undefined {
  let size = Math.min(bytes.length, MAX_INPUT_BYTES);
  for (let half = 0; half <= MAX_HALVES && size >= MIN_BYTES; half++, size >>= 1) {
    const text = attempt(decompress, bytes.subarray(0, size), budget);
    if (text !== undefined) return text;
  }
  return undefined;
}

function attempt(decompress: Decompress, bytes: Buffer, budget: Budget): string | undefined {
  if (budget.attempts <= 0 || budget.bytes <= 0) return undefined;
  const input = bytes.subarray(0, MAX_INPUT_BYTES);
  budget.attempts -= 1;
  budget.bytes -= input.length;
  const finishFlush =
    decompress === brotliDecompressSync ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH;
  // Most attempts fail, and nobody reads where.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const opened = decompress(input, {
      maxOutputLength: MAX_OUTPUT_BYTES,
      finishFlush,
    });
    budget.bytes -= opened.length;
    return opened.length < MIN_BYTES ? undefined : opened.toString();
  } catch {
    // Not of this kind, or more than is read: attacker-controlled either way.
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const isText = (bytes: Buffer): boolean => {
  const sample = bytes.subarray(0, 64);
  return sample.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
};

/** Where a text of bytes, each a character, may go on compressed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes are what is looked for
const HEAD = /\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]/g;

/** What stands compressed among the characters of a text, as it left on a connection. */
export function* compressedIn(
  text: string,
  budget: Budget,
): Generator<{ readonly start: number; readonly end: number; readonly text: string }> {
  for (const { index } of text.matchAll(HEAD)) {
    if (budget.attempts <= 0 || budget.bytes <= 0) return;
    const end = Math.min(text.length, index + MAX_INPUT_BYTES);
    const opened = inflated(Buffer.from(text.slice(index, end), "latin1"), budget);
    if (opened !== undefined) yield { start: index, end, text: opened };
  }
}
