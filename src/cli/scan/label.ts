/** How a server given as a command is called: by its program and what names its code, so that two of one program are two. Any
 *  other word may be a secret and is no part of a name. */
import { basename, isAbsolute, relative } from "node:path";

/** Options of these programs that take the next word. */
const TAKES_NEXT =
  /^(?:-e|--env|--env-file|-v|--volume|--mount|-p|--publish|--name|--network|-w|--workdir|-u|--user|--entrypoint|--import|-r|--require|--loader|--package|--from|--with|-i|--index-url|--registry|--python)$/;
/** Words between a program and the package it runs. */
const VERBS = new Set("run exec dlx x tool start".split(" "));
const RUNNER = /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|deno|docker|podman)$/;
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|sh|jar|dll|ya?ml)$/i;
const MAX_CHARS = 60;

export function commandLabel(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  secrets: readonly string[],
): string {
  const program = basename(command).replace(/\.(?:exe|cmd|bat)$/i, "");
  const word = codeWord(program, args);
  if (word === undefined || secrets.some((secret) => secret !== "" && word.includes(secret))) return program;
  return `${program} ${short(word)}`;
}

function codeWord(program: string, args: readonly string[]): string | undefined {
  const own = args.filter((word, index) => !word.startsWith("-") && !TAKES_NEXT.test(args[index - 1] ?? ""));
  const script = own.find((word) => SCRIPT.test(word) && !/\s|:\/\//.test(word));
  if (!RUNNER.test(program)) return script;
  return own.find((word) => !VERBS.has(word) && /^[\w@./:+~-]+$/.test(word)) ?? script;
}

/** A file in this folder by its path from here; of a long path, the end tells more than the beginning. */
function short(word: string): string {
  const here = isAbsolute(word) ? relative(process.cwd(), word) : word;
  const path = here.startsWith("..") ? word : here;
  return path.length > MAX_CHARS ? `…${path.slice(-MAX_CHARS)}` : path;
}
