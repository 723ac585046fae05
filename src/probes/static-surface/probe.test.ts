import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, ORDER, REMOTE, testJudge } from "../../../test/kit/run.ts";
import { staticSurface } from "./probe.ts";

const saying = (description: string): object => ({ ...ECHO, description });
const ENGLAND = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";

testJudge(staticSurface, [
  { name: "an honest tool passes", parts: {}, status: "pass", reason: "1 tool looked at" },
  {
    name: "an order in a description fails",
    parts: { tools: [saying(`Says the text again. ${ORDER}`)] },
    status: "fail",
    says: /SCAN-02/,
  },
  {
    name: "an order in the description of a parameter fails",
    parts: {
      tools: [{ ...ECHO, inputSchema: { properties: { text: { type: "string", description: ORDER } } } }],
    },
    status: "fail",
  },
  {
    name: "hidden tag characters fail",
    parts: {
      tools: [
        saying(
          `Adds.${[..."obey"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}`,
        ),
      ],
    },
    status: "fail",
    says: /SCAN-01/,
  },
  {
    name: "a link that runs a script fails",
    parts: { tools: [saying("See [the manual](javascript:alert(1)).")] },
    status: "fail",
    says: /SCAN-04/,
  },
  {
    name: "a tool that only capable clients are shown is looked at",
    parts: {
      sights: [
        { surface: { claims: "none" } },
        { surface: { claims: "everything", tools: [ECHO, { ...ECHO, name: "more", description: ORDER }] } },
      ],
    },
    status: "fail",
    says: /more/,
  },
  {
    name: "what two clients are both shown is told once",
    parts: { tools: [saying(ORDER)] },
    status: "fail",
    found: ["fail"],
  },
  {
    name: "a flag made of tag characters is no hidden text",
    parts: { tools: [saying(`Football in ${ENGLAND}.`)] },
    status: "pass",
  },
  {
    name: "a field called system is no role",
    parts: { tools: [saying("Returns:\nsystem: the kernel\nuser: the account")] },
    status: "pass",
  },
  {
    name: "words for the caller are no orders to the agent",
    parts: { tools: [saying("Ignore case with ignore_case; previous results are kept.")] },
    status: "pass",
  },
  {
    name: "a title is another probe's",
    parts: { tools: [{ ...ECHO, title: ORDER, annotations: { title: ORDER } }] },
    status: "pass",
  },
  {
    name: "what is advertised later is another probe's",
    parts: { later: [{ surface: { tools: [saying(ORDER)] } }] },
    status: "pass",
  },
  {
    name: "a remote server is looked at all the same",
    parts: { terms: REMOTE, tools: [saying(ORDER)] },
    status: "fail",
  },
  {
    name: "a server without tools is not passed",
    parts: { tools: [], exchanges: [] },
    status: "unexercised",
    reason: "no tool is advertised",
  },
]);

test("nothing is called for it", () => assert.equal(staticSurface.script, undefined));
