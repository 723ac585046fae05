import assert from "node:assert/strict";
import { test } from "node:test";
import type { EgressEvent, SandboxEvent } from "../sandbox/index.ts";
import { telling } from "./contained.ts";

const toward = (host: string, verdict: EgressEvent["verdict"] = "overreach"): EgressEvent => ({
  kind: "egress",
  at: 0,
  host,
  address: "192.0.2.1",
  port: 443,
  protocol: "tcp",
  verdict,
  ending: "reset",
  firstBytes: "",
  bytes: 0,
  notes: [],
});

function told(...events: readonly SandboxEvent[]): string[] {
  const texts: string[] = [];
  const tell = telling("files", (text) => texts.push(text));
  for (const event of events) tell(event);
  return texts;
}

const cases: readonly { name: string; event: SandboxEvent; text?: string }[] = [
  {
    name: "a path that is not shown",
    event: { kind: "gap", at: 0, reason: "/home/me is not shown to the server: it holds too much" },
    text: "files: in its sandbox: /home/me is not shown to the server: it holds too much",
  },
  {
    name: "a limit",
    event: { kind: "limit", at: 0, limit: "memory", reason: "more than 512 MiB" },
    text: "files: ended in its sandbox: memory: more than 512 MiB",
  },
  {
    name: "an address",
    event: toward("api.example.com"),
    text: "files: it tried to reach api.example.com:443, and in its sandbox nothing is reached",
  },
  { name: "its own machine", event: toward("127.0.0.1", "loopback") },
  {
    name: "a name that is looked up",
    event: {
      kind: "dns",
      at: 0,
      name: "a.example",
      type: "A",
      resolver: "",
      protocol: "udp",
      answer: "",
      query: "",
    },
  },
  {
    name: "a file that it writes",
    event: { kind: "file-change", at: 0, path: "/home/dev/project/a", how: "made" },
  },
];
for (const { name, event, text } of cases)
  test(`${name} in a sandbox is ${text === undefined ? "not told" : "told"} [GTW-99]`, () =>
    assert.deepEqual(told(event), text === undefined ? [] : [text]));

test("the same is told once, and of one server 16 at most [GTW-99]", () => {
  const tries = Array.from({ length: 40 }, (_, index) => toward(`${index}.example`));
  const texts = told(...tries, ...tries);
  assert.equal(texts.length, 17);
  assert.match(texts[15] ?? "", /^files: it tried to reach 15\.example:443/);
  assert.equal(texts[16], "files: in its sandbox it tried more than is told");
});

test("a name that acts on a terminal does not [GTW-99]", () =>
  assert.equal(told(toward("a\u001b[2J.example"))[0]?.includes("\u001b"), false));
