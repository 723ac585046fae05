import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { type Redactor, redactor } from "./redact.ts";

const markOf = (secret: string): string =>
  `[redacted:sha256:${createHash("sha256").update(secret).digest("hex").slice(0, 8)}]`;

function forSecrets(...secrets: string[]): Redactor {
  try {
    const made = redactor(secrets);
    assert.ok(made, "a redactor is made");
    return made;
  } catch (thrown) {
    // The message of a pattern that is too large holds the pattern.
    assert.fail(`no redactor: …${String(thrown).slice(-100)}`);
  }
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

describe("redactor: the mark [REC-9]", () => {
  test("it is exactly the first eight digits of the SHA-256", () => {
    const { bytes, count } = forSecrets("hunter2!").frame(Buffer.from("a hunter2! b"));
    assert.equal(bytes.toString(), "a [redacted:sha256:cb1ade2b] b");
    assert.equal(count, 1);
  });

  test("each secret has its own", () => {
    const { bytes, count } = forSecrets("secret-one", "secret-two").frame(
      Buffer.from("secret-two secret-one secret-one"),
    );
    assert.equal(bytes.toString(), `${markOf("secret-two")} ${markOf("secret-one")} ${markOf("secret-one")}`);
    assert.equal(count, 3);
  });

  test("of two secrets, one inside the other, the longer one is named", () => {
    const { bytes } = forSecrets("inside", "outer-inside-outer").frame(
      Buffer.from("outer-inside-outer inside"),
    );
    assert.equal(bytes.toString(), `${markOf("outer-inside-outer")} ${markOf("inside")}`);
  });

  test("characters of a pattern stand for themselves", () => {
    const secret = ".*+?^|()[]{}$\\d";
    const { bytes, count } = forSecrets(secret).frame(Buffer.from(`${secret} .*+`));
    assert.equal(bytes.toString(), `${markOf(secret)} .*+`);
    assert.equal(count, 1);
  });

  test("a frame without a secret is the same frame", () => {
    const frame = Buffer.from("nothing here");
    assert.deepEqual(forSecrets("secret-one").frame(frame), { bytes: frame, count: 0 });
  });
});

describe("redactor: which values count [REC-9]", () => {
  const cases = [
    { name: "no values, no redactor", secrets: [], isMade: false },
    { name: "an empty value is ignored", secrets: [""], isMade: false },
    { name: "five characters are ignored", secrets: ["12345"], isMade: false },
    { name: "six characters count", secrets: ["123456"], isMade: true },
    { name: "short values beside a long one are ignored", secrets: ["1", "true", "123456"], isMade: true },
  ];
  for (const c of cases) test(c.name, () => assert.equal(redactor(c.secrets) !== undefined, c.isMade));

  test("a short value stays in the text", () => {
    assert.equal(forSecrets("true", "long-secret").text("true long-secret"), `true ${markOf("long-secret")}`);
  });
});

describe("redactor: forms in which a secret is found [REC-11]", () => {
  // Quotes, a slash, a backslash, a line's worth of specials and a character of two bytes.
  const secret = 'pa"ss/w\\ö rd+~';
  const cases = [
    { name: "as it is", text: secret },
    { name: "JSON-escaped", text: escaped(secret) },
    { name: "JSON-escaped with \\/", text: escaped(secret).replaceAll("/", "\\/") },
    { name: "JSON-escaped twice", text: escaped(escaped(secret)) },
    { name: "JSON-escaped in ASCII, as Python does", text: escaped(secret).replace("ö", "\\u00f6") },
    { name: "URL-encoded", text: encodeURIComponent(secret) },
    {
      name: "URL-encoded in lower case",
      text: encodeURIComponent(secret).replaceAll(/%../g, (hex) => hex.toLowerCase()),
    },
    { name: "hexadecimal", text: hex(secret) },
    { name: "hexadecimal in capitals", text: hex(secret).toUpperCase() },
    { name: "UTF-8 read as Latin-1", text: Buffer.from(secret).toString("latin1") },
  ];
  for (const c of cases)
    test(c.name, () => {
      const redact = forSecrets(secret);
      const { bytes, count } = redact.frame(Buffer.from(`<${c.text}>`));
      assert.deepEqual({ text: bytes.toString(), count }, { text: `<${markOf(secret)}>`, count: 1 });
      assert.equal(redact.text(`<${c.text}>`), `<${markOf(secret)}>`);
    });

  test("JSON-escaped as Go does, with < > & by number", () => {
    const url = "postgres://u:p@db/x?a=1&b=<2>";
    const text = escaped(url).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
    assert.equal(forSecrets(url).text(`"${text}"`), `"${markOf(url)}"`);
  });

  for (const { name, encode } of [
    { name: "base64", encode: base64 },
    { name: "base64url", encode: base64url },
  ])
    for (const length of [6, 7, 8, 9, 24])
      for (const offset of [0, 1, 2, 3])
        test(`${name} of ${length} characters after ${offset} others`, () => {
          // Its base64 has both characters that differ between the two alphabets: YWI/fn4+.
          const value = "ab?~~>".repeat(4).slice(0, length);
          const before = "user".slice(0, offset);
          const { bytes, count } = forSecrets(value).frame(
            Buffer.from(`<${encode(`${before}${value} and more`)}>`),
          );
          assert.equal(count, 1);
          assert.ok(bytes.includes(markOf(value)), bytes.toString());
          // At most the bytes that share a character with a neighbour are left.
          const left = bytes.toString().replace(markOf(value), "?").slice(1, -1);
          const [head = "", tail = ""] = left.split("?");
          assert.ok(head.length <= Math.ceil((offset * 8) / 6) + 1, head);
          assert.ok(tail.length <= encode(`x${" and more"}`).length + 2, tail);
        });
});

describe("redactor: frames that are not UTF-8 [REC-11]", () => {
  const around = (middle: string): Buffer =>
    Buffer.concat([Buffer.from([0xff]), Buffer.from(middle), Buffer.from([0xfe])]);
  const secret = 'gehe"imnis-ö';
  const cases = [
    { name: "the secret as it is", text: secret },
    { name: "the secret JSON-escaped", text: escaped(secret) },
    { name: "the secret JSON-escaped twice", text: escaped(escaped(secret)) },
    { name: "the secret URL-encoded", text: encodeURIComponent(secret) },
  ];
  for (const c of cases)
    test(`${c.name} is found, other bytes stay`, () => {
      const { bytes, count } = forSecrets(secret).frame(around(c.text));
      assert.equal(bytes.toString("latin1"), around(markOf(secret)).toString("latin1"));
      assert.equal(count, 1);
    });
});

describe("redactor: secrets of several lines [REC-9]", () => {
  const pem = "-----BEGIN KEY-----\nMIIBVgIBADANBgkq\r\nhkiG9w0BAQEFAASC\nab\n-----END KEY-----\n";
  const mark = markOf(pem);
  const cases = [
    { name: "whole", text: pem, want: mark },
    { name: "whole, JSON-escaped", text: escaped(pem), want: mark },
    { name: "one line of it", text: "key: MIIBVgIBADANBgkq", want: `key: ${mark}` },
    { name: "a line that ended in CRLF", text: "hkiG9w0BAQEFAASC", want: mark },
    {
      name: "a line in base64, up to its last whole group",
      text: base64("hkiG9w0BAQEFAASC"),
      want: `${mark}Qw==`,
    },
    { name: "a line of fewer than six characters stays", text: "ab", want: "ab" },
    {
      name: "lines joined in another way",
      text: "MIIBVgIBADANBgkq hkiG9w0BAQEFAASC",
      want: `${mark} ${mark}`,
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(forSecrets(pem).text(c.text), c.want));
});

describe("redactor: long secrets [REC-9]", () => {
  /** A key of this many lines, no two alike. */
  const keyOf = (lines: number): string =>
    Array.from({ length: lines }, (_, line) =>
      Buffer.from(`line ${line} `.repeat(6)).toString("base64"),
    ).join("\n");

  for (const lines of [26, 52, 400])
    test(`a key of ${lines} lines is found whole, escaped and line by line`, { timeout: 20_000 }, () => {
      const key = keyOf(lines);
      const redact = forSecrets(key);
      assert.equal(redact.text(`<${key}>`), `<${markOf(key)}>`);
      assert.equal(redact.text(`<${escaped(key)}>`), `<${markOf(key)}>`);
      assert.equal(redact.text(`<${key.split("\n").at(-1)}>`), `<${markOf(key)}>`);
    });

  test("a hundred secrets of forty characters are all found", { timeout: 20_000 }, () => {
    const secrets = Array.from({ length: 100 }, (_, number) => `token-${number}-${"x".repeat(30)}`);
    assert.equal(forSecrets(...secrets).frame(Buffer.from(secrets.join(" "))).count, 100);
  });
});

describe("redactor: a frame that was cut [REC-9]", () => {
  const secret = "sk-live-0123456789";
  const mark = markOf(secret);
  const cases = [
    { name: "the beginning of a secret at the end goes", text: "x sk-live-01", want: `x ${mark}`, count: 1 },
    { name: "all but its last character goes", text: secret.slice(0, -1), want: mark, count: 1 },
    { name: "three characters go", text: "x sk-", want: `x ${mark}`, count: 1 },
    { name: "two characters are too common to go", text: "x sk", want: "x sk", count: 0 },
    {
      name: "a whole secret and a cut one both go",
      text: `${secret} sk-live`,
      want: `${mark} ${mark}`,
      count: 2,
    },
    {
      name: "the beginning of its hexadecimal form goes",
      text: `x ${hex(secret).slice(0, 20)}`,
      want: `x ${mark}`,
      count: 1,
    },
    {
      name: "the beginning of its base64 form goes",
      text: `x ${base64(secret).slice(0, 10)}`,
      want: `x ${mark}`,
      count: 1,
    },
    { name: "a beginning in the middle stays", text: "sk-live-01 x", want: "sk-live-01 x", count: 0 },
  ];
  for (const c of cases)
    test(c.name, () => {
      const { bytes, count } = forSecrets(secret).frame(Buffer.from(c.text), true);
      assert.deepEqual({ text: bytes.toString(), count }, { text: c.want, count: c.count });
    });

  test("a frame that was not cut keeps its end", () => {
    assert.equal(forSecrets(secret).frame(Buffer.from("x sk-live-01")).count, 0);
  });

  test("the longest beginning goes, not the first that is found", () => {
    // Its URL-encoded form is longer, and begins with the three characters at which the secret was cut.
    const path = "abc/12345/abc/67890";
    const { bytes } = forSecrets(path).frame(Buffer.from("x abc/12345/abc"), true);
    assert.equal(bytes.toString(), `x ${markOf(path)}`);
  });

  test("a secret cut inside a character of several bytes goes", () => {
    const word = "schlüssel-ü-lang";
    const cut = Buffer.from(`x ${word}`).subarray(0, -"ü-lang".length);
    assert.equal(cut.at(-1), 0xc3);
    const { bytes } = forSecrets(word).frame(cut, true);
    assert.equal(bytes.toString(), `x ${markOf(word)}`);
  });
});

describe("redactor: values [REC-9]", () => {
  const secret = "token-123456";
  const mark = markOf(secret);
  const cases = [
    { name: "a text", value: `Bearer ${secret}`, want: `Bearer ${mark}` },
    { name: "every text in a list", value: [secret, [secret]], want: [mark, [mark]] },
    { name: "every member of an object", value: { a: { b: secret } }, want: { a: { b: mark } } },
    { name: "names of members", value: { [secret]: 1 }, want: { [mark]: 1 } },
    { name: "other values stay", value: [null, 1, true, undefined], want: [null, 1, true, undefined] },
  ];
  for (const c of cases) test(c.name, () => assert.deepEqual(forSecrets(secret).value(c.value), c.want));

  test("the value given is not changed", () => {
    const given = { a: [secret] };
    forSecrets(secret).value(given);
    assert.deepEqual(given, { a: [secret] });
  });

  test("a member called __proto__ stays a member", () => {
    const given = JSON.parse(`{"__proto__":{"a":"${secret}"}}`) as unknown;
    assert.equal(JSON.stringify(forSecrets(secret).value(given)), `{"__proto__":{"a":"${mark}"}}`);
  });
});
