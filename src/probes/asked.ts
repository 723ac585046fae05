/** What the arguments of a call ask for by name: files, and places to search. A file that was asked for is no leak. */
import { posix } from "node:path";
import { isRecord } from "../wire/index.ts";
import type { Leak } from "./leaks.ts";
import type { Exchange, Run } from "./run/model.ts";

const MAX_PATH_CHARS = 4096;
const WORK = "~/project";

/** Whether one of the arguments is a path that leads to this file: all of it, not a name that others have too. */
export const namesFile = (args: unknown, path: string): boolean =>
  textsIn(args).some((text) => placesOf(text).includes(inHome(path)));

/** `~/.aws/config` for `/home/dev/.aws/config`: the user has another name elsewhere. */
export const inHome = (path: string): string => path.replace(/^\/home\/[^/]+(?=\/|$)/, "~");

/** Why a secret may stand in an answer: the call named its file, or searched the folder that it lies in. */
export function askedFor(run: Run, exchange: Exchange, leak: Leak): "named" | "searched" | undefined {
  const [, place, where] = /^(working-folder|home):(.+):[^:]+$/.exec(leak.canary) ?? [];
  if (where === undefined) return undefined;
  const file = `${place === "home" ? "~" : WORK}/${where}`;
  if (namesFile(exchange.args, file)) return "named";
  if (place === "home" || leak.form !== "exact") return undefined;
  const isFolderNamed = [exchange, ...handedOutBy(run, exchange)].some(({ args }) =>
    namesFolderOf(args, file),
  );
  const value = run.terms.canaries.find(({ id }) => id === leak.canary)?.value ?? "";
  return isFolderNamed || isMatch(exchange, value) ? "searched" : undefined;
}

/** A folder of the working folder, or that itself, with the file in it. */
const namesFolderOf = (args: unknown, file: string): boolean =>
  textsIn(args).some((text) =>
    placesOf(text).some((one) => (one === WORK || one.startsWith(`${WORK}/`)) && file.startsWith(`${one}/`)),
  );

/** Calls of the session before, whose answers have a word that this one is given and they were not: the number of a result. */
function handedOutBy(run: Run, { session, args, startedAt }: Exchange): Exchange[] {
  const words = textsIn(args).filter(({ length }) => length >= MIN_HANDLE_CHARS);
  return run.exchanges.filter(
    (earlier) =>
      earlier.session === session &&
      earlier.outcome === "done" &&
      earlier.endedAt <= startedAt &&
      words.some(
        (word) =>
          earlier.texts.some((text) => text.includes(word)) &&
          !JSON.stringify(earlier.args ?? "").includes(word),
      ),
  );
}

/** Shorter words are in many answers by chance. */
const MIN_HANDLE_CHARS = 8;

/** A search shows lines that hold what was searched for. */
function isMatch({ tool, args, texts }: Exchange, secret: string): boolean {
  const lines = texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.includes(secret))
    .map((line) => line.toLowerCase());
  return Object.entries(isRecord(args) ? args : {}).some(([name, wanted]) => {
    if (typeof wanted !== "string" || !(SEARCHES.test(name) || SEARCHES.test(tool))) return false;
    const plain = wanted.trim().toLowerCase();
    return EVERYTHING.test(plain) || (lines.length > 0 && lines.every((line) => line.includes(plain)));
  });
}

const SEARCHES = /search|grep|find|quer|pattern|regex|glob|keyword|needle|^q$/i;
const EVERYTHING = /^(?:\.?[*+])*\/?\*?$|^\.$/;

/** Where a text leads that stands for a path, from the home folder; from the working folder too when it is relative. */
function placesOf(text: string): string[] {
  if (text === "" || text.length > MAX_PATH_CHARS) return [];
  const plain = inHome(text.replace(/^file:\/\//, "")).replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~");
  const places = /^[~/]/.test(plain) ? [plain] : [`${WORK}/${plain}`, `~/${plain}`];
  return places.map((place) => posix.normalize(place).replace(/(?<=.)\/$/, ""));
}

/** All texts in arguments. */
function textsIn(args: unknown): string[] {
  if (typeof args === "string") return [args];
  if (typeof args !== "object" || args === null) return [];
  return Object.values(args).flatMap(textsIn);
}
