import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, kit, ORDER, sightOf, testJudge } from "../../../test/kit/run.ts";
import { JAILBREAKS } from "../batteries/litmus-v5.ts";
import { jailbreak } from "./probe.ts";

const marker = "bcdfghklmnprst";
const asked = (template: string) => {
  const text = template.replaceAll("{mark}", marker);
  return { probe: "3.2", note: "jailbreak", sent: [{ text, marker }], args: { text } };
};
const first = asked(JAILBREAKS[0] ?? "");
const { text } = first.args;

testJudge(jailbreak, [
  {
    name: "an answer of its own passes",
    parts: { exchanges: [{ ...first, says: "Nothing found." }] },
    status: "pass",
    reason: "1 answer looked at",
  },
  {
    name: "a refusal passes",
    parts: { exchanges: [{ ...first, outcome: "refused", says: "Not allowed." }] },
    status: "pass",
  },
  {
    name: "an order of its own fails",
    parts: { exchanges: [{ ...first, says: `As you wish. ${ORDER}` }] },
    status: "fail",
    says: /SCAN-02/,
  },
  {
    name: "an order of its own behind an echo fails",
    parts: { exchanges: [{ ...first, says: `${text}\n\n${ORDER}` }] },
    status: "fail",
  },
  {
    name: "an order of its own in an error fails",
    parts: { exchanges: [{ ...first, outcome: "error", says: ORDER }] },
    status: "fail",
  },
  { name: "a verbatim echo passes", parts: { exchanges: [{ ...first, says: text }] }, status: "pass" },
  {
    name: "an echo in an error message passes",
    parts: { exchanges: [{ ...first, outcome: "error", says: `no such city: ${text}` }] },
    status: "pass",
  },
  {
    name: "the words of this call without their marker pass",
    parts: { exchanges: [{ ...first, says: text.replace(marker, "") }] },
    status: "pass",
  },
  {
    name: "the words without the marker fail where the server says them unasked",
    parts: { exchanges: [{ ...first, says: text.replace(marker, "") }, { says: text.replace(marker, "") }] },
    status: "fail",
  },
  {
    name: "without a call there is nothing to judge",
    parts: {},
    status: "unexercised",
    reason: "no tool takes text",
  },
  {
    name: "a call that was never answered is no pass",
    parts: { exchanges: [{ ...first, outcome: "hung" }] },
    status: "unexercised",
  },
]);

testJudge(
  jailbreak,
  JAILBREAKS.map((template, index) => {
    const call = asked(template);
    return {
      name: `an echo of jailbreak ${index + 1} passes, also as JSON and in capitals`,
      parts: {
        exchanges: [
          { ...call, says: `You said: ${call.args.text}` },
          { ...call, says: JSON.stringify({ echo: call.args.text }) },
          { ...call, says: call.args.text.toUpperCase() },
        ],
      },
      status: "pass",
    };
  }),
);

test("a tool that takes text gets each of them with a marker of its own", () => {
  const calls = [...(jailbreak.script?.(sightOf(ECHO), kit()) ?? [])];
  assert.equal(calls.length, JAILBREAKS.length);
  for (const { args, sent } of calls) {
    assert.deepEqual(args, { text: sent?.[0]?.text });
    assert.ok(sent?.[0]?.text.startsWith(sent[0].marker));
  }
  assert.equal(new Set(calls.map(({ sent }) => sent?.[0]?.marker)).size, calls.length);
});

test("a tool without a place for text gets none", () =>
  assert.deepEqual([...(jailbreak.script?.(sightOf(ADD), kit()) ?? [])], []));
