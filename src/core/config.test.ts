import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { readConfig } from "./config.ts";
import { TrustError } from "./errors.ts";

const schema = v.strictObject(
  {
    servers: v.optional(
      v.record(
        v.string(),
        v.strictObject(
          {
            command: v.string("want text"),
            era: v.optional(v.picklist(["legacy", "modern"], 'want "legacy" or "modern"')),
          },
          "want a map",
        ),
      ),
    ),
    limits: v.optional(v.strictObject({ timeout_ms: v.optional(v.number("want a number")) }, "want a map")),
  },
  "want a map",
);

const faults = [
  {
    name: "an unknown key names the near one",
    text: "server:\n  a: 1\n",
    code: "CFG_UNKNOWN_KEY",
    at: 'f.yml:1:1 unknown key "server", did you mean "servers"?',
  },
  {
    name: "an unknown key far from all lists them",
    text: "limits:\n  foo: 1\n",
    code: "CFG_UNKNOWN_KEY",
    at: 'f.yml:2:3 unknown key "limits.foo", known keys: timeout_ms',
  },
  {
    name: "a nested unknown key is found in its own map",
    text: "servers:\n  a:\n    command: x\n    eraa: legacy\n",
    code: "CFG_UNKNOWN_KEY",
    at: 'f.yml:4:5 unknown key "servers.a.eraa", did you mean "era"?',
  },
  {
    name: "a wrong value is located at the value",
    text: "servers:\n  a:\n    command: x\n    era: old\n",
    code: "CFG_BAD_VALUE",
    at: 'f.yml:4:10 servers.a.era: want "legacy" or "modern"',
  },
  {
    name: "a missing key is located at its map",
    text: "servers:\n  a:\n    era: legacy\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:3:5 servers.a.command is missing",
  },
  {
    name: "yes is text, not true; a number is not text",
    text: "servers:\n  a:\n    command: 1.0\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:3:14 servers.a.command: want text",
  },
  {
    name: "a key that stands twice",
    text: "limits:\n  timeout_ms: 1\n  timeout_ms: 2\n",
    code: "CFG_DUPLICATE_KEY",
    at: 'f.yml:3:3 the key "timeout_ms" stands twice',
  },
  { name: "a syntax error", text: "servers: [a\n", code: "CFG_SYNTAX", at: /^f\.yml:\d+:\d+ / },
  {
    name: "an unknown tag",
    text: "limits: !js/function x\n",
    code: "CFG_SYNTAX",
    at: /^f\.yml:1:9 Unresolved tag/,
  },
  {
    name: "a list where a map is wanted",
    text: "- a\n- b\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:1:1 the file: want a map",
  },
  {
    name: "a map where text is wanted",
    text: "servers:\n  a:\n    command: {x: 1}\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:3:14 servers.a.command: want text",
  },
  {
    name: "aliases that multiply are refused",
    text: `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
    code: "CFG_SYNTAX",
    at: /alias/i,
  },
  {
    name: "a name that reaches into every object is refused, not dropped",
    text: "servers:\n  constructor: { command: node }\n",
    code: "CFG_UNKNOWN_KEY",
    at: 'f.yml:2:3 nothing may be called "constructor"',
  },
  {
    name: "text in place of a server",
    text: "servers:\n  a: node\n",
    code: "CFG_BAD_VALUE",
    at: /^f\.yml:2:6 servers\.a: /,
  },
  {
    name: "a list in place of a server",
    text: "servers:\n  a: [node, x]\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:2:6 servers.a: want a map",
  },
  {
    name: "an empty list in place of a map with known keys",
    text: "limits: []\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:1:9 limits: want a map",
  },
  {
    name: "a list in place of a map of names",
    text: "servers:\n  - { command: node }\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:2:3 servers: want a map",
  },
  {
    name: "a second document",
    text: "limits: {}\n---\nlimits: {}\n",
    code: "CFG_SYNTAX",
    at: /^f\.yml:2:1 /,
  },
] as const;
for (const { name, text, code, at } of faults) {
  test(name, async () => {
    await assert.rejects(readConfig(text, "f.yml", schema), (error: unknown) => {
      assert.ok(error instanceof TrustError, "a coded error");
      assert.equal(error.code, code);
      if (typeof at === "string") assert.equal(error.message, at);
      else assert.match(error.message, at);
      return true;
    });
  });
}

const fine = [
  { name: "an empty file is an empty configuration", text: "", want: {} },
  { name: "comments only", text: "# nothing yet\n", want: {} },
  {
    name: "values of the right kind",
    text: "servers:\n  a: { command: node, era: modern }\nlimits: { timeout_ms: 5 }\n",
    want: { servers: { a: { command: "node", era: "modern" } }, limits: { timeout_ms: 5 } },
  },
];
for (const { name, text, want } of fine)
  test(name, async () => assert.deepEqual(await readConfig(text, "f.yml", schema), want));
