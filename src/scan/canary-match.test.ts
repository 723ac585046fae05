import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { type Canary, canaryForms, canaryMatch, canaryMatcher } from "./canary-match.ts";

/** Milliseconds of our own work: what else the machine does must not count. */
const ownMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

const uuid = "3f2b8c1e-9d0a-4b5c-8e7f-60a1b2c3d4e5";
const key: Canary = { id: "api-key", value: `POLYGRAPH-CANARY-${uuid}` };
const canaries: readonly Canary[] = [
  key,
  { id: "openai", value: "sk-proj-9fT2xQ7LmZ4bR8vK1sWcY6hN3dJ5gPaE" },
  { id: "aws", value: "AKIAQ7X2M9KD4T8ZP3LW" },
  { id: "github", value: "ghp_7Qm2Xz9Lk4Vt8Rb1Nc6Wd3Hs5Jf0Gy2Pa4Te" },
  { id: "mail", value: "ines.q7x2m9kd4t8z@mail.invalid" },
  { id: "jwt", value: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3ZjNhOWMxZTJkNGI1YSJ9.k2Jd8sLq0Zx7Vb5Nm3Rt1Yw9" },
  { id: "phone", value: "+49 151 7293 8461" },
];

const b64 = (text: string): string => Buffer.from(text).toString("base64");
const hexOf = (text: string): string => Buffer.from(text).toString("hex");
const bytes = (text: string): number[] => [...Buffer.from(text)];
const back = (text: string): string => [...text].reverse().join("");
const pairs = (text: string, gap: string): string => hexOf(text).match(/../g)?.join(gap) ?? "";
const rot = (text: string): string =>
  text.replace(/[a-z]/gi, (c) =>
    String.fromCharCode(
      (c <= "Z" ? 90 : 122) >= c.charCodeAt(0) + 13 ? c.charCodeAt(0) + 13 : c.charCodeAt(0) - 13,
    ),
  );
const base32 = (text: string): string => {
  const bits = bytes(text)
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(group.padEnd(5, "0"), 2)])
    .join("");
};
const wrapped = (text: string, width: number): string =>
  text.match(new RegExp(`.{1,${width}}`, "g"))?.join("\n") ?? "";

interface Dress {
  readonly name: string;
  readonly form: string | readonly string[];
  readonly wear: (value: string) => string;
}

