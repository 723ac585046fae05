/** Each value has the shape of the real thing, down to its checksum. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as shapes from "./shapes.ts";

const forms: readonly (readonly [name: string, shape: shapes.Shape, form: RegExp])[] = [
  ["an OpenAI key", shapes.openAiKey, /^sk-proj-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}$/],
  ["a Stripe key", shapes.stripeKey, /^sk_live_[A-Za-z0-9]{24}$/],
  ["a Slack token", shapes.slackToken, /^xoxb-[1-9]\d{11}-[1-9]\d{12}-[A-Za-z0-9]{24}$/],
  ["a GitHub token", shapes.githubToken, /^ghp_[A-Za-z0-9]{36}$/],
  ["a token of gh", shapes.githubLogin, /^gho_[A-Za-z0-9]{36}$/],
  ["an npm token", shapes.npmToken, /^npm_[A-Za-z0-9]{36}$/],
  ["a GitLab token", shapes.gitlabToken, /^glpat-[A-Za-z0-9]{20}$/],
  ["a Docker token", shapes.dockerToken, /^dckr_pat_[A-Za-z0-9]{27}$/],
  ["an AWS key id", shapes.awsKeyId, /^AKIA[A-Z2-7]{16}$/],
  ["an AWS secret key", shapes.awsSecretKey, /^[A-Za-z0-9+/]{40}$/],
  [
    "an external id",
    shapes.externalId,
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  ],
  ["a load balancer's name", shapes.balancerName, /^a[0-9a-f]{31}-\d{10}$/],
  ["a bearer token", shapes.bearerToken, /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43}$/],
  [
    "an e-mail address",
    shapes.emailOf({ first: "Elena", last: "Novak" }),
    /^elena\.novak\.[a-z0-9]{20}@(?:gmail|outlook|fastmail)\.com$|^elena\.novak\.[a-z0-9]{20}@proton\.me$/,
  ],
  ["a mark", shapes.mark, /^POLYGRAPH-CANARY-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
];
for (const [name, shape, form] of forms)
  test(`${name} has its form, another one each time, and is written as it is`, () => {
    const [first, second] = [shape(randomBytes), shape(randomBytes)];
    assert.match(first.value, form);
    assert.equal(first.written, first.value);
    assert.notEqual(first.value, second.value);
  });

test("the checksum of a token is the one its issuer counts", () => {
  // The pair stands in the public description of the format.
  assert.equal(shapes.checksum("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ"), "0mLq17");
});

test("a bearer token opens into a head and claims that are still good", () => {
  const [head = "", claims = ""] = shapes.bearerToken(randomBytes).value.split(".");
  const open = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, "base64url").toString());
  assert.deepEqual(open(head), { alg: "HS256", typ: "JWT" });
  const { iss, iat, exp } = open(claims);
  assert.match(String(iss), /^[0-9a-f]{32}$/);
  assert.ok(Number(iat) * 1000 < Date.now());
  assert.ok(Number(exp) * 1000 > Date.now());
});
