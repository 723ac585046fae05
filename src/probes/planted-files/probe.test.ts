import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, egress, NO_SANDBOX, REMOTE, START, testJudge } from "../../../test/kit/run.ts";
import type { CanaryReadEvent } from "../../sandbox/index.ts";
import { plantedFiles } from "./probe.ts";

const KEY = "/home/dev/.ssh/id_ed25519";
const read = (path: string, at: number): CanaryReadEvent => ({ kind: "canary-read", at, path, how: "read" });
const call = { startedAt: START + 1000, endedAt: START + 2000 };

testJudge(plantedFiles, [
  { name: "a server that reads no key passes", parts: {}, status: "pass", reason: "no planted key was read" },
  {
    name: "a key that nobody asked for fails",
    parts: { exchanges: [call], sandbox: [read(KEY, START + 1500)] },
    status: "fail",
    found: ["fail"],
    reason: `read ${KEY}, which no call named`,
  },
  {
    name: "a login that git reads where it connects is another probe's",
    parts: {
      exchanges: [call],
      sandbox: [
        read("/home/dev/.netrc", START + 1500),
        egress({
          at: START + 1600,
          process: { pid: 7, command: "/usr/lib/git-core/git-remote-https origin" },
        }),
      ],
    },
    status: "pass",
  },
  {
    name: "a login that is read long before git connects fails",
    parts: {
      exchanges: [{ ...call, endedAt: START + 9000 }],
      sandbox: [
        read("/home/dev/.netrc", START + 1500),
        egress({
          at: START + 8000,
          process: { pid: 7, command: "/usr/lib/git-core/git-remote-https origin" },
        }),
      ],
    },
    status: "fail",
  },
  {
    name: "a key that is read between calls fails",
    parts: { exchanges: [call], sandbox: [read(KEY, START + 5000)] },
    status: "fail",
  },
  {
    name: "a key that is read before any call fails",
    parts: { exchanges: [], sandbox: [read(KEY, START + 5)] },
    status: "fail",
  },
  {
    name: "a key that was tampered with fails",
    parts: { sandbox: [{ ...read(KEY, START + 5), how: "changed" }] },
    status: "fail",
  },
  {
    name: "one key is told once",
    parts: { exchanges: [], sandbox: [read(KEY, START + 5), read(KEY, START + 6)] },
    status: "fail",
    found: ["fail"],
  },
  {
    name: "a key that was asked for passes",
    parts: { exchanges: [{ ...call, args: { path: KEY } }], sandbox: [read(KEY, START + 1500)] },
    status: "pass",
  },
  {
    name: "a key that was asked for by a relative path passes",
    parts: {
      exchanges: [{ ...call, args: { paths: ["../.ssh/id_ed25519"] } }],
      sandbox: [read(KEY, START + 1500)],
    },
    status: "pass",
  },
  {
    name: "a key that was asked for from the home folder passes, and that is said",
    parts: {
      exchanges: [{ ...call, args: { file: "~/.ssh/id_ed25519" } }],
      sandbox: [read(KEY, START + 1500)],
    },
    status: "pass",
    reason: "planted keys were read only where a call or a description named them",
  },
  {
    name: "a word that is the last name of a key excuses nothing",
    parts: {
      exchanges: [{ ...call, args: { topic: "credentials" } }],
      sandbox: [read("/home/dev/.aws/credentials", START + 1500)],
    },
    status: "fail",
  },
  {
    name: "a name inside a longer text excuses nothing",
    parts: {
      exchanges: [{ ...call, args: { text: `what is ${KEY}?` } }],
      sandbox: [read(KEY, START + 1500)],
    },
    status: "fail",
  },
  {
    name: "a key that the tool's description names is another probe's",
    parts: {
      tools: [{ ...ECHO, description: "Lists the hosts in ~/.ssh/config." }],
      exchanges: [call],
      sandbox: [read("/home/dev/.ssh/config", START + 1500)],
    },
    status: "pass",
  },
  {
    name: "a description that names the folder alone excuses nothing",
    parts: {
      tools: [{ ...ECHO, description: "Knows about .ssh and its config files." }],
      exchanges: [call],
      sandbox: [read("/home/dev/.ssh/config", START + 1500)],
    },
    status: "fail",
  },
  {
    name: "times of files may be a little off",
    parts: {
      exchanges: [{ ...call, args: { path: KEY } }],
      sandbox: [read(KEY, START + 985), read(KEY, START + 2015)],
    },
    status: "pass",
  },
  {
    name: "to be asked later excuses nothing",
    parts: { exchanges: [{ ...call, args: { path: KEY } }], sandbox: [read(KEY, START + 500)] },
    status: "fail",
  },
  {
    name: "to be asked for another file excuses nothing",
    parts: {
      exchanges: [{ ...call, args: { path: "/home/dev/notes.txt" } }],
      sandbox: [read(KEY, START + 1500)],
    },
    status: "fail",
  },
  {
    name: "files of the working folder are there to be read",
    parts: { sandbox: [read("/home/dev/project/.env", START + 5)] },
    status: "pass",
  },
  {
    name: "a remote server is skipped",
    parts: { terms: REMOTE },
    status: "skipped",
    reason: "remote target",
  },
  {
    name: "without a sandbox it is skipped",
    parts: { terms: NO_SANDBOX },
    status: "skipped",
    reason: "no sandbox",
  },
]);

test("the specification does not ask it", () => assert.deepEqual(plantedFiles.methods, ["touchstone-1"]));
