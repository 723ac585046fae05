import assert from "node:assert/strict";
import { test } from "node:test";
import { recordStarts } from "./records.ts";

const cases: readonly { readonly name: string; readonly text: string; readonly starts: readonly number[] }[] =
  [
    { name: "a chat begins anew with every speaker", text: "[9:01] ana: hi\n[9:02] bo: ho", starts: [0, 14] },
    {
      name: "a log with days",
      text: "2031-02-03 10:00:01 <ana> hi\n2031-02-03 10:02 bo: ho",
      starts: [0, 28],
    },
    { name: "a list of records", text: '[{"id":1,"a":"b"},{"id":2,"a":"c"}]', starts: [1, 18] },
    { name: "records in a text of JSON", text: '[{\\"id\\":1},{\\"id\\":2}]', starts: [1, 12] },
    { name: "one line with a time is no chat", text: "[9:01] ana: hi\nand more", starts: [] },
    { name: "an object alone is one piece", text: '{"id":1,"more":{"a":2}}', starts: [] },
    { name: "lines of prose are one piece", text: "First do this.\nThen do that.", starts: [] },
  ];
for (const { name, text, starts } of cases) test(name, () => assert.deepEqual(recordStarts(text), starts));
