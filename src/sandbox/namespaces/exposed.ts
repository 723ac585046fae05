/** Which paths of this machine a program needs to run, and which its words name. Everything else, above all the user's home
 *  and working folder, does not exist for it. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { Program } from "../../wire/index.ts";
import { isShared, SHARED_ROOTS } from "./jail.ts";
import { holdsTooMuch, realOf } from "./wide.ts";

export interface Exposure {
  /** Seen through a layer of their own, read-only, at their own place: sockets and pipes in them lead nowhere. */
  readonly folders: readonly string[];
  /** Bound read-only at their own place. */
  readonly files: readonly string[];
  /** Files and folders below those that are shown as empty. */
  readonly masked: readonly Masked[];
  /** The program's words, with relative paths of files made absolute: its working folder is another one in there. */
  readonly args: readonly string[];
  /** Paths that the words name and that are not shown, because they hold too much. */
  readonly withheld: readonly string[];
}

export interface Masked {
  readonly path: string;
  readonly isFolder: boolean;
}

export function exposureOf({ file, args, cwd }: Program, more: readonly string[] = []): Exposure {
  const paths = new Set(more.map((path) => resolve(cwd, path)));
  const projects = new Set<string>();
  const withheld: string[] = [];
  const add = (path: string): boolean => {
    if (holdsTooMuch(path) || !canBeSeen(path)) return false;
    if (!isShared(path)) paths.add(path);
    return true;
  };
  const addCode = (path: string): void => {
    const project = projectOf(path);
    if (project !== undefined && add(project)) projects.add(project);
    for (const folder of packageFolders(path)) {
      add(folder);
      for (const linked of linkedFrom(folder)) add(linked);
    }
  };
  for (const one of new Set([file, realOf(file)])) {
    add(one);
    const runtime = runtimeOf(one);
    if (runtime !== undefined) add(runtime);
    if (isScript(one)) addCode(one);
  }
  const words = args.map((word) => {
    const path = namedPath(word, cwd);
    if (path === undefined) return word;
    const isGiven = more.some((given) => `${path}${sep}`.startsWith(`${resolve(cwd, given)}${sep}`));
    if (!add(path) && !isGiven) withheld.push(path);
    // A link inside leads nowhere unless what it points to is there as well.
    for (const one of new Set([path, realOf(path)])) {
      add(one);
      if (infoOf(one)?.isFile()) addCode(one);
    }
    return isAbsolute(word) ? word : path;
  });
  const shown = outermost([...paths]);
  const folders = shown.filter((path) => infoOf(path)?.isDirectory());
  return {
    folders: withMounts([...SHARED_ROOTS.filter((root) => existsSync(root)), ...folders]),
    files: shown.filter((path) => !folders.includes(path)),
    masked: [...projects].flatMap(secretsIn),
    args: words,
    withheld,
  };
}

/** The file or folder that a word is a path of. Words that begin like options are none. */
function namedPath(word: string, cwd: string): string | undefined {
  if (word === "" || word.startsWith("-") || word.includes("\0")) return undefined;
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

/** The options of a mount are parted by these. */
const canBeSeen = (path: string): boolean => !/[,:\\"'\n]/.test(path);

/** A program that is text imports what lies beside it, as one does that an installer has linked into `node_modules/.bin`. */
function isScript(file: string): boolean {
  // To open a pipe would wait for who writes.
  if (infoOf(file)?.isFile() !== true) return false;
  let opened: number | undefined;
  try {
    opened = openSync(file, "r");
    const first = Buffer.alloc(2);
    return readSync(opened, first) === 2 && first.toString("latin1") === "#!";
  } catch {
    return false;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** The folder above `bin` when a runtime lies there with its libraries; other programs come alone. */
function runtimeOf(file: string): string | undefined {
  const folder = dirname(file);
  if (!folder.endsWith(`${sep}bin`)) return undefined;
  const prefix = dirname(folder);
  const isRuntime =
    existsSync(join(prefix, "pyvenv.cfg")) ||
    existsSync(join(prefix, "lib/node_modules")) ||
    existsSync(join(prefix, "lib/jvm")) ||
    namesIn(join(prefix, "lib")).some((name) => /^(?:lib)?(?:python|ruby|modules)\d?/.test(name));
  return isRuntime ? prefix : undefined;
}

const PROJECT_MARKS = ["package.json", "pyproject.toml", "pyvenv.cfg", "go.mod", "Cargo.toml", "deno.json"];

/** The project that code belongs to; code that belongs to none comes alone. */
function projectOf(path: string): string | undefined {
  if (path.includes(`${sep}node_modules${sep}`)) return undefined;
  for (let folder = dirname(path); !holdsTooMuch(folder); folder = dirname(folder))
    if (PROJECT_MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
  return undefined;
}

/** The folders of packages where Node looks for what a file imports. */
function packageFolders(path: string): string[] {
  const found: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const own = folder.endsWith(`${sep}node_modules`) ? folder : join(folder, "node_modules");
    if (infoOf(own)?.isDirectory()) found.push(own);
  }
  return found;
}

const MAX_LINKS = 2_000;

/** Packages of the same workspace are links to elsewhere. */
function linkedFrom(packages: string): string[] {
  const names = namesIn(packages).flatMap((name) =>
    name.startsWith("@") ? namesIn(join(packages, name)).map((inner) => join(name, inner)) : [name],
  );
  return names.slice(0, MAX_LINKS).flatMap((name) => {
    const path = join(packages, name);
    const real = realOf(path);
    return real === path || real.startsWith(`${packages}${sep}`) ? [] : [real];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const SECRET_NAMES =
  /^(?:\.env.*|\.envrc|\.npmrc|\.yarnrc.*|\.pypirc|\.netrc|\.git|.*\.(?:pem|key|p12|pfx)|credentials.*|secrets?(?:\..*)?|id_\w+)$/i;

/** What projects keep beside their code and a server has no need of. */
function secretsIn(project: string): Masked[] {
  return namesIn(project)
    .filter((name) => SECRET_NAMES.test(name))
    .flatMap((name) => {
      const path = join(project, name);
      const info = infoOf(path);
      return info ? [{ path, isFolder: info.isDirectory() }] : [];
    });
}

/** A layer over a folder does not hold what is mounted below it: that gets one of its own. */
function withMounts(folders: readonly string[]): string[] {
  const points = mountPoints();
  return folders.flatMap((folder) => [
    folder,
    ...points.filter((point) => point.startsWith(`${folder}${sep}`) && infoOf(point)?.isDirectory()),
  ]);
}

function mountPoints(): string[] {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .map((line) => line.split(" ")[4] ?? "")
      .filter((point) => point !== "" && !point.includes("\\") && canBeSeen(point))
      .sort();
  } catch {
    return [];
  }
}

/** Without those that lie in another one of them. */
function outermost(paths: readonly string[]): string[] {
  return paths
    .filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}${sep}`)))
    .sort();
}
