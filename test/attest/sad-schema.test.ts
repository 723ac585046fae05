/** spec/sad.schema.json says what the intake says, as far as a schema can. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { validate } from "../../src/schema/index.ts";
import { root } from "../kit/paths.ts";
import { documentCases } from "../kit/sad.ts";

const schema: unknown = JSON.parse(readFileSync(join(root, "spec/sad.schema.json"), "utf8"));
const verdictOf = (document: string): string => validate(schema, JSON.parse(document)).verdict;

const signatureBytes = (document: string): number =>
  Buffer.from((JSON.parse(document) as { signature: string }).signature, "base64").length;

/** Codes whose reason lies in the shape of one member. */
const SHAPE: ReadonlySet<number> = new Set([
  0, 1, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119,
]);
/** What a pattern does not say: numbers that are no address, ports beyond the last, two gaps in an IPv6 address. */
const BEYOND = /short-number|hexadecimal\.|octal|five-numbers|bad-ipv6|port-large/;

test("documents that the rules judge fit the schema, and misshapen ones do not [SAD-12]", () => {
  for (const { file, document, layer, expect } of documentCases) {
    if (document === null) continue;
    // Publishers are told what rule 6 needs.
    const isShort = (expect.code === 5 || expect.code === 6) && signatureBytes(document) !== 64;
    if (isShort) assert.equal(verdictOf(document), "invalid", file);
    else if (layer === "none" || [3, 4, 5, 6, 7, 8].includes(expect.code ?? -1))
      assert.equal(verdictOf(document), "valid", file);
    else if (SHAPE.has(expect.code ?? -1) && !(expect.code === 119 && BEYOND.test(file)))
      assert.equal(verdictOf(document), "invalid", file);
  }
});
