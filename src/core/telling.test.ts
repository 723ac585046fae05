/** Which lines of a program that ended say why. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tellingLines } from "./telling.ts";

const NODE = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/notes.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Module._load (node:internal/modules/cjs/loader:1051:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`;
const QUOTED = `/srv/lib/load.js:7
  const err = new Error(message);
              ^

Error: Cannot find module './build/keys.node'
Require stack:
- /srv/lib/keys.js
    at Module.require (node:internal/modules/cjs/loader:1289:19)
`;
const PYTHON = `starting
Traceback (most recent call last):
  File "/srv/notes.py", line 3, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'
`;

const cases: readonly (readonly [name: string, text: string, most: number, want: readonly string[]])[] = [
  ["nothing", "", 3, []],
  ["plain words", "one\ntwo\nthree\n", 2, ["two", "three"]],
  ["an error of Node, one line", NODE, 1, ["Error: Cannot find module '/srv/notes.js'"]],
  [
    "an error of Node, more lines",
    NODE,
    2,
    ["Error: Cannot find module '/srv/notes.js'", "  requireStack: []"],
  ],
  ["an error whose source is quoted first", QUOTED, 1, ["Error: Cannot find module './build/keys.node'"]],
  [
    "the same, more lines: the source is left out",
    QUOTED,
    4,
    ["Error: Cannot find module './build/keys.node'", "Require stack:", "- /srv/lib/keys.js"],
  ],
  [
    "an error in colour",
    "\u001b[31mTypeError:\u001b[39m fetch failed\n\u001b[1;32mbye\u001b[0m\n",
    2,
    ["TypeError: fetch failed", "bye"],
  ],
  ["an error of Python", PYTHON, 1, ["ModuleNotFoundError: No module named 'mcp'"]],
  ["an error among the last lines", "start\nerror: no key\nbye\n", 2, ["error: no key", "bye"]],
  ["the same, one line", "start\nerror: no key\nbye\n", 1, ["error: no key"]],
];
for (const [name, text, most, want] of cases)
  test(`of what it said is told: ${name}`, () => assert.deepEqual(tellingLines(text, most), want));