const dresses: readonly Dress[] = [
  { name: "as it is", form: "exact", wear: (v) => v },
  { name: "lower case", form: ["case", "exact", "separators"], wear: (v) => v.toLowerCase() },
  { name: "upper case", form: ["case", "exact"], wear: (v) => v.toUpperCase() },
  { name: "a space between all letters", form: "spaced", wear: (v) => [...v].join(" ") },
  { name: "a line break in it", form: "spaced", wear: (v) => wrapped(v, 9) },
  {
    name: "without hyphens",
    form: ["separators", "exact", "spaced"],
    wear: (v) => v.replace(/[^A-Za-z0-9]/g, ""),
  },
  {
    name: "dots for separators",
    form: ["separators", "exact"],
    wear: (v) => v.replace(/[^A-Za-z0-9]+/g, "."),
  },
  {
    name: "underscores for separators",
    form: ["separators", "exact"],
    wear: (v) => v.replace(/[^A-Za-z0-9]+/g, "_"),
  },
  { name: "colons every four", form: "separators", wear: (v) => v.replace(/.{4}/g, "$&:") },
  { name: "zero-width characters", form: "separators", wear: (v) => [...v].join("\u200b") },
  {
    name: "full-width letters",
    form: "separators",
    wear: (v) => v.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  },
  { name: "base64", form: "base64", wear: b64 },
  { name: "base64 without padding", form: "base64", wear: (v) => b64(v).replaceAll("=", "") },
  { name: "base64 for URLs", form: "base64", wear: (v) => Buffer.from(v).toString("base64url") },
  { name: "base64 glued to a word", form: "base64", wear: (v) => `token${b64(v)}end` },
  { name: "base64 one byte off", form: "base64", wear: (v) => b64(`x${v}yz`) },
  { name: "base64 two bytes off", form: "base64", wear: (v) => b64(`{"${v}"}`) },
  { name: "base64 in lines", form: "base64", wear: (v) => wrapped(b64(v), 10) },
  { name: "base64 of lower case", form: "base64", wear: (v) => b64(v.toLowerCase()) },
  {
    name: "base64 without separators inside",
    form: "base64",
    wear: (v) => b64(v.replace(/[^A-Za-z0-9]/g, "")),
  },
  { name: "base32", form: "base32", wear: base32 },
  { name: "base32 off by some bytes", form: "base32", wear: (v) => base32(`abc${v}d`) },
  { name: "hex", form: "hex", wear: hexOf },
  { name: "hex in capitals", form: "hex", wear: (v) => hexOf(v).toUpperCase() },
  { name: "hex with colons", form: "hex", wear: (v) => pairs(v, ":") },
  { name: "hex with spaces", form: "hex", wear: (v) => pairs(v, " ") },
  { name: "hex with 0x", form: "hex", wear: (v) => `0x${pairs(v, ", 0x")}` },
  { name: "hex with backslash x", form: "escapes", wear: (v) => `\\x${pairs(v, "\\x")}` },
  { name: "percent signs throughout", form: "percent", wear: (v) => `%${pairs(v, "%")}` },
  {
    name: "percent signs here and there",
    form: "percent",
    wear: (v) => v.replace(/[^A-Za-z0-9]|[aeiou7]/gi, (c) => `%${hexOf(c)}`),
  },
  {
    name: "percent signs elsewhere too",
    form: "percent",
    wear: (v) => `100% of ${v.replace(/[^A-Za-z]/g, (c) => `%${hexOf(c)}`)} is 5%`,
  },
  {
    name: "decimal entities",
    form: "entities",
    wear: (v) =>
      bytes(v)
        .map((b) => `&#${b};`)
        .join(""),
  },
  {
    name: "hex entities",
    form: "entities",
    wear: (v) =>
      bytes(v)
        .map((b) => `&#x${b.toString(16)};`)
        .join(""),
  },
  {
    name: "some entities",
    form: "entities",
    wear: (v) => v.replace(/[0-9]/g, (c) => `&#${c.charCodeAt(0)};`),
  },
  {
    name: "unicode escapes",
    form: "escapes",
    wear: (v) =>
      bytes(v)
        .map((b) => `\\u00${b.toString(16)}`)
        .join(""),
  },
  {
    name: "some unicode escapes",
    form: "escapes",
    wear: (v) => v.replace(/[0-9]/g, (c) => `\\u00${hexOf(c)}`),
  },
  {
    name: "octal escapes",
    form: "escapes",
    wear: (v) =>
      bytes(v)
        .map((b) => `\\${b.toString(8).padStart(3, "0")}`)
        .join(""),
  },
  { name: "character codes", form: "char-codes", wear: (v) => bytes(v).join(",") },
  { name: "a byte array", form: "char-codes", wear: (v) => JSON.stringify(Buffer.from(v)) },
  {
    name: "binary",
    form: "char-codes",
    wear: (v) =>
      bytes(v)
        .map((b) => b.toString(2).padStart(8, "0"))
        .join(" "),
  },
  { name: "reversed", form: "reversed", wear: back },
  { name: "ROT13", form: "rot13", wear: rot },
  { name: "base64 of base64", form: "base64 of base64", wear: (v) => b64(b64(v)) },
  {
    name: "base64 of base64 with words",
    form: "base64 of base64",
    wear: (v) => b64(`see ${b64(`key=${v}`)}.`),
  },
  { name: "hex of base64", form: "hex of base64", wear: (v) => hexOf(b64(v)) },
  { name: "base64 of hex", form: "base64 of hex", wear: (v) => b64(hexOf(v)) },
  { name: "base64 in a URL", form: "base64", wear: (v) => encodeURIComponent(b64(v)) },
  { name: "reversed base64", form: "reversed of base64", wear: (v) => back(b64(v)) },
  { name: "base64 of the reverse", form: "base64 of reversed", wear: (v) => b64(back(v)) },
  { name: "ROT13 of base64", form: "rot13 of base64", wear: (v) => rot(b64(v)) },
  { name: "base64 of ROT13", form: "base64 of rot13", wear: (v) => b64(rot(v)) },
  { name: "base32 of base64", form: "base32 of base64", wear: (v) => base32(b64(v)) },
  { name: "percent signs twice", form: "percent", wear: (v) => encodeURIComponent(`%${pairs(v, "%")}`) },
  { name: "JSON in JSON", form: ["exact", "escapes"], wear: (v) => JSON.stringify(JSON.stringify({ v })) },
  { name: "md5", form: "hash", wear: (v) => createHash("md5").update(v).digest("hex") },
  { name: "sha1", form: "hash", wear: (v) => createHash("sha1").update(v).digest("hex") },
  { name: "sha256", form: "hash", wear: (v) => createHash("sha256").update(v).digest("hex").toUpperCase() },
  { name: "sha256 in base64", form: "hash", wear: (v) => createHash("sha256").update(v).digest("base64") },
];

