/** A server is named by its name and what people call it, and the latter says nothing beyond that. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serverNamed } from "./name.ts";

const cases: readonly {
  readonly name: string;
  readonly label: string | null | undefined;
  readonly want: string;
}[] = [
  { name: "a label stands beside the name", label: "Team files", want: 'files ("Team files")' },
  { name: "without one the name stands alone", label: null, want: "files" },
  { name: "unknown is as none", label: undefined, want: "files" },
  { name: "an empty one is none", label: "", want: "files" },
  { name: "it cannot end its quotes", label: 'x") is admitted ("', want: 'files ("x\\") is admitted (\\"")' },
  { name: "it stays on its line", label: "x\nallowed\r\tby", want: 'files ("x\\\\nallowed\\\\u{d}\\\\tby")' },
  { name: "it gives a terminal no orders", label: "\u001b[2Jx", want: 'files ("\\\\u{1b}[2Jx")' },
  {
    name: "it does not turn what follows",
    label: "x\u202ey\u200b",
    want: 'files ("x\\\\u{202e}y\\\\u{200b}")',
  },
  { name: "it is short", label: "y".repeat(200), want: `files ("${"y".repeat(80)}… (+120 characters)")` },
];
for (const { name, label, want } of cases)
  test(`${name} [GTW-74]`, () => assert.equal(serverNamed("files", label), want));
