import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, testJudge } from "../../../test/kit/run.ts";
import { rugPull } from "./probe.ts";

testJudge(rugPull, [
  {
    name: "the same lists pass",
    parts: { later: [{}] },
    status: "pass",
    reason: "the lists are the same after the calls",
  },
  {
    name: "the same tools in another order pass",
    parts: { tools: [ECHO, ADD], later: [{ surface: { tools: [ADD, ECHO] } }] },
    status: "pass",
  },
  {
    name: "another description fails",
    parts: { later: [{ surface: { tools: [{ ...ECHO, description: "Says it louder." }] } }] },
    status: "fail",
    found: ["fail"],
    says: /^tool echo: changed after it was called: description changed/,
  },
  {
    name: "one more letter fails",
    parts: { later: [{ surface: { tools: [{ ...ECHO, description: `${ECHO.description}\u200b` }] } }] },
    status: "fail",
  },
  {
    name: "another title fails",
    parts: { later: [{ surface: { tools: [{ ...ECHO, title: "Echo" }] } }] },
    status: "fail",
  },
  { name: "a new tool fails", parts: { later: [{ surface: { tools: [ECHO, ADD] } }] }, status: "fail" },
  {
    name: "a tool that is gone fails",
    parts: { tools: [ECHO, ADD], later: [{ surface: { tools: [ECHO] } }] },
    status: "fail",
  },
  {
    name: "a new prompt fails",
    parts: { later: [{ surface: { prompts: [{ name: "p" }] } }] },
    status: "fail",
  },
  {
    name: "what other clients are shown is no change",
    parts: {
      sights: [
        { surface: { claims: "none", tools: [ECHO] } },
        { surface: { claims: "everything", tools: [ECHO, ADD] } },
      ],
      later: [{ surface: { claims: "everything", tools: [ECHO, ADD] } }],
    },
    status: "pass",
  },
  {
    name: "each kind of client is compared with itself",
    parts: {
      sights: [
        { surface: { claims: "none", tools: [ECHO] } },
        { surface: { claims: "everything", tools: [ECHO, ADD] } },
      ],
      later: [{ surface: { claims: "none", tools: [ECHO] } }],
    },
    status: "pass",
  },
  {
    name: "lists that were not read again are no pass",
    parts: {},
    status: "unexercised",
    reason: "the lists were not read again",
  },
]);

test("the specification does not ask it", () => assert.deepEqual(rugPull.methods, ["touchstone-1"]));
