/** What holds for any text: it is found however it is written, others are not, and nothing makes the search fail or crawl. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createFlowContext, flowsOf } from "./context.ts";
import { judgeFlows } from "./judge.ts";
import type { Flow } from "./model.ts";

const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");
const each = (text: string, write: (byte: string) => string, between = ""): string =>
  Array.from(utf8(text), (byte) => write(byte.toString(16).padStart(2, "0"))).join(between);

/** One line a way of writing. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => utf8(text).toString("base64"),
  base64url: (text) => utf8(text).toString("base64url"),
  "base64 in lines": (text) => utf8(text).toString("base64").replace(/.{16}/g, "$&\n"),
  hex: (text) => utf8(text).toString("hex"),
  "hex with colons": (text) => each(text, (byte) => byte, ":"),
  "hex with marks": (text) => each(text, (byte) => `\\x${byte}`),
  percent: encodeURIComponent,
  "percent for every byte": (text) => each(text, (byte) => `%${byte}`),
  form: (text) => new URLSearchParams({ q: text }).toString(),
  entities: (text) => Array.from(text, (letter) => `&#${letter.codePointAt(0)};`).join(""),
  escapes: (text) =>
    Array.from(
      { length: text.length },
      (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= "Z" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
  reversed: (text) => [...text].reverse().join(""),
  base32,
  "base32 in small letters": (text) => base32(text).toLowerCase(),
  "base64 in groups": (text) => utf8(text).toString("base64").replace(/.{10}/g, "$& "),
  "base64 with dots": (text) => utf8(text).toString("base64").replace(/.{7}/g, "$&."),
  "base64url with slashes": (text) => utf8(text).toString("base64url").replace(/.{5}/g, "$&/"),
  "hex with slashes": (text) => each(text, (byte) => byte, "/"),
  "hex with blanks": (text) => each(text, (byte) => byte, "   "),
  "hex in uneven groups": (text) => utf8(text).toString("hex").replace(/.{7}/g, "$& | "),
  "quoted-printable": (text) => each(text, (byte) => `=${byte.toUpperCase()}`),
  "codes in decimal digits": (text) => Array.from(utf8(text)).join(" "),
  "codes of characters": (text) => Array.from(text, (letter) => letter.codePointAt(0)).join(", "),
  "codes in octal digits": (text) => inBase(text, 8, 3, " "),
  "octal escapes": (text) => `\\${inBase(text, 8, 3, "\\")}`,
  binary: (text) => inBase(text, 2, 8, " "),
  "binary without blanks": (text) => inBase(text, 2, 8, ""),
  "letters with dashes": (text) => [...text].join("-"),
  "letters with dots and blanks": (text) => [...text].join(" . "),
  "tag characters": (text) =>
    text.replace(/[ -~]/g, (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))),
  selectors: (text) =>
    Array.from(utf8(text), (byte) =>
      String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
    ).join(""),
};

function base32(text: string): string {
  const bits = inBase(text, 2, 8, "");
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

function inBase(text: string, base: number, digits: number, between: string): string {
  return Array.from(utf8(text), (byte) => byte.toString(base).padStart(digits, "0")).join(between);
}

const SCRIPTS = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "äöüßéèçñå",
  "абвгдежзиклмнопрст",
  "αβγδεζηθικλμνξ",
  "ابتثجحخدذرزسش",
  "金庫開時火曜日署名返送",
  "あいうえおかきくけこ",
  "한국어급여명세서",
];
const word = fc
  .constantFrom(...SCRIPTS)
  .chain((letters) =>
    fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 12 }).map((all) => all.join("")),
  );
/** At least sixteen characters and three words, of any script. */
const text = fc
  .tuple(fc.array(word, { minLength: 3, maxLength: 20 }), fc.constantFrom(" ", ", ", "\n", "; ", " 7 "))
  .map(([words, between]) => words.join(between))
  .filter(({ length }) => length >= 16);

const around = fc.tuple(
  fc.constantFrom("", "x=", "see: ", "abc", "https://drop.example/", "1", '{"a": "'),
  fc.constantFrom("", " ", "&z=1", "\n--", '"}'),
);
/** Somewhere in the arguments. */
const place = fc.constantFrom<(value: string) => unknown>(
  (value) => value,
  (value) => ({ q: value }),
  (value) => ({ a: [1, { b: [value] }] }),
  (value) => ({ list: ["one", "two", value] }),
  (value) => ({ [value]: true }),
  (value) => ({ json: JSON.stringify({ deep: { x: value } }) }),
);