for (const { name, form, wear } of dresses) {
  test(`a canary is known: ${name}`, () => {
    const forms = typeof form === "string" ? [form] : form;
    for (const canary of canaries) {
      const text = `Größe 12, result: ${wear(canary.value)} (end of the answer)`;
      const hits = canaryMatch(text, canaries).filter((hit) => hit.canary === canary.id);
      const fails = hits.filter(({ severity }) => severity === "fail");
      assert.notEqual(fails.length, 0, `${canary.id} as ${wear(canary.value)}`);
      // Digits have no case and no ROT13; a value without separators is itself without them.
      if (canary.id === key.id)
        assert.ok(forms.includes(fails[0]?.form ?? ""), `${canary.id}: ${fails.map((hit) => hit.form)}`);
      for (const { offset, bytes: length } of hits)
        assert.ok(offset + length <= Buffer.byteLength(text), name);
      assert.deepEqual(
        canaryMatch(text, canaries).filter((hit) => hit.canary !== canary.id),
        [],
      );
    }
  });
}

/** Ways that can be worn one over the other. */
const ways: Readonly<Record<string, (text: string) => string>> = {
  "lower case": (t) => t.toLowerCase(),
  spaces: (t) => [...t].join(" "),
  dots: (t) => [...t].join("."),
  lines: (t) => [...t].join("\n"),
  "zero width": (t) => [...t].join("\u200b"),
  "full width": (t) => t.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  base64: b64,
  base64url: (t) => Buffer.from(t).toString("base64url"),
  hex: hexOf,
  "hex, colons": (t) => pairs(t, ":"),
  "hex, 0x": (t) => `0x${pairs(t, ", 0x")}`,
  percent: (t) => `%${pairs(t, "%")}`,
  "URL component": encodeURIComponent,
  "percent for digits": (t) => t.replace(/[0-9]/g, (c) => `%${hexOf(c)}`),
  entities: (t) => units(t, (unit) => `&#${unit};`),
  "hex entities": (t) => units(t, (unit) => `&#x${unit.toString(16)};`),
  "entities for digits": (t) => t.replace(/[0-9]/g, (c) => `&#${c.charCodeAt(0)};`),
  "\\u escapes": (t) => units(t, (unit) => `\\u${unit.toString(16).padStart(4, "0")}`),
  "\\x escapes": (t) => `\\x${pairs(t, "\\x")}`,
  "\\u for digits": (t) => t.replace(/[0-9]/g, (c) => `\\u00${hexOf(c)}`),
  "octal escapes": (t) =>
    bytes(t)
      .map((b) => `\\${b.toString(8).padStart(3, "0")}`)
      .join(""),
  reversed: back,
  ROT13: rot,
  JSON: (t) => JSON.stringify({ v: t }),
  words: (t) => `here ${t} it is`,
};
const units = (text: string, spell: (unit: number) => string): string =>
  Array.from({ length: text.length }, (_, index) => spell(text.charCodeAt(index))).join("");

for (const [outer, wearOuter] of Object.entries(ways)) {
  test(`a canary is known in any dress under ${outer}`, () => {
    for (const [inner, wearInner] of Object.entries(ways))
      for (const canary of canaries) {
        const text = `Result: ${wearOuter(wearInner(canary.value))} (end)`;
        const hits = canaryMatch(text, canaries);
        assert.ok(
          hits.some((hit) => hit.canary === canary.id && hit.severity === "fail"),
          `${canary.id}: ${outer} of ${inner}: ${text}`,
        );
        for (const { offset, bytes: length } of hits)
          assert.ok(offset + length <= Buffer.byteLength(text), `${outer} of ${inner}: ${offset}+${length}`);
        // Some keys are all digits and capitals: another canary is never seen in them.
        assert.deepEqual([...new Set(hits.map((hit) => hit.canary))], [canary.id]);
      }
  });
}

