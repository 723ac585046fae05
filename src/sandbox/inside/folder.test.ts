/** Files that are made, changed and removed in a folder that is looked at. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import type { SandboxEvent } from "../events.ts";
import { watchFolder } from "./folder.ts";

const cases: readonly {
  readonly name: string;
  readonly act: (folder: string) => void;
  readonly told: readonly string[];
}[] = [
  { name: "nothing done is nothing told", act: () => {}, told: [] },
  { name: "a file that is made", act: (folder) => write(folder, "new.txt"), told: ["made new.txt"] },
  {
    name: "a file below folders",
    act: (folder) => write(folder, ".config/autostart/x.desktop"),
    told: ["made .config/autostart/x.desktop"],
  },
  {
    name: "a file that is changed",
    act: (folder) => write(folder, "old.txt", "more"),
    told: ["changed old.txt"],
  },
  {
    name: "a change whose time is set back",
    act: (folder) => {
      write(folder, "old.txt", "more");
      utimesSync(join(folder, "old.txt"), 0, 0);
    },
    told: ["changed old.txt"],
  },
  {
    name: "a file that is removed",
    act: (folder) => rmSync(join(folder, "old.txt")),
    told: ["removed old.txt"],
  },
  { name: "a folder alone is nothing", act: (folder) => mkdirSync(join(folder, "empty")), told: [] },
  { name: "what is ignored", act: (folder) => write(folder, ".cache/a/b"), told: [] },
  {
    name: "a link is told and not followed",
    act: (folder) => symlinkSync("/etc", join(folder, "link")),
    told: ["made link"],
  },
];
for (const { name, act, told } of cases)
  test(`files of a folder: ${name}`, async () => {
    using temporary = temporaryFolder();
    write(temporary.path, "old.txt");
    const events: SandboxEvent[] = [];
    const reporter = {
      event: (event: SandboxEvent) => void events.push(event),
      gap: () => {},
      say: () => {},
    };
    const watched = watchFolder(temporary.path, "/home/dev", new Set([".cache"]), reporter);
    // The clock of files stands still for some milliseconds.
    await new Promise((done) => setTimeout(done, 20));
    act(temporary.path);
    watched.look();
    watched.look();
    const words = events.map((event) =>
      event.kind === "file-change" ? `${event.how} ${event.path.replace("/home/dev/", "")}` : event.kind,
    );
    assert.deepEqual(words, told);
  });

function write(folder: string, path: string, text = "text"): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
