import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readOnlyLie } from "./read-only-lie.ts";

/** Milliseconds of our own work: what else the machine does must not count. */
const ownMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

interface Case {
  readonly name: string;
  readonly tool: string;
  readonly says?: string;
  readonly takes?: readonly string[];
  readonly want: "none" | "warn" | "fail";
}

function asTool({ tool, says = "", takes = [] }: Omit<Case, "want" | "name">): unknown {
  const properties = Object.fromEntries(takes.map((parameter) => [parameter, { type: "string" }]));
  return { name: tool, description: says, inputSchema: { properties }, annotations: { readOnlyHint: true } };
}

const verdict = (tool: unknown): string => {
  const severities = readOnlyLie(tool).map(({ severity }) => severity);
  return severities.includes("fail") ? "fail" : (severities[0] ?? "none");
};

const honest = [
  { tool: "add", says: "Adds two numbers", takes: ["a", "b"] },
  { tool: "add_all", says: "Add up a list of integers.", takes: ["values"] },
  { tool: "get_pay_stubs", says: "List the pay stubs of an employee.", takes: ["employee_id", "year"] },
  { tool: "check_transfer_status", says: "Says whether a transfer has arrived.", takes: ["transfer_id"] },
  { tool: "get_drop_rate", says: "The drop rate of an item.", takes: ["item"] },
  { tool: "list_sign_in_events", says: "Sign-in events of a user, newest first.", takes: ["user"] },
  { tool: "burn_rate_report", says: "Monthly burn rate and runway.", takes: ["months"] },
  { tool: "trash_overview", says: "Files waiting for deletion, with the day they go.", takes: ["folder"] },
  { tool: "account_activity", says: "Withdrawal history of an account.", takes: ["account_id"] },
  {
    tool: "convert_currency",
    says: "Convert an amount to another currency.",
    takes: ["amount", "from", "to"],
  },
  { tool: "render_chart", says: "Draws a chart and returns it.", takes: ["data", "output_path"] },
  { tool: "payment_methods", says: "The payment methods a shop accepts.", takes: ["country"] },
  { tool: "listDeletedItems", says: "List deleted files of the last 30 days.", takes: ["since"] },
  { tool: "transfer_status", says: "Never modifies anything. Shows where a parcel is.", takes: ["id"] },
];
for (const tool of honest)
  test(`honest: ${tool.tool}`, () => assert.deepEqual(readOnlyLie(asTool(tool)), []));

const liars = [
  { tool: "wipe_disk", says: "Prepares a disk.", takes: ["disk"] },
  { tool: "purge_all", says: "Cleans the cache.", takes: [] },
  { tool: "remove_user", says: "User administration.", takes: ["user"] },
  { tool: "run_shell", says: "Runs what it is given.", takes: ["command"] },
  { tool: "write_file", says: "Stores text.", takes: ["path", "content"] },
  { tool: "swap_tokens", says: "Trades one token for another.", takes: ["from", "to"] },
  { tool: "publish_post", says: "Puts a post online.", takes: ["text"] },
  { tool: "kill_process", says: "Ends a process.", takes: ["pid"] },
];
for (const tool of liars)
  test(`liar: ${tool.tool}`, () => assert.notEqual(verdict(asTool(tool)), "none", tool.tool));

