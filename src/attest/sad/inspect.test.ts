import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { test } from "node:test";
import { signed, testKey, WEATHER } from "../../../test/kit/sad.ts";
import { type Inspection, inspectSad } from "./inspect.ts";

const spki = createPublicKey(testKey(0x11)).export({ format: "der", type: "spki" });
const publicKey = spki.subarray(-32);
const inspect = (document: object, key: Uint8Array | undefined = publicKey): Inspection =>
  inspectSad(Buffer.from(JSON.stringify(document)), key);

const cases: readonly {
  readonly name: string;
  readonly document: object;
  readonly key?: Uint8Array;
  readonly dialects: Inspection["dialects"];
  readonly signature: Inspection["signature"];
  readonly code?: number;
}[] = [
  { name: "ATSA 1.0", document: signed(WEATHER), dialects: ["atsa-1.0"], signature: "fits" },
  {
    name: "the SEP before it",
    document: signed({ ...WEATHER, v: 1 }),
    dialects: ["sep-2809"],
    signature: "fits",
  },
  {
    name: "a signature of another key",
    document: signed({ ...WEATHER, v: 1 }, 0x22),
    dialects: ["sep-2809", "enclawed-oss"],
    signature: "does-not-fit",
  },
  { name: "no signature", document: WEATHER, dialects: ["atsa-1.0"], signature: "missing" },
  {
    name: "a broken signature",
    document: { ...WEATHER, signature: "AAAA" },
    dialects: ["atsa-1.0"],
    signature: "malformed",
  },
  {
    name: "a key of small order",
    document: signed(WEATHER),
    key: Buffer.alloc(32),
    dialects: ["atsa-1.0"],
    signature: "key-unusable",
  },
  {
    name: "hosts that are no origins",
    document: signed({ ...WEATHER, v: 1, netAllowedHosts: ["tools.example.com"] }),
    dialects: ["enclawed-oss"],
    signature: "does-not-fit",
    code: 119,
  },
  {
    name: "another version",
    document: signed({ ...WEATHER, v: "2.0" }),
    dialects: [],
    signature: "does-not-fit",
  },
];
for (const { name, document, key, dialects, signature, code } of cases)
  test(`${name}: ${signature} [SAD-28]`, () => {
    const found = inspect(document, key);
    assert.deepEqual([found.dialects, found.signature, found.fault?.code], [dialects, signature, code]);
  });

test("what is held is told apart from what no signature covers", () => {
  const { holds, unsigned } = inspect({ ...signed(WEATHER), tools: [] });
  assert.deepEqual([holds, unsigned], [signed(WEATHER), ["tools"]]);
});

test("without a key nothing is said of the signature", () =>
  assert.equal(inspectSad(Buffer.from(JSON.stringify(signed(WEATHER)))).signature, "no-key-given"));

test("what is no JSON object has a fault and nothing else", () => {
  const { fault, ...rest } = inspectSad(Buffer.from("{"), publicKey);
  assert.equal(fault?.code, 103);
  assert.deepEqual(rest, { dialects: [], holds: {}, unsigned: [], signature: "missing" });
});
