/** Files of variables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readEnvText } from "./env-file.ts";

const cases = [
  { name: "plain lines", text: "A=1\r\nB = two words \n", env: { A: "1", B: "two words" } },
  { name: "comments and blank lines", text: "# A=1\n\nB=2 # why\nC=a#b\n", env: { B: "2", C: "a#b" } },
  { name: "quotes", text: 'A="x # y"\nB=\'$C\'\nC="l1\\nl2"\n', env: { A: "x # y", B: "$C", C: "l1\nl2" } },
  { name: "export, and a byte order mark", text: "\ufeffexport A=1", env: { A: "1" } },
  { name: "lines that are none", text: "1A=1\nnothing\n=x\n", env: {} },
  { name: "empty values", text: 'A=\nB=""', env: { A: "", B: "" } },
];
for (const { name, text, env } of cases) test(name, () => assert.deepEqual(readEnvText(text), env));

test("lines of blanks and quotes only are read in no time", { timeout: 10_000 }, () => {
  for (const part of [" ", "'", '"', "# ", " #", "\u2028", "="]) {
    readEnvText(`A=x${part.repeat(200_000)}y`);
    readEnvText(`A=${part.repeat(200_000)}\u2028y`);
  }
});