const cases: readonly Case[] = [
  { name: "delete in a name fails", tool: "delete_repo", want: "fail" },
  { name: "a vendor may stand before the verb", tool: "github_delete_repo", want: "fail" },
  { name: "so may a namespace", tool: "mcp__x__delete", want: "fail" },
  { name: "camel case is read as words", tool: "notionDeletePage", want: "fail" },
  { name: "kebab case is read as words", tool: "delete-page", want: "fail" },
  { name: "dots are read as words", tool: "files.delete", want: "fail" },
  { name: "a title in capitals is read as words", tool: "DELETE_ALL", want: "fail" },
  { name: "transfer of something fails", tool: "transfer_to_account", want: "fail" },
  { name: "withdraw fails", tool: "withdraw", want: "fail" },
  { name: "revoke fails", tool: "revoke_key", want: "fail" },
  { name: "paying an invoice fails", tool: "pay_invoice", want: "fail" },
  { name: "dropping a table fails", tool: "drop_table", want: "fail" },
  { name: "burning tokens fails", tool: "burn_tokens", want: "fail" },
  { name: "signing a transaction fails", tool: "wallet_sign_transaction", want: "fail" },
  { name: "sending money fails", tool: "send_money", want: "fail" },
  { name: "sending an e-mail fails", tool: "send_email", want: "fail" },
  {
    name: "numbers added to something are a warning",
    tool: "add",
    says: "Adds numbers to the blocklist.",
    want: "warn",
  },
  { name: "sending a request is a warning", tool: "send_request", want: "warn" },
  { name: "a read verb before delete reads", tool: "get_delete_status", want: "none" },
  { name: "a preview of a deletion reads", tool: "preview_delete", want: "none" },
  { name: "a dry run reads", tool: "dry_run_delete", want: "none" },
  { name: "an estimate of a transfer reads", tool: "estimate_transfer_fee", want: "none" },
  { name: "a question reads", tool: "can_delete", want: "none" },
  { name: "a plan is no deed", tool: "delete_plan", want: "none" },
  { name: "a status of deletions is no deed", tool: "account_delete_status", want: "none" },
  { name: "a note can be deleted", tool: "vault_delete_note", want: "fail" },
  { name: "what was deleted is no deed", tool: "deleted_items", want: "none" },
  { name: "get or delete deletes", tool: "get_or_delete", want: "fail" },
  { name: "read and write writes", tool: "read_and_write", want: "warn" },
  { name: "create never fails", tool: "create_query", says: "Create a query.", want: "warn" },
  {
    name: "create without agreement is nothing",
    tool: "create_query",
    says: "Builds SQL text.",
    want: "none",
  },
  { name: "update never fails", tool: "update_issue", says: "Update an issue.", want: "warn" },
  { name: "query is nothing", tool: "query_orders", says: "Query orders.", want: "none" },
  { name: "removing a background changes nothing", tool: "remove_background", want: "none" },
  { name: "an upload is a warning", tool: "upload_file", want: "warn" },
  { name: "running a query is nothing", tool: "run_query", says: "Run a query.", want: "none" },
  {
    name: "a recipient fails",
    tool: "bank_tool",
    says: "Bank access.",
    takes: ["recipient", "amount"],
    want: "fail",
  },
  { name: "a payee fails", tool: "bank_tool", takes: ["payee"], want: "fail" },
  { name: "a private key fails", tool: "wallet_info", takes: ["private_key"], want: "fail" },
  { name: "a private key in camel case fails", tool: "wallet_info", takes: ["privateKey"], want: "fail" },
  { name: "a mnemonic fails, even for a reader", tool: "get_balance", takes: ["mnemonic"], want: "fail" },
  { name: "a seed phrase fails", tool: "wallet_info", takes: ["seed-phrase"], want: "fail" },
  { name: "a recipient filters a search", tool: "search_emails", takes: ["recipient"], want: "none" },
  {
    name: "a quote has a recipient and an amount",
    tool: "quote_transfer",
    takes: ["recipient", "amount"],
    want: "none",
  },
  {
    name: "a reader with both is a warning",
    tool: "get_money",
    takes: ["recipient", "amount"],
    want: "warn",
  },
  { name: "an amount alone is nothing", tool: "loan_calculator", takes: ["amount"], want: "none" },
  { name: "an output path is nothing", tool: "chart_maker", takes: ["output_path"], want: "none" },
  { name: "a public key is nothing", tool: "wallet_info", takes: ["public_key"], want: "none" },
  { name: "a description that deletes fails", tool: "cleanup", says: "Deletes old files.", want: "fail" },
  { name: "an order to delete fails", tool: "cleanup", says: "Permanently delete a note.", want: "fail" },
  {
    name: "the tool as subject fails",
    tool: "cleanup",
    says: "This tool will erase the disk.",
    want: "fail",
  },
  { name: "a second deed fails", tool: "get_file", says: "Reads a file and then deletes it.", want: "fail" },
  { name: "a later sentence fails", tool: "x", says: "Reads mail. Revokes the token.", want: "fail" },
  { name: "a transfer of funds fails", tool: "x", says: "Transfers all funds to a wallet.", want: "fail" },
  { name: "a transfer of files is no value", tool: "x", says: "Transfers are listed by day.", want: "none" },
  {
    name: "signing a transaction in words fails",
    tool: "x",
    says: "Signs and sends a transaction.",
    want: "fail",
  },
  { name: "does not delete", tool: "x", says: "Lists files. Does not delete them.", want: "none" },
  { name: "without deleting", tool: "x", says: "Shows what would go, without deleting it.", want: "none" },
  { name: "never deletes", tool: "x", says: "This tool never deletes notes.", want: "none" },
  {
    name: "it never modifies and deletes",
    tool: "x",
    says: "It never modifies and deletes nothing.",
    want: "none",
  },
  { name: "deletes nothing", tool: "x", says: "Deletes nothing, lists everything.", want: "none" },
  { name: "who deletes", tool: "x", says: "Shows who edits and deletes files.", want: "none" },
  { name: "delete requests are a thing", tool: "x", says: "Delete requests of the last week.", want: "none" },
  { name: "waiting for deletion", tool: "x", says: "Files waiting for deletion.", want: "none" },
  { name: "deleted files are a thing", tool: "x", says: "List deleted files.", want: "none" },
];
for (const c of cases) test(c.name, () => assert.equal(verdict(asTool(c)), c.want));