const between = (said: unknown, given: unknown): readonly Flow[] =>
  flowsOf([
    {
      id: "1",
      server: "one",
      tool: "read",
      arguments: {},
      result: { content: [{ type: "text", text: said }] },
    },
    { id: "2", server: "two", tool: "write", arguments: given },
  ]);

describe("what is handed on is found", () => {
  test("as it is, anywhere in the arguments [FLW-1, FLW-7]", () => {
    fc.assert(
      fc.property(text, around, place, (said, [before, after], put) => {
        assert.ok(between(said, put(before + said + after)).length > 0);
      }),
      { numRuns: 300 },
    );
  });

  for (const [name, write] of Object.entries(ENCODINGS))
    test(`written as ${name} [FLW-9]`, () => {
      fc.assert(
        fc.property(text, around, place, (said, [before, after], put) => {
          assert.ok(between(said, put(before + write(said) + after)).length > 0);
        }),
        { numRuns: 60 },
      );
    });

  test("with a mark on every letter, or in letters of another form [FLW-8]", () => {
    const change = fc.constantFrom<(letter: string) => string>(
      (letter) => `${letter}\u0301`,
      (letter) => `${letter}\u{e0100}`,
      (letter) => `\u200b${letter}`,
      (letter) => (/[!-~]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter),
    );
    fc.assert(
      fc.property(text, change, place, (said, changed, put) => {
        assert.ok(between(said, put(Array.from(said, changed).join(""))).length > 0);
      }),
      { numRuns: 100 },
    );
  });

  test("as a list of letters, or of their codes [FLW-9]", () => {
    const cut = fc.constantFrom<(said: string) => unknown>(
      (said) => [...said],
      (said) => Object.fromEntries([...said].map((letter, number) => [`n${number}`, letter])),
      (said) => Array.from(said, (letter) => ({ letter })),
      (said) => Array.from(utf8(said), (code) => [[code]]),
      (said) => Array.from(utf8(said), (code) => String(code)),
      (said) => Array.from(utf8(said), (code) => `0x${code.toString(16).padStart(2, "0")}`),
      (said) => ({ ...Array.from(utf8(said)) }),
      (said) => Array.from(utf8(said)),
      (said) => Array.from(said, (letter) => letter.codePointAt(0)),
    );
    fc.assert(
      fc.property(text, cut, (said, cutUp) => {
        const [flow] = between(said, { x: { list: cutUp(said) } });
        assert.deepEqual([flow?.kind, flow?.consumer.path], ["encoded", "x.list"]);
      }),
      { numRuns: 100 },
    );
  });

  test("as bytes of a result, with marks between their letters [FLW-9]", () => {
    const mark = fc.constantFrom("*", " ", "-", "_", ".", "\n\n");
    fc.assert(
      fc.property(text, mark, fc.integer({ min: 1, max: 20 }), (said, sign, every) => {
        const blob = Buffer.from(said.repeat(2)).toString("base64");
        const marks = blob.replace(new RegExp(`.{${every}}`, "g"), `$&${sign}`);
        assert.ok(between({ contents: [{ uri: "a:b", blob: marks }] }, said).length > 0);
      }),
      { numRuns: 100 },
    );
  });

  test("written in one way and then in another [FLW-9]", () => {
    const way = fc.constantFrom(...Object.keys(ENCODINGS));
    fc.assert(
      fc.property(text, way, way, place, (said, inner, outer, put) => {
        const written = ENCODINGS[outer]?.(ENCODINGS[inner]?.(said) ?? "") ?? "";
        assert.ok(between(said, put(written)).length > 0);
      }),
      { numRuns: 1000 },
    );
  });

  test("a number in the middle of both, however it is grouped [FLW-4]", () => {
    const group = fc.integer({ min: 3000, max: 9999 }).map(String);
    const mark = fc.constantFrom("", " ", "-", ".", "\u00a0");
    const groups = fc.array(group, { minLength: 4, maxLength: 6 }).filter((all) => new Set(all).size > 2);
    fc.assert(
      fc.property(groups, mark, mark, text, (all, one, other, page) => {
        assert.ok(between(`see: ${all.join(one)}. ${page}`, `to ${all.join(other)}, please`).length > 0);
      }),
      { numRuns: 200 },
    );
  });

  test("a mailbox or an address in the middle of both [FLW-4]", () => {
    const name = fc.stringMatching(/^[a-z]{4,12}$/);
    const value = fc
      .tuple(name, name, fc.constantFrom("@", "://"))
      .map(([one, other, mark]) => `${one}${mark}${other}.example`);
    const sides = fc.constantFrom(["", ""], ["(", ")"], ["<", ">,"], ['"', '".'], ["**", "**"], ["x=", ";"]);
    fc.assert(
      fc.property(value, sides, sides, text, (one, [a, b], [c, d], page) => {
        assert.ok(between(`${page} ${a}${one}${b} ${page}`, `take ${c}${one}${d} now`).length > 0);
      }),
      { numRuns: 200 },
    );
  });

  test("in the middle of a long page, and of a long argument [FLW-7]", () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 30 }), (said, others) => {
        const page = others.join(" | ");
        assert.ok(between(`${page} ${said} ${page}`, said).length > 0);
        assert.ok(between(said, `${page} ${said} ${page}`).length > 0);
      }),
      { numRuns: 100 },
    );
  });
});

