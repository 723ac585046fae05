/** Names that clients see: plain where they can be, told apart where they cannot, and the same each time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mayBeOf, type NameTable, nameTable, type Owned } from "./names.ts";

const GOOD = /^[A-Za-z0-9_-]{1,64}$/;
const of = (server: string, name: string): Owned => ({ server, name });

const cases: readonly (readonly [name: string, owned: Owned, shown: string])[] = [
  ["a plain name", of("files", "read"), "files__read"],
  ["digits, dashes and capitals", of("Files-2", "read_ALL-3"), "Files-2__read_ALL-3"],
  ["an empty name", of("files", ""), "files__"],
  ["a dot", of("files", "fs.read"), "files__fs_read_2d1cbeb01a4ad001"],
  ["a slash", of("files", "fs/read"), "files__fs_read_a738d8e6daf17cbc"],
  ["a space", of("files", "fs read"), "files__fs_read_7f9cad9ca1a3cf99"],
  ["letters of another script", of("files", "größe"), "files__gr__e_c3ee04c2a1805bbf"],
  ["a letter of two units", of("files", "🚀"), "files_____0cf452e8a7f483e3"],
  ["a dot in the name of the server", of("a.b", "c"), "a_b__c_54712fb6813d594e"],
  [
    "a name that ends as one with digits does",
    of("files", "x_0123456789abcdef"),
    "files__x_0123456789abcdef_b3af8c3e24df0f6c",
  ],
  ["a name that ends in fewer digits", of("files", "x_123456789abcdef"), "files__x_123456789abcdef"],
  ["a name that ends in other letters", of("files", "x_0123456789abcdeg"), "files__x_0123456789abcdeg"],
  ["64 characters", of("files", "x".repeat(57)), `files__${"x".repeat(57)}`],
  ["65 characters", of("files", "x".repeat(58)), `files__${"x".repeat(40)}_ec31e8f67928ba89`],
];
for (const [name, owned, shown] of cases)
  test(`${name} is shown as ${shown} [GTW-5]`, () => {
    const { nameOf, byName, collisions } = nameTable([owned]);
    assert.equal(nameOf(owned), shown);
    assert.deepEqual([...byName], [[shown, owned]]);
    assert.deepEqual(collisions, []);
  });

test("two that would have one plain name both have digits, and nobody has that name [GTW-5]", () => {
  const [one, other] = [of("a__b", "c"), of("a", "b__c")];
  const { nameOf, byName, collisions } = nameTable([one, other, of("a", "d")]);
  assert.deepEqual([nameOf(one), nameOf(other)], ["a__b__c_528239e9b39f37f5", "a__b__c_d28d61bbce29ba1d"]);
  assert.deepEqual([...byName.keys()].sort(), [
    "a__b__c_528239e9b39f37f5",
    "a__b__c_d28d61bbce29ba1d",
    "a__d",
  ]);
  assert.deepEqual(collisions, [{ name: "a__b__c", owners: [one, other] }]);
});

const near: readonly (readonly [name: string, all: readonly Owned[]])[] = [
  ["a dot, and what is written for it", [of("files", "a.b"), of("files", "a_b")]],
  ["two characters that are written alike", [of("files", "a.b"), of("files", "a/b"), of("files", "a b")]],
  ["long names that end otherwise", ["x", "y"].map((end) => of("files", "n".repeat(80) + end))],
  ["a long name, and its beginning", [of("files", "n".repeat(80)), of("files", "n".repeat(40))]],
  ["servers that end where names begin", [of("a", "_b"), of("a_", "b")]],
  ["capitals", [of("files", "read"), of("files", "Read")]],
];
for (const [name, all] of near)
  test(`${name} have a name each [GTW-5]`, () => {
    const table = nameTable(all);
    assert.equal(new Set(all.map(table.nameOf)).size, all.length);
    assertOneToOne(table, all);
  });

test("one that is listed twice is one, and does not collide with itself [GTW-5]", () => {
  const { nameOf, byName, collisions } = nameTable([of("files", "read"), of("files", "read")]);
  assert.equal(nameOf(of("files", "read")), "files__read");
  assert.equal(byName.size, 1);
  assert.deepEqual(collisions, []);
});

test("a shown name gives the server and its own name, and the own name alone gives nothing [GTW-5, GTW-6]", () => {
  const { byName, nameOf } = nameTable([of("files", "fs.read"), of("mail", "read")]);
  assert.deepEqual(byName.get("files__fs_read_2d1cbeb01a4ad001"), of("files", "fs.read"));
  assert.deepEqual(byName.get("mail__read"), of("mail", "read"));
  for (const name of ["fs.read", "files__fs.read", "files__fs_read", "read"])
    assert.equal(byName.get(name), undefined, name);
  assert.equal(nameOf(of("mail", "fs.read")), undefined);
});

/** Each name leads back to whoever has it. */
function assertOneToOne(table: NameTable, all: readonly Owned[]): void {
  for (const owned of all) {
    const shown = table.nameOf(owned);
    assert.match(shown ?? "", GOOD, JSON.stringify(owned));
    assert.deepEqual(table.byName.get(shown ?? ""), owned, shown);
  }
}

