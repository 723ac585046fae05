/** One digest for the words that start a server, so that other words are seen without being kept. Pure.
 *  Implements spec/surface.md, SUR-22. */
import { literalSecrets } from "../../target/index.ts";
import type { Command } from "../../wire/index.ts";
import { canonical, sha256 } from "../digest.ts";
import { hider } from "./hide.ts";

const WORDS_FORMAT = "touchstone-words/1";

/** What differs from one machine to the next and says nothing about what is started. */
export interface Places {
  /** The folder the config is meant for. */
  readonly folder: string;
  readonly home: string;
}

// No word of a command can hold U+0000, so none can pass for a mark.
const SECRET = "\0secret";
const FOLDER = "\0folder";
const HOME = "\0home";

/** Shorter values are replaced only where they are a whole word or all that follows a `=`. */
const MIN_PART_CHARS = 3;

/** `sha256:` and 64 digits. Anybody may try words against it: secrets are replaced before it is computed. */
export function wordsDigest(launch: Command, secrets: readonly string[], places: Places): string {
  const found = literalSecrets({ args: launch.args }).map(({ value }) => value);
  const place = placer(places);
  const hide = wordHider([...secrets, ...found].flatMap((secret) => [secret, place(secret)]));
  const clean = (word: string): string => hide(place(word));
  return sha256(
    canonical({
      format: WORDS_FORMAT,
      words: [launch.command, ...launch.args].map(clean),
      ...(launch.cwd === undefined ? {} : { cwd: clean(launch.cwd) }),
    }),
  );
}

/** The folder first: it is mostly inside the home. */
function placer({ folder, home }: Places): (word: string) => string {
  const isPlace = (path: string): boolean => path.length > 1;
  return (word) => {
    const inFolder = isPlace(folder) ? word.replaceAll(folder, FOLDER) : word;
    return isPlace(home) ? inFolder.replaceAll(home, HOME) : inFolder;
  };
}

function wordHider(secrets: readonly string[]): (word: string) => string {
  const exact = new Set(secrets);
  exact.delete("");
  // The longest first: a secret that contains another is replaced whole.
  const parts = [...exact]
    .filter((secret) => secret.length >= MIN_PART_CHARS)
    .sort((a, b) => b.length - a.length);
  const hide = hider(parts, SECRET);
  return (word) => {
    if (exact.has(word)) return SECRET;
    const equals = word.indexOf("=");
    if (equals > 0 && exact.has(word.slice(equals + 1))) return word.slice(0, equals + 1) + SECRET;
    return parts.reduce((clean, part) => clean.replaceAll(part, SECRET), hide(word));
  };
}
