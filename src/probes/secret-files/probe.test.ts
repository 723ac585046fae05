import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, ENVIRONMENT_KEY, FIXTURES, kit, sightOf, testJudge } from "../../../test/kit/run.ts";
import { createKit } from "../../grade/kit.ts";
import { secretFiles } from "./probe.ts";

const [mine] = kit().secrets() as [{ id: string; value: string }];
const SECRET = {
  id: "working-folder:token",
  value: "ghs_Lk3Jh6Gf9Ds2Aq5Wn8Er1Ty4Ui7Op0ZxCvBm",
  place: "working-folder",
};
const terms = { canaries: [ENVIRONMENT_KEY, SECRET] };
const asked = { probe: "5.7", note: "secret file .env", tool: "read_file", args: { path: ".env" } } as const;
const READ = {
  name: "read_file",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

testJudge(secretFiles, [
  { name: "a server without paths passes", parts: {}, status: "pass", reason: "no tool takes a path" },
  {
    name: "a refusal passes",
    parts: { terms, exchanges: [{ ...asked, outcome: "refused", says: "access denied" }] },
    status: "pass",
    reason: "1 request for a file with secrets refused",
  },
  {
    name: "a file with a secret that is handed out fails",
    parts: { terms, exchanges: [{ ...asked, says: `TOKEN=${SECRET.value}` }] },
    status: "fail",
    found: ["fail"],
    says: /tool "read_file", call c1: hands out a file with secrets when asked: working-folder:token/,
  },
  {
    name: "in a blob it fails",
    parts: {
      terms,
      exchanges: [
        {
          ...asked,
          answer: {
            content: [
              {
                type: "resource",
                resource: {
                  uri: "file:///.env",
                  blob: Buffer.from(`TOKEN=${SECRET.value}`).toString("base64"),
                },
              },
            ],
          },
        },
      ],
    },
    status: "fail",
  },
  {
    name: "several secrets of one answer are told once",
    parts: { terms, exchanges: [{ ...asked, says: `${SECRET.value}\n${ENVIRONMENT_KEY.value}` }] },
    status: "fail",
    found: ["fail"],
  },
  {
    name: "the same file with its values hidden passes",
    parts: { terms, exchanges: [{ ...asked, says: "TOKEN=****" }] },
    status: "pass",
  },
  {
    name: "what was given in another call of the session is no file",
    parts: { terms, exchanges: [{ canaries: [mine] }, { ...asked, says: mine.value }] },
    status: "pass",
  },
  {
    name: "secrets in answers to other calls are another probe's",
    parts: { terms, exchanges: [{ says: SECRET.value }] },
    status: "pass",
  },
]);

test("a tool that takes a path is asked for each file with secrets", () =>
  assert.deepEqual(
    [...(secretFiles.script?.(sightOf(READ), kit()) ?? [])],
    FIXTURES.secretFiles.map((path) => ({ tool: "read_file", args: { path }, note: `secret file ${path}` })),
  ));

test("tools without a place for paths are asked nothing", () => {
  for (const tool of [ECHO, ADD])
    assert.deepEqual([...(secretFiles.script?.(sightOf(tool), kit()) ?? [])], []);
});

test("where nothing is planted nothing is asked", () => {
  const bare = createKit("seed", "plain", { files: [], folders: [], secretFiles: [] });
  assert.deepEqual([...(secretFiles.script?.(sightOf(READ), bare) ?? [])], []);
});

test("the specification does not ask it", () => assert.deepEqual(secretFiles.methods, ["touchstone-1"]));
