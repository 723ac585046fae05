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
            env: v.optional(
              v.record(v.pipe(v.string(), v.regex(/^[A-Z]+$/, "want capitals")), v.string("want text")),
            ),
            tags: v.optional(v.array(v.string("want text"), "want a list")),
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
    name: "a second document is named as what it is",
    text: "limits: {}\n---\nlimits: {}\n",
    code: "CFG_SYNTAX",
    at: "f.yml:2:1 a second document begins here",
  },
  {
    name: "of a URL as a key the user is not shown",
    text: 'servers:\n  "https://ann:secret@example.com/mcp": 1\n',
    code: "CFG_BAD_VALUE",
    at: "f.yml:2:41 servers.https://…@example.com/mcp: want a map",
  },
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
    name: "a key that is misspelt is not missing",
    text: "servers:\n  a:\n    comand: x\n",
    code: "CFG_UNKNOWN_KEY",
    at: 'f.yml:3:5 unknown key "servers.a.comand", did you mean "command"?',
  },
  {
    name: "a key by a longer name is not missing",
    text: "servers:\n  a:\n    startCommand: x\n",
    code: "CFG_UNKNOWN_KEY",
    at: 'f.yml:3:5 unknown key "servers.a.startCommand", did you mean "command"?',
  },
  {
    name: "a key that is missing beside an unknown one is missing",
    text: "servers:\n  a:\n    program: x\n",
    code: "CFG_BAD_VALUE",
    at: "f.yml:3:5 servers.a.command is missing",
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
    name: "a tag that makes another value of a text",
    text: 'limits:\n  timeout_ms: !!int "1"\n',
    code: "CFG_SYNTAX",
    at: "f.yml:2:21 no tags, as tag:yaml.org,2002:int",
  },
  ...["!!map {}", "! {}", "&a !!map {}"].map((map) => ({
    name: `a tag at a map: ${map}`,
    text: `limits: ${map}\n`,
    code: "CFG_SYNTAX",
    at: /^f\.yml:1:\d+ no tags, as /,
  })),
  {
    name: "a tag at a list",
    text: "limits: !!seq []\n",
    code: "CFG_SYNTAX",
    at: "f.yml:1:15 no tags, as tag:yaml.org,2002:seq",
  },
  {
    name: "a tag at a key",
    text: "!!str limits: {}\n",
    code: "CFG_SYNTAX",
    at: "f.yml:1:7 no tags, as tag:yaml.org,2002:str",
  },
  {
    name: "an older YAML, in which yes is true and << brings in keys",
    text: "# mine\n%YAML 1.1\n---\nlimits: { <<: { timeout_ms: 1 } }\n",
    code: "CFG_SYNTAX",
    at: "f.yml:2:1 want YAML 1.2",
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

/** The same file in three ways of writing it: the fault is the same, and where it stands is told for each. */
const everywhere: readonly {
  readonly name: string;
  readonly says: string;
  readonly hint: string;
  readonly code?: string;
  readonly texts: readonly (readonly [at: string, text: string])[];
}[] = [
  {
    name: "a value deep inside",
    says: "servers.a.env.PORT: want text",
    hint: "give servers.a.env.PORT text",
    texts: [
      ["5:13", "servers:\n  a:\n    command: x\n    env:\n      PORT: 80\n"],
      ["2:33", "servers:\n  a: { command: x, env: { PORT: 80 } }\n"],
      ["3:43", '{\n  "servers": {\n    "a": { "command": "x", "env": {"PORT":80} }\n  }\n}\n'],
    ],
  },
  {
    name: "a name that is not allowed stands where the name does",
    says: "servers.a.env.port: want capitals",
    hint: "give servers.a.env.port another name, with capitals",
    texts: [
      ["5:7", "servers:\n  a:\n    command: x\n    env:\n      port: '80'\n"],
      ["2:27", "servers:\n  a: { command: x, env: { port: '80' } }\n"],
      ["1:44", '{"servers":{"a":{"command":"x"   ,"env":  {"port":"80"}}}}'],
    ],
  },
  {
    name: "a member of a list",
    says: "servers.a.tags.1: want text",
    hint: "give servers.a.tags.1 text",
    texts: [
      ["6:9", "servers:\n  a:\n    command: x\n    tags:\n      - one\n      - 2\n"],
      ["2:32", "servers:\n  a: { command: x, tags: [one, 2] }\n"],
      ["1:49", '{"servers": {"a": {"command":"x","tags":["one", 2]}}}'],
    ],
  },
  {
    name: "an unknown key that belongs elsewhere",
    code: "CFG_UNKNOWN_KEY",
    says: 'unknown key "servers.a.timeout_ms", it belongs elsewhere: limits.timeout_ms',
    hint: "write limits.timeout_ms instead",
    texts: [
      ["4:5", "servers:\n  a:\n    command: x\n    timeout_ms: 1\n"],
      ["2:20", "servers:\n  a: { command: x, timeout_ms: 1 }\n"],
      ["1:34", '{"servers":{"a":{"command":"x" , "timeout_ms":1}}}'],
    ],
  },
  {
    name: "one that belongs to a server",
    code: "CFG_UNKNOWN_KEY",
    says: 'unknown key "limits.command", it belongs elsewhere: servers.NAME.command',
    hint: "write servers.NAME.command instead",
    texts: [
      ["2:3", "limits:\n  command: x\n"],
      ["1:11", "limits: { command: x }\n"],
      ["1:12", '{"limits":{"command":"x"}}'],
    ],
  },
  {
    name: "a word that is nearly one",
    says: 'servers.a.era: want "legacy" or "modern"',
    hint: "write servers.a.era: modern",
    texts: [
      ["4:10", "servers:\n  a:\n    command: x\n    era: moderne\n"],
      ["2:25", "servers:\n  a: { command: x, era: Modern }\n"],
      ["1:39", '{"servers":{"a":{"command":"x","era": "modrn"}}}'],
    ],
  },
  {
    name: "what stands behind an alias is found at its anchor, under a key that is a number",
    says: 'servers.1.era: want "legacy" or "modern"',
    hint: 'give servers.1.era "legacy" or "modern"',
    texts: [
      ["1:26", "x: &e { command: x, era: old }\nservers: { 1: *e }\n"],
      ["3:25", "servers:\n  a: { command: x }\n  1: { command: x, era: old }\n"],
    ],
  },
];
for (const { name, says, hint, code = "CFG_BAD_VALUE", texts } of everywhere)
  for (const [at, text] of texts)
    test(`${name}, at ${at}`, async () => {
      const error = await readConfig(text, "f.yml", schema).then(
        () => undefined,
        (thrown: TrustError) => thrown,
      );
      assert.deepEqual([error?.code, error?.message, error?.hint], [code, `f.yml:${at} ${says}`, hint]);
    });

const hints: readonly (readonly [name: string, text: string, hint: string])[] = [
  ["a missing key", "servers:\n  a: {}\n", "add servers.a.command"],
  ["a misspelt key", "server: {}\n", 'write "servers" in its place'],
  ["a key that nobody has", "limits: { foo: 1 }\n", "remove it, or use one of the known keys: timeout_ms"],
  [
    "a key twice",
    "limits:\n  timeout_ms: 1\n  timeout_ms: 2\n",
    "it stands on line 2 already: keep one of the two",
  ],
  ["no YAML", "limits: {}\nservers: [a\n", "correct line 3 of f.yml"],
  ["a list for a map", "limits: []\n", "write limits as a map of keys and values, not as a list"],
];
for (const [name, text, hint] of hints)
  test(`what to do is said for the very case: ${name}`, () =>
    assert.rejects(readConfig(text, "f.yml", schema), { hint }));

test("a value that may be a secret is not repeated in what to do", () =>
  assert.rejects(readConfig("servers:\n  a: { command: x, env: [hunter2] }\n", "f.yml", schema), (error) => {
    const { message, hint } = error as TrustError;
    return !/hunter2/.test(message + hint);
  }));

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
