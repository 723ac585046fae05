import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { peer, resultFrame } from "../../../test/kit/peer.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { type Listing, type ListMethod, list } from "./list.ts";

const roomy = { maxPages: 100, maxListBytes: 1_000_000 };

/** Follows a list whose pages are a function of their number, starting at 1; also tells the cursors that were sent. */
async function follow(
  page: (number: number) => unknown,
  limits = roomy,
  method: ListMethod = "tools/list",
): Promise<Listing & { cursors: unknown[] }> {
  let number = 0;
  const { session, sent } = peer(({ id }) => [resultFrame(id, page(++number))]);
  const listing = await list(session, method, limits);
  for (const frame of sent) assert.equal(frame.method, method);
  return { ...listing, cursors: sent.map(({ params }) => params?.cursor) };
}

interface Case {
  readonly name: string;
  readonly page: (number: number) => unknown;
  readonly limits?: typeof roomy;
  readonly want: Pick<Listing, "items" | "end"> & { cursors: unknown[] };
}

describe("list: where it ends [WIR-9]", () => {
  const endless = (number: number): unknown => ({ tools: [number], nextCursor: `c${number}` });
  const cases: Case[] = [
    {
      name: "a page without a cursor is the last",
      page: () => ({ tools: ["a", "b"] }),
      want: { items: ["a", "b"], end: "complete", cursors: [undefined] },
    },
    {
      name: "each cursor is sent back as it came, and items keep their order",
      page: (n) => ({ tools: [n], ...(n < 4 ? { nextCursor: `c${n} ☃` } : {}) }),
      want: { items: [1, 2, 3, 4], end: "complete", cursors: [undefined, "c1 ☃", "c2 ☃", "c3 ☃"] },
    },
    {
      name: "a cursor of null ends the list",
      page: () => ({ tools: ["a"], nextCursor: null }),
      want: { items: ["a"], end: "complete", cursors: [undefined] },
    },
    {
      name: "an empty cursor ends the list",
      page: () => ({ tools: ["a"], nextCursor: "" }),
      want: { items: ["a"], end: "complete", cursors: [undefined] },
    },
    {
      name: "an empty page with a cursor does not end it",
      page: (n) => (n === 1 ? { tools: [], nextCursor: "x" } : { tools: ["a"] }),
      want: { items: ["a"], end: "complete", cursors: [undefined, "x"] },
    },
    {
      name: "a list of nothing is complete",
      page: () => ({ tools: [] }),
      want: { items: [], end: "complete", cursors: [undefined] },
    },
    {
      name: "a cursor that comes a second time ends it",
      page: (n) => ({ tools: [n], nextCursor: "same" }),
      want: { items: [1, 2], end: "repeated-cursor", cursors: [undefined, "same"] },
    },
    {
      name: "also when others came between",
      page: (n) => ({ tools: [n], nextCursor: `c${n % 3}` }),
      want: { items: [1, 2, 3, 4], end: "repeated-cursor", cursors: [undefined, "c1", "c2", "c0"] },
    },
    {
      name: "it ends at the limit of pages",
      page: endless,
      limits: { ...roomy, maxPages: 3 },
      want: { items: [1, 2, 3], end: "too-many-pages", cursors: [undefined, "c1", "c2"] },
    },
    {
      name: "exactly as many pages as the limit are complete",
      page: (n) => (n < 3 ? endless(n) : { tools: [n] }),
      limits: { ...roomy, maxPages: 3 },
      want: { items: [1, 2, 3], end: "complete", cursors: [undefined, "c1", "c2"] },
    },
    {
      name: "it ends at the limit of bytes",
      page: (n) => ({ tools: ["x".repeat(400)], nextCursor: `c${n}` }),
      limits: { ...roomy, maxListBytes: 1000 },
      want: { items: Array(3).fill("x".repeat(400)), end: "too-large", cursors: [undefined, "c1", "c2"] },
    },
    {
      name: "items are kept whatever they are",
      page: () => ({ tools: [null, 1, "x", [], { name: 5 }] }),
      want: { items: [null, 1, "x", [], { name: 5 }], end: "complete", cursors: [undefined] },
    },
    ...[null, "tools", 5, [], {}, { tools: null }, { tools: {} }, { tools: "x" }, { resources: [] }].map(
      (page): Case => ({
        name: `the page ${JSON.stringify(page)} is a bad page`,
        page: () => page,
        want: { items: [], end: "bad-page", cursors: [undefined] },
      }),
    ),
    ...[5, 0, true, false, {}, ["c"]].map(
      (nextCursor): Case => ({
        name: `the cursor ${JSON.stringify(nextCursor)} makes a bad page, whose items are kept`,
        page: () => ({ tools: ["a"], nextCursor }),
        want: { items: ["a"], end: "bad-page" as const, cursors: [undefined] },
      }),
    ),
    {
      name: "a bad page keeps what came before it",
      page: (n) => (n === 1 ? { tools: ["a"], nextCursor: "x" } : {}),
      want: { items: ["a"], end: "bad-page", cursors: [undefined, "x"] },
    },
    {
      name: "a page that asks for input is no answer",
      page: () => ({ resultType: "input_required" }),
      want: { items: [], end: "no-answer", cursors: [undefined] },
    },
  ];
  for (const c of cases)
    test(c.name, async () => {
      const { items, end, cursors, pages } = await follow(c.page, c.limits);
      assert.deepEqual({ items, end, cursors }, c.want);
      assert.equal(pages.length, cursors.length);
    });
});

describe("list: what it reads", () => {
  const members = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
  } as const;
  for (const [method, member] of Object.entries(members))
    test(`${method} reads ${member}`, async () => {
      const { items, end } = await follow(() => ({ [member]: ["a"] }), roomy, method as ListMethod);
      assert.deepEqual({ items, end }, { items: ["a"], end: "complete" });
    });

  test("an error on the second page keeps the first", async () => {
    let number = 0;
    const { session } = peer(({ id }) =>
      ++number === 1
        ? [resultFrame(id, { tools: ["a"], nextCursor: "x" })]
        : [JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32602, message: "bad cursor" } })],
    );
    const { items, end, pages } = await list(session, "tools/list", roomy);
    assert.deepEqual({ items, end }, { items: ["a"], end: "no-answer" });
    assert.deepEqual(
      pages.map(({ kind }) => kind),
      ["result", "error"],
    );
  });

  test("200000 items in one page are all there", { timeout: 20_000 }, async () => {
    const tools = Array.from({ length: 200_000 }, (_, index) => index);
    const { items, end } = await follow(() => ({ tools }), DEFAULT_LIMITS);
    assert.equal(end, "complete");
    assert.deepEqual(items, tools);
  });
});
