import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveUri } from "./uri.ts";

// From RFC 3986, 5.4, and what schemas do besides.
const BASE = "http://a/b/c/d;p?q";
const cases = [
  { reference: "g:h", base: BASE, want: "g:h" },
  { reference: "g", base: BASE, want: "http://a/b/c/g" },
  { reference: "./g", base: BASE, want: "http://a/b/c/g" },
  { reference: "g/", base: BASE, want: "http://a/b/c/g/" },
  { reference: "/g", base: BASE, want: "http://a/g" },
  { reference: "//g", base: BASE, want: "http://g" },
  { reference: "?y", base: BASE, want: "http://a/b/c/d;p?y" },
  { reference: "", base: BASE, want: BASE },
  { reference: "..", base: BASE, want: "http://a/b/" },
  { reference: "../g", base: BASE, want: "http://a/b/g" },
  { reference: "../../../g", base: BASE, want: "http://a/g" },
  { reference: "/./g", base: BASE, want: "http://a/g" },
  { reference: "g.", base: BASE, want: "http://a/b/c/g." },
  { reference: "./g/.", base: BASE, want: "http://a/b/c/g/" },
  { reference: "g;x=1/../y", base: BASE, want: "http://a/b/c/y" },
  { reference: "g", base: "http://a", want: "http://a/g" },
  { reference: "x.json", base: "", want: "x.json" },
  { reference: "urn:uuid:1", base: "http://a", want: "urn:uuid:1" },
];
for (const { reference, base, want } of cases)
  test(`"${reference}" on "${base}" is "${want}"`, () => assert.equal(resolveUri(reference, base), want));
