import assert from "node:assert/strict";
import { test } from "node:test";
import { opens } from "./open.ts";

const [MAIL, BANK] = [["mail"], ["bank"]];
/** What is open of the server `mail`, which has the tools `count` and `send`, the prompt `greet` and resources. */
const cases: readonly {
  readonly name: string;
  readonly servers?: readonly string[];
  readonly tools?: readonly string[];
  readonly open: readonly string[];
}[] = [
  { name: "a token without limits opens all", open: ["server", "resource", "count", "send", "greet"] },
  {
    name: "its servers with all they have",
    servers: MAIL,
    open: ["server", "resource", "count", "send", "greet"],
  },
  { name: "no other server", servers: BANK, open: [] },
  { name: "no server at all", servers: [], open: [] },
  {
    name: "tools alone, and nothing else of their servers",
    tools: ["mail__count"],
    open: ["server", "count"],
  },
  { name: "tools of other servers, and nothing here", tools: ["bank__count", "mail_count"], open: [] },
  { name: "no tool at all", tools: [], open: [] },
  { name: "tools alone: a prompt of that name is none", tools: ["mail__greet"], open: ["server"] },
  {
    name: "of its servers these tools, and resources",
    servers: MAIL,
    tools: ["mail__count", "mail__greet"],
    open: ["server", "resource", "count", "greet"],
  },
  { name: "tools of servers that are not open stay closed", servers: BANK, tools: ["mail__count"], open: [] },
];
for (const { name, servers, tools, open } of cases)
  test(`a token opens ${name} [GTW-3]`, () => {
    const caller = {
      ...(servers ? { servers: new Set(servers) } : {}),
      ...(tools ? { tools: new Set(tools) } : {}),
    };
    const found = {
      server: opens(caller, "mail"),
      resource: opens(caller, "mail", { kind: "resource" }),
      count: opens(caller, "mail", { kind: "tool", name: "mail__count" }),
      send: opens(caller, "mail", { kind: "tool", name: "mail__send" }),
      greet: opens(caller, "mail", { kind: "prompt", name: "mail__greet" }),
    };
    assert.deepEqual(
      Object.entries(found).flatMap(([what, isOpen]) => (isOpen ? [what] : [])),
      open,
    );
  });
