/** Gives every name that is looked up an address of its own, so that a later connection tells which name it was meant for. */
import { addressBytes, canonicalAddress } from "./address.ts";

/** As many as 198.18.0.0/15 has addresses, without its first. */
export const MAX_NAMES = 2 ** 17 - 1;

/** fd5b:d::/96, of which the last 4 bytes are the number of the name. */
const PREFIX_V6 = [0xfd, 0x5b, 0, 0x0d, 0, 0, 0, 0, 0, 0, 0, 0];

export class NameTable {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  #isLastShared = false;

  /** Names that come now share the last address, which then stands for no name. */
  get isFull(): boolean {
    return this.#names.length >= MAX_NAMES;
  }

  v4(name: string): string {
    const number = this.#numberOf(name);
    return `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
  }

  v6(name: string): string {
    const number = this.#numberOf(name);
    return canonicalAddress(
      `fd5b:d:0:0:0:0:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}`,
    );
  }

  /** The name, in lower case, that was given this address; nothing for any other address. */
  nameOf(address: string): string | undefined {
    const number = numberIn(addressBytes(address) ?? []);
    return this.#isLastShared && number === MAX_NAMES ? undefined : this.#names[number - 1];
  }

  #numberOf(name: string): number {
    const key = name.toLowerCase().replace(/(.)\.$/, "$1");
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.isFull) {
      this.#isLastShared = true;
      return MAX_NAMES;
    }
    this.#names.push(key);
    this.#numbers.set(key, this.#names.length);
    return this.#names.length;
  }
}

/** The number of the name that an address stands for, or 0. */
function numberIn(bytes: readonly number[]): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(-4);
  if (bytes.length === 4) return a === 198 && b >> 1 === 9 ? ((b & 1) << 16) | (c << 8) | d : 0;
  return PREFIX_V6.every((byte, index) => byte === bytes[index])
    ? ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
    : 0;
}
