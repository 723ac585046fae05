/** How exactly a launch names the code it runs. Pure: looks at the words, never at a registry or a disk. */
import type { Launch } from "../wire/index.ts";
import { container } from "./pinning/container.ts";
import { bun, bunx, npm, npx, pnpm, pnpx, yarn } from "./pinning/npm.ts";
import { pipx, python, uv, uvx } from "./pinning/python.ts";
import { divide, type Grammar, gitPinning, type Pinning, pinning } from "./pinning/words.ts";
import { isExactVersion } from "./version.ts";

export type { Pinning } from "./pinning/words.ts";

type Judge = (args: readonly string[]) => Pinning;

const JUDGES: Readonly<Record<string, Judge>> = {
  npx,
  npm,
  pnpm,
  pnpx,
  yarn,
  bunx,
  bun,
  uvx,
  uv,
  pipx,
  docker: container,
  podman: container,
  node,
  tsx: node,
  "ts-node": node,
  deno,
  python,
  go,
};

/** Wrappers that start the words after them. Deeper nesting than this is nobody's honest config. */
const MAX_WRAPPERS = 8;

export function pinningOf(launch: Launch): Pinning {
  if (launch.kind === "http") return pinning("unknown", "a URL names a place, not the code behind it");
  let words: readonly string[] = [launch.command, ...launch.args];
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const [command = "", ...args] = words;
    const program = programName(command);
    const inner = unwrap(program, args);
    if (inner === "unclear")
      return pinning("unknown", `what ${program} starts cannot be read from the words`);
    if (inner !== undefined) {
      words = inner;
      continue;
    }
    const name = /^python\d?(\.\d+)?$|^py$/.test(program) ? "python" : program;
    const judge = Object.hasOwn(JUDGES, name) ? JUDGES[name] : undefined;
    if (judge) return judge(args);
    if (command === "") return pinning("unknown", "no command");
    return pinning("local", "a program of this machine, in whatever version it has there");
  }
  return pinning("unknown", "too many commands that start commands");
}

/** `C:\nodejs\npx.cmd` and `/usr/bin/npx` are both npx. */
export function programName(command: string): string {
  const base = command.split(/[/\\]/).at(-1) ?? "";
  return base.toLowerCase().replace(/\.(cmd|exe|bat|ps1)$/, "");
}

/** The words a wrapper starts; undefined when it is none. */
function unwrap(program: string, args: readonly string[]): readonly string[] | "unclear" | undefined {
  switch (program) {
    case "cmd": {
      const at = args.findIndex((word) => /^\/[ck]$/i.test(word));
      return at < 0 ? "unclear" : line(args.slice(at + 1));
    }
    case "env":
      return envWords(args);
    case "sh":
    case "bash":
    case "zsh":
    case "dash": {
      const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
      const script = args[at + 1];
      if (at < 0) return args.length === 0 || args[0]?.startsWith("-") ? "unclear" : undefined;
      return script === undefined ? "unclear" : line([script]);
    }
    case "powershell":
    case "pwsh": {
      const at = args.findIndex((word) => /^-c(ommand)?$/i.test(word));
      return at < 0 ? "unclear" : line(args.slice(at + 1));
    }
    case "corepack":
      return args;
    case "node": {
      const [file = "", ...rest] = args;
      const inner = /(?:^|[/\\])(npx|npm)-cli\.c?js$/.exec(file)?.[1];
      return inner === undefined ? undefined : [inner, ...rest];
    }
    default:
      return undefined;
  }
}

/** One word is a line for a shell: only plain words are taken apart, anything that a shell would act on is not. */
function line(words: readonly string[]): readonly string[] | "unclear" {
  if (words.length !== 1) return words.length === 0 ? "unclear" : words;
  const text = (words[0] ?? "").trim().replace(/^exec\s+/, "");
  if (!/^[\w@./:=,+~^ -]+$/.test(text)) return "unclear";
  const parts = text.split(/ +/);
  const start = parts.findIndex((part) => !/^\w+=/.test(part));
  return start < 0 ? "unclear" : parts.slice(start);
}

function envWords(args: readonly string[]): readonly string[] | "unclear" {
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "-u" || word === "--unset" || word === "-C" || word === "--chdir") at += 1;
    else if (/^(-S|--split-string|-[a-zA-Z]*S)/.test(word)) return "unclear";
    else if (word !== "--" && !word.startsWith("-") && !/^[A-Za-z_]\w*=/.test(word)) break;
  }
  return at < args.length ? args.slice(at) : "unclear";
}

const NODE: Grammar = {
  values: new Set(["-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions"]),
  unknown: "is-flag",
};

function node(args: readonly string[]): Pinning {
  const { options, rest } = divide(args, NODE);
  if (options.some(([name]) => ["-e", "--eval", "-p", "--print"].includes(name)))
    return pinning("local", "the code is on the command line");
  return rest.length > 0
    ? pinning("local", "a file of this machine")
    : pinning("unknown", "no file is named");
}

function deno(args: readonly string[]): Pinning {
  const [word, ...rest] = divide(args, { unknown: "is-flag" }).rest;
  const [script] = word === "run" ? divide(rest, { unknown: "is-flag" }).rest : [word];
  if (script === undefined) return pinning("unknown", "no file is named");
  const [, scheme, spec = ""] = /^(npm|jsr):\/?(.*)$/.exec(script) ?? [];
  if (scheme === "npm" || scheme === "jsr") {
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(spec) ?? [""];
    return npx([name]);
  }
  if (/^https?:/i.test(script))
    return pinning("unpinned", "a script from a URL, which may be another one tomorrow");
  return pinning("local", "a file of this machine");
}

function go(args: readonly string[]): Pinning {
  const [word, ...rest] = args;
  const [target] = divide(rest, { unknown: "is-flag" }).rest;
  if (word !== "run" || target === undefined) return pinning("unknown", "no module is named");
  const [path = "", version] = target.split("@", 2);
  if (version === undefined) return pinning("local", "a package of this machine");
  if (isExactVersion(version.replace(/^v/, "")))
    return pinning("pinned", `${path} ${version}, an exact version`);
  return gitPinning(path, version);
}
