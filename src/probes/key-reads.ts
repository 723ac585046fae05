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
  /** A call named the file; a tool that was open says in its description that it reads it. */
  readonly because: "named" | "described" | "nothing";
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
    return [{ path, how, during, because: isNamed ? "named" : isDescribed ? "described" : "nothing" }];
  });
}

/** Whether a tool's own description names a file, with its folder. */
export function describes(run: Run, name: string, path: string): boolean {
  const tail = inHome(path).replace(/^~\/(?:project\/)?/, "");
  const escaped = tail.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const named = new RegExp(String.raw`(?:^|[\s"'\`(,/])${escaped}(?![\w/-]|\.\w)`);
  return run.sights.some(({ surface }) =>
    surface.tools.some(
      (tool) =>
        isRecord(tool) &&
        tool.name === name &&
        typeof tool.description === "string" &&
        named.test(tool.description),
    ),
  );
}

/** One of each path, the first. */
export const onceEach = (reads: readonly KeyRead[]): KeyRead[] => [
  ...new Map([...reads].reverse().map((read) => [read.path, read])).values(),
];
