/** Variables, each client's way: what is filled in, what stays as written, what is a fault. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Machine, VariableStyle } from "./table.ts";
import { createExpander } from "./variables.ts";

const machine: Machine = {
  platform: "linux",
  home: "/home/me",
  folder: "/srv/shop",
  environment: { KEY: "value", EMPTY: "" },
};

const cases: readonly { style: VariableStyle; text: string; gives?: string; fault?: RegExp }[] = [
  { style: "none", text: "${KEY} $KEY {env:KEY}", gives: "${KEY} $KEY {env:KEY}" },
  { style: "braces", text: "a-${KEY}-b", gives: "a-value-b" },
  { style: "braces", text: "${KEY:-other}", gives: "value" },
  { style: "braces", text: "${GONE:-other}", gives: "other" },
  { style: "braces", text: "${GONE:-}", gives: "" },
  { style: "braces", text: "${EMPTY:-other}", gives: "" },
  { style: "braces", text: "$KEY ${env:KEY} {env:KEY}", gives: "$KEY ${env:KEY} {env:KEY}" },
  { style: "braces", text: "${GONE}", fault: /^args: the variable GONE is not set/ },
  { style: "editor", text: "${env:KEY}", gives: "value" },
  { style: "editor", text: "${workspaceFolder}/x ${userHome}", gives: "/srv/shop/x /home/me" },
  { style: "editor", text: "${workspaceFolderBasename}${/}${pathSeparator}", gives: "shop//" },
  { style: "editor", text: "${KEY} $KEY", gives: "${KEY} $KEY" },
  { style: "editor", text: "${env:GONE}", fault: /GONE is not set/ },
  { style: "editor", text: "${input:token}", fault: /asks for the input "token"/ },
  { style: "editor", text: "${command:pick}", fault: /\$\{command\} has a value in the editor only/ },
  { style: "editor", text: "${workspaceFolder:other}", fault: /in the editor only/ },
  { style: "shell", text: "$KEY/${KEY}", gives: "value/value" },
  { style: "shell", text: "${GONE:-x}", gives: "x" },
  { style: "shell", text: "costs 5$ or $5", gives: "costs 5$ or $5" },
  { style: "shell", text: "$GONE", fault: /GONE is not set/ },
  { style: "curly", text: "Bearer {env:KEY}", gives: "Bearer value" },
  { style: "curly", text: "${KEY} {KEY}", gives: "${KEY} {KEY}" },
  { style: "curly", text: "{env:GONE}", fault: /GONE is not set/ },
  { style: "curly", text: "{file:./secret}", fault: /contents of a file/ },
];
for (const { style, text, gives, fault } of cases)
  test(`${style}: ${text} ${fault ? "has no value here" : `gives ${gives}`}`, () => {
    const expander = createExpander(style, machine);
    const expanded = expander.expand(text, "args");
    if (fault) assert.match(expander.fault ?? "", fault);
    else assert.deepEqual([expanded, expander.fault], [gives, undefined]);
  });

test("what was read is known by name, and its values as secrets", () => {
  const expander = createExpander("braces", machine);
  expander.expand("${KEY} ${GONE:-fallback}", "args");
  assert.deepEqual([[...expander.reads], expander.values], [["KEY"], ["value", "fallback"]]);
});

test("a value is not expanded again", () => {
  const environment = { A: "${B}", B: "secret" };
  assert.equal(createExpander("braces", { ...machine, environment }).expand("${A}", "args"), "${B}");
});

test("a text of nothing but beginnings is read in no time", { timeout: 10_000 }, () => {
  for (const style of ["braces", "editor", "shell", "curly"] as const)
    for (const start of ["${", "${A:-", "{env:", "${env:", "$"])
      createExpander(style, machine).expand(start.repeat(100_000), "args");
});
