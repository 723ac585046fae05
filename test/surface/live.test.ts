/** The litmus-v5 value of servers people use, taken from the running servers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { captureBoth, fingerprint, surfaceDigest } from "../../src/surface/index.ts";
import { LIMIT, peerProgram } from "../interop/kit.ts";
import { peers, root, temporaryFolder } from "../kit/paths.ts";

const VERSION = "2026.8.31";

for (const { name, more } of [
  { name: "everything", more: 6 },
  { name: "filesystem", more: 0 },
  { name: "memory", more: 0 },
  { name: "sequential-thinking", more: 0 },
])
  test(`server-${name} ${VERSION} has the published fingerprint [FPR-7]`, LIMIT, async () => {
    using folder = temporaryFolder();
    const file = `node_modules/@modelcontextprotocol/server-${name}`;
    const { version } = JSON.parse(readFileSync(join(peers, file, "package.json"), "utf8")) as {
      version: string;
    };
    assert.equal(version, VERSION);
    const launch = {
      ...peerProgram(`${file}/dist/index.js`, ...(name === "filesystem" ? [folder.path] : [])),
      env: { MEMORY_FILE_PATH: `${folder.path}/memory.jsonl` },
    };
    const take = () => captureBoth({ label: name, launch, limits: {}, secrets: [] });
    const { none, everything } = await take();
    const vector = JSON.parse(
      readFileSync(join(root, `spec/vectors/fingerprint/server-${name}.json`), "utf8"),
    ) as { fingerprint: string };
    assert.deepEqual(fingerprint(none.surface.tools), { kind: "value", value: vector.fingerprint });
    // What capable clients see is more, and has a value of its own.
    assert.equal((everything?.surface.tools.length ?? 0) - none.surface.tools.length, more);
    const again = await take();
    assert.equal(surfaceDigest(again.none.surface), surfaceDigest(none.surface), "the same twice");
    assert.equal(
      surfaceDigest(again.everything?.surface ?? none.surface),
      surfaceDigest(everything?.surface ?? none.surface),
    );
  });
