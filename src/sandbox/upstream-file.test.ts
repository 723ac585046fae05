/** What a file of canned replies may hold, and what each wrong way is answered with. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { TrustError } from "../core/index.ts";
import { replyFor } from "./upstream.ts";
import { readUpstream } from "./upstream-file.ts";

let folder = "";
let files = 0;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "upstream-"));
});
after(() => rm(folder, { recursive: true }));

async function read(text: string): ReturnType<typeof readUpstream> {
  const file = join(folder, `${files++}.yml`);
  await writeFile(file, text);
  return readUpstream(file);
}

const good: readonly (readonly [name: string, text: string, reply: object])[] = [
  ["a host alone", "- host: a.example", { host: "a.example", port: 443, status: 200, headers: {}, body: "" }],
  [
    "every key",
    '- host: A.example.\n  port: 8080\n  method: POST\n  path: /v1/*\n  status: 201\n  headers: { X-Id: "7" }\n  body: hello',
    {
      host: "a.example",
      port: 8080,
      method: "POST",
      path: "/v1/*",
      status: 201,
      headers: { "x-id": "7" },
      body: "hello",
    },
  ],
  [
    "JSON with its content type",
    "- host: a.example\n  json: { items: [1, null] }",
    {
      host: "a.example",
      port: 443,
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"items":[1,null]}',
    },
  ],
  [
    "JSON with a content type of its own",
    "- host: a.example\n  headers: { Content-Type: application/problem+json }\n  json: null",
    {
      host: "a.example",
      port: 443,
      status: 200,
      headers: { "content-type": "application/problem+json" },
      body: "null",
    },
  ],
  [
    "an address",
    '- host: "[2001:DB8::0:1]"',
    { host: "2001:db8::1", port: 443, status: 200, headers: {}, body: "" },
  ],
];
for (const [name, text, reply] of good)
  test(`${name} is read`, async () => assert.deepEqual(await read(text), [reply]));

const host = "- host: a.example\n";
const bad: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ["an empty file", "", /the file: want a list of replies/],
  ["a map in place of the list", "host: a.example", /the file: want a list of replies/],
  ["a reply that is text", "- a.example", /want a map/],
  ["a reply without a host", "- port: 80", /:1:3 0\.host is missing/],
  ["an unknown key", `${host}  bodi: x`, /:2:3 unknown key "0\.bodi", did you mean "body"\?/],
  ["a key that stands twice", `${host}  host: b.example`, /stands twice/],
  [
    "a URL as host",
    "- host: https://a.example/v1",
    /0\.host: want a host and no URL: give only a\.example:443/,
  ],
  ["a suffix as host", '- host: "*.a.example"', /0\.host: want one host, without \*/],
  ["a port in the host", "- host: a.example:80", /0\.host: want the host alone: port is a key of its own/],
  ["a port behind brackets", '- host: "[::1]:80"', /0\.host: want the host alone/],
  ["port 0", `${host}  port: 0`, /0\.port: want a whole number from 1 to 65535/],
  ["a port as text", `${host}  port: "80"`, /0\.port: want a whole number/],
  ["a port and a half", `${host}  port: 80.5`, /0\.port: want a whole number/],
  ["a method in small letters", `${host}  method: post`, /0\.method: want a method in capitals/],
  ["a path without a slash", `${host}  path: v1`, /0\.path: want a path that begins with \//],
  ["a path with a query", `${host}  path: /v1?a=b`, /0\.path: want the path without its query/],
  ["a path with a star inside", `${host}  path: /*/v1`, /0\.path: want \* at the end only/],
  ["a path with a space", `${host}  path: /a b`, /0\.path: want a path/],
  ["a status that is none", `${host}  status: 42`, /0\.status: want a whole number from 200 to 599/],
  ["a status in between", `${host}  status: 100`, /0\.status: want a whole number from 200 to 599/],
  ["a body that is a number", `${host}  body: 7`, /0\.body: want text/],
  ["body and json", `${host}  body: x\n  json: {}`, /want body or json, not both/],
  ["body and a json of null", `${host}  body: x\n  json: null`, /want body or json, not both/],
  ["a body where none is sent", `${host}  status: 204\n  body: x`, /a reply with status 204 has no body/],
  ["a body that is too long", `${host}  body: ${"x".repeat(262_145)}`, /0\.body: want at most 256 KiB/],
  ["JSON that is too long", `${host}  json: [${"x,".repeat(100_000)}]`, /want at most 256 KiB/],
  ["JSON without end", `${host}  json: [.inf]`, /0\.json: want a value that JSON has/],
  ["a list that holds itself", `${host}  json: &a [*a]`, /\d+:\d+ /],
  ["headers as a list", `${host}  headers: [x]`, /0\.headers: want a map of names and values/],
  ["a header that is a number", `${host}  headers: { retry-after: 5 }`, /put a number in quotes/],
  ["a line break in a header", `${host}  headers: { a: "b\\r\\nc: d" }`, /want printable ASCII on one line/],
  [
    "a line feed at the end of a header",
    `${host}  headers: { a: "b\\n" }`,
    /want printable ASCII on one line/,
  ],
  ["a NUL in a header", `${host}  headers: { a: "b\\0" }`, /want printable ASCII on one line/],
  ["a header beyond ASCII", `${host}  headers: { a: é }`, /want printable ASCII on one line/],
  [
    "a line break in a header's name",
    `${host}  headers: { "a\\r\\nb": c }`,
    /"a\\u\{d\}\\nb" is no name of a header/,
  ],
  ["a colon in a header's name", `${host}  headers: { "a:b": c }`, /"a:b" is no name of a header/],
  ["an empty header's name", `${host}  headers: { "": c }`, /"" is no name of a header/],
  ["a length of one's own", `${host}  headers: { Content-Length: "1" }`, /content-length is set for you/],
  ["chunks", `${host}  headers: { transfer-encoding: chunked }`, /transfer-encoding is set for you/],
  ["a header in two spellings", `${host}  headers: { X-A: b, x-a: c }`, /x-a stands twice/],
  ["a name that every object has", `${host}  headers: { __proto__: x }`, /nothing may be called "__proto__"/],
  ["too many replies", host.repeat(201), /want at most 200 replies/],
];
for (const [name, text, message] of bad)
  test(`refused: ${name}`, () =>
    assert.rejects(read(text), (thrown) => {
      assert.ok(thrown instanceof TrustError, String(thrown));
      assert.match(thrown.code, /^CFG_/);
      assert.match(thrown.message, message);
      return true;
    }));

test("a file that is not there says so", () =>
  assert.rejects(readUpstream(join(folder, "none.yml")), { code: "CFG_NOT_FOUND" }));

test("no accepted file makes a reply with more than one head", async () => {
  const word = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("a\r\nb: c", "a\n\nb", "\r"),
  );
  await fc.assert(
    fc.asyncProperty(word, word, word, async (name, value, body) => {
      const text = JSON.stringify([{ host: "a.example", headers: { [name]: value }, body }]);
      const replies = await read(text).catch((thrown: unknown) => {
        assert.ok(thrown instanceof TrustError, String(thrown));
      });
      if (replies === undefined) return;
      const sent = replyFor(replies, { host: "a.example", port: 443, method: "GET", path: "/" });
      const [head = "", ...rest] = sent?.toString().split("\r\n\r\n") ?? [];
      assert.equal(head.split(/\r\n|\r|\n/).length, 4);
      assert.equal(rest.join("\r\n\r\n"), Buffer.from(body).toString());
    }),
  );
});
