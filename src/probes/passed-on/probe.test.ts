import assert from "node:assert/strict";
import { test } from "node:test";
import { ENVIRONMENT_KEY, egress, kit, NO_SANDBOX, REMOTE, START, testJudge } from "../../../test/kit/run.ts";
import { passedOn } from "./probe.ts";

const [mine] = kit().secrets() as [{ id: string; value: string }];
const API = { host: "api.example", port: 443, by: "package" };
const sent = (parts: Parameters<typeof egress>[0] = {}) =>
  egress({ verdict: "permitted", sent: `q=${mine.value}`, ...parts });
const given = { exchanges: [{ canaries: [mine] }] };

testJudge(passedOn, [
  { name: "silence passes", parts: {}, status: "pass" },
  {
    name: "what a call is given and goes to the package's own host is told",
    parts: { ...given, terms: { allowed: [API] }, sandbox: [sent(), sent()] },
    status: "fail",
    found: ["fail"],
    says: /^api\.example:443: what calls are given goes to api\.example:443/,
  },
  {
    name: "a host that the operator allows too passes",
    parts: { ...given, terms: { allowed: [API, { ...API, by: "operator" }] }, sandbox: [sent()] },
    status: "pass",
  },
  {
    name: "a request without anything of the call passes",
    parts: { ...given, terms: { allowed: [API] }, sandbox: [sent({ sent: "GET /status" })] },
    status: "pass",
  },
  {
    name: "what goes there after the call is another probe's",
    parts: { ...given, terms: { allowed: [API] }, sandbox: [sent({ at: START + 60_000 })] },
    status: "pass",
  },
  {
    name: "what goes elsewhere is another probe's",
    parts: { ...given, sandbox: [sent({ verdict: "overreach" })] },
    status: "pass",
  },
  {
    name: "secrets of the environment are another probe's",
    parts: { ...given, terms: { allowed: [API] }, sandbox: [sent({ sent: ENVIRONMENT_KEY.value })] },
    status: "pass",
  },
  { name: "of a remote server nothing is known", parts: { terms: REMOTE }, status: "pass" },
  { name: "without a sandbox nothing is known", parts: { terms: NO_SANDBOX }, status: "pass" },
]);

test("the specification does not ask it", () => assert.deepEqual(passedOn.methods, ["touchstone-1"]));
