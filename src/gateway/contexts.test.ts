/** Conversations: which one an exchange belongs to, what was said in it, and what of that leads to a call. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { FlowCall } from "../flow/index.ts";
import { LEVELS, rankOf, type TrustLevel } from "../policy/index.ts";
import type { Sender } from "../wire/index.ts";
import { Stop } from "../wire/stop.ts";
import { Context } from "./context.ts";
import { CONTEXT_HEADER, CONTEXT_META, Contexts, contextKey } from "./contexts.ts";

interface Words {
  readonly header?: string | readonly string[] | undefined;
  readonly meta?: unknown;
  readonly baggage?: string | readonly string[];
  readonly caller?: string;
  readonly session?: string;
}
function keyOf({ header, meta, baggage, caller, session }: Words): string {
  const from: Sender = {
    headers: { [CONTEXT_HEADER]: header, baggage },
    ...(caller === undefined ? {} : { caller }),
    ...(session === undefined ? {} : { session }),
  };
  return contextKey(meta === undefined ? {} : { _meta: { [CONTEXT_META]: meta } }, from);
}

test("a client names its conversation by these words [GTW-14]", () =>
  assert.deepEqual([CONTEXT_HEADER, CONTEXT_META], ["touchstone-context", "touchstone/context"]));

const baggage = "touchstone-context=by-baggage";
const all: Words = { header: "by-header", meta: "by-meta", baggage, caller: "ci", session: "s1" };
const sources: readonly (readonly [name: string, words: Words, same: Words])[] = [
  ["the header is first", all, { header: "by-header", caller: "ci" }],
  ["then the member of _meta", { ...all, header: undefined }, { header: "by-meta", caller: "ci" }],
  ["then baggage", { ...all, header: undefined, meta: undefined }, { header: "by-baggage", caller: "ci" }],
  ["then the caller", { caller: "ci", session: "s1" }, { caller: "ci", session: "s2" }],
  ["then the session", { session: "s1" }, { session: "s1" }],
  [
    "a word counts in every session of whoever says it",
    { header: "a", session: "s1" },
    { meta: "a", session: "s2" },
  ],
  [
    "a word of 200 characters counts",
    { header: "n".repeat(200), caller: "ci" },
    { meta: "n".repeat(200), caller: "ci" },
  ],
];
for (const [name, words, same] of sources)
  test(`${name} [GTW-14]`, () => {
    assert.equal(keyOf(words), keyOf(same));
    assert.notEqual(keyOf(words), keyOf({}));
  });

const passedOver: readonly (readonly [name: string, words: Words])[] = [
  ["a header that is empty", { header: "" }],
  ["a header that is too long", { header: "n".repeat(201) }],
  ["a header that came twice", { header: ["a", "b"] }],
  ["a word in _meta that is empty", { meta: "" }],
  ["a word in _meta that is too long", { meta: "n".repeat(201) }],
  ["a number in _meta", { meta: 5 }],
  ["nothing in _meta", { meta: null }],
  ["a list in _meta", { meta: ["a"] }],
  ["baggage of others", { baggage: "user=1,region=eu" }],
  ["baggage without a value", { baggage: "touchstone-context=,b=1" }],
  ["baggage whose name only ends so", { baggage: "not-touchstone-context=a" }],
  ["baggage whose name only begins so", { baggage: "touchstone-contexts=a" }],
  ["baggage that came twice", { baggage: ["touchstone-context=a"] }],
];
for (const [name, words] of passedOver)
  test(`${name} is passed over [GTW-14]`, () => {
    assert.equal(keyOf({ ...words, caller: "ci", session: "s1" }), keyOf({ caller: "ci" }));
    assert.equal(keyOf({ ...words, session: "s1" }), keyOf({ session: "s1" }));
    assert.equal(keyOf(words), keyOf({}));
    if (words.header !== undefined) assert.equal(keyOf({ ...words, meta: "a" }), keyOf({ header: "a" }));
    if (words.meta !== undefined)
      assert.equal(keyOf({ ...words, baggage: "touchstone-context=a" }), keyOf({ header: "a" }));
  });

const carried = [
  "touchstone-context=a",
  " touchstone-context = a ",
  "user=1,touchstone-context=a,b=2",
  "user=1;x=2, touchstone-context=a;ttl=5",
  "touchstone-context=a,touchstone-context=b",
];
for (const text of carried)
  test(`baggage is read: ${text} [GTW-14]`, () =>
    assert.equal(keyOf({ baggage: text }), keyOf({ header: "a" })));

test("whoever says nothing shares one conversation with all that say nothing [GTW-14]", () => {
  const nobody: Sender = { headers: {} };
  assert.equal(contextKey({}, undefined), contextKey({}, nobody));
  assert.equal(contextKey({ _meta: 5 }, undefined), contextKey({}, nobody));
  assert.equal(contextKey({ _meta: { other: "a" } }, undefined), contextKey({}, nobody));
  assert.notEqual(contextKey({ _meta: { [CONTEXT_META]: "a" } }, undefined), contextKey({}, nobody));
});

/** Texts that try to look like the key of somebody else. */
const anyText = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("shared", "ci", "named", '"ci"', '["caller","ci"]', '["named","ci","a"]', 'ci","a', "a,b"),
);
const anyWords = fc.record({ header: anyText, meta: anyText, session: anyText }, { requiredKeys: [] });

