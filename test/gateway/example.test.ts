/** The example of the guide does what the guide says. */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assemble } from "../../src/gateway/index.ts";
import { root, temporaryFolder } from "../kit/paths.ts";

test("the honest server is admitted by its lock, the hostile one is not", { timeout: 30_000 }, async () => {
  using folder = temporaryFolder();
  const example = join(root, "examples/gateway");
  const text = readFileSync(join(example, "touchstone.yml"), "utf8");
  // The log is not to be written into the example.
  writeFileSync(
    join(folder.path, "touchstone.yml"),
    text.replaceAll("../servers", join(root, "examples/servers")),
  );
  copyFileSync(join(example, "touchstone.lock"), join(folder.path, "touchstone.lock"));
  const assembled = await assemble(join(folder.path, "touchstone.yml"), { version: "0" });
  try {
    const { gateway } = assembled;
    await gateway.start();
    const standing = (name: string): string | undefined =>
      gateway.servers.get(name)?.standing.admission.status;
    assert.deepEqual([standing("notes"), standing("weather")], ["admitted", "refused"]);
    const tools = [...(gateway.servers.get("notes")?.standing.tools.values() ?? [])];
    assert.deepEqual(
      tools.map(({ isPinned }) => isPinned),
      [true, true, true],
    );
  } finally {
    await assembled.close();
  }
});
