import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, ENVIRONMENT_KEY, kit, ORDER, START, testJudge } from "../../../test/kit/run.ts";
import { wholeSurface } from "./probe.ts";

const prompt = { name: "review", description: "Reviews a text." };
const marker = "bcdfghklmnprst";
const given = `${marker} ${ORDER}`;
const [mine] = kit().secrets() as [{ id: string; value: string }];
const resource = { uri: "file:///notes.txt", name: "notes" };

testJudge(wholeSurface, [
  {
    name: "honest lists pass",
    parts: {
      sights: [
        {
          surface: {
            prompts: [prompt],
            resources: [resource],
            instructions: "Call echo to hear a text again.",
          },
        },
      ],
    },
    status: "pass",
    reason: "1 tool, 2 prompts and resources, and instructions looked at",
  },
  {
    name: "orders in the instructions fail",
    parts: { sights: [{ surface: { instructions: ORDER } }] },
    status: "fail",
  },
  { name: "orders in a title fail", parts: { tools: [{ ...ECHO, title: ORDER }] }, status: "fail" },
  {
    name: "orders in a title among annotations fail",
    parts: { tools: [{ ...ECHO, annotations: { title: ORDER } }] },
    status: "fail",
  },
  {
    name: "orders in an output schema fail",
    parts: {
      tools: [{ ...ECHO, outputSchema: { type: "object", properties: { a: { description: ORDER } } } }],
    },
    status: "fail",
  },
  {
    name: "orders in a prompt fail",
    parts: { sights: [{ surface: { prompts: [{ ...prompt, description: ORDER }] } }] },
    status: "fail",
  },
  {
    name: "orders in a resource fail",
    parts: { sights: [{ surface: { resources: [{ ...resource, description: ORDER }] } }] },
    status: "fail",
  },
  {
    name: "orders in a template of resources fail",
    parts: {
      sights: [
        { surface: { resourceTemplates: [{ uriTemplate: "file:///{a}", name: "a", description: ORDER }] } },
      ],
    },
    status: "fail",
  },
  {
    name: "orders that are advertised after the calls fail",
    parts: { later: [{ surface: { tools: [{ ...ECHO, description: ORDER }] } }] },
    status: "fail",
  },
  {
    name: "orders that one kind of client is shown fail",
    parts: {
      sights: [
        { surface: { claims: "none" } },
        { surface: { claims: "everything", prompts: [{ ...prompt, description: ORDER }] } },
      ],
    },
    status: "fail",
  },
  {
    name: "what several clients are shown is told once",
    parts: { tools: [{ ...ECHO, title: ORDER }] },
    status: "fail",
    found: ["fail"],
  },
  {
    name: "what a tool says in its description at first is another probe's",
    parts: { tools: [{ ...ECHO, description: ORDER }] },
    status: "pass",
  },
  {
    name: "orders in a list between calls fail",
    parts: { glances: [{ at: START + 2000, tools: [{ ...ECHO, description: ORDER }] }] },
    status: "fail",
  },
  {
    name: "a note that is listed under the name it was given passes",
    parts: {
      exchanges: [{ sent: [{ text: given, marker }] }],
      later: [{ surface: { resources: [{ uri: `note:///${encodeURIComponent(given)}`, name: given }] } }],
    },
    status: "pass",
  },
  {
    name: "the same words without the marker fail",
    parts: {
      exchanges: [{ sent: [{ text: given, marker }] }],
      later: [{ surface: { resources: [{ uri: "note:///1", name: ORDER }] } }],
    },
    status: "fail",
  },
  {
    name: "a tool that takes over what it was given fails",
    parts: {
      exchanges: [{ sent: [{ text: given, marker }] }],
      later: [{ surface: { tools: [{ ...ECHO, description: given }] } }],
    },
    status: "fail",
  },
  {
    name: "orders in a resource that was read fail",
    parts: { reads: [{ what: "resource doc:1", result: { contents: [{ uri: "doc:1", text: ORDER }] } }] },
    status: "fail",
    says: /^resource doc:1/,
  },
  {
    name: "a secret of the environment in a resource fails",
    parts: {
      reads: [
        { what: "resource doc:1", result: { contents: [{ uri: "doc:1", text: ENVIRONMENT_KEY.value }] } },
      ],
    },
    status: "fail",
  },
  {
    name: "a secret that a call of the session was given may be kept in a resource",
    parts: {
      exchanges: [{ canaries: [mine] }],
      reads: [{ what: "resource doc:1", result: { contents: [{ uri: "doc:1", text: mine.value }] } }],
    },
    status: "pass",
  },
  {
    name: "a list of tools without an end is worth a warning",
    parts: { sights: [{ unread: ["tools/list"] }] },
    status: "pass",
    found: ["warn"],
    says: /could not be read to its end/,
  },
  {
    name: "a list that is not offered need not be read",
    parts: { sights: [{ unread: ["prompts/list"] }] },
    status: "pass",
  },
  {
    name: "instructions about the tools are no orders against the user",
    parts: { sights: [{ surface: { instructions: "Always call list before read. Dates are in UTC." } }] },
    status: "pass",
  },
  {
    name: "a server that advertises nothing has nothing wrong here",
    parts: { tools: [], exchanges: [] },
    status: "pass",
    reason: "0 tools, 0 prompts and resources, and instructions looked at",
  },
]);

test("the specification does not ask it", () => assert.deepEqual(wholeSurface.methods, ["touchstone-1"]));
