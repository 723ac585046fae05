import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { Batch } from "./batch.ts";
import {
  consistencyProof,
  Frontier,
  HASH_BYTES,
  Hashes,
  inclusionProof,
  type Leaves,
  leafHash,
  rootByInclusion,
  rootOf,
  rootsByConsistency,
} from "./tree.ts";

/** The leaves, roots and paths that implementations of Certificate Transparency are tested with. */
const REFERENCE = [
  "",
  "\x00",
  "\x10",
  "\x20\x21",
  "\x30\x31",
  "\x40\x41\x42\x43",
  "\x50\x51\x52\x53\x54\x55\x56\x57",
  "\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
].map(leafHash);
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
] as const;
const N1 = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const N23 = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const N4 = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const N45 = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const N67 = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const N47 = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";

const over =
  (leaves: readonly string[]): Leaves =>
  (from, to) =>
    leaves.slice(from, to);

for (const [index, root] of ROOTS.entries())
  test(`the reference tree of ${index + 1} leaves has the root that is published [AUD-7, AUD-10]`, () => {
    assert.equal(rootOf(over(REFERENCE), 0, index + 1), root);
  });

const paths: readonly (readonly [index: number, size: number, path: readonly string[]])[] = [
  [0, 1, []],
  [0, 8, [N1, N23, N47]],
  [5, 8, [N4, N67, ROOTS[3]]],
  [2, 3, [ROOTS[1]]],
  [1, 5, [ROOTS[0], N23, N4]],
];
for (const [index, size, path] of paths)
  test(`the path of leaf ${index} of ${size} is the one that is published [AUD-22]`, () => {
    assert.deepEqual(inclusionProof(over(REFERENCE), index, size), path);
  });

const growths: readonly (readonly [old: number, size: number, path: readonly string[]])[] = [
  [1, 1, []],
  [1, 8, [N1, N23, N47]],
  [6, 8, [N45, N67, ROOTS[3]]],
  [2, 5, [N23, N4]],
];
for (const [old, size, path] of growths)
  test(`the path from ${old} to ${size} leaves is the one that is published [AUD-23]`, () => {
    assert.deepEqual(consistencyProof(over(REFERENCE), old, size), path);
  });

const MAX = 40;
const LEAVES = Array.from({ length: MAX }, (_, n) => leafHash(`entry ${n}`));
const leaves = over(LEAVES);

/** Word for word as RFC 6962, 2.1 has it. */
function defined(hashes: readonly string[]): string {
  if (hashes.length === 1) return hashes[0] as string;
  let half = 1;
  while (half * 2 < hashes.length) half *= 2;
  const parts = [hashes.slice(0, half), hashes.slice(half)].map((part) => Buffer.from(defined(part), "hex"));
  return createHash("sha256")
    .update(Buffer.concat([Buffer.of(1), ...parts]))
    .digest("hex");
}

const rootAt = Array.from({ length: MAX + 1 }, (_, size) =>
  size === 0 ? "" : defined(LEAVES.slice(0, size)),
);

test("a tree that grows has the root of the definition at every size [AUD-10]", () => {
  const tree = new Frontier();
  for (const [index, leaf] of LEAVES.entries()) {
    tree.push(leaf);
    assert.equal(tree.size, index + 1);
    assert.equal(tree.root(), rootAt[index + 1], `${index + 1} leaves`);
    assert.equal(tree.root(), rootAt[index + 1], `${index + 1} leaves, asked again`);
  }
});

test("any part of a tree has the root of the definition [AUD-10]", () => {
  for (let from = 0; from < MAX; from++)
    for (let to = from + 1; to <= MAX; to++)
      assert.equal(rootOf(leaves, from, to), defined(LEAVES.slice(from, to)), `${from} to ${to}`);
});

const flipped = (hash: string): string => `${hash.slice(0, -1)}${hash.endsWith("0") ? "1" : "0"}`;
const OTHER = leafHash("of no entry");

/** A path with one hash altered, added, removed or exchanged for its neighbour, and how. */
function* altered(path: readonly string[]): Generator<readonly [how: string, path: string[]]> {
  for (let at = 0; at <= path.length; at++) {
    yield [`hash added at ${at}`, path.toSpliced(at, 0, OTHER)];
    const hash = path[at];
    if (hash === undefined) continue;
    yield [`hash ${at} altered`, path.with(at, flipped(hash))];
    yield [`hash ${at} removed`, path.toSpliced(at, 1)];
    yield [`hash ${at} twice`, path.toSpliced(at, 0, hash)];
    const next = path[at + 1];
    if (next !== undefined) yield [`hashes ${at} and ${at + 1} exchanged`, path.toSpliced(at, 2, next, hash)];
  }
}

test("every path of a leaf leads to the root, and an altered one never does [AUD-22]", () => {
  for (let size = 1; size <= MAX; size++)
    for (let index = 0; index < size; index++) {
      const path = inclusionProof(leaves, index, size);
      const leaf = LEAVES[index] as string;
      const where = `leaf ${index} of ${size}`;
      assert.equal(rootByInclusion(leaf, index, size, path), rootAt[size], where);
      assert.notEqual(rootByInclusion(OTHER, index, size, path), rootAt[size], `${where}, another leaf`);
      for (const [how, other] of altered(path)) {
        const root = rootByInclusion(leaf, index, size, other);
        assert.notEqual(root, rootAt[size], `${where}, ${how}`);
        assert.equal(root === undefined, other.length !== path.length, `${where}, ${how}: has it a root`);
      }
    }
});

