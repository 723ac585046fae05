/** How exactly npx and its relatives name a package. */
import { isExactVersion } from "../version.ts";
import { divide, type Grammar, gitPinning, leastExact, type Pinning, pinning, valuesOf } from "./words.ts";

/** npm's own rule: an option it does not know takes the next word, unless that is an option too. */
const NPM: Grammar = {
  flags: new Set(
    `-y --yes --no --no-install --ignore-existing --quiet -q --silent -s --verbose -d -dd -ddd --offline
    --prefer-offline --prefer-online --force -f --ignore-scripts --foreground-scripts --global -g --help -h
    --version -v --json --no-audit --no-fund --audit --fund --workspaces --ws --include-workspace-root
    --always-spawn --shell-auto-fallback --legacy-peer-deps --strict-ssl --no-update-notifier --no-color
    --no-save --no-package-lock --package-lock --dry-run --long --parseable --engine-strict --if-present`.split(
      /\s+/,
    ),
  ),
  values: new Set(["-p", "--package", "-c", "--call", "--cache", "--userconfig", "--shell", "--registry"]),
  unknown: "takes-value",
};

const PNPM: Grammar = {
  values: new Set(["--package", "--reporter", "-C", "--dir", "--allow-build", "--registry", "--loglevel"]),
  unknown: "is-flag",
};
const YARN: Grammar = { values: new Set(["-p", "--package", "--cwd"]), unknown: "is-flag" };
const BUN: Grammar = { values: new Set(["-p", "--package", "--cwd", "-c", "--config"]), unknown: "is-flag" };

/** Packages that only carry words to a server elsewhere: their version says nothing about the server. */
const BRIDGES = new Set(["mcp-remote"]);

export function npx(args: readonly string[], grammar: Grammar = NPM): Pinning {
  const divided = divide(args, grammar);
  const named = valuesOf(divided, "-p", "--package").filter((spec) => spec !== "");
  const [first] = divided.rest;
  const isLine = grammar === NPM && valuesOf(divided, "-c", "--call").length > 0;
  if (named.length === 0 && (first === undefined || isLine))
    return pinning("unknown", isLine ? "a shell line" : "no package is named");
  const judged = leastExact((named.length > 0 ? named : [first ?? ""]).map(npmSpec));
  return judged ?? pinning("unknown", "no package is named");
}

export interface NpxWords {
  readonly spec: string;
  readonly bin?: string;
  readonly args: readonly string[];
}

/** The package that npx or `npm exec` would fetch and start; undefined for another program, `unclear` when the words do not
 *  name one package. */
export function npxWords(program: string, args: readonly string[]): NpxWords | "unclear" | undefined {
  if (program === "npm") {
    const before = divide(args, NPM);
    const [word, ...rest] = before.rest;
    if (word !== "exec" && word !== "x") return undefined;
    return npxWords("npx", [
      ...before.options.flatMap(([name, value]) => (value === "" ? [] : [`${name}=${value}`])),
      ...rest,
    ]);
  }
  if (program !== "npx") return undefined;
  const divided = divide(args, NPM);
  const named = valuesOf(divided, "-p", "--package");
  const [first, ...rest] = divided.rest;
  if (valuesOf(divided, "-c", "--call").length > 0 || first === undefined || named.length > 1)
    return "unclear";
  // `npm exec PACKAGE -- ARGS`
  const own = rest[0] === "--" ? rest.slice(1) : rest;
  const [spec] = named;
  return spec === undefined ? { spec: first, args: own } : { spec, bin: first, args: own };
}

/** `npm exec`, `npm x`, `npm run`: global options may stand before the word. */
export function npm(args: readonly string[]): Pinning {
  return subcommand(args, NPM, ["exec", "x"]);
}
export function pnpm(args: readonly string[]): Pinning {
  return subcommand(args, PNPM, ["dlx"]);
}
export function yarn(args: readonly string[]): Pinning {
  return subcommand(args, YARN, ["dlx"]);
}
export function pnpx(args: readonly string[]): Pinning {
  return npx(args, PNPM);
}
export function bunx(args: readonly string[]): Pinning {
  return npx(args, BUN);
}

export function bun(args: readonly string[]): Pinning {
  const [word, ...rest] = divide(args, BUN).rest;
  if (word === "x") return bunx(rest);
  return word === undefined
    ? pinning("unknown", "no file is named")
    : local("a file or script of this machine");
}

function subcommand(args: readonly string[], grammar: Grammar, fetching: readonly string[]): Pinning {
  const before = divide(args, grammar);
  const [word, ...rest] = before.rest;
  if (word === undefined) return pinning("unknown", "no subcommand");
  const packages = valuesOf(before, "-p", "--package").map((spec) => `--package=${spec}`);
  if (fetching.includes(word)) return npx([...packages, ...rest], grammar);
  if (["run", "run-script", "start", "test", "exec", "node"].includes(word))
    return local("a script of the project in this folder");
  return pinning("unknown", `"${word}" is not judged`);
}

const local = (why: string): Pinning => pinning("local", why);

/** One package as npm lets people write it: name, version, tag, range, git, tarball, folder, alias. */
export function npmSpec(spec: string): Pinning {
  if (/^(\.{0,2}\/|\.{1,2}$|~\/|file:|[a-z]:[\\/]|\.{1,2}\\)/i.test(spec))
    return local("a package folder or file of this machine");
  const alias = /^(?:@[^/@]+\/)?[^/@]+@npm:(.+)$/.exec(spec)?.[1] ?? /^npm:(.+)$/.exec(spec)?.[1];
  if (alias !== undefined) return npmSpec(alias);
  const [, , url] =
    /^((?:@[^/@]+\/)?[^/@:]+@)?((?:git(?:\+\w+)?|https?|ssh|github|gitlab|bitbucket|gist):.+)$/.exec(spec) ??
    [];
  if (url !== undefined) return urlSpec(url);
  if (/^[\w.-]+\/[\w.-]+(#.*)?$/.test(spec)) return urlSpec(`github:${spec}`);
  const [, name, wanted] = /^((?:@[^/@\s]+\/)?[^/@\s]+)(?:@(.*))?$/.exec(spec) ?? [];
  if (name === undefined) return pinning("unknown", "not a package name");
  if (BRIDGES.has(name))
    return pinning(
      "unknown",
      `${name} is a bridge to a server elsewhere; its version says nothing about that one`,
    );
  if (wanted === undefined || wanted === "")
    return pinning("unpinned", `${name} without a version: whatever is newest is taken`);
  if (isExactVersion(wanted.replace(/^[=v]\s*/, "")))
    return pinning("pinned", `${name} ${wanted}, an exact version; what it depends on may still move`);
  return pinning("floating", `${name}@${wanted} is a range or tag, which can move`);
}

function urlSpec(url: string): Pinning {
  const [where = "", fragment] = url.split("#", 2);
  const shownWhere = where.replace(/\/\/[^/@]*@/, "//").replace(/\?.*$/, "");
  const isGit = /^(git|ssh|github|gitlab|bitbucket|gist)/.test(url) || /\.git$/.test(where);
  if (isGit) return gitPinning(shownWhere, fragment);
  return pinning("unpinned", `${shownWhere}: a download that may be another file tomorrow`);
}