describe("what is not handed on is not found", () => {
  const letters = (seed: string) =>
    fc
      .array(
        fc.array(fc.constantFrom(...seed), { minLength: 2, maxLength: 10 }).map((all) => all.join("")),
        { minLength: 3, maxLength: 60 },
      )
      .map((words) => words.join(" "));

  test("two texts of other letters [FLW-3]", () => {
    fc.assert(
      fc.property(letters("abcdefgh"), letters("ijklmrst"), place, (said, given, put) => {
        assert.deepEqual(between(said, put(given)), []);
      }),
      { numRuns: 200 },
    );
  });

  test("two random texts of the same letters [FLW-3]", () => {
    const random = fc.string({ minLength: 16, maxLength: 400 });
    fc.assert(
      fc.property(random, random, (said, given) => {
        fc.pre(!hasShared(said, given, 8));
        assert.deepEqual(between(said, { given }), []);
      }),
      { numRuns: 300 },
    );
  });
});

function hasShared(one: string, other: string, chars: number): boolean {
  const [a, b] = [one, other].map((each) => each.replace(/\s+/g, "").toLowerCase()) as [string, string];
  for (let at = 0; at + chars <= a.length; at++) if (b.includes(a.slice(at, at + chars))) return true;
  return false;
}

describe("nothing fails", () => {
  const anything = fc.anything({
    withNullPrototype: false,
    values: [fc.string({ unit: "binary" }), fc.double(), fc.boolean()],
  });
  const json = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    anything.map((value) => JSON.parse(JSON.stringify(value ?? null) ?? "null")),
  );

  test("on any JSON, on either side [FLW-2, FLW-20]", () => {
    fc.assert(
      fc.property(json, json, fc.boolean(), (said, given, isLiteral) => {
        const options = isLiteral ? { minChars: 1, exempt: [] } : {};
        const flows = flowsOf(
          [
            { id: "1", server: "one", tool: "read", arguments: given, result: said, inputSchema: given },
            { id: "2", server: "two", tool: "write", arguments: said, inputSchema: said },
            { id: "3", server: "three", tool: "write", arguments: given, result: given },
          ],
          options,
        );
        judgeFlows(flows, { allowedFlows: [], requiredSanitizers: [] });
      }),
      { numRuns: 300 },
    );
  });

  test("on lone surrogates [FLW-20]", () => {
    const odd = "\ud800 the keys lie under the mat \udc00\ud83d";
    assert.equal(between(odd, { x: odd })[0]?.kind, "verbatim");
    assert.equal(between(odd, { x: `${odd}!` })[0]?.kind, "contained");
  });

  test("on names of the prototype [FLW-20]", () => {
    const given = JSON.parse(
      '{"__proto__": {"polluted": "the keys lie under the mat"}, "constructor": {"a": 1}}',
    );
    assert.equal(between("the keys lie under the mat", given)[0]?.consumer.path, "__proto__.polluted");
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test("on a hundred thousand levels, of lists and of objects [FLW-20]", { timeout: 60_000 }, () => {
    for (const wrap of [(value: unknown) => [value], (value: unknown) => ({ a: value })]) {
      let value: unknown = "the keys lie under the mat";
      for (let level = 0; level < 100_000; level++) value = wrap(value);
      const flows = flowsOf([
        { id: "1", server: "one", tool: "read", arguments: {}, result: value },
        { id: "2", server: "two", tool: "write", arguments: { value } },
      ]);
      assert.ok(flows.length >= 1);
      assert.ok(flows.every(({ consumer }) => consumer.path.length <= 300));
    }
  });
});

describe("time is linear", () => {
  const run = (said: unknown, given: unknown): number => {
    const began = process.cpuUsage();
    const context = createFlowContext();
    context.observe({ id: "1", server: "one", tool: "read", arguments: {}, result: said });
    context.flowsInto({ id: "2", server: "two", tool: "write", arguments: given });
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  const N = 14_000;
  const cases: { name: string; of: (n: number) => unknown }[] = [
    { name: "one letter again and again", of: (n) => "a".repeat(n) },
    { name: "two letters in turn", of: (n) => "ab".repeat(n / 2) },
    { name: "a sentence again and again", of: (n) => "the keys lie under the mat. ".repeat(n / 28) },
    { name: "a base64 run without an end", of: (n) => "QUJD".repeat(n / 4) },
    { name: "lines of base64", of: (n) => "QUJDREVGR0hJSktM\n".repeat(n / 17) },
    { name: "hex without an end", of: (n) => "61".repeat(n / 2) },
    { name: "percent without an end", of: (n) => "%61".repeat(n / 3) },
    { name: "plus without an end", of: (n) => "a+".repeat(n / 2) },
    { name: "escapes without an end", of: (n) => "\\u0061".repeat(n / 6) },
    { name: "references without an end", of: (n) => "&#97;".repeat(n / 5) },
    { name: "white space without an end", of: (n) => " ".repeat(n) },
    { name: "brackets that never close", of: (n) => "[".repeat(n) },
    { name: "groups of digits without an end", of: (n) => "4929 1234 5678 9010 ".repeat(n / 20) },
    { name: "digits that stand alone without an end", of: (n) => "1 2 ".repeat(n / 4) },
    { name: "dates without an end", of: (n) => "2026-05-01 ".repeat(n / 11) },
    { name: "marks without an end", of: (n) => "a=".repeat(n / 2) },
    { name: "signs of mailboxes without an end", of: (n) => "a@a.".repeat(n / 4) },
    { name: "mailboxes in a row", of: (n) => "eve@evil.example ".repeat(n / 17) },
    { name: "capitals in turn", of: (n) => "aBcDeFgHiJkLmNoPqRsT ".repeat(n / 21) },
    { name: "digits without an end", of: (n) => "1234567890".repeat(n / 10) },
    { name: "combining marks without an end", of: (n) => `e${"\u0301".repeat(n)}` },
    {
      name: "many small texts",
      of: (n) => Array.from({ length: n / 20 }, (_, i) => `note ${i} of the day ${i % 7}`),
    },
    {
      name: "many equal objects",
      of: (n) => Array.from({ length: n / 120 }, () => ({ a: "the keys lie here", b: [1, 2] })),
    },
    {
      name: "lists in lists",
      of: (n) =>
        Array.from({ length: n / 4 }).reduce<unknown>((value) => [value], "the keys lie under the mat"),
    },
  ];
  for (const { name, of } of cases)
    test(`${name} [FLW-21]`, { timeout: 60_000 }, () => {
      const [small, large] = [of(N), of(4 * N)];
      run(small, { small });
      const least = Math.min(run(small, { small }), run(small, { small }));
      const isTooMuch = (ms: number): boolean => ms >= 10 * Math.max(least, 8);
      let most = run(large, { large });
      // Others use the machine too: what looks too steep is measured again.
      for (let left = 3; left > 0 && isTooMuch(most); left--) most = Math.min(most, run(large, { large }));
      // Four would be linear; sixteen would not. What is measured in few milliseconds says little.
      assert.equal(isTooMuch(most), false, `${least} ms, then ${most} ms`);
    });

  test("a million times one letter ends [FLW-21]", { timeout: 60_000 }, () => {
    const said = "a".repeat(1_000_000);
    assert.ok(run(said, { said }) < 30_000);
  });
});
