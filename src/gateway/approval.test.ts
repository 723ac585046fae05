/** A person's word for one call: for this call, once, for five minutes, and for nobody who makes it up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Approvals, type Bound } from "./approval.ts";

const NOON = Date.UTC(2026, 10, 15, 12);
const FIVE_MINUTES = 300_000;
const call: Bound = {
  caller: "ci",
  server: "mail",
  tool: "send",
  arguments: "sha256:aa",
  pin: "sha256:bb",
  policy: "sha256:cc",
};
const [NOTHING, OTHER, LATE, USED] = [
  "nothing was asked for this call",
  "it was given for another call",
  "it came too late",
  "it was used before",
];
const atNoon = (): Approvals => new Approvals(() => NOON);
const sealed = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const opened = (state: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(state, "base64url").toString()) as Record<string, unknown>;

test("a word opens its call, and that once [GTW-17, GTW-18]", () => {
  const approvals = atNoon();
  const state = approvals.seal(call);
  assert.equal(approvals.open(state, { ...call }), undefined);
  assert.equal(approvals.open(state, call), USED);
  assert.equal(approvals.open(state, call), USED);
});

test("a word that has opened its call says which entry it was asked with, and for another one it opens nothing [GTW-81]", () => {
  const approvals = atNoon();
  const state = approvals.seal(call, "d-1");
  const other = sealed({ ...opened(state), asked: "d-2" });
  assert.equal(approvals.open(other, call), OTHER);
  assert.equal(approvals.open(state, call), undefined);
  assert.equal(approvals.askedBy(state), "d-1");
});

const others: readonly (readonly [name: string, change: Partial<Bound>])[] = [
  ["another caller", { caller: "dev" }],
  ["nobody in particular", { caller: "" }],
  ["another server", { server: "bank" }],
  ["another tool", { tool: "delete" }],
  ["other arguments", { arguments: "sha256:ab" }],
  ["another definition", { pin: "sha256:bc" }],
  ["another policy", { policy: "sha256:cd" }],
  ["the same words, divided otherwise", { server: "mai", tool: "lsend" }],
  ["the same words, changed about", { server: "send", tool: "mail" }],
];
for (const [name, change] of others)
  test(`a word does not hold for ${name} [GTW-17]`, () => {
    const approvals = atNoon();
    const state = approvals.seal(call);
    assert.equal(approvals.open(state, { ...call, ...change }), OTHER);
    assert.equal(approvals.open(state, call), undefined);
  });

const times: readonly (readonly [name: string, afterMs: number, want: string | undefined])[] = [
  ["at once", 0, undefined],
  ["to the last millisecond of five minutes", FIVE_MINUTES, undefined],
  ["not a millisecond longer", FIVE_MINUTES + 1, LATE],
  ["not on the next day", 86_400_000, LATE],
];
for (const [name, afterMs, want] of times)
  test(`a word holds ${name} [GTW-18]`, () => {
    let now = NOON;
    const approvals = new Approvals(() => now);
    const state = approvals.seal(call);
    now += afterMs;
    assert.equal(approvals.open(state, call), want);
  });

test("a word that was used stays used to the last moment it could hold [GTW-18]", () => {
  let now = NOON;
  const approvals = new Approvals(() => now);
  const first = approvals.seal(call);
  assert.equal(approvals.open(first, call), undefined);
  now += FIVE_MINUTES;
  assert.equal(approvals.open(approvals.seal(call), call), undefined);
  assert.equal(approvals.open(first, call), USED);
  now += 1;
  assert.equal(approvals.open(approvals.seal(call), call), undefined);
  assert.equal(approvals.open(first, call), LATE);
});

test("each question has a word of its own, for the same call too [GTW-17, GTW-18]", () => {
  const approvals = atNoon();
  const [one, other] = [approvals.seal(call), approvals.seal(call)];
  assert.notEqual(one, other);
  assert.deepEqual([approvals.open(one, call), approvals.open(other, call)], [undefined, undefined]);
  assert.deepEqual([approvals.open(one, call), approvals.open(other, call)], [USED, USED]);
});

test("a word of another gateway opens nothing here [GTW-17]", () =>
  assert.equal(atNoon().open(atNoon().seal(call), call), OTHER));

test("more words than anybody gives: none opens twice [GTW-18]", { timeout: 60_000 }, () => {
  const approvals = atNoon();
  const first = approvals.seal(call);
  assert.equal(approvals.open(first, call), undefined);
  for (let given = 0; given < 10_000; given++)
    assert.equal(approvals.open(approvals.seal(call), call), undefined);
  assert.equal(approvals.open(first, call), OTHER);
  assert.equal(approvals.open(approvals.seal(call), call), undefined);
});

const real = { asked: "", nonce: "0".repeat(32), until: NOON + 1000, mac: "0".repeat(64) };
const garbage: readonly (readonly [name: string, state: string | undefined, want: string])[] = [
  ["nothing", undefined, NOTHING],
  ["an empty text", "", NOTHING],
  ["what is no base64", "!!! ~~~", NOTHING],
  ["what is no JSON", Buffer.from("{nonce").toString("base64url"), NOTHING],
  ["null", sealed(null), NOTHING],
  ["a list", sealed([real]), NOTHING],
  ["a text", sealed("nonce"), NOTHING],
  ["an empty object", sealed({}), NOTHING],
  ["no entry", sealed({ ...real, asked: undefined }), NOTHING],
  ["no nonce", sealed({ ...real, nonce: undefined }), NOTHING],
  ["a nonce that is no text", sealed({ ...real, nonce: 1 }), NOTHING],
  ["no end", sealed({ ...real, until: undefined }), NOTHING],
  ["an end that is a text", sealed({ ...real, until: "9999999999999" }), NOTHING],
  ["no seal", sealed({ ...real, mac: undefined }), NOTHING],
  ["a seal that is no text", sealed({ ...real, mac: [real.mac] }), NOTHING],
  ["more than a thousand characters", sealed({ ...real, x: "x".repeat(1000) }), NOTHING],
  ["an empty seal", sealed({ ...real, mac: "" }), OTHER],
  ["a seal of as many bytes", sealed(real), OTHER],
  ["a seal of as many characters, and more bytes", sealed({ ...real, mac: "é".repeat(64) }), OTHER],
];
for (const [name, state, want] of garbage)
  test(`${name} opens nothing [GTW-17]`, () => assert.equal(atNoon().open(state, call), want));

const odd: readonly (readonly [name: string, json: string])[] = [
  ["half a letter", `{"nonce":"\\ud800","until":${NOON},"mac":"00"}`],
  ["an end without an end", '{"nonce":"00","until":1e999,"mac":"00"}'],
];
for (const [name, json] of odd)
  test(`${name} is refused, and makes nothing fail [GTW-17, GTW-19]`, () =>
    assert.equal(typeof atNoon().open(Buffer.from(json).toString("base64url"), call), "string"));

test("whatever a client sends in its place opens nothing, and makes nothing fail [GTW-17]", () => {
  const like = fc.record({ nonce: fc.string({ unit: "binary" }), until: fc.double(), mac: fc.string() });
  const anyState = fc.oneof(fc.string(), fc.base64String(), fc.oneof(like, fc.jsonValue()).map(sealed));
  fc.assert(
    fc.property(anyState, (state) => {
      assert.equal(typeof atNoon().open(state, call), "string");
    }),
    { numRuns: 300 },
  );
});

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
test("a word with another character in any place, or without one, opens nothing [GTW-17]", () => {
  const approvals = atNoon();
  const state = approvals.seal(call);
  const bytes = (text: string): string => Buffer.from(text, "base64url").toString("latin1");
  for (let at = 0; at < state.length; at++)
    for (const letter of [...LETTERS, "", "=", "."]) {
      const changed = state.slice(0, at) + letter + state.slice(at + 1);
      // The last letter has bits that say nothing.
      if (bytes(changed) === bytes(state)) continue;
      assert.equal(typeof approvals.open(changed, call), "string", bytes(changed));
    }
  assert.equal(approvals.open(state, call), undefined);
});

const forged: readonly (readonly [name: string, change: Record<string, unknown>])[] = [
  ["a longer life", { until: NOON + FIVE_MINUTES + 1 }],
  ["a shorter life", { until: NOON + 1 }],
  ["another nonce, to be used again", { nonce: "0".repeat(32) }],
  ["a seal in capitals", {}],
];
for (const [name, change] of forged)
  test(`a word that was given ${name} opens nothing [GTW-17, GTW-18]`, () => {
    const approvals = atNoon();
    const word = opened(approvals.seal(call));
    const changes = Object.keys(change).length > 0 ? change : { mac: `A${String(word.mac).slice(1)}` };
    assert.equal(approvals.open(sealed({ ...word, ...changes }), call), OTHER);
  });

test("what the client holds tells nothing of the call but the id of its entry [GTW-17]", () => {
  const word = opened(atNoon().seal(call));
  assert.deepEqual(Object.keys(word), ["asked", "nonce", "until", "mac"]);
  assert.equal(word.until, NOON + FIVE_MINUTES);
  assert.match(String(word.mac), /^[0-9a-f]{64}$/);
});