/** Few letters, so that many are alike. */
const word = fc.array(fc.constantFrom("a", "b", "_", "__", ".", "-"), { maxLength: 6 });
const anyName = fc.oneof(
  word.map((letters) => letters.join("")),
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("\ud800", "\ud801", "\\ud800", "a\n", "a\u0000"),
  fc.nat(40).map((more) => "n".repeat(40 + more)),
);
const server = fc.constantFrom("a", "b", "a_", "a__b", "a.b", "a-b", "x".repeat(64));
const anyOwned = fc.record({ server, name: anyName }, { noNullPrototype: true });
const anyList = fc.array(anyOwned, { maxLength: 20 });

test("whatever they are called, each has one good name, and no two have the same [GTW-5]", () => {
  fc.assert(
    fc.property(anyList, (all) => {
      assertOneToOne(nameTable(all), all);
    }),
    { numRuns: 500 },
  );
});

test("a name that is shown can be one of its own server's [GTW-3]", () => {
  fc.assert(
    fc.property(anyList, (all) => {
      for (const [shown, owned] of nameTable(all).byName)
        assert.equal(mayBeOf(shown, owned.server), true, shown);
    }),
    { numRuns: 500 },
  );
  for (const shown of ["a", "b__c", "A__c", "xa__c", "a_b"]) assert.equal(mayBeOf(shown, "a"), false, shown);
  assert.equal(mayBeOf(`${"x".repeat(47)}_read`, "x".repeat(64)), false);
});

test("the order in which they are listed changes no name [GTW-5]", () => {
  const shuffled = anyList.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([all, others]) => {
      const [one, other] = [nameTable(all), nameTable(others)];
      assert.deepEqual(all.map(other.nameOf), all.map(one.nameOf));
      assert.deepEqual([...other.byName.keys()].sort(), [...one.byName.keys()].sort());
    }),
    { numRuns: 300 },
  );
});

test("a tool that calls itself what another is shown as takes that name from nobody [GTW-5]", () => {
  const [honest, hostile] = [of("files", "fs.read"), of("files", "fs_read_2d1cbeb01a4ad001")];
  for (const all of [
    [honest, hostile],
    [hostile, honest],
  ]) {
    const table = nameTable(all);
    assert.equal(table.nameOf(honest), "files__fs_read_2d1cbeb01a4ad001");
    assertOneToOne(table, all);
  }
});

test("names chosen after the names of others keep each to its own [GTW-5]", () => {
  const servers = ["a", "b", "a_", "a__b"];
  /** For each name that is shown, whoever may call a tool so that it would have it. */
  const after = (all: readonly Owned[]): Owned[] =>
    [...nameTable(all).byName.keys()].flatMap((shown) =>
      servers
        .filter((each) => shown.startsWith(`${each}__`))
        .map((each) => of(each, shown.slice(each.length + 2))),
    );
  fc.assert(
    fc.property(fc.array(anyOwned, { maxLength: 6 }), fc.boolean(), (all, isFirst) => {
      const others = after(all);
      const whole = isFirst ? [...others, ...all] : [...all, ...others];
      assertOneToOne(nameTable(whole), whole);
    }),
    { numRuns: 300 },
  );
});
