/** Words found in letters that stand without spaces between them. */
import { follow, type Lexicon } from "./lexicon.ts";

const MIN_WORD = 3;

/** At each place the longest known word; letters of unknown words stay together. */
export function partWords(letters: string, lexicon: Lexicon): string {
  const words: string[] = [];
  let unknown = "";
  for (let at = 0; at < letters.length; ) {
    const end = longest(letters, at, lexicon);
    if (end === 0) {
      unknown += letters[at];
      at += 1;
      continue;
    }
    if (unknown) words.push(unknown);
    unknown = "";
    words.push(letters.slice(at, end));
    at = end;
  }
  if (unknown) words.push(unknown);
  return words.join(" ");
}

function longest(letters: string, start: number, lexicon: Lexicon): number {
  let node = 0;
  let end = 0;
  for (let i = start; i < letters.length; i++) {
    node = follow(lexicon, node, letters.charCodeAt(i));
    if (node === 0) break;
    if (i + 1 - start >= MIN_WORD && lexicon.words[node]) end = i + 1;
  }
  return end;
}
