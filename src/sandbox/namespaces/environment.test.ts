/** The environment of a jailed process. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME, jailEnvironment, WORK } from "./environment.ts";

const SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const pathOf = (PATH: string, exposed: readonly string[] = []): string | undefined =>
  jailEnvironment({ PATH }, {}, exposed).PATH;

const paths: readonly {
  readonly name: string;
  readonly given: string;
  readonly exposed?: readonly string[];
  readonly first: string;
}[] = [
  { name: "a folder that is not there in the jail is left out", given: "/home/ann/bin", first: "" },
  { name: "an exposed one stays", given: "/data/bin", exposed: ["/data/bin"], first: "/data/bin:" },
  { name: "one below an exposed one too", given: "/data/a/bin", exposed: ["/data"], first: "/data/a/bin:" },
  { name: "one that only begins alike does not", given: "/database/bin", exposed: ["/data"], first: "" },
  { name: "one above an exposed one does not", given: "/data", exposed: ["/data/bin"], first: "" },
  {
    name: "the order is the given one",
    given: "/data/b:/home/x:/data/a",
    exposed: ["/data"],
    first: "/data/b:/data/a:",
  },
  {
    name: "the working folder is no place for programs",
    given: ":.:bin:./node_modules/.bin",
    exposed: ["/data"],
    first: "",
  },
  {
    name: "folders that every jail has stay",
    given: "/opt/x/bin:/nix/store/y/bin",
    first: "/opt/x/bin:/nix/store/y/bin:",
  },
  { name: "an empty path is the system's", given: "", first: "" },
];
for (const { name, given, exposed, first } of paths)
  test(`PATH: ${name}`, () => assert.equal(pathOf(given, exposed), `${first}${SYSTEM}`));

test("PATH: a folder stands once, where it stood first", () => {
  assert.equal(
    pathOf("/bin:/data:/bin:/data", ["/data"]),
    "/bin:/data:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin",
  );
});

test("PATH: none given is the system's", () => assert.equal(jailEnvironment({}, {}, []).PATH, SYSTEM));

const OWN = {
  HOME,
  USER: "dev",
  LOGNAME: "dev",
  SHELL: "/bin/sh",
  PWD: WORK,
  TMPDIR: "/tmp",
} as const;

for (const [name, value] of Object.entries(OWN))
  test(`${name} tells nothing about the user, whoever sets it`, () => {
    const wrong = { [name]: "/home/ann" };
    assert.equal(jailEnvironment({}, {}, [])[name], value);
    assert.equal(jailEnvironment(wrong, {}, [])[name], value);
    assert.equal(jailEnvironment({}, wrong, [])[name], value);
  });

test("a planted variable is there, and the operator's own value beats it", () => {
  const planted = { API_KEY: "planted", OTHER: "planted" };
  const env = jailEnvironment({ API_KEY: "real" }, planted, []);
  assert.deepEqual([env.API_KEY, env.OTHER], ["real", "planted"]);
});

const CERTIFICATES = {
  NODE_EXTRA_CA_CERTS: "/etc/ca-local/root.pem",
  DENO_CERT: "/etc/ca-local/root.pem",
  SSL_CERT_FILE: "/etc/ca-local/bundle.pem",
  CURL_CA_BUNDLE: "/etc/ca-local/bundle.pem",
  REQUESTS_CA_BUNDLE: "/etc/ca-local/bundle.pem",
  AWS_CA_BUNDLE: "/etc/ca-local/bundle.pem",
  GIT_SSL_CAINFO: "/etc/ca-local/bundle.pem",
} as const;

test("certificates are found by every runtime, unless the operator says where", () => {
  const env = jailEnvironment({}, {}, []);
  assert.deepEqual({ ...env, ...CERTIFICATES }, env);
  for (const name of Object.keys(CERTIFICATES))
    assert.equal(jailEnvironment({ [name]: "/data/own.pem" }, {}, [])[name], "/data/own.pem");
});

test("nothing comes but what is given, planted, or named here", () => {
  const names = Object.keys(jailEnvironment({ GIVEN: "1", LANG: "de_DE.UTF-8" }, { PLANTED: "2" }, []));
  const known = ["GIVEN", "LANG", "PATH", "PLANTED", ...Object.keys(OWN), ...Object.keys(CERTIFICATES)];
  assert.deepEqual(names.sort(), known.sort());
});

test("the language is the operator's, or one that knows all letters", () => {
  assert.equal(jailEnvironment({ LANG: "de_DE.UTF-8" }, {}, []).LANG, "de_DE.UTF-8");
  assert.equal(jailEnvironment({}, {}, []).LANG, "C.UTF-8");
});

test("what was given stays as it is", () => {
  const given = Object.freeze({ PATH: "/home/ann/bin", HOME: "/home/ann", A: "" });
  assert.equal(jailEnvironment(given, Object.freeze({}), Object.freeze([])).A, "");
  assert.deepEqual(given, { PATH: "/home/ann/bin", HOME: "/home/ann", A: "" });
});
