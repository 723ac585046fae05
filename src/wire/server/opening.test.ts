/** How much a client may say of itself, to the byte and the value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { META } from "../era.ts";
import { readMessage } from "../frame/message.ts";
import { saysTooMuch } from "./opening.ts";

/** An opening request of so many bytes. */
function ofBytes(bytes: number): string {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { x: "" } });
  return text.replace('""', `"${"x".repeat(bytes - text.length)}"`);
}

/** One of so many values: itself, the version, the id, the method, the params, a list and a long text among them. */
const ofValues = (values: number): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { x: Array.from({ length: values - 7 }, () => 0), y: "x".repeat(4096) },
  });

/** A request of the modern era whose claims and name are so many bytes together, as one list. */
const modern = (bytes: number): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: {
      y: "x".repeat(4096),
      _meta: { [META.claims]: {}, [META.clientInfo]: "x".repeat(bytes - '[{},""]'.length) },
    },
  });

const cases = [
  { name: "65536 bytes are not too many", text: ofBytes(65_536), is: false },
  { name: "65537 bytes are", text: ofBytes(65_537), is: true },
  { name: "1000 values are not too many", text: ofValues(1000), is: false },
  { name: "1001 values are", text: ofValues(1001), is: true },
  { name: "of a modern request 65536 bytes are not too many", text: modern(65_536), is: false },
  { name: "of a modern request 65537 bytes are", text: modern(65_537), is: true },
];
for (const { name, text, is } of cases)
  test(`${name} [WIR-35]`, () => {
    const raw = Buffer.from(text);
    assert.equal(saysTooMuch(readMessage(raw), raw), is);
  });
