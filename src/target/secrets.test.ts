import assert from "node:assert/strict";
import { test } from "node:test";
import { secretsOf } from "./secrets.ts";

const http = (url: string, headers: Record<string, string> = {}) =>
  ({ kind: "http", url: new URL(url), headers }) as const;
const stdio = (args: string[], env: Record<string, string> = {}) =>
  ({ kind: "stdio", command: "x", args, env }) as const;
const basic = Buffer.from("ada:open sesame").toString("base64");

const cases = [
  {
    name: "a bearer token with and without its scheme",
    launch: http("https://h/", { authorization: "Bearer tok-1" }),
    holds: ["Bearer tok-1", "tok-1"],
    not: [],
  },
  {
    name: "a Basic header as it is read by the server",
    launch: http("https://h/", { authorization: `Basic ${basic}` }),
    holds: ["ada:open sesame", "open sesame", basic],
    not: [],
  },
  {
    name: "the values of a cookie",
    launch: http("https://h/", { cookie: "a=first; session=second" }),
    holds: ["first", "second"],
    not: [],
  },
  {
    name: "a key in a query, and not every query",
    launch: http("https://h/?api_key=k-1&page=about"),
    holds: ["k-1"],
    not: ["about"],
  },
  { name: "every variable", launch: stdio([], { A: "one" }), holds: ["one"], not: [] },
  {
    name: "what stands behind an option named like a credential",
    launch: stdio(["--token", "t-1", "--api-key=k-1", "--port", "80"]),
    holds: ["t-1", "k-1"],
    not: ["80"],
  },
  {
    name: "an option is not the value of another",
    launch: stdio(["--token", "--verbose"]),
    holds: [],
    not: ["--verbose"],
  },
];
for (const { name, launch, holds, not } of cases) {
  test(`secrets: ${name}`, () => {
    const secrets = secretsOf(launch);
    for (const value of holds) assert.equal(secrets.includes(value), true, value);
    for (const value of not) assert.equal(secrets.includes(value), false, value);
  });
}