test("two callers never share a conversation, whatever they call it [GTW-14]", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.option(anyText, { nil: undefined }),
      anyWords,
      anyWords,
      (one, other, said, heard) => {
        fc.pre(one !== other);
        const words = other === undefined ? heard : { ...heard, caller: other };
        assert.notEqual(keyOf({ ...said, caller: one }), keyOf(words));
      },
    ),
    { numRuns: 500 },
  );
});

test("no caller is mistaken for a kind of conversation [GTW-14]", () => {
  assert.notEqual(keyOf({ caller: "caller", header: "ci" }), keyOf({ caller: "ci" }));
  assert.notEqual(keyOf({ caller: "session", header: "s1" }), keyOf({ session: "s1" }));
  assert.notEqual(keyOf({ caller: "shared" }), keyOf({}));
});

test("neither do two words of one caller, nor a word, a caller and a session of one name [GTW-14]", () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      fc.pre(one !== other && one.length <= 200 && other.length <= 200);
      const keys = [
        keyOf({}),
        keyOf({ header: one }),
        keyOf({ header: other }),
        keyOf({ header: one, caller: one }),
        keyOf({ header: other, caller: one }),
        keyOf({ caller: one }),
        keyOf({ session: one }),
        keyOf({ session: other }),
      ];
      assert.equal(new Set(keys).size, keys.length, keys.join(" "));
    }),
  );
});

const VALUE = "the vault opens on Tuesday at nine";
const OTHER = "bring two loaves of bread and some milk";
let calls = 0;
const given = (server: string, args: unknown): FlowCall => ({
  id: `c-${++calls}`,
  server,
  tool: "do",
  arguments: args,
});
/** What each server said, at which level, one after another. */
function after(...said: readonly (readonly [server: string, result: unknown, level: TrustLevel])[]): Context {
  const context = new Context();
  for (const [server, result, level] of said) context.said({ ...given(server, {}), result }, level);
  return context;
}

const text = (value: string): unknown => ({ content: [{ type: "text", text: value }] });
const base64 = (value: string): string => Buffer.from(value).toString("base64");
const led: readonly (readonly [
  name: string,
  context: Context,
  args: unknown,
  want: TrustLevel,
  flows: number,
])[] = [
  ["nothing was said", after(), { a: VALUE }, "USER", 0],
  ["something else was said", after(["web", text(OTHER), "NONE"]), { a: VALUE }, "USER", 0],
  ["a server said it that nobody trusts", after(["web", text(VALUE), "NONE"]), { a: VALUE }, "NONE", 1],
  [
    "a server said it that is trusted as a tool",
    after(["web", text(VALUE), "TOOL"]),
    { a: VALUE },
    "TOOL",
    1,
  ],
  [
    "it is only a part of what is given",
    after(["web", text(VALUE), "NONE"]),
    { a: `Re: ${VALUE}!` },
    "NONE",
    1,
  ],
  ["it is written otherwise", after(["web", text(VALUE), "NONE"]), { a: base64(VALUE) }, "NONE", 1],
  ["it was said as an error", after(["web", { code: -1, message: VALUE }, "NONE"]), { a: VALUE }, "NONE", 1],
  [
    "one of two values is trusted less",
    after(["web", text(VALUE), "TOOL"], ["chat", text(OTHER), "NONE"]),
    { a: VALUE, b: OTHER },
    "NONE",
    2,
  ],
  [
    "the one that is trusted less came first",
    after(["chat", text(OTHER), "NONE"], ["web", text(VALUE), "TOOL"]),
    { a: VALUE, b: OTHER },
    "NONE",
    2,
  ],
  [
    "two said it, and one is trusted less",
    after(["web", text(VALUE), "TOOL"], ["chat", text(VALUE), "NONE"]),
    { a: VALUE },
    "NONE",
    2,
  ],
  [
    "one said it twice, and is trusted less the second time",
    after(["web", text(VALUE), "TOOL"], ["web", text(VALUE), "NONE"]),
    { a: VALUE },
    "NONE",
    1,
  ],
  [
    "it was said by one that is trusted more than the user",
    after(["web", text(VALUE), "OWNER"]),
    { a: VALUE },
    "USER",
    1,
  ],
  ["the server itself said it", after(["mail", text(VALUE), "NONE"]), { a: VALUE }, "NONE", 0],
  [
    "the server itself said it first, and another one that is trusted less",
    after(["mail", text(VALUE), "TOOL"], ["web", text(VALUE), "NONE"]),
    { a: VALUE },
    "NONE",
    0,
  ],
];
for (const [name, context, args, want, flows] of led)
  test(`what led to a call is ${want} where ${name} [GTW-15]`, () => {
    const found = context.into(given("mail", args));
    assert.equal(found.trigger, want);
    assert.equal(found.flows.length, flows);
  });