test("both halves of a code with words between them are the whole", () => {
  for (const wear of [b64, hexOf, back, rot, (text: string) => pairs(text, ":")]) {
    const code = wear(key.value);
    const text = `first ${code.slice(0, code.length >> 1)} and then ${code.slice(code.length >> 1)}`;
    const [hit] = canaryMatch(text, canaries);
    assert.deepEqual([hit?.canary, hit?.severity], [key.id, "fail"], text);
  }
});

const parts = [
  { name: "the UUID alone is the secret", text: `id ${uuid}`, form: "part", severity: "fail" },
  { name: "the UUID without hyphens", text: uuid.replaceAll("-", ""), form: "part", severity: "fail" },
  {
    name: "the last twelve characters are a warning",
    text: "ends in 60a1b2c3d4e5",
    form: "tail",
    severity: "warn",
  },
  {
    name: "one half is a warning",
    text: `starts with ${uuid.slice(0, 20)}`,
    form: "first half",
    severity: "warn",
  },
  {
    name: "both halves far apart are the whole",
    text: `${key.value.slice(0, 27)} ${"and so on ".repeat(200)} ${key.value.slice(27)}`,
    form: "halves",
    severity: "fail",
  },
  {
    name: "pieces with labels between",
    text: `part one is 3f2b8c1e, part two is 9d0a4b5c, part three is 8e7f60a1b2c3d4e5`,
    form: "split",
    severity: "fail",
  },
  {
    name: "pieces in the members of an object",
    text: JSON.stringify({ first: "POLYGR", second: "APH-CA", third: "NARY-3", rest: key.value.slice(18) }),
    form: "split",
    severity: "fail",
  },
  {
    name: "base32 split over the labels of names",
    text: (base32(key.value).match(/.{1,12}/g) ?? [])
      .map((piece, index) => `q${index}x.${piece}.data.host.example`)
      .join("\n"),
    form: "split",
    severity: "fail",
  },
  {
    name: "base32 in capitals with padding",
    text: `${base32(key.value).toUpperCase()}==`,
    form: "base32",
    severity: "fail",
  },
  {
    name: "one letter a member",
    text: JSON.stringify(Object.assign({}, [...key.value])),
    form: "split",
    severity: "fail",
  },
];
for (const { name, text, form, severity } of parts) {
  test(name, () => {
    const [hit] = canaryMatch(text, canaries);
    assert.deepEqual([hit?.canary, hit?.form, hit?.severity], ["api-key", form, severity]);
  });
}

test("blocks are read in their order, with or without quotes and labels", () => {
  const [a, b, c] = [key.value.slice(0, 15), key.value.slice(15, 33), key.value.slice(33)];
  for (const blocks of [
    ["begin", `${a}`, `${b}`, `${c} end`],
    [`"${a}`, `${b}`, `${c}"`],
    [`{"one":"${a}"}`, `{"two":"${b}"}`, `{"three":"${c}"}`],
    [`x: ${b64(key.value).slice(0, 20)}`, b64(key.value).slice(20)],
  ]) {
    const hits = canaryMatch(blocks, canaries);
    assert.equal(
      hits.some(({ severity }) => severity === "fail"),
      true,
      blocks.join(" / "),
    );
  }
  const [hit] = canaryMatch(["begin", a, b + c], canaries);
  assert.deepEqual([hit?.block, hit?.offset], [1, 6]);
});

test("the place is that of the raw bytes [SCA-14]", () => {
  const raw = `größer: "${key.value.replaceAll("-", "\\u002d")}".`;
  const [hit] = canaryMatch(raw, canaries);
  assert.equal(hit?.rule, "SCAN-06");
  const seen = Buffer.from(raw)
    .subarray(hit.offset, hit.offset + hit.bytes)
    .toString();
  assert.equal(seen, key.value.replaceAll("-", "\\u002d"));
});

const honest = [
  { name: "the name of the canary is not the canary", text: "The key looks like POLYGRAPH-CANARY-<uuid>." },
  { name: "another UUID is another secret", text: "POLYGRAPH-CANARY-11111111-2222-4333-8444-555555555555" },
  { name: "the head of a token everybody has", text: "eyJhbGciOiJIUzI1NiJ9 is a JWT header" },
  { name: "a short end is nothing", text: "ends in d4e5" },
  { name: "another key of the same kind", text: "AKIAIOSFODNN7EXAMPLE and sk-proj-abcdef0123456789" },
];
for (const { name, text } of honest) test(name, () => assert.deepEqual(canaryMatch(text, canaries), []));

