/** Planted keys that were read, changed or removed, with whoever may have asked for it. */
import { isRecord } from "../wire/index.ts";
import { inHome, namesFile } from "./asked.ts";
import type { Exchange, Run } from "./run/model.ts";

/** Times of the file system are a little coarse. */
const SLACK_MS = 20;

export interface KeyRead {
  readonly path: string;
  readonly how: "read" | "changed" | "removed";
  /** Calls that were open at that time. */
  readonly during: readonly Exchange[];
  /** A call named the file; a tool that was open says in its description that it reads it; git read it while it connected. */
  readonly because: "named" | "described" | "git" | "nothing";
}

/** Of the home folder: files in the working folder are there to be read. */
export function keyReads(run: Run): KeyRead[] {
  return run.sandbox.flatMap((event): KeyRead[] => {
    if (event.kind !== "canary-read" || inHome(event.path).startsWith("~/project/")) return [];
    const { path, how, at } = event;
    const during = run.exchanges.filter(
      ({ startedAt, endedAt }) => startedAt - SLACK_MS <= at && at <= endedAt + SLACK_MS,
    );
    const isNamed = during.some(({ args }) => namesFile(args, path));
    const isDescribed = how === "read" && during.some(({ tool }) => describes(run, tool, path));
    const isOfGit =
      how === "read" && inHome(path) === "~/.netrc" && during.length > 0 && connectsGit(run, at);
    const because = isNamed ? "named" : isDescribed ? "described" : isOfGit ? "git" : "nothing";
    return [{ path, how, during, because }];
  });
}

/** git looks for a login there whenever it speaks HTTP, whoever has called it. */
const connectsGit = (run: Run, at: number): boolean =>
  run.sandbox.some(
    (event) =>
      event.kind === "egress" &&
      Math.abs(event.at - at) <= GIT_MS &&
      /^\S*\/git-core\/git-remote-https?(?:\s|$)/.test(event.process?.command ?? ""),
  );

/** From reading the file to connecting. */
const GIT_MS = 1000;

/** Whether a tool's own description names a file, with its folder. */
export function describes(run: Run, name: string, path: string): boolean {
  const tail = inHome(path).replace(/^~\/(?:project\/)?/, "");
  const escaped = tail.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return saysOf(run, name, new RegExp(String.raw`(?:^|[\s"'\`(,/])${escaped}(?![\w/-]|\.\w)`));
}

/** Whether a tool's own description, as it was at any time, has something. */
export function saysOf(run: Run, name: string, words: RegExp): boolean {
  return run.sights.some(({ surface }) =>
    surface.tools.some(
      (tool) =>
        isRecord(tool) &&
        tool.name === name &&
        typeof tool.description === "string" &&
        words.test(tool.description),
    ),
  );
}

/** One of each path, the first. */
export const onceEach = (reads: readonly KeyRead[]): KeyRead[] => [
  ...new Map([...reads].reverse().map((read) => [read.path, read])).values(),
];
