/** Files that a server made, changed or removed: which they are, and which calls may have done it. */
import { inHome, namesFile } from "./asked.ts";
import { describes, saysOf } from "./key-reads.ts";
import type { Exchange, Run } from "./run/model.ts";

export interface FileChange {
  /** As the process sees it. */
  readonly path: string;
  readonly how: "made" | "changed" | "removed";
  /** What the file is for: read by agents as instructions or settings, run by others, or neither. */
  readonly steers: "agent" | "machine" | "nothing";
  /** Calls that were open when it happened. */
  readonly during: readonly Exchange[];
  /** A call names the file in its arguments, or its tool does in its description. */
  readonly isAskedFor: boolean;
  /** Before the first call. */
  readonly isEarly: boolean;
}

/** What is gone is noticed at the next look. */
const LATE_MS = 250;
/** Times of the file system are a little coarse. */
const SLACK_MS = 20;

export function changesOf(run: Run): FileChange[] {
  const begin = Math.min(...run.exchanges.map(({ startedAt }) => startedAt));
  return run.sandbox.flatMap((event): FileChange[] => {
    if (event.kind !== "file-change" && event.kind !== "canary-read") return [];
    const { path, at, how } = event;
    if (how === "read") return [];
    const late = event.kind === "file-change" && how === "removed" ? LATE_MS : SLACK_MS;
    const during = run.exchanges.filter(
      ({ startedAt, endedAt }) => startedAt - SLACK_MS <= at && at - late <= endedAt,
    );
    const isAskedFor = during.some(
      ({ args, tool }) =>
        namesFile(args, path) ||
        describes(run, tool, path) ||
        isAnnounced(run, tool, path) ||
        isOfRepository(run, { args, tool }, path, how),
    );
    return [{ path, how, steers: steeredBy(path), during, isAskedFor, isEarly: at < begin }];
  });
}

/** What agents read, written by a tool that says that it makes such things, and in which folder: `.claude/skills/`. */
function isAnnounced(run: Run, tool: string, path: string): boolean {
  const [, dotted = ""] = /\/(\.[^/]+\/.*)$/.exec(path) ?? [];
  const folders = dotted.split("/").slice(0, -1);
  // The folder of all settings says too little.
  const named = folders.slice(1).map((_, index) => folders.slice(0, index + 2).join("/"));
  return (
    steeredBy(path) === "agent" &&
    saysOf(run, tool, MAKES) &&
    named.some((folder) => saysOf(run, tool, new RegExp(String.raw`(?:^|[\s"'\`(,/])${escaped(folder)}/`)))
  );
}

const MAKES = /\b(?:creates?|writes?|generates?|saves?|installs?|adds?|updates?|stores?)\b/i;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Settings that a repository is made with, or that go with it: the call names its folder, and its tool says that it makes them. */
function isOfRepository(
  run: Run,
  { args, tool }: Pick<Exchange, "args" | "tool">,
  path: string,
  how: FileChange["how"],
): boolean {
  const [, folder] = /^([\s\S]+)\/\.git\/config$/.exec(path) ?? [];
  return (
    folder !== undefined &&
    how !== "changed" &&
    namesFile(args, folder) &&
    saysOf(run, tool, MAKES_REPOSITORY)
  );
}

const MAKES_REPOSITORY = /(?:^|[^a-z])(?:init(?:iali[sz]e[sd]?)?|clon(?:e[sd]?|ing))(?![a-z])/i;

/** Below a folder of the home whose name begins with a dot: where programs keep what is their own. */
export const isOwnState = (path: string): boolean => /^~\/\.[^/]+\/./.test(inHome(path));

/** Files that are read by agents, or run by shells, sessions and version control, without anybody opening them. */
function steeredBy(path: string): FileChange["steers"] {
  const place = inHome(path);
  if (AGENT.test(place)) return "agent";
  return MACHINE.test(place) ? "machine" : "nothing";
}

const AGENT =
  /\/(?:AGENTS?|CLAUDE|GEMINI|QWEN|CONVENTIONS)(?:\.local)?\.md$|\/\.(?:cursorrules|windsurfrules|clinerules|roorules|goosehints|aider\.conf\.yml)$|\/\.github\/copilot-instructions\.md$|\/\.(?:cursor|claude|codex|gemini|windsurf|continue|roo|cline|clinerules|kiro|amazonq)\/|\/\.claude\.json$|\/\.?mcp\.json$|claude_desktop_config\.json$/i;

const MACHINE =
  /\/\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|tcshrc|cshrc|inputrc|pam_environment|xprofile|xinitrc|xsession|gitconfig|npmrc|yarnrc|pypirc|netrc|envrc|vimrc)$|\/\.ssh\/|\/\.gnupg\/|\/\.aws\/|\/\.git\/(?:hooks\/(?!.*\.sample$)|config$)|\/\.husky\/|\/\.vscode\/|\/\.idea\/|\/\.config\/(?:autostart|systemd|fish|environment\.d|git)\/|\/\.local\/(?:bin|share\/(?:systemd|applications|autostart))\/|^~\/bin\/|\/LaunchAgents\/|\/\.devcontainer\/|\/\.pre-commit-config\.yaml$|\/crontabs?\//i;
