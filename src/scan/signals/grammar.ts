/** The lexicon and the table of signs made ready for matching: built once, when the first text is scanned. */
import { fold } from "../views/fold.ts";
import { buildLexicon, type Concept, type Lexicon } from "../words/lexicon.ts";
import { partWords } from "../words/part.ts";
import { type Hints, type Tokens, tokenize } from "../words/tokens.ts";
import { type Frames, framesOf, type Undoing, undoing } from "./framed.ts";
import { anyOf, compile, type Pattern } from "./pattern.ts";
import type { Sign } from "./sign.ts";
import { SIGNS } from "./table.ts";

export interface Grammar {
  readonly lexicon: Lexicon;
  /** By class of a token: the patterns that are anchored there. */
  readonly byClass: readonly (readonly Candidate[])[];
  readonly frames: Frames;
  readonly shapes: readonly Shape[];
  /** By class of a token: which shapes it calls for, one bit each. */
  readonly wants: Int32Array;
  /** The shapes that only a word in capitals calls for, and those that only a word in a tag does. */
  readonly capitalBits: number;
  readonly tagBits: number;
  readonly identifiers: Uint8Array;
  readonly detects: Uint8Array;
  /** By class of a token: by how many places its letters were moved, or BACKWARDS; 0 for words in the clear. */
  readonly ciphers: Uint8Array;
}

/** A pattern with all that its sign asks for besides. */
export interface Candidate extends Undoing {
  readonly index: number;
  readonly sign: Sign;
  readonly pattern: Pattern;
}

export interface Shape {
  readonly sign: number;
  readonly pattern: RegExp;
  /** Its bit among those that tokens call for; 0 when it needs none. */
  readonly bit: number;
  readonly hint: keyof Hints | undefined;
  readonly contains: string | undefined;
}

export const BACKWARDS = 26;
/** A bit for each shape in an integer. */
const MAX_SHAPES = 31;

let built: Grammar | undefined;

export function grammar(): Grammar {
  built ??= build(buildLexicon((text) => fold(text).text));
  return built;
}

/** Does what the first text would have to wait for. */
export const prepareScan = (): void => void grammar();

export const readTokens = (text: string): Tokens => tokenize(text, grammar().lexicon);

/** Letters without spaces parted into the words that are known; the rest stays together. */
export const segment = (letters: string): string => partWords(letters, grammar().lexicon);

function build(lexicon: Lexicon): Grammar {
  const byClass: Candidate[][] = Array.from({ length: lexicon.classes }, () => []);
  const each = (concept: Concept, visit: (id: number) => void): void => {
    for (const [id, isCarrier] of lexicon.carriers(concept).entries()) if (isCarrier) visit(id);
  };
  for (const [index, sign] of SIGNS.entries()) {
    const { unless, within } = undoing(sign, lexicon);
    for (const source of sign.ideas ?? []) {
      const pattern = compile(source, lexicon);
      for (const [id, isAccepted] of (pattern.steps[pattern.anchor] ?? []).entries())
        if (isAccepted) byClass[id]?.push({ index, sign, pattern, unless, within });
    }
  }
  const wants = new Int32Array(lexicon.classes);
  const shaped = SIGNS.flatMap((one, sign) => (one.shape ? [{ ...one, shape: one.shape, sign }] : []));
  const shapes = shaped.map(({ sign, shape, hint, contains, needs }, order): Shape => {
    if (order >= MAX_SHAPES) throw new Error("more shapes than bits");
    const bit = needs ? 1 << order : 0;
    if (needs)
      each(needs, (id) => {
        wants[id] = (wants[id] ?? 0) | bit;
      });
    return { sign, pattern: new RegExp(shape.source, `${shape.flags}g`), bit, hint, contains };
  });
  const bitsOf = (hint: keyof Hints): number =>
    shapes.reduce((bits, shape) => (shape.hint === hint ? bits | shape.bit : bits), 0);
  const ciphers = new Uint8Array(lexicon.classes);
  const mark = (concept: Concept, cipher: number): void =>
    each(concept, (id) => {
      if (lexicon.isLone(id)) ciphers[id] = cipher;
    });
  mark("BACKWARDS", BACKWARDS);
  for (let shift = 1; shift < 26; shift++) mark(`SHIFTED_${shift}`, shift);
  return {
    lexicon,
    byClass,
    frames: framesOf(SIGNS, lexicon),
    shapes,
    wants,
    capitalBits: bitsOf("capitals"),
    tagBits: bitsOf("tags"),
    identifiers: anyOf(["IDENTIFIER", "QUOTED"], lexicon),
    detects: lexicon.carriers("DETECT"),
    ciphers,
  };
}
