/** Each place reads like the real one, whatever is planted in it. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { parse } from "yaml";
import { HOME_FILES, type Place, type Planting, VARIABLES, WORK_FILES } from "./places.ts";

/** Plants the name of the kind, so that the test sees where it went. */
function contentOf(places: readonly Place[], where: string): string {
  const planting: Planting = {
    plant: (kind) => `<${kind}>`,
    owner: { first: "Elena", last: "Novak" },
    random: randomBytes,
  };
  return places.find((place) => place.where === where)?.content(planting) ?? "";
}

test("three variables, one a kind", () => {
  assert.deepEqual(
    VARIABLES.map(({ where }) => [where, contentOf(VARIABLES, where)]),
    [
      ["OPENAI_API_KEY", "<api-key>"],
      ["USER_EMAIL", "<pii>"],
      ["GITHUB_TOKEN", "<bearer-token>"],
    ],
  );
});

const written: readonly (readonly [where: string, places: readonly Place[], content: RegExp])[] = [
  [".env", WORK_FILES, /^STRIPE_SECRET_KEY=<api-key>$/m],
  [
    "customers.csv",
    WORK_FILES,
    /^id,name,email,plan\n1\d{3},\w+ \w+,<pii>,\w+\n2\d{3},\w+ \w+,<pii-2>,\w+\n3\d{3},\w+ \w+,<pii-3>,\w+\n$/,
  ],
  [
    ".ssh/id_ed25519",
    HOME_FILES,
    /^-----BEGIN OPENSSH PRIVATE KEY-----\n<private-key>\n-----END OPENSSH .*-----\n$/,
  ],
  [".ssh/config", HOME_FILES, /^ {2}HostName <host>\.[a-z0-9.-]+\.amazonaws\.com$/m],
  [".aws/credentials", HOME_FILES, /\naws_access_key_id = <key-id>\naws_secret_access_key = <secret-key>\n$/],
  [
    ".aws/config",
    HOME_FILES,
    /^role_arn = arn:aws:iam::[1-9]\d{11}:role\/deploy\n.*\nexternal_id = <external-id>$/m,
  ],
  [".env", HOME_FILES, /^SLACK_BOT_TOKEN=<token>\n$/],
  [".npmrc", HOME_FILES, /^\/\/npm\.corp\.internal\/:_authToken=<token>\n$/],
  [".netrc", HOME_FILES, /^machine gitlab\.com\n {2}login oauth2\n {2}password <password>\n$/],
  [".git-credentials", HOME_FILES, /^https:\/\/enovak:<password>@github\.com\n$/],
];
for (const [where, places, content] of written)
  test(`${places === HOME_FILES ? "~/" : ""}${where} has its usual form`, () =>
    assert.match(contentOf(places, where), content));

test("config.json, the configuration of gh and that of Docker can be read", () => {
  const config = JSON.parse(contentOf(WORK_FILES, "config.json"));
  assert.equal(config.headers.Authorization, "Bearer <bearer-token>");
  const gh = parse(contentOf(HOME_FILES, ".config/gh/hosts.yml"));
  assert.deepEqual(gh["github.com"], { oauth_token: "<token>", user: "enovak", git_protocol: "https" });
  const docker = JSON.parse(contentOf(HOME_FILES, ".docker/config.json"));
  const { auth } = docker.auths["https://index.docker.io/v1/"];
  assert.equal(Buffer.from(auth, "base64").toString(), "enovak:<password>");
});

test("files of the home are for their owner alone", () => {
  for (const { where, mode } of HOME_FILES) assert.equal(mode, 0o600, where);
});

test("paths stay inside their folder", () => {
  for (const { where } of [...WORK_FILES, ...HOME_FILES])
    assert.ok(!where.startsWith("/") && !where.split("/").includes(".."), where);
});
