/** Base64 with one text for each value: the standard alphabet, padded, no bit left over. */

/** Undefined for every other way to write the same bytes, since two texts for one signature are two documents. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? new Uint8Array(bytes) : undefined;
}

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
