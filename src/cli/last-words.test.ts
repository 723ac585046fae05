/** What is told in one line of a server that could not be looked at. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inOneLine } from "./last-words.ts";

const cases: readonly (readonly [name: string, message: string, want: string])[] = [
  ["how it ended is told alone where it said nothing", "notes exited with code 3", "exited with code 3"],
  ["its name is not told twice", "notes: no such command: notes", "no such command: notes"],
  ["a name that only begins so is left", "notes-2 exited with code 3", "notes-2 exited with code 3"],
  [
    "of plain words the last is told",
    "notes exited with code 3\n  server: starting\n  server: no licence found",
    "exited with code 3; server: no licence found",
  ],
  [
    "the error is told, and not what a runtime writes behind it",
    "notes exited with code 1\n  server:   throw err;\n  server: Error: Cannot find module '/srv/notes.js'\n" +
      "  server:   code: 'MODULE_NOT_FOUND',\n  server:   requireStack: []",
    "exited with code 1; server: Error: Cannot find module '/srv/notes.js'",
  ],
  [
    "an error is known by its first word too",
    "notes exited with code 1\n  server: fatal: no key\n  server: bye",
    "exited with code 1; server: fatal: no key",
  ],
  ["lines that no server said stay as they are", "first\n  second", "first; second"],
];
for (const [name, message, want] of cases) test(name, () => assert.equal(inOneLine(message, "notes"), want));
