/** `${NAME}` in the texts of a suite. `$${` stands for the two characters themselves. */

export type Piece = { readonly text: string } | { readonly name: string };

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/;

/** The pieces of a text, or what is wrong with it. Neighbouring texts are one piece. */
export function piecesOf(text: string): readonly Piece[] | { readonly fault: string } {
  const pieces: Piece[] = [];
  let plain = "";
  for (let index = 0; index < text.length; ) {
    if (text.startsWith("$${", index)) {
      plain += "${";
      index += 3;
    } else if (text.startsWith("${", index)) {
      const end = text.indexOf("}", index);
      const name = text.slice(index + 2, end < 0 ? undefined : end);
      if (end < 0 || !VARIABLE_NAME.test(name)) return { fault: BAD_PLACEHOLDER };
      if (plain !== "") pieces.push({ text: plain });
      pieces.push({ name });
      plain = "";
      index = end + 1;
    } else {
      const next = text.indexOf("$", index + 1);
      const end = next < 0 ? text.length : next;
      plain += text.slice(index, end);
      index = end;
    }
  }
  if (plain !== "") pieces.push({ text: plain });
  return pieces;
}

const BAD_PLACEHOLDER =
  "a placeholder that cannot be read, want ${NAME}; write $${ for the characters themselves";

/** A text whose pieces are all values. One placeholder alone keeps the type of its value. */
export function joined(pieces: readonly Piece[], look: (name: string) => unknown): unknown {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined && "name" in first) return look(first.name);
  return pieces.map((piece) => ("name" in piece ? asWords(look(piece.name)) : piece.text)).join("");
}

const asWords = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
