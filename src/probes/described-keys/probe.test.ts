import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, egress, NO_SANDBOX, START, testJudge } from "../../../test/kit/run.ts";
import type { CanaryReadEvent, EgressEvent } from "../../sandbox/index.ts";
import { describedKeys } from "./probe.ts";

const PATH = "/home/dev/.aws/config";
const read = (at: number, how: CanaryReadEvent["how"] = "read"): CanaryReadEvent => ({
  kind: "canary-read",
  at,
  path: PATH,
  how,
});
const GIT = "/usr/lib/git-core/git-remote-https origin https://git.example/a.git";
const login = (at: number): CanaryReadEvent => ({ ...read(at), path: "/home/dev/.netrc" });
const connection = (at: number, command: string): EgressEvent =>
  egress({ host: "git.example", at, process: { pid: 7, command } });
const tools = [{ ...ECHO, description: "Lists the profiles in ~/.aws/config." }];
const exchanges = [{ startedAt: START + 1000, endedAt: START + 2000 }];

testJudge(describedKeys, [
  { name: "a server that reads no key passes", parts: { tools, exchanges }, status: "pass" },
  {
    name: "a key that the tool says it reads is told once",
    parts: { tools, exchanges, sandbox: [read(START + 1500), read(START + 1600)] },
    status: "fail",
    found: ["fail"],
    says: /^\/home\/dev\/\.aws\/config: reads \/home\/dev\/\.aws\/config, as a tool's description says/,
  },
  {
    name: "a key that nobody says is read is another probe's",
    parts: { exchanges, sandbox: [read(START + 1500)] },
    status: "pass",
  },
  {
    name: "a read between calls is another probe's",
    parts: { tools, exchanges, sandbox: [read(START + 5000)] },
    status: "pass",
  },
  {
    name: "to change what it says it reads is another probe's",
    parts: { tools, exchanges, sandbox: [read(START + 1500, "changed")] },
    status: "pass",
  },
  {
    name: "a key that the call names was asked for",
    parts: { tools, exchanges: [{ ...exchanges[0], args: { path: PATH } }], sandbox: [read(START + 1500)] },
    status: "pass",
  },
  {
    name: "a login that git looks for where it connects is told",
    parts: { exchanges, sandbox: [login(START + 1500), connection(START + 1700, GIT)] },
    status: "fail",
    says: /reads \/home\/dev\/\.netrc, as git does where it connects/,
  },
  {
    name: "a login that is read while another program connects is another probe's",
    parts: {
      exchanges,
      sandbox: [login(START + 1500), connection(START + 1700, "/usr/bin/node /srv/git-remote-https")],
    },
    status: "pass",
  },
  {
    name: "another key that is read while git connects is another probe's",
    parts: { exchanges, sandbox: [read(START + 1500), connection(START + 1700, GIT)] },
    status: "pass",
  },
  { name: "without a sandbox nothing is planted", parts: { terms: NO_SANDBOX }, status: "pass" },
]);

test("the specification does not ask it", () => assert.deepEqual(describedKeys.methods, ["touchstone-1"]));
