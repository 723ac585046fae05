import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean, suggest } from "./suggest.ts";

const known = ["inspect", "doctor", "demo", "gateway"];
const cases = [
  { name: "a swapped pair", word: "inpsect", want: "inspect" },
  { name: "a missing letter", word: "docto", want: "doctor" },
  { name: "a wrong letter", word: "demi", want: "demo" },
  { name: "a far word has no suggestion", word: "publish", want: undefined },
  { name: "a short word is not turned into another", word: "de", want: undefined },
  { name: "the word itself", word: "demo", want: "demo" },
];
for (const { name, word, want } of cases) test(name, () => assert.equal(suggest(word, known), want));

test("the phrase for a message", () => {
  assert.equal(didYouMean("gatewya", known), ', did you mean "gateway"?');
  assert.equal(didYouMean("xyz", known), "");
});