test("a value that one passed on is worth the least of all who said it [GTW-15]", () => {
  const context = after(["web", text(VALUE), "TOOL"]);
  const passing = given("notes", { a: VALUE });
  assert.equal(context.into(passing).trigger, "TOOL");
  context.said({ ...passing, result: text(VALUE) }, "NONE");
  assert.equal(context.into(given("mail", { a: VALUE })).trigger, "NONE");
});

test("a tree in a tree is worth the least of who said either [GTW-15]", () => {
  const inner = { to: "Alice", from: "Bob", cc: "Carol", re: "Dinner", on: "Friday" };
  const outer = { first: inner, last: "and so on, as it was agreed before" };
  const context = after(["web", { outer }, "TOOL"], ["chat", { inner }, "NONE"]);
  assert.equal(context.into(given("mail", { inner })).trigger, "NONE");
  assert.equal(context.into(given("mail", { outer })).trigger, "NONE");
});

test("a call that was asked for and never answered has said nothing [GTW-15, GTW-16]", () => {
  const context = new Context();
  context.into(given("web", { a: VALUE }));
  assert.deepEqual(context.into(given("mail", { a: VALUE })), { flows: [], trigger: "USER" });
  assert.equal(context.lowest, "USER");
});

test("what was said in one conversation leads to nothing in another [GTW-14, GTW-15]", () => {
  const contexts = new Contexts();
  contexts.of("one").said({ ...given("web", {}), result: text(VALUE) }, "NONE");
  assert.equal(contexts.of("other").into(given("mail", { a: VALUE })).trigger, "USER");
  assert.equal(contexts.of("one").into(given("mail", { a: VALUE })).trigger, "NONE");
  assert.deepEqual([contexts.of("one").lowest, contexts.of("other").lowest], ["NONE", "USER"]);
});

test("a value whose label is forgotten is worth nothing [GTW-15]", { timeout: 60_000 }, () => {
  const context = after(["web", text(VALUE), "TOOL"]);
  for (let said = 1; said < 10_000; said++) context.said({ ...given("chat", {}), result: {} }, "TOOL");
  assert.equal(context.into(given("mail", { a: VALUE })).trigger, "TOOL");
  for (let said = 0; said < 10_001; said++) context.said({ ...given("chat", {}), result: {} }, "TOOL");
  assert.equal(context.into(given("mail", { a: VALUE })).trigger, "NONE");
});

test("the least of all that was said falls, and never rises [GTW-15]", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LEVELS), { maxLength: 8 }), (levels) => {
      const context = new Context();
      let least = rankOf("USER");
      assert.equal(context.lowest, "USER");
      for (const level of levels) {
        context.said({ ...given("web", {}), result: text(OTHER) }, level);
        least = Math.min(least, LEVELS.indexOf(level));
        assert.equal(context.lowest, LEVELS[least]);
      }
    }),
  );
});

test("the same key is the same conversation, another is another [GTW-14]", () => {
  const contexts = new Contexts();
  const one = contexts.of("one");
  assert.equal(contexts.of("one") === one, true);
  assert.equal(contexts.of("other") === one, false);
  assert.equal(contexts.of("one") === one, true);
});

