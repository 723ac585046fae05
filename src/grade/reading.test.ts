import assert from "node:assert/strict";
import { test } from "node:test";
import { recordingOf } from "../../test/kit/run.ts";
import { expanded, linksIn } from "./reading.ts";

for (const [template, want] of [
  ["wiki://page/{id}", "wiki://page/1"],
  ["repo://{owner}/{name}/contents{/path*}", "repo://1/1/contents/1"],
  ["search://find{?q,lang}", "search://find?q=1&lang=1"],
  ["file:///{+path}", "file:///1"],
  ["plain://address", "plain://address"],
] as const)
  test(`${template} with 1 is ${want}`, () => assert.equal(expanded(template, "1"), want));

test("links of answers are found, and words that begin as a template does", () => {
  const link = { type: "resource_link", uri: "doc://7", name: "guide" };
  const { events } = recordingOf({
    exchanges: [{ answer: { content: [link, { type: "text", text: 'see "wiki://page/42" and doc://8' }] } }],
  });
  assert.deepEqual(linksIn(events, ["wiki://page/{id}"]), { links: ["doc://7"], said: ["wiki://page/42"] });
});

test("what was sent is no link", () => {
  const { events } = recordingOf({ exchanges: [{ args: { text: "wiki://page/1" } }] });
  assert.deepEqual(linksIn(events, ["wiki://page/{id}"]), { links: [], said: [] });
});

test("long answers without a link cost little", () => {
  const { events } = recordingOf({ exchanges: [{ says: "a".repeat(2_000_000) }] });
  const began = performance.now();
  linksIn(events, ["wiki://page/{id}"]);
  assert.ok(performance.now() - began < 500);
});
