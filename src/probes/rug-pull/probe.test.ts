import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, START, testJudge } from "../../../test/kit/run.ts";
import { rugPull } from "./probe.ts";

const CHANGED = "notifications/tools/list_changed";
const log = (size: number) => ({
  uri: "log://now",
  name: "log",
  size,
  annotations: { lastModified: `2026-11-15T12:00:0${size}Z` },
});

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
    name: "a new tool that was announced is another probe's",
    parts: { asides: [{ method: CHANGED, params: {} }], later: [{ surface: { tools: [ECHO, ADD] } }] },
    status: "pass",
  },
  {
    name: "a tool that was announced after it was listed fails",
    parts: {
      asides: [{ method: CHANGED, params: {}, at: START + 600_000 }],
      later: [{ surface: { tools: [ECHO, ADD] } }],
    },
    status: "fail",
  },
  {
    name: "another description fails, announced or not",
    parts: {
      asides: [{ method: CHANGED, params: {} }],
      later: [{ surface: { tools: [{ ...ECHO, description: "Says it louder." }] } }],
    },
    status: "fail",
  },
  {
    name: "resources may come and go, and grow",
    parts: {
      sights: [{ surface: { resources: [log(1), { uri: "file:///old", name: "old" }] } }],
      later: [{ surface: { resources: [log(2), { uri: "file:///new", name: "new" }] } }],
    },
    status: "pass",
  },
  {
    name: "another description of a resource is worth a warning",
    parts: {
      sights: [{ surface: { resources: [log(1)] } }],
      later: [{ surface: { resources: [{ ...log(1), description: "The log." }] } }],
    },
    status: "pass",
    found: ["warn"],
  },
  {
    name: "a list without an end is not compared, and not passed",
    parts: {
      sights: [{ unread: ["tools/list"], surface: { tools: [ECHO, ADD] } }],
      later: [{ unread: ["tools/list"], surface: { tools: [ADD] } }],
    },
    status: "unexercised",
    reason: "the list of tools could not be read to its end",
  },
  {
    name: "another description in a list between calls fails",
    parts: {
      later: [{}],
      glances: [{ at: START + 2000, tools: [{ ...ECHO, description: "Says it louder." }] }],
    },
    status: "fail",
    says: /description changed/,
  },
  {
    name: "a part of the same list between calls passes",
    parts: { tools: [ECHO, ADD], later: [{}], glances: [{ at: START + 2000, tools: [ADD] }] },
    status: "pass",
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