test("a thousand conversations are kept, and the one that was silent longest goes first [GTW-14]", () => {
  const contexts = new Contexts();
  const made = Array.from({ length: 1000 }, (_, number) => contexts.of(`${number}`));
  const isKept = (number: number): boolean => contexts.of(`${number}`) === made[number];
  // The first is spoken in again, so the second is now the oldest.
  assert.equal(isKept(0), true);
  contexts.of("one more");
  assert.equal(isKept(0), true);
  for (let number = 2; number < 1000; number++) assert.equal(isKept(number), true, `${number}`);
  assert.equal(isKept(1), false);
});

test("of all conversations together so much is kept: the one that was silent longest goes first, and whoever had it is believed less [GTW-15]", () => {
  const contexts = new Contexts();
  const MB = 1024 * 1024;
  const say = (key: string): void =>
    contexts.of(key, { caller: key }).said({ ...given("web", {}), result: text(OTHER) }, "NONE", 4 * MB);
  for (const key of ["a", "b", "c", "d", "e", "f", "g", "h"]) say(key);
  // More than that is not kept of one conversation anyway.
  say("a");
  const first = contexts.of("b", { caller: "b" });
  assert.equal(first.lowest, "NONE");
  say("i");
  // The order of use: c is now the oldest.
  assert.equal(contexts.of("b", { caller: "b" }) === first, true);
  assert.equal(contexts.of("c", { caller: "another one" }).lowest, "USER");
  assert.equal(contexts.of("c too", { caller: "c" }).lowest, "NONE");
});

test("what is said in a conversation that was forgotten already makes nobody forget another [GTW-15]", () => {
  const contexts = new Contexts();
  const said = { ...given("web", {}), result: text(OTHER) };
  const MB = 1024 * 1024;
  const gone = Array.from({ length: 10 }, (_, number) => contexts.of(`gone ${number}`));
  for (let number = 0; number < 1000; number++) contexts.of(`${number}`);
  const kept = contexts.of("0");
  for (const context of gone) context.said(said, "NONE", 4 * MB);
  kept.said(said, "NONE", 4 * MB);
  assert.equal(contexts.of("0") === kept, true);
  assert.equal(contexts.of("1").lowest, "USER");
});

test("over stdio baggage stands in _meta, and a header counts before it [GTW-14]", () => {
  const meta = { _meta: { baggage: "a=1,touchstone-context=inside" } };
  const named = (name: string): string => JSON.stringify(["named", "", name]);
  assert.equal(contextKey(meta, { session: "stdio", headers: {} }), named("inside"));
  const headers = { baggage: "touchstone-context=outside" };
  assert.equal(contextKey(meta, { session: "stdio", headers }), named("outside"));
});

test("to leave the name of a conversation out can only tighten [GTW-14]", () => {
  const from = { session: "s", headers: {} };
  const keyOf = (name?: string): string =>
    contextKey(name === undefined ? {} : { _meta: { [CONTEXT_META]: name } }, from);
  const found = (saidIn: string | undefined, givenIn: string | undefined): number => {
    const contexts = new Contexts();
    contexts.of(keyOf(saidIn), from).said({ ...given("web", {}), result: text(VALUE) }, "NONE");
    const context = contexts.of(keyOf(givenIn), from);
    assert.equal(context.lowest, context.into(given("mail", { a: VALUE })).trigger);
    return context.into(given("mail", { a: VALUE })).flows.length;
  };
  assert.equal(found("a", "a"), 1);
  assert.equal(found("a", "b"), 0);
  assert.equal(found("a", undefined), 1, "said under a name, given under none");
  assert.equal(found(undefined, "a"), 1, "said under none, given under a name");
  assert.equal(found(undefined, undefined), 1);
});

test("what another client says under no name is nobody else's [GTW-14]", () => {
  const contexts = new Contexts();
  const [one, other] = ["one", "other"].map((session) => ({ session, headers: {} }));
  contexts.of(contextKey({}, one), one).said({ ...given("web", {}), result: text(VALUE) }, "NONE");
  assert.equal(contexts.of(contextKey({}, other), other).into(given("mail", { a: VALUE })).flows.length, 0);
});