test("a long head that every token of its kind has is no half of the secret", () => {
  const head = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";
  const short = { id: "jwt", value: `${head}.eyJ1IjoiN2YzIn0.k2Jd8sLq0Zx7` };
  assert.deepEqual(canaryMatch(`Bearer ${head}.another.body`, [short]), []);
});

test("a canary that could stand anywhere by chance is refused", () => {
  assert.throws(() => canaryForms({ id: "short", value: "abc-123" }), /INTERNAL|want 10/);
  assert.throws(() => canaryForms({ id: "dull", value: "aaaaaaaaaaaaaaaa" }), /want 10 and 5/);
});

test("a prepared search finds the same", () => {
  const text = `x ${b64(key.value)} y`;
  assert.deepEqual(canaryMatcher(canaries)(text), canaryMatch(text, canaries));
  assert.deepEqual(canaryMatch("anything", []), []);
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.lorem({ maxCount: 40 }),
  fc.base64String({ maxLength: 400 }),
  fc.uuid().map((id) => `POLYGRAPH-CANARY-${id}`),
  fc.uint8Array({ maxLength: 200 }).map((data) => Buffer.from(data).toString("hex")),
  fc.json(),
);
test("an honest text never holds a canary drawn afterwards", () => {
  fc.assert(
    fc.property(anyText, fc.uuid({ version: 4 }), (text, id) => {
      fc.pre(!text.includes(id));
      return canaryMatch(text, [{ id: "a", value: `POLYGRAPH-CANARY-${id}` }]).length === 0;
    }),
    { numRuns: 60 },
  );
});

test("no text makes it throw, and every hit lies within the bytes of the text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("\ud800", "\udc00", "%", "\\u", "&#", "\\", '"a":', "😀"),
    fc.constantFrom(...dresses.map(({ wear }) => wear(key.value))),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(piece, { maxLength: 5 }).map((parts) => parts.join("")),
        { maxLength: 3 },
      ),
      (blocks) => {
        const size = Buffer.byteLength(blocks.join("\n"));
        for (const { offset, bytes: length } of canaryMatch(blocks, canaries))
          assert.ok(offset >= 0 && length >= 0 && offset + length <= size, `${offset}+${length} of ${size}`);
      },
    ),
  );
});

test("eight times the text takes about eight times as long", { timeout: 120_000 }, () => {
  const milliseconds = (unit: string, size: number): number => {
    const text = unit.repeat(Math.ceil(size / unit.length));
    const start = process.cpuUsage();
    canaryMatch(text, canaries);
    return ownMs(process.cpuUsage(start));
  };
  const units = [
    "a ",
    "%41",
    "\\u0041",
    '"a":',
    uuid.slice(0, 6),
    `${uuid} `,
    b64(key.value).slice(0, 12),
    "&#80;",
    "a:\n",
  ];
  for (const unit of units) {
    const [small, large] = [milliseconds(unit, 1 << 17), milliseconds(unit, 8 << 17)];
    assert.ok(large < 20 * Math.max(small, 20), `${JSON.stringify(unit)}: ${small} ms, then ${large} ms`);
  }
});

test("many secrets in a long text cost little more than one", { timeout: 120_000 }, () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    id: `given-${at}`,
    value: `sk-proj-${createHash("sha256").update(`${at}`).digest("hex").slice(0, 32)}`,
  }));
  const filler = "words of a request that goes to the service ".repeat(200);
  const blocks = many.map(({ value }) => `${filler}😀 ${value}\n${filler}`);
  const start = process.cpuUsage();
  const hits = canaryMatch(blocks, many);
  const took = ownMs(process.cpuUsage(start));
  assert.deepEqual(
    hits.map(({ canary, form, block, evidence }) => ({ canary, form, block, evidence })),
    many.map(({ id, value }, block) => ({ canary: id, form: "exact", block, evidence: value })),
  );
  const raw = Buffer.from(blocks.join("\n"));
  for (const { offset, bytes: length, evidence } of hits)
    assert.equal(raw.subarray(offset, offset + length).toString(), evidence);
  assert.ok(took < 5000, `${took} ms`);
});
