import assert from "node:assert/strict";
import { test } from "node:test";
import { examplesIn } from "./examples.ts";

const cases: readonly (readonly [name: string, text: string, first: readonly string[]])[] = [
  ["to the end of the text", "A statement, e.g. SELECT name FROM people", ["SELECT name FROM people"]],
  ["without dots", "A statement, eg SELECT 1", ["SELECT 1"]],
  ["a sentence ends it", "Begins with two letters, e.g. DE8937. Spaces are fine.", ["DE8937"]],
  ["a dot inside does not", "A version such as 1.2.3", ["1.2.3"]],
  ["in quotes", 'The city, for example "New York" or "Oslo", in English', ["New York", "Oslo"]],
  ["several without quotes", "Units such as km, miles", ["km", "miles"]],
  ["in brackets", "The unit (e.g., km)", ["km"]],
  ["after a word and a colon", "Example: 0 4 * * 1", ["0 4 * * 1"]],
  ["a time stays one word", "When, e.g. 10:30", ["10:30"]],
  ["an address stays one word", "e.g. https://example.com/a?b=c", ["https://example.com/a?b=c"]],
  ["what a value looks like", "Versions must look like 1.2.3", ["1.2.3"]],
  ["the form of a date", "YYYY-MM-DD", ["2024-03-15"]],
  ["the form of a time", "Written as HH:MM", ["10:30"]],
  ["the name of a form", "An ISO 8601 timestamp", ["2024-03-15T10:30:00Z"]],
];
for (const [name, text, first] of cases)
  test(`examples: ${name}`, () => assert.deepEqual(examplesIn(text).slice(0, first.length), first));

for (const text of ["", "Finds books like grep does.", "The example of a good name", "A name."])
  test(`no example in: ${JSON.stringify(text)}`, () => assert.deepEqual(examplesIn(text), []));
