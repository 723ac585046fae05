import assert from "node:assert/strict";
import { test } from "node:test";
import { testJudge } from "../../../test/kit/run.ts";
import { contextRequest } from "./probe.ts";

const sampling = (includeContext?: unknown) => ({
  kind: "request" as const,
  method: "sampling/createMessage",
  params: { messages: [], maxTokens: 10, includeContext },
});

testJudge(contextRequest, [
  { name: "a server that asks nothing passes", parts: {}, status: "pass" },
  { name: "a question without context passes", parts: { asides: [sampling()] }, status: "pass" },
  { name: "a question that wants none passes", parts: { asides: [sampling("none")] }, status: "pass" },
  {
    name: "a question that wants all of it is told once",
    parts: { asides: [sampling("allServers"), sampling("allServers")] },
    status: "fail",
    found: ["fail"],
    says: /wants the context of all servers/,
  },
  { name: "its own conversation is told too", parts: { asides: [sampling("thisServer")] }, status: "fail" },
  {
    name: "the same member in a notification is none",
    parts: { asides: [{ method: "notifications/message", params: { includeContext: "allServers" } }] },
    status: "pass",
  },
]);

test("the specification does not ask it", () => assert.deepEqual(contextRequest.methods, ["touchstone-1"]));
