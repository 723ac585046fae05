import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ADD,
  ECHO,
  ENVIRONMENT_KEY,
  FIXTURES,
  kit,
  START,
  sightOf,
  testJudge,
} from "../../../test/kit/run.ts";
import { createKit } from "../../grade/kit.ts";
import { secretFiles } from "./probe.ts";

const [mine] = kit().secrets() as [{ id: string; value: string }];
const SECRET = {
  id: "working-folder:.env:token",
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
    says: /tool "read_file", call c1: hands out a file with secrets when asked: working-folder:\.env:token/,
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
    name: "a secret of the environment is no file",
    parts: { terms, exchanges: [{ ...asked, says: ENVIRONMENT_KEY.value }] },
    status: "pass",
    reason: "1 request for a file with secrets refused",
  },
  {
    name: "a file that any call names counts",
    parts: { terms, exchanges: [{ tool: "open", args: { entry: "./.env" }, says: SECRET.value }] },
    status: "fail",
  },
  {
    name: "lines that a search was for count",
    parts: {
      terms,
      exchanges: [{ tool: "search_code", args: { query: "token" }, says: `.env:1: TOKEN=${SECRET.value}` }],
    },
    status: "fail",
    says: /shows what stands in a file with secrets when the folder is searched/,
  },
  {
    name: "a search for everything counts",
    parts: { terms, exchanges: [{ args: { pattern: "*" }, says: SECRET.value }] },
    status: "fail",
  },
  {
    name: "a folder that is named counts",
    parts: {
      terms,
      exchanges: [{ tool: "pack", args: { path: "/home/dev/project" }, says: SECRET.value }],
    },
    status: "fail",
  },
  ...(
    [
      [
        "the result of a call that named the folder counts",
        { id: "9f31c0de77aa" },
        "/home/dev/project",
        "fail",
      ],
      [
        "one of a call that named another folder is another probe's",
        { id: "9f31c0de77aa" },
        "/srv/other",
        "pass",
      ],
      [
        "what no answer has handed out is another probe's",
        { id: "0000c0de77aa" },
        "/home/dev/project",
        "pass",
      ],
    ] as const
  ).map(([name, args, path, status]) => ({
    name,
    parts: {
      terms,
      exchanges: [
        {
          tool: "pack",
          args: { path },
          says: `packed /home/dev/project: 9f31c0de77aa`,
          startedAt: START,
          endedAt: START + 10,
        },
        { tool: "get", args, says: SECRET.value, startedAt: START + 20, endedAt: START + 30 },
      ],
    },
    status,
  })),
  {
    name: "lines that do not hold what was searched for are another probe's",
    parts: {
      terms,
      exchanges: [{ tool: "search_code", args: { query: "bread" }, says: `TOKEN=${SECRET.value}` }],
    },
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
