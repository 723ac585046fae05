import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { frameMembers, RECORDING_FORMAT, readEvent, sha256 } from "./format.ts";

const digest = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

test("the format has the name others look for [REC-2]", () => {
  assert.equal(RECORDING_FORMAT, "touchstone/recording/1");
});

test("digests are SHA-256 in lower-case hexadecimal [REC-5]", () => {
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256(Buffer.from("abc")), sha256("abc"));
});

describe("frameMembers [REC-4, REC-5]", () => {
  const cases = [
    { name: "UTF-8 is written as text", bytes: Buffer.from('{"a":"é😀"}'), raw: '{"a":"é😀"}' },
    { name: "an empty frame is empty text", bytes: Buffer.alloc(0), raw: "" },
    { name: "NUL bytes are text", bytes: Buffer.from([0, 0]), raw: "\0\0" },
    { name: "a byte order mark is text", bytes: Buffer.from([0xef, 0xbb, 0xbf]), raw: "\ufeff" },
    { name: "a byte that is not UTF-8 makes it base64", bytes: Buffer.from([0x61, 0xff]), raw64: "Yf8=" },
    { name: "a cut character makes it base64", bytes: Buffer.from([0xe2, 0x82]), raw64: "4oI=" },
    { name: "an encoded surrogate makes it base64", bytes: Buffer.from([0xed, 0xa0, 0x80]), raw64: "7aCA" },
  ];
  for (const { name, bytes, ...text } of cases)
    test(name, () => assert.deepEqual(frameMembers(bytes), { ...text, sha256: digest(bytes) }));
});

describe("readEvent: events [REC-12, REC-13]", () => {
  const place = { seq: 3, t_ms: 7, ev: "msg" };
  const cases = [
    { name: "place, time and kind make an event", event: place },
    { name: "unknown members stay", event: { ...place, later: { a: [null, 1.5, "x"] }, "": 0 } },
    {
      name: "a member called __proto__ stays",
      event: JSON.parse('{"seq":0,"t_ms":0,"ev":"x","__proto__":{"a":1}}'),
    },
    { name: "seq 0 and a negative time are fine", event: { seq: 0, t_ms: -5, ev: "" } },
    { name: "a fraction of a millisecond is fine", event: { ...place, t_ms: 0.25 } },
    {
      name: "a frame of text is given back",
      event: { ...place, raw: "a☃", sha256: digest("a☃") },
      frame: "a☃",
    },
    { name: "an empty frame is given back", event: { ...place, raw: "", sha256: digest("") }, frame: "" },
    {
      name: "a frame of bytes is given back",
      event: { ...place, raw64: "Yf8=", sha256: digest(Buffer.from([0x61, 0xff])) },
      frame: Buffer.from([0x61, 0xff]),
    },
  ];
  for (const { name, event, frame } of cases)
    test(name, () =>
      assert.deepEqual(readEvent(Buffer.from(JSON.stringify(event)), 9), {
        kind: "event",
        line: 9,
        event,
        ...(frame === undefined ? {} : { frame: Buffer.from(frame) }),
      }),
    );
});

describe("readEvent: damage [REC-12]", () => {
  const sum = digest("a");
  const cases: { name: string; text: string | Buffer; reason: string }[] = [
    ...["", " ", "x", "{", '{"seq":1', "{'seq':1}", '{"seq":1,"t_ms":0,"ev":"x"}}'].map((text) => ({
      name: `${JSON.stringify(text)} is not JSON`,
      text,
      reason: "not-json",
    })),
    {
      name: "bytes that are not UTF-8 are not JSON",
      text: Buffer.from('{"seq":1,"t_ms":0,"ev":"\xff"}', "latin1"),
      reason: "not-json",
    },
    ...[
      "null",
      "5",
      '"x"',
      "[]",
      '[{"seq":1,"t_ms":0,"ev":"x"}]',
      "{}",
      '{"t_ms":0,"ev":"x"}',
      '{"seq":"1","t_ms":0,"ev":"x"}',
      '{"seq":-1,"t_ms":0,"ev":"x"}',
      '{"seq":1.5,"t_ms":0,"ev":"x"}',
      '{"seq":9007199254740992,"t_ms":0,"ev":"x"}',
      '{"seq":1,"ev":"x"}',
      '{"seq":1,"t_ms":"0","ev":"x"}',
      '{"seq":1,"t_ms":0}',
      '{"seq":1,"t_ms":0,"ev":5}',
      '{"__proto__":{"seq":1,"t_ms":0,"ev":"x"}}',
    ].map((text) => ({ name: `${text} is no event`, text, reason: "not-event" })),
    ...[
      `"raw":"a","raw64":"YQ==","sha256":"${sum}"`,
      `"raw":5,"sha256":"${sum}"`,
      `"raw":null,"sha256":"${sum}"`,
      `"raw64":5,"sha256":"${sum}"`,
      `"raw64":"YQ","sha256":"${sum}"`,
      `"raw64":"Y!Q==","sha256":"${sum}"`,
      `"raw64":"YR==","sha256":"${sum}"`,
      `"raw64":"_w==","sha256":"${digest(Buffer.from([0xff]))}"`,
      `"sha256":"${sum}"`,
    ].map((members) => ({
      name: `${members.replaceAll(/[0-9a-f]{64}/g, "…")} is a bad frame`,
      text: `{"seq":1,"t_ms":0,"ev":"msg",${members}}`,
      reason: "bad-frame",
    })),
    ...[
      `"raw":"b","sha256":"${sum}"`,
      `"raw":"a ","sha256":"${sum}"`,
      `"raw64":"Yg==","sha256":"${sum}"`,
      `"raw":"a","sha256":"${sum.toUpperCase()}"`,
      `"raw":"a","sha256":"${sum.slice(1)}"`,
      '"raw":"a","sha256":null',
      '"raw":"a","sha256":5',
    ].map((members) => ({
      name: `${members.replaceAll(/[0-9a-fA-F]{62}/g, "…")} does not match its digest`,
      text: `{"seq":1,"t_ms":0,"ev":"msg",${members}}`,
      reason: "hash",
    })),
  ];
  for (const { name, text, reason } of cases)
    test(name, () =>
      assert.deepEqual(readEvent(Buffer.from(text), 4), {
        kind: "damaged",
        line: 4,
        reason,
        text: Buffer.from(text),
      }),
    );
});
