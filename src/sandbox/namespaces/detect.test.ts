/** Whether there is a sandbox here, and what is said where there is none. */
import assert from "node:assert/strict";
import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import { detectSandbox, tryNamespaces } from "./detect.ts";
import { findTools } from "./tools.ts";

const timeout = 20_000;

/** A folder with the programs of this machine, but for those that are given: a script, or nothing. */
function toolsWith(changed: Readonly<Record<string, string | undefined>>) {
  const folder = temporaryFolder();
  for (const [name, file] of Object.entries(findTools().found)) symlinkSync(file, join(folder.path, name));
  for (const [name, script] of Object.entries(changed)) {
    const file = join(folder.path, name);
    rmSync(file);
    if (script === undefined) continue;
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  return folder;
}

function refusalOf(path: string): { readonly reason: string; readonly hint: string } {
  const { backend, ...refusal } = tryNamespaces(path);
  assert.equal(backend, undefined);
  return refusal as { reason: string; hint: string };
}

test("this machine has a sandbox, made of namespaces", { timeout }, () => {
  const detection = tryNamespaces();
  assert.equal(detection.backend?.name, "namespaces", JSON.stringify(detection));
});

test("it is tried once a process", { timeout }, () => {
  assert.equal(detectSandbox(), detectSandbox());
});

test("versions name the kernel and the tools, for the evidence", { timeout }, () => {
  const { backend } = detectSandbox();
  const { versions = {} } = backend ?? {};
  assert.deepEqual(Object.keys(versions).sort(), ["bwrap", "ip", "kernel", "nft", "unshare"]);
  assert.equal(versions.kernel, release());
  assert.match(versions.bwrap ?? "", /^bubblewrap \d+\.\d+/);
  assert.match(versions.nft ?? "", /^nftables v\d+\./);
  assert.match(versions.ip ?? "", /^ip utility, iproute2/);
  assert.match(versions.unshare ?? "", /util-linux/);
  assert.equal(backend?.versions, versions);
});

test("where nothing is installed, all of it is named", () => {
  assert.deepEqual(tryNamespaces("/nonexistent"), {
    reason: "not installed: unshare, setpriv, prlimit, mount, ip, nft, bwrap, sh",
    hint: "install util-linux, iproute2, nftables and bubblewrap, then run touchstone doctor",
  });
});

test("where one is missing, that one is named", () => {
  using folder = toolsWith({ bwrap: undefined });
  assert.equal(refusalOf(folder.path).reason, "not installed: bwrap");
});

test("the tools may lie in any folder", { timeout }, () => {
  using folder = toolsWith({});
  assert.equal(tryNamespaces(folder.path).backend?.name, "namespaces");
});

/** Each says so on the first line, and more that nobody needs on the next. */
const refusing = "echo refused: not today >&2; echo see the manual >&2; exit 1";
const stages = [
  { tool: "unshare", reason: /^user namespaces are refused.*/, hint: /./ },
  {
    tool: "mount",
    reason: /^no file system in memory can be mounted: refused: not today$/,
    hint: /outside of the container/,
  },
  {
    tool: "ip",
    reason: /^the network cannot be set up: refused: not today$/,
    hint: /iproute2/,
  },
  { tool: "nft", reason: /^packets cannot be redirected: refused: not today$/, hint: /nf_tables/ },
  { tool: "bwrap", reason: /^bubblewrap is refused: refused: not today$/, hint: /AppArmor/ },
];
for (const { tool, reason, hint } of stages)
  test(`where ${tool} refuses, that stage is named, with its words and what to do`, { timeout }, () => {
    using folder = toolsWith({ [tool]: refusing });
    const { reason: told, hint: advice } = refusalOf(folder.path);
    assert.match(told, reason);
    assert.match(advice, hint);
  });

test("a tool that says nothing is still told about", { timeout }, () => {
  using folder = toolsWith({ nft: "exit 1" });
  assert.equal(refusalOf(folder.path).reason, "packets cannot be redirected: it gave no reason");
});