test("the path of a leaf leads to no root from another place [AUD-22]", () => {
  for (let size = 1; size <= MAX; size++)
    for (let index = 0; index < size; index++) {
      const path = inclusionProof(leaves, index, size);
      for (let other = 0; other <= size + 1; other++)
        if (other !== index)
          assert.notEqual(
            rootByInclusion(LEAVES[index] as string, other, size, path),
            rootAt[size],
            `leaf ${index} of ${size} as ${other}`,
          );
    }
});

test("a leaf that is not in the tree has no root [AUD-22]", () => {
  for (const [index, size] of [
    [1, 1],
    [5, 5],
    [9, 3],
    [0, 0],
  ] as const)
    assert.equal(rootByInclusion(OTHER, index, size, []), undefined, `leaf ${index} of ${size}`);
});

function isGrowth(old: number, size: number, path: readonly string[], oldRoot = rootAt[old]): boolean {
  const roots = rootsByConsistency(old, size, path, oldRoot as string);
  return roots !== undefined && roots.old === oldRoot && roots.new === rootAt[size];
}

test("every path from an older tree leads to both roots, and an altered one never does [AUD-23]", () => {
  for (let size = 1; size <= MAX; size++)
    for (let old = 1; old <= size; old++) {
      const path = consistencyProof(leaves, old, size);
      const where = `${old} to ${size}`;
      assert.equal(isGrowth(old, size, path), true, where);
      assert.equal(isGrowth(old, size, path, OTHER), false, `${where}, of another older tree`);
      for (const [how, other] of altered(path)) {
        assert.equal(isGrowth(old, size, other), false, `${where}, ${how}`);
        const roots = rootsByConsistency(old, size, other, rootAt[old] as string);
        assert.equal(roots === undefined, other.length !== path.length, `${where}, ${how}: has it roots`);
      }
    }
});

test("the path from an older tree fits no other size, older or newer [AUD-23]", () => {
  for (let size = 1; size <= MAX; size++)
    for (let old = 1; old < size; old++) {
      const path = consistencyProof(leaves, old, size);
      for (let other = 1; other <= MAX; other++) {
        if (other !== old) assert.equal(isGrowth(other, size, path), false, `${old} as ${other} to ${size}`);
        if (other !== size) assert.equal(isGrowth(old, other, path), false, `${old} to ${size} as ${other}`);
      }
    }
});

test("a tree does not grow into a smaller one, nor into itself by a path [AUD-23]", () => {
  assert.equal(rootsByConsistency(5, 4, [], OTHER), undefined, "smaller");
  assert.equal(rootsByConsistency(4, 4, [OTHER], OTHER), undefined, "the same, with a hash");
  assert.deepEqual(rootsByConsistency(4, 4, [], OTHER), { old: OTHER, new: OTHER }, "the same");
});

test("hashes side by side are kept beyond the room they began with [AUD-15]", () => {
  const [hashes, pushed] = [new Hashes(), Array.from({ length: 2500 }, (_, n) => leafHash(`${n}`))];
  assert.equal(hashes.bytes.length, 0, "none yet");
  for (const hash of pushed) hashes.push(hash);
  assert.equal(hashes.count, pushed.length);
  assert.equal(hashes.bytes.length, pushed.length * HASH_BYTES);
  assert.equal(hashes.bytes.toString("hex"), pushed.join(""));
});

test("the leaf hash is of a zero byte and the line in UTF-8, also where lines are gathered [AUD-7]", () => {
  const batch = new Batch();
  const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", ""));
  const long = fc
    .tuple(line, fc.constantFrom(1, 30_000, 400_000))
    .map(([text, times]) => text.padEnd(times, "é"));
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 20, arbitrary: line }, { weight: 1, arbitrary: long })),
      (lines) => {
        assert.equal(batch.isEmpty, true, "before");
        const hashes = lines.map((one) => batch.add(one));
        assert.equal(batch.isEmpty, lines.length === 0, "with lines");
        const expected = lines.map((one) => createHash("sha256").update("\0").update(one).digest("hex"));
        assert.deepEqual(hashes, expected, "of the batch");
        assert.deepEqual(lines.map(leafHash), expected, "of each line");
        assert.equal(
          batch.take().toString("utf8"),
          lines.map((one) => `${one}\n`).join(""),
          "what is written",
        );
      },
    ),
  );
});

test("leaves in any number of pieces make the same tree as one by one [AUD-7]", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 12 }), (pieces) => {
      const [grown, pushed] = [new Frontier(), new Frontier()];
      const hashes = new Hashes();
      pushed.push(leafHash("first"));
      grown.push(leafHash("first"));
      for (const [piece, count] of pieces.entries()) {
        const leaves = Array.from({ length: count }, (_, n) => leafHash(`${piece} ${n}`));
        for (const leaf of leaves) pushed.push(leaf);
        const bytes = Buffer.from(leaves.join(""), "hex");
        grown.grow(bytes);
        hashes.add(bytes);
        assert.deepEqual([grown.size, grown.root()], [pushed.size, pushed.root()]);
      }
      assert.equal(hashes.count, pushed.size - 1);
    }),
  );
});
