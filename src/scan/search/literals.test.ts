import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { literalSearch } from "./literals.ts";

const found = (haystack: string, needles: readonly string[]): string[] => {
  const places: string[] = [];
  literalSearch(needles.map((needle) => ({ bytes: Buffer.from(needle, "latin1"), tag: needle })))(
    Buffer.from(haystack, "latin1"),
    (start, { tag }) => {
      places.push(`${start} ${tag}`);
      return false;
    },
  );
  return places.sort();
};

test("it finds what looking at every place finds", () => {
  const letters = fc.constantFrom("a", "b", "c");
  const word = fc.string({ unit: letters, minLength: 3, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.string({ unit: letters, maxLength: 300 }),
      fc.uniqueArray(word, { maxLength: 20 }),
      (text, needles) => {
        const slow = needles.flatMap((needle) =>
          [...text].flatMap((_, start) => (text.startsWith(needle, start) ? [`${start} ${needle}`] : [])),
        );
        assert.deepEqual(found(text, needles), slow.sort());
      },
    ),
  );
});

test("it stops when it is told to", () => {
  let count = 0;
  literalSearch([{ bytes: Buffer.from("aaa"), tag: 0 }])(Buffer.from("a".repeat(100)), () => ++count === 3);
  assert.equal(count, 3);
});

test("nothing to look for finds nothing, and what is too short is refused", () => {
  assert.deepEqual(found("abc", []), []);
  assert.throws(() => literalSearch([{ bytes: Buffer.from("ab"), tag: 0 }]), /fewer than 3/);
});
