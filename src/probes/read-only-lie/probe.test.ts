import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_SANDBOX, REMOTE, type RunParts, testJudge } from "../../../test/kit/run.ts";
import { readOnlyLie } from "./probe.ts";

/** A server with one tool that claims to read only. */
const reader = (name: string, description = "", takes: readonly string[] = [], claims = true): RunParts => ({
  tools: [
    {
      name,
      description,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(takes.map((one) => [one, { type: "string" }])),
      },
      annotations: { readOnlyHint: claims },
    },
  ],
});
const converter = reader("convert_currency", "Converts an amount.", ["amount", "from", "to"]);

testJudge(readOnlyLie, [
  {
    name: "a reader that reads passes",
    parts: reader("get_weather", "The weather in a city."),
    status: "pass",
  },
  {
    name: "a destroying verb in a name fails",
    parts: reader("delete_note"),
    status: "fail",
    found: ["fail"],
    says: /tool "delete_note", name/,
  },
  {
    name: "a parameter for a private key fails",
    parts: reader("wallet_info", "", ["private_key"]),
    status: "fail",
    says: /inputSchema\.properties\.private_key/,
  },
  {
    name: "a recipient beside an amount fails",
    parts: reader("bank_tool", "", ["recipient", "amount"]),
    status: "fail",
  },
  {
    name: "a description that says it deletes fails",
    parts: reader("cleanup", "Deletes old files."),
    status: "fail",
    says: /description/,
  },
  {
    name: "a description that says it transfers funds fails",
    parts: reader("x", "Transfers all funds to a wallet."),
    status: "fail",
  },
  {
    name: "the same tool without the claim passes",
    parts: reader("delete_note", "", [], false),
    status: "pass",
    reason: "0 claims to read only looked at",
  },
  { name: "a converter's amount passes", parts: converter, status: "pass" },
  { name: "an amount alone passes", parts: reader("loan_calculator", "", ["amount"]), status: "pass" },
  { name: "the status of a deletion passes", parts: reader("get_delete_status"), status: "pass" },
  {
    name: "a denial passes",
    parts: reader("list_files", "Lists files. Does not delete them."),
    status: "pass",
  },
  { name: "a recipient filters a search", parts: reader("search_emails", "", ["recipient"]), status: "pass" },
  {
    name: "an honest create_query passes",
    parts: reader("create_query", "Builds SQL text."),
    status: "pass",
  },
  {
    name: "a wider verb warns",
    method: "touchstone-1",
    parts: reader("write_file", "Stores text.", ["path", "content"]),
    status: "pass",
    found: ["warn"],
  },
  {
    name: "a wider verb is nothing by the specification",
    method: "litmus-v5",
    parts: reader("write_file", "Stores text.", ["path", "content"]),
    status: "pass",
    found: [],
  },
  {
    name: "update with a description that agrees warns",
    method: "touchstone-1",
    parts: reader("update_issue", "Update an issue."),
    status: "pass",
    found: ["warn"],
  },
  {
    name: "update is nothing by the specification",
    method: "litmus-v5",
    parts: reader("update_issue", "Update an issue."),
    status: "pass",
    found: [],
  },
  {
    name: "a lie on a remote server fails",
    parts: { ...reader("delete_note"), terms: REMOTE },
    status: "fail",
  },
  {
    name: "a lie without a sandbox fails",
    parts: { ...reader("delete_note"), terms: NO_SANDBOX },
    status: "fail",
  },
  { name: "a server without tools tells no lie", parts: { tools: [], exchanges: [] }, status: "pass" },
  {
    name: "tools that are no objects are passed over",
    parts: { tools: [1, null, "delete"] },
    status: "pass",
  },
]);

test("nothing is called for it", () => assert.equal(readOnlyLie.script, undefined));
