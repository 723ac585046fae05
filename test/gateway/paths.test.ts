/** Where the files lie that a configuration names: beside it, or wherever it says from the root of the machine. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generateKey, signSad, writeKeyFile } from "../../src/attest/index.ts";
import { logFolders } from "../../src/gateway/index.ts";
import { serveHttp } from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { LIMIT, namesIn, reads, Servers, startGateway } from "./kit.ts";
import { entriesIn } from "./program.ts";
import { exempt, PUBLISHER, vouch, writeRoot } from "./vouch.ts";

const TOOLS = [reads("read", "a note")];

test("each path of the file is taken as it is written where it is absolute [GTW-84]", LIMIT, async () => {
  using folder = temporaryFolder();
  const [home, elsewhere] = [join(folder.path, "home"), join(folder.path, "elsewhere")];
  for (const each of [home, elsewhere]) mkdirSync(each);
  const servers = new Servers(home);
  for (const name of ["notes", "odd"]) servers.set(name, { tools: TOOLS });
  writeRoot(elsewhere);
  await using web = await serveHttp({
    info: { name: "web", version: "1" },
    capabilities: { tools: {} },
    handlers: { "tools/list": async () => ({ tools: [] }) },
  });
  const { statement, ...notes } = vouch(servers, "notes", TOOLS);
  exempt(servers, "odd", TOOLS);
  const moved = (file: string): string => {
    renameSync(join(home, file), join(elsewhere, file));
    return join(elsewhere, file);
  };
  const cleared = signSad(
    {
      v: "1.0",
      id: "web",
      publisher: "example",
      version: "1",
      clearance: "internal",
      capabilities: ["mcp-server"],
      netAllowedHosts: [web.url.origin],
    },
    PUBLISHER.privateKey,
    PUBLISHER.id,
  );
  assert.ok("bytes" in cleared);
  writeFileSync(join(elsewhere, "web.sad.json"), cleared.bytes);
  writeFileSync(join(elsewhere, "log.key"), writeKeyFile(generateKey(), { kind: "none" }));
  const audit = join(elsewhere, "audit");
  {
    await using gateway = await startGateway(home, {
      root: join(elsewhere, "root.json"),
      servers: {
        notes: { ...notes, statement: moved(String(statement)) },
        odd: { ...servers.entry("odd"), exemption: moved("odd.exemption.json") },
        web: {
          url: web.url.href,
          clearance: join(elsewhere, "web.sad.json"),
          require: { clearance: "internal" },
        },
      },
      audit: { folder: audit, key: join(elsewhere, "log.key"), writers: "many" },
    });
    await using session = await gateway.connect();
    assert.deepEqual(await namesIn(session), ["notes__read", "odd__read"]);
  }
  const admitted = entriesIn(audit, "admission").map(({ server, outcome }) => `${server} ${outcome}`);
  assert.deepEqual(admitted.sort(), ["notes allowed", "odd allowed", "web allowed"]);
  assert.ok(existsSync(join(audit, "serials.json")));
  const config = join(home, "touchstone.yml");
  assert.deepEqual(await logFolders(config), [audit]);
  const suggested = await touchstone(["policy", "suggest", "--config", config]);
  assert.match(suggested.stderr, new RegExp(`${audit}: no call of a tool was let through`));
  // Nothing was made of these paths below the folder of the file.
  assert.deepEqual(readdirSync(home).sort(), [
    "notes.json",
    "notes.txt",
    "odd.json",
    "odd.txt",
    "touchstone.yml",
  ]);
});
