/** The ways a secret is written down so that it no longer looks like itself. Each encoder gives all spellings that matter once
 *  case and separators are gone; where what stands around the secret changes the code, only the part that stays is given. */

export interface Encoder {
  readonly name: string;
  readonly encode: (text: string) => string[];
}

/** What is left of a code of `bits` a character when `before` unknown bytes stand in front and others behind. */
function cores(text: string, bits: number, group: number, encode: (bytes: Buffer) => string): string[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: group }, (_, before) => {
    const code = encode(Buffer.concat([Buffer.alloc(before), bytes]));
    return code.slice(Math.ceil((before * 8) / bits), Math.floor(((before + bytes.length) * 8) / bits));
  });
}

export const base64: Encoder = {
  name: "base64",
  encode: (text) => cores(text, 6, 3, (bytes) => bytes.toString("base64")),
};

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

function toBase32(bytes: Buffer): string {
  let [out, buffer, bits] = ["", 0, 0];
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += BASE32[(buffer >> bits) & 31];
    }
  }
  return bits > 0 ? out + BASE32[(buffer << (5 - bits)) & 31] : out;
}

export const base32: Encoder = { name: "base32", encode: (text) => cores(text, 5, 5, toBase32) };

export const reversed: Encoder = { name: "reversed", encode: (text) => [[...text].reverse().join("")] };

export const rot13: Encoder = {
  name: "rot13",
  encode: (text) => [
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= "Z" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
  ],
};

/** Spells a text byte by byte, by a table that is made once. */
function perByte(spell: (byte: number) => string): (text: string) => string {
  const table = Array.from({ length: 256 }, (_, byte) => spell(byte));
  return (text) => {
    let out = "";
    for (const byte of Buffer.from(text)) out += table[byte];
    return out;
  };
}
const digits = (radix: number, width: number) => (byte: number) => byte.toString(radix).padStart(width, "0");

const encoder = (name: string, ...spellings: readonly ((byte: number) => string)[]): Encoder => {
  const writers = spellings.map(perByte);
  return { name, encode: (text) => writers.map((write) => write(text)) };
};

export const hex = encoder("hex", digits(16, 2), (byte) => `0x${digits(16, 2)(byte)}`);

/** `\x50`, `&#x50;`, `\u0050`, `\u{50}`, octal, `=50` as far as hex does not cover them. */
export const escapes = encoder(
  "escapes",
  (byte) => `x${digits(16, 2)(byte)}`,
  (byte) => `x${digits(16, 4)(byte)}`,
  (byte) => `u${digits(16, 4)(byte)}`,
  (byte) => `u${digits(16, 2)(byte)}`,
  digits(8, 3),
  (byte) => `0o${digits(8, 3)(byte)}`,
);

/** `80,79,76`, `&#80;&#79;`, binary. */
export const codes = encoder("char-codes", String, digits(10, 3), digits(10, 4), digits(2, 8));
