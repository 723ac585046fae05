/** docs/migrate.md is run: its files are written, its commands answer what it shows, its tables say what the loader says. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/core/index.ts";
import { type GatewayFile, gatewaySchema } from "../../src/gateway/index.ts";
import { admitted, effectiveResourceTrust, effectiveServerTrust, policyFor } from "../../src/policy/index.ts";
import { connect } from "../../src/wire/index.ts";
import { program, root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, textOf } from "./kit.ts";

const page = join(root, "docs/migrate.md");
const text = readFileSync(page, "utf8");
const load = (yaml: string): Promise<GatewayFile> => readConfig(yaml, "touchstone.yml", gatewaySchema);

/** Blocks and remarks, in their order. */
const PARTS = /^```(?<language>\w*)\n(?<body>[\s\S]*?)^```$|^<!-- (?<remark>.*) -->$/gm;
interface Part {
  readonly index: number;
  readonly whole: string;
  readonly language?: string;
  readonly body?: string;
  readonly remark?: string;
}
const parts = [...text.matchAll(PARTS)].map(
  ({ groups = {}, index, 0: whole }) => ({ ...groups, index, whole }) as Part,
);
const files = parts.flatMap(({ language, body = "" }) => (language === "yaml" ? [body] : []));

/** Ids and times are others each time. */
const steady = (shown: string): string =>
  shown.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME").replace(/\b[de]-[0-9a-f]{12}-\w+/g, "ID");

/** A machine on which `touchstone` is installed, in the folder of the example. */
function machine(path: string): { readonly folder: string; readonly env: Record<string, string> } {
  const [bin, examples] = [join(path, "bin"), join(path, "examples")];
  const folder = join(examples, "migrate");
  for (const each of [bin, folder]) mkdirSync(each, { recursive: true });
  writeFileSync(join(bin, "touchstone"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "touchstone"), 0o755);
  for (const name of ["servers", "trust-boundary"])
    symlinkSync(join(root, "examples", name), join(examples, name));
  return { folder, env: { PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` } };
}

/** What an agent does on a usual day. */
async function work(folder: string, env: Record<string, string>): Promise<string[]> {
  const launch = {
    kind: "stdio",
    command: process.execPath,
    args: [program, "gateway"],
    cwd: folder,
    env,
  } as const;
  await using session = await connect(launch, { clientInfo: { name: "my-agent", version: "1" } });
  const said: string[] = [];
  const ask = async (name: string, args: object = {}): Promise<string> => {
    const answer = textOf(await call(session, name, args));
    said.push(answer);
    return answer;
  };
  const hours = await ask("pages__fetch_page", { url: "https://shop.example/hours" });
  await ask("database__run_query", { sql: "insert into hours (text) values (?)", value: hours });
  await ask("notes__list_notes");
  await ask("notes__write_note", { title: "todo", text: "call the printer about the new cards" });
  await ask("notes__list_notes");
  await ask("notes__delete_note", { title: "todo" });
  return said;
}

test("its commands answer what it shows [GTW-34]", { timeout: 60_000 }, async () => {
  using place = temporaryFolder();
  const { folder, env } = machine(place.path);
  const file = join(folder, "touchstone.yml");
  let golden = text;
  for (const { language, body = "", remark, index, whole } of parts) {
    if (language === "yaml") writeFileSync(file, body);
    if (remark === "the agent works") {
      const said = await work(folder, env);
      assert.deepEqual(said.slice(1, 5), ["1 row", "welcome\ndoor", "Saved.", "welcome\ndoor\ntodo"]);
    }
    if (remark === "the suggestion is put in") {
      const { stdout } = await touchstone(["policy", "suggest"], { cwd: folder, env });
      const own = readFileSync(file, "utf8").replace(/^policy:[\s\S]*/m, "");
      writeFileSync(file, `${own}${stdout}`);
    }
    if (!body.startsWith("$ touchstone ")) continue;
    let block = "";
    for (const [, line = ""] of body.matchAll(/^\$ touchstone (.*)$/gm)) {
      const { code, stdout } = await touchstone(line.split(" "), { cwd: folder, env });
      assert.equal(code, 0, line);
      block += `$ touchstone ${line}\n${stdout}`;
    }
    if (process.env.GOLDEN === "write" && steady(block) !== steady(body)) {
      // All before it has its new length already.
      const at = index + golden.length - text.length;
      golden = `${golden.slice(0, at)}${whole.replace(body, () => block)}${golden.slice(at + whole.length)}`;
      writeFileSync(page, golden);
    } else assert.equal(steady(body), steady(block));
  }
  // And now it is in force.
  const said = await work(folder, env);
  assert.match(said[1] ?? "", /^Denied by trigger: /);
  assert.deepEqual(said.slice(2, 5), ["welcome\ndoor", "Saved.", "welcome\ndoor\ntodo"]);
});

test("its first file is what the document says, and its second what strict makes of it [POL-2, POL-3, POL-6]", async () => {
  const levels = async (yaml = ""): Promise<unknown[]> => {
    const { policy, servers, mcp_servers } = await load(yaml);
    return Object.entries(servers).map(([name, { url = "" }]) => {
      const own = admitted(policyFor(mcp_servers, { name, url }), policy, false);
      return [policy, name, effectiveServerTrust(own), own.allowedTools, own.label];
    });
  };
  const list = ["search", "calculator"];
  const [first, second] = files;
  assert.deepEqual(await levels(first), [
    ["spec", "internal", "TOOL", null, "Internal MCP"],
    ["spec", "community", "NONE", list, "Community Search"],
  ]);
  assert.deepEqual(await levels(second), [
    ["strict", "internal", "NONE", null, "Internal MCP"],
    ["strict", "community", "NONE", list, "Community Search"],
  ]);
});

test("the file to watch with is the example", () => {
  const example = readFileSync(join(root, "examples/migrate/touchstone.yml"), "utf8");
  const own = (yaml: string): string => yaml.slice(yaml.indexOf("servers:"));
  assert.equal(own(files[2] ?? ""), own(example));
  assert.equal(files.length, 3);
});

const rows = [...text.matchAll(/^\| `([^`]+)` \| .* \| (.*) \|$/gm)].filter(([, , here = ""]) =>
  /refused|NONE|TOOL/.test(here),
);
test("the table of what is read otherwise is there", () => assert.equal(rows.length, 10));
for (const [, entry = "", here = ""] of rows)
  test(`read otherwise: ${entry}: ${here} [POL-14, POL-15]`, async () => {
    const body = entry.split(", ").map((line) => `    ${line}\n`);
    const yaml = `servers: { a: { command: node } }\nmcp_servers:\n  a:\n${body.join("")}`;
    if (here.startsWith("refused: ")) {
      const message = here.replace("refused: ", "");
      await assert.rejects(load(yaml), ({ message: said }: Error) => said.includes(message));
      return;
    }
    const { mcp_servers } = await load(yaml);
    const isAdmitted = here.includes("where it is admitted");
    const own = admitted(policyFor(mcp_servers, { name: "a" }), "strict", isAdmitted);
    const level = entry.startsWith("resource") ? effectiveResourceTrust(own) : effectiveServerTrust(own);
    assert.equal(level, here.slice(0, 4));
    if (here.includes("no tool")) assert.deepEqual(own.allowedTools, []);
  });