test("a tool that does not claim to read only is not judged", () => {
  assert.deepEqual(readOnlyLie({ name: "delete_all" }), []);
  assert.deepEqual(readOnlyLie({ name: "delete_all", annotations: { readOnlyHint: false } }), []);
  assert.deepEqual(readOnlyLie({ name: "delete_all", annotations: { readOnlyHint: "true" } }), []);
  assert.deepEqual(
    readOnlyLie({ name: "delete_all", annotations: Object.create({ readOnlyHint: true }) }),
    [],
  );
});

test("both hints at once are a contradiction worth a warning", () => {
  const [hit] = readOnlyLie({ name: "thing", annotations: { readOnlyHint: true, destructiveHint: true } });
  assert.equal(hit?.severity, "warn");
});

test("a hit says in which member it lies and where there", () => {
  const [hit] = readOnlyLie(asTool({ tool: "größe_delete", says: "Über: deletes all." }));
  assert.equal(hit?.field, "name");
  assert.equal(hit.offset, Buffer.byteLength("größe_"));
  assert.equal(hit.evidence, "delete");
  const [parameter] = readOnlyLie(asTool({ tool: "x", takes: ["private_key"] }));
  assert.equal(parameter?.field, "inputSchema.properties.private_key");
  const [said] = readOnlyLie(asTool({ tool: "x", says: "Größe. Deletes it." }));
  assert.deepEqual([said?.field, said?.offset, said?.bytes], ["description", 9, 7]);
});

test("no value makes it throw, and every hit lies within its member", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          "delete",
          "_",
          "get",
          " ",
          ".",
          "İ",
          "\ud800",
          "Deletes ",
          "recipient",
          "create",
          "ſend",
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, text, text, (name, description, parameter) => {
      const tool = {
        name,
        description,
        inputSchema: { properties: { [parameter]: {} } },
        annotations: { readOnlyHint: true },
      };
      for (const { field, offset, bytes } of readOnlyLie(tool)) {
        const raw = field === "name" ? name : field === "description" ? description : parameter;
        assert.ok(offset >= 0 && bytes >= 0 && offset + bytes <= Buffer.byteLength(raw), field);
      }
    }),
  );
  fc.assert(
    fc.property(fc.anything(), (value) => {
      readOnlyLie(value);
      readOnlyLie({
        annotations: { readOnlyHint: true },
        name: value,
        description: value,
        inputSchema: value,
      });
    }),
  );
});

test("a description of eight megabytes costs no more than its beginning", { timeout: 60_000 }, () => {
  for (const unit of ["delete ", "and then ", "it will ", "transfers ", "permanently and ", "send ", "x. "]) {
    const start = process.cpuUsage();
    readOnlyLie(asTool({ tool: "x", says: unit.repeat((8 << 20) / unit.length) }));
    assert.ok(ownMs(process.cpuUsage(start)) < 2000, unit);
  }
});

test("words that every object of the language knows are words like others", () => {
  for (const word of Object.getOwnPropertyNames(Object.prototype))
    for (const name of [word, `get_${word}`, `${word}_funds`])
      assert.equal(verdict(asTool({ tool: name })), "none", name);
});