test("a caller with many conversations makes its own forgotten, and nobody else's [GTW-15]", () => {
  const contexts = new Contexts();
  const alice = { caller: "alice" };
  contexts.of("hers", alice).said({ ...given("vault", {}), result: text(VALUE) }, "NONE");
  for (let number = 0; number < 3000; number++) contexts.of(`${number}`, { caller: "bob" });
  assert.equal(contexts.of("hers", alice).into(given("web", { a: VALUE })).flows.length, 1);
  assert.equal(contexts.of("new", { caller: "bob" }).lowest, "NONE");
});

const item = (name: string) => {
  const source = { name, description: "The vault opens at six; ask for Marguerite." };
  return { server: "vault", source, item: source };
};

test("what a list shows counts as NONE where it is found, and not by having been listed [GTW-15] [GTW-16]", () => {
  const context = new Context();
  const shown = [item("one")];
  context.listed("prompts/list", shown);
  assert.equal(context.lowest, "USER");
  const other = { id: "1", server: "web", tool: "post", arguments: { q: "good morning to all of you" } };
  assert.deepEqual(context.into(other), { flows: [], trigger: "USER" });
  const { flows, trigger } = context.into({ ...other, arguments: { q: shown[0]?.item.description } });
  assert.deepEqual([flows[0]?.producer.tool, trigger], ["prompts/list", "NONE"]);
});

test("what a list shows again takes no room, also where it is read anew [GTW-16]", () => {
  const context = new Context();
  context.listed("prompts/list", [item("one"), item("two")]);
  const { chars } = context;
  for (let again = 0; again < 3; again++) context.listed("prompts/list", [item("two"), item("one")]);
  assert.equal(context.chars, chars);
  context.listed("prompts/list", [item("one"), item("six")]);
  assert.equal(context.chars, chars * 1.5);
});

test("of sessions that are over nothing is remembered, whatever they called their conversation [GTW-15]", () => {
  const contexts = new Contexts();
  const named = JSON.stringify(["named", "", "x"]);
  for (let number = 0; number < 2000; number++) {
    const [session, over] = [`s${number}`, new Stop()];
    for (const key of [named, `session ${session}`]) contexts.of(key, { session }, over);
    if (number === 0)
      contexts.of(named, { session }).said({ ...given("web", {}), result: text(VALUE) }, "NONE");
    over.abort();
  }
  const late = new Stop();
  late.abort();
  contexts.of("session late", { session: "late" }, late);
  return Promise.resolve().then(() => {
    assert.equal(contexts.speakers, 0);
    // What was said under the name is still there for whoever knows it.
    const { flows } = contexts.of(named, { session: "next" }).into(given("mail", { a: VALUE }));
    assert.equal(flows.length, 1);
  });
});

test("of those of whom something was forgotten no more than ten thousand are remembered [GTW-15]", () => {
  const contexts = new Contexts();
  for (let number = 0; number < 12_000; number++)
    contexts.of(`session s${number}`, { session: `s${number}` });
  assert.ok(contexts.speakers < 11_100);
  assert.equal(contexts.of("session new", { session: "new" }).lowest, "NONE");
});

test("where something was forgotten a list counts too [GTW-15]", () => {
  const context = new Context();
  context.said(
    { id: "0", server: "own", tool: "t", arguments: {}, result: "x".repeat(600_000) },
    "USER",
    600_000,
  );
  const call = { id: "1", server: "web", tool: "post", arguments: { q: "good morning to all of you" } };
  assert.equal(context.into(call).trigger, "USER");
  context.listed("prompts/list", [item("one")]);
  assert.equal(context.into(call).trigger, "NONE");
});

for (const [name, others, kinds] of [
  ["sixteen others are looked through", 16, ["structural-equal"]],
  ["of more than sixteen the oldest may hold anything", 17, ["unseen"]],
] as const)
  test(`${name} [GTW-91]`, () => {
    const contexts = new Contexts();
    const from = { caller: "ci", session: "s" };
    const text = "The harbour crane is opened with 7741-kilo-9920";
    const saying = { id: "said", server: "vault", tool: "open", arguments: {}, result: { text } };
    for (let n = 0; n < others; n++) {
      const named = contexts.of(JSON.stringify(["named", "ci", String(n)]), from);
      if (n === 0) named.said(saying, "TOOL", 100);
    }
    const asking = { id: "asked", server: "web", tool: "get", arguments: { text } };
    const { flows, trigger } = contexts.of(JSON.stringify(["caller", "ci"]), from).into(asking);
    assert.deepEqual(
      flows.map(({ kind }) => kind),
      kinds,
    );
    assert.equal(trigger, "TOOL");
  });
