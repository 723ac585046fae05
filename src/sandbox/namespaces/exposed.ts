/** Which paths of this machine a program needs to run, and which its words name. Everything else, above all the user's home
 *  and working folder, does not exist for it. */
import { existsSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { Program } from "../../wire/index.ts";
import { isShared } from "./jail.ts";

export interface Exposure {
  /** Bound read-only at their own place. */
  readonly paths: readonly string[];
  /** The program's words, with relative paths of files made absolute: its working folder is another one in there. */
  readonly args: readonly string[];
  /** Sockets in those, which something else is put over. */
  readonly masked: readonly string[];
  /** Paths that the words name and that are not shown, because they hold too much. */
  readonly withheld: readonly string[];
}

export function exposureOf({ file, args, cwd }: Program, more: readonly string[] = []): Exposure {
  const paths = new Set<string>(more.map((path) => resolve(cwd, path)));
  const withheld: string[] = [];
  const home = homedir();
  const add = (path: string): boolean => {
    if (holdsTooMuch(path, home)) return false;
    if (!isShared(path)) paths.add(path);
    return true;
  };
  for (const one of new Set([file, realpathSync(file)])) if (!add(programFolder(one))) add(one);
  const words = args.map((word) => {
    const path = namedPath(word, cwd);
    if (path === undefined) return word;
    const folder = codeFolder(path, home);
    if (folder !== undefined) add(folder);
    if (!add(path)) withheld.push(path);
    // A link inside leads nowhere unless what it points to is there as well.
    const real = realpathSync(path);
    if (real !== path) {
      add(codeFolder(real, home) ?? real);
      add(real);
    }
    return isAbsolute(word) ? word : path;
  });
  const shown = outermost([...paths]);
  return { paths: shown, masked: socketsIn(shown), args: words, withheld };
}

/** The file or folder that a word is a path of; also `--root=PATH` is not looked into: such words are options, not code. */
function namedPath(word: string, cwd: string): string | undefined {
  if (word === "" || word.startsWith("-") || word.includes("\0") || word.length > 4096) return undefined;
  const looksLikePath = isAbsolute(word) || word.includes(sep) || /\.\w{1,6}$/.test(word);
  if (!looksLikePath) return undefined;
  const path = resolve(cwd, word);
  // A socket or device would lead out, whoever named it.
  const info = infoOf(path);
  return info?.isFile() || info?.isDirectory() ? path : undefined;
}

/** A word may be anything: too long for a path, a loop of links, a place we may not look into. */
function infoOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Sockets of this machine that lie in one of the paths: whoever sees the name of one can connect to it. */
export function socketsIn(paths: readonly string[]): string[] {
  let table: string;
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  const names = table.split("\n").map((line) => line.slice(line.indexOf("/")));
  const isInside = (name: string): boolean =>
    name.startsWith("/") && paths.some((path) => name === path || name.startsWith(`${path}${sep}`));
  return [...new Set(names.filter(isInside))].filter((name) => infoOf(name)?.isSocket());
}

/** A program in `bin` comes with what stands beside `bin`: interpreters bring their libraries. */
function programFolder(file: string): string {
  const folder = dirname(file);
  return folder.endsWith(`${sep}bin`) && folder !== "/bin" ? dirname(folder) : file;
}

const PROJECT_MARKS = ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "deno.json"];

/** The folder that code needs beside itself: all packages it was installed with, or its project. */
function codeFolder(path: string, home: string): string | undefined {
  if (!infoOf(path)?.isFile()) return undefined;
  const installed = path.indexOf(`${sep}node_modules${sep}`);
  if (installed >= 0) return path.slice(0, installed + `${sep}node_modules`.length);
  for (let folder = dirname(path); !holdsTooMuch(folder, home); folder = dirname(folder)) {
    const venv = existsSync(join(folder, "pyvenv.cfg"));
    if (venv || PROJECT_MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
  }
  const own = dirname(path);
  return holdsTooMuch(own, home) ? undefined : own;
}

const WIDE = [
  "/",
  "/etc",
  "/home",
  "/root",
  "/var",
  "/run",
  "/tmp",
  "/mnt",
  "/srv",
  "/media",
  "/proc",
  "/sys",
];
const SECRET = [".ssh", ".aws", ".gnupg", ".kube", ".docker", ".config"];

/** The home folder or one above it, the system's own folders, and where users keep their keys. */
function holdsTooMuch(path: string, home: string): boolean {
  if (WIDE.includes(path) || path.startsWith("/proc/") || path.startsWith("/dev") || path.startsWith("/sys/"))
    return true;
  if (home === path || home.startsWith(`${path}${sep}`)) return true;
  return SECRET.some((name) => {
    const folder = join(home, name);
    return (
      path === folder || (path.startsWith(`${folder}${sep}`) && !path.includes(`${sep}node_modules${sep}`))
    );
  });
}

/** Without those that lie in another one of them. */
function outermost(paths: readonly string[]): string[] {
  return paths
    .filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}${sep}`)))
    .sort();
}
