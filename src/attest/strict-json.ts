/** JSON of strangers, read so that two readers cannot see two documents in it: no key twice, no byte order mark, no half of a
 *  character, no name that reaches into the language, bounded size and depth. */

export type JsonFault =
  | "too-large"
  | "not-utf8"
  | "byte-order-mark"
  | "not-json"
  | "duplicate-key"
  | "too-deep"
  | "prototype-key"
  | "unpaired-surrogate";

export type StrictJson =
  | { readonly value: unknown }
  /** `at` counts characters from the beginning. */
  | { readonly fault: JsonFault; readonly at: number };

export interface JsonLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

export function readStrictJson(bytes: Uint8Array, { maxBytes, maxDepth }: JsonLimits): StrictJson {
  if (bytes.length > maxBytes) return { fault: "too-large", at: 0 };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { fault: "byte-order-mark", at: 0 };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { fault: "not-utf8", at: 0 };
  }
  const reader = new Reader(text, maxDepth);
  try {
    return { value: reader.document() };
  } catch (thrown) {
    if (thrown instanceof Fault) return { fault: thrown.fault, at: thrown.at };
    throw thrown;
  }
}

class Fault extends Error {
  readonly fault: JsonFault;
  readonly at: number;

  constructor(fault: JsonFault, at: number) {
    super(fault);
    this.fault = fault;
    this.at = at;
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A text up to its closing quote. What is inside is checked by `JSON.parse`, which takes no control characters. */
const STRING = /"(?:[^"\\]|\\.)*"/y;
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const WORD = /true|false|null/y;
/** A half of a character without its other half. */
const HALF = /\p{Surrogate}/u;

class Reader {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  document(): unknown {
    const value = this.#value(0);
    this.#skip();
    if (this.#at !== this.#text.length) throw new Fault("not-json", this.#at);
    return value;
  }

  #value(depth: number): unknown {
    if (depth > this.#maxDepth) throw new Fault("too-deep", this.#at);
    this.#skip();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
    }
    const word = this.#take(WORD);
    if (word !== undefined) return WORDS[word];
    const number = this.#take(NUMBER);
    if (number === undefined) throw new Fault("not-json", this.#at);
    return Number(number);
  }

  #object(depth: number): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#isNext("}")) return members;
    do {
      this.#skip();
      const start = this.#at;
      if (this.#text[start] !== '"') throw new Fault("not-json", start);
      const key = this.#string();
      if (FORBIDDEN_KEYS.has(key)) throw new Fault("prototype-key", start);
      if (Object.hasOwn(members, key)) throw new Fault("duplicate-key", start);
      if (!this.#isNext(":")) throw new Fault("not-json", this.#at);
      members[key] = this.#value(depth + 1);
    } while (this.#isNext(","));
    if (!this.#isNext("}")) throw new Fault("not-json", this.#at);
    return members;
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    if (this.#isNext("]")) return items;
    do items.push(this.#value(depth + 1));
    while (this.#isNext(","));
    if (!this.#isNext("]")) throw new Fault("not-json", this.#at);
    return items;
  }

  #string(): string {
    const start = this.#at;
    const raw = this.#take(STRING);
    if (raw === undefined) throw new Fault("not-json", start);
    let value: string;
    try {
      value = JSON.parse(raw) as string;
    } catch {
      throw new Fault("not-json", start);
    }
    if (HALF.test(value)) throw new Fault("unpaired-surrogate", start);
    return value;
  }

  #isNext(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #skip(): void {
    this.#take(SPACE);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
