/** Logging in: consent, PKCE, the store, use of the token for its own URL only, refresh, refusal, undo. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TrustError } from "../../src/core/index.ts";
import { credentialStore, login, storedToken } from "../../src/target/index.ts";
import { send } from "../kit/http.ts";
import { type Protected, protectedServer } from "../kit/oauth.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const LIMIT = { timeout: 30_000 };

/** What a browser does: follows the authorization page back to us. */
async function browse(url: URL): Promise<void> {
  const page = await send(url, "GET", {});
  if (page.headers.location) await send(new URL(page.headers.location), "GET", {});
}

const asPerson = { open: (url: URL) => void browse(url), timeoutMs: 3_000 };

async function loggedIn(): Promise<{
  server: Protected;
  folder: ReturnType<typeof temporaryFolder>;
  store: ReturnType<typeof credentialStore>;
}> {
  const folder = temporaryFolder();
  const server = await protectedServer();
  const store = credentialStore(join(folder.path, "config", "credentials.json"));
  await login(server.url, store, asPerson);
  return { server, folder, store };
}

test("after consent the token is kept for this URL, in a file only its user can read", LIMIT, async () => {
  const { server, folder, store } = await loggedIn();
  await using _server = server;
  using _folder = folder;
  const token = await storedToken(server.url, store);
  assert.match(String(token), /^access-/);
  assert.equal(statSync(store.file).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder.path, "config")).mode & 0o777, 0o700);
  assert.equal(await storedToken(new URL("/other", server.url), store), undefined);
  assert.equal(await storedToken(new URL("https://elsewhere.example/mcp"), store), undefined);
  assert.equal(server.grants[0]?.resource, server.url.href, "the token is asked for this resource alone");
});

test("a server that nobody reaches is unreachable, exit 4, and no refused login", LIMIT, async () => {
  const server = await protectedServer();
  await server[Symbol.asyncDispose]();
  const ran = await touchstone(["login", server.url.href, "--no-browser"]);
  assert.equal(ran.code, 4, ran.stderr);
  assert.match(ran.stderr, /127\.0\.0\.1:\d+\/mcp: connect ECONNREFUSED 127\.0\.0\.1:\d+\n {2}check the URL/);
});

test("a token that is about to end is renewed", LIMIT, async () => {
  const { server, folder, store } = await loggedIn();
  await using _server = server;
  using _folder = folder;
  const first = await storedToken(server.url, store);
  const later = (): number => Date.now() + 3_590_000;
  const second = await storedToken(server.url, store, later);
  assert.notEqual(second, first);
  assert.equal(server.grants.at(-1)?.grant_type, "refresh_token");
});

test("a refusal of the user is an error that says so, and nothing is kept", LIMIT, async () => {
  using folder = temporaryFolder();
  await using server = await protectedServer();
  server.consent = "refuse";
  const store = credentialStore(join(folder.path, "credentials.json"));
  await assert.rejects(
    login(server.url, store, asPerson),
    (error) =>
      error instanceof TrustError &&
      error.code === "TGT_LOGIN_FAILED" &&
      /refused: access_denied/.test(error.message),
  );
  assert.equal(await storedToken(server.url, store), undefined);
});

test("an answer with another state is not taken", LIMIT, async () => {
  using folder = temporaryFolder();
  await using server = await protectedServer();
  server.consent = "wrong-state";
  const store = credentialStore(join(folder.path, "credentials.json"));
  await assert.rejects(
    login(server.url, store, { ...asPerson, timeoutMs: 400 }),
    /no answer from the browser/,
  );
  assert.deepEqual(server.grants, []);
});

test("inspect names the way out, uses the token after login, and --logout forgets it", LIMIT, async () => {
  using folder = temporaryFolder();
  await using server = await protectedServer();
  const env = { TOUCHSTONE_CONFIG: folder.path };
  const before = await touchstone(["inspect", server.url.href], { env });
  assert.equal(before.code, 3);
  assert.match(before.stderr, new RegExp(`touchstone login ${server.url.href}`));

  const store = credentialStore(join(folder.path, "credentials.json"));
  await login(server.url, store, asPerson);
  const after = await touchstone(["inspect", server.url.href], { env });
  assert.equal(after.code, 0, after.stderr);
  assert.match(after.stdout, /^vault 1/);
  const token = String(await storedToken(server.url, store));
  assert.equal((after.stdout + after.stderr).includes(token), false);

  const undone = await touchstone(["login", server.url.href, "--logout"], { env });
  assert.equal(undone.code, 0);
  assert.equal(readFileSync(store.file, "utf8").includes(token), false);
  assert.equal((await touchstone(["inspect", server.url.href], { env })).code, 3);
});

const wrong = [
  { name: "no URL", args: [], stderr: /no URL given/ },
  { name: "plain http to another machine", args: ["http://example.com/mcp"], stderr: /want an https URL/ },
  { name: "no URL at all", args: ["notes"], stderr: /want an https URL, not "notes"/ },
];
for (const { name, args, stderr } of wrong) {
  test(`login: ${name}`, LIMIT, async () => {
    const ran = await touchstone(["login", ...args]);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, stderr);
  });
}
