/** Where the body of an HTTP/1 request ends (RFC 9112, 6 and 7.1). */

const LF = 0x0a;
const CR = 0x0d;
const MAX_LENGTH_DIGITS = 15;
const MAX_CHUNK_SIZE_DIGITS = 8;
const SIZE_ENDS: ReadonlySet<number> = new Set(Buffer.from("; \t\r\n"));

export interface BodyHeaders {
  /** The values of all headers of that name. */
  readonly contentLength: readonly string[];
  readonly transferEncoding: readonly string[];
}

/** Where the body that begins at `start` ends; nothing when it is not all there, or when nobody can say where it ends. */
export function bodyEnd(bytes: Buffer, start: number, headers: BodyHeaders): number | undefined {
  // Chunks win over a length, as the standard has it.
  const codings = listed(headers.transferEncoding);
  if (codings.length > 0)
    return codings.at(-1)?.toLowerCase() === "chunked" ? chunksEnd(bytes, start) : undefined;
  const lengths = listed(headers.contentLength);
  const sizes = new Set(lengths.map((text) => (isLength(text) ? Number(text) : Number.NaN)));
  if (sizes.size > 1) return undefined;
  const [size = 0] = sizes;
  return start + size <= bytes.length ? start + size : undefined;
}

const listed = (values: readonly string[]): readonly string[] =>
  values.flatMap((value) => value.split(",")).map((item) => item.trim());

const isLength = (text: string): boolean => text.length <= MAX_LENGTH_DIGITS && /^\d+$/.test(text);

/** Walks from chunk to chunk, so each byte is looked at once at most. */
function chunksEnd(bytes: Buffer, start: number): number | undefined {
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd < 0) return undefined;
    const size = chunkSize(bytes, at);
    if (size === undefined) return undefined;
    at = lineEnd + 1;
    if (size === 0) return trailersEnd(bytes, at);
    at += size;
    if (bytes[at] === CR) at++;
    if (bytes[at] !== LF) return undefined;
    at++;
  }
}

/** The hexadecimal number at the start of a line; blanks or an extension may follow it. */
function chunkSize(bytes: Buffer, start: number): number | undefined {
  let size = 0;
  for (let at = start; at <= start + MAX_CHUNK_SIZE_DIGITS; at++) {
    const digit = hexDigit(bytes[at] ?? 0);
    if (digit === undefined) return at > start && SIZE_ENDS.has(bytes[at] ?? 0) ? size : undefined;
    size = 16 * size + digit;
  }
  return undefined;
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}

function trailersEnd(bytes: Buffer, start: number): number | undefined {
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd < 0) return undefined;
    if (lineEnd === at || (lineEnd === at + 1 && bytes[at] === CR)) return lineEnd + 1;
    at = lineEnd + 1;
  }
}
