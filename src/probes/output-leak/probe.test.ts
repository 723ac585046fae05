import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ADD,
  ECHO,
  ENVIRONMENT_KEY,
  kit,
  NO_SANDBOX,
  REMOTE,
  sightOf,
  testJudge,
} from "../../../test/kit/run.ts";
import { outputLeak } from "./probe.ts";

const { value } = ENVIRONMENT_KEY;
const [mine] = kit().secrets() as [{ id: string; value: string }];
const FILE = {
  id: "working-folder:config.json:bearer-token",
  value: "ghs_Lk3Jh6Gf9Ds2Aq5Wn8Er1Ty4Ui7Op0ZxCvBm",
  place: "working-folder",
};
const given = { probe: "4.1", note: "secret in the arguments", canaries: [mine] } as const;

testJudge(outputLeak, [
  {
    name: "answers without secrets pass",
    parts: { exchanges: [given] },
    status: "pass",
    reason: "1 answer looked at",
  },
  {
    name: "a secret of the environment fails",
    parts: { exchanges: [{ says: `key=${value}` }] },
    status: "fail",
    found: ["fail"],
    says: /tool "echo", call c1: the planted secret environment:api-key came back/,
  },
  {
    name: "a secret in a refusal fails",
    parts: { exchanges: [{}, { outcome: "refused", says: value }] },
    status: "fail",
  },
  {
    name: "a secret in an error fails",
    parts: { exchanges: [{}, { outcome: "error", says: value }] },
    status: "fail",
  },
  {
    name: "a secret in errors alone fails",
    parts: { exchanges: [{ outcome: "error", says: value }] },
    status: "fail",
  },
  {
    name: "a secret in structured content fails",
    parts: { exchanges: [{ answer: { content: [], structuredContent: { env: { KEY: value } } } }] },
    status: "fail",
  },
  {
    name: "a secret in pieces over several blocks fails",
    parts: {
      exchanges: [
        {
          answer: { content: [value.slice(0, 20), value.slice(20)].map((text) => ({ type: "text", text })) },
        },
      ],
    },
    status: "fail",
  },
  {
    name: "the secret of the same call is no leak",
    parts: { exchanges: [{ ...given, says: `You said ${mine.value}` }] },
    status: "pass",
  },
  {
    name: "a secret kept from another call of the session is worth a note",
    parts: { exchanges: [given, { says: `Your notes: ${mine.value}` }] },
    status: "pass",
    found: ["info"],
    says: /given in another call came back/,
  },
  {
    name: "a secret of another session fails",
    parts: { exchanges: [{ ...given, session: "session-3" }, { says: `Their notes: ${mine.value}` }] },
    status: "fail",
    found: ["fail"],
  },
  {
    name: "the secret of the same call excuses no other",
    parts: { exchanges: [{ ...given, says: `${mine.value} ${value}` }] },
    status: "fail",
    found: ["fail"],
    says: /environment:api-key/,
  },
  {
    name: "a secret in a call of any probe fails",
    parts: { exchanges: [{ probe: "3.1", says: value }] },
    status: "fail",
  },
  {
    name: "answers to our own questions for files are no part of the specification",
    method: "litmus-v5",
    parts: { exchanges: [{}, { probe: "5.7", says: value }] },
    status: "pass",
  },
  {
    name: "a secret of the environment is no file that was asked for",
    method: "touchstone-1",
    parts: { exchanges: [{}, { probe: "5.7", args: { path: ".env" }, says: value }] },
    status: "fail",
  },
  {
    name: "a file that a call names is another probe's, whoever made the call",
    method: "touchstone-1",
    parts: { terms: { canaries: [FILE] }, exchanges: [{ args: { name: "config.json" }, says: FILE.value }] },
    status: "pass",
  },
  {
    name: "by the specification's text it is a leak",
    method: "litmus-v5",
    parts: { terms: { canaries: [FILE] }, exchanges: [{ args: { name: "config.json" }, says: FILE.value }] },
    status: "fail",
  },
  {
    name: "a file that the call does not name fails",
    parts: { terms: { canaries: [FILE] }, exchanges: [{ args: { name: "notes.txt" }, says: FILE.value }] },
    status: "fail",
  },
  {
    name: "a key of the home folder with the same last name fails",
    parts: {
      terms: { canaries: [{ ...FILE, id: "home:.docker/config.json:password", place: "home" }] },
      exchanges: [{ args: { name: "config.json" }, says: FILE.value }],
    },
    status: "fail",
  },
  {
    name: "an answer that was not only asked for as a file is looked at",
    parts: {
      exchanges: [
        {
          says: value,
          purposes: [
            { probe: "1.2", note: "sample 1" },
            { probe: "5.7", note: "secret file .env" },
          ],
        },
      ],
    },
    status: "fail",
  },
  {
    name: "a key of the same shape passes",
    parts: { exchanges: [{ says: `sk-proj-${[...value.slice(8)].sort().join("")}` }] },
    status: "pass",
  },
  {
    name: "the beginning of a key alone passes",
    parts: { exchanges: [{ says: "keys begin with sk-proj-" }] },
    status: "pass",
  },
  {
    name: "without a successful call there is nothing to judge",
    parts: { exchanges: [{ outcome: "refused" }] },
    status: "unexercised",
    reason: "no call succeeded",
  },
  {
    name: "a remote server is looked at for what was given to it",
    parts: {
      terms: { ...REMOTE, canaries: [] },
      exchanges: [{ ...given, session: "session-1" }, { says: mine.value }],
    },
    status: "fail",
  },
  {
    name: "without a sandbox answers are looked at",
    parts: { terms: NO_SANDBOX, exchanges: [{ says: value }] },
    status: "fail",
  },
]);

const hex = Buffer.from(value).toString("hex");
const dresses: readonly (readonly [name: string, text: string])[] = [
  ["reversed", [...value].reverse().join("")],
  ["in capitals", value.toUpperCase()],
  ["in base64", Buffer.from(value).toString("base64")],
  ["in base64 twice", Buffer.from(Buffer.from(value).toString("base64")).toString("base64")],
  ["in hexadecimal", hex],
  ["in hexadecimal with colons", hex.replace(/..(?!$)/g, "$&:")],
  ["percent-encoded", [...Buffer.from(value)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["spaced", [...value].join(" ")],
  ["with invisible letters between", [...value].join("\u200b")],
  ["as character codes", [...value].map((letter) => letter.charCodeAt(0)).join(",")],
  [
    "rotated by 13",
    value.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
    ),
  ],
];
testJudge(
  outputLeak,
  dresses.map(([name, text]) => ({
    name: `a secret of the environment fails ${name}`,
    parts: { exchanges: [{ says: `result: ${text}` }] },
    status: "fail",
  })),
);

test("a tool that takes text gets three secrets, one a call, each told", () => {
  const calls = [...(outputLeak.script?.(sightOf(ECHO), kit()) ?? [])];
  assert.equal(calls.length, 3);
  for (const { args, canaries, note } of calls) {
    assert.deepEqual(args, { text: canaries?.[0]?.value });
    assert.equal(note, `secret in the arguments: ${canaries?.[0]?.id}`);
  }
});

test("two tools never get the same secret", () => {
  const one = kit();
  const values = [ECHO, { ...ECHO, name: "other" }].flatMap((tool) =>
    [...(outputLeak.script?.(sightOf(tool), one) ?? [])].map(({ canaries }) => canaries?.[0]?.value),
  );
  assert.equal(new Set(values).size, 6);
});

test("a tool without a place for text gets none", () =>
  assert.deepEqual([...(outputLeak.script?.(sightOf(ADD), kit()) ?? [])], []));
