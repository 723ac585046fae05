/** Whether there is a sandbox here, and what is said where there is none. */
import assert from "node:assert/strict";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import { detectSandbox, tryNamespaces } from "./detect.ts";
import { findTools, SYSTEM_PATH } from "./tools.ts";

const timeout = 20_000;

/** A path on which scripts come before the programs of this machine. */
function toolsWith(scripts: Readonly<Record<string, string>>): { readonly path: string } & Disposable {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(scripts)) {
    const file = join(folder.path, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  return { path: `${folder.path}:${SYSTEM_PATH}`, [Symbol.dispose]: () => folder[Symbol.dispose]() };
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
  using folder = temporaryFolder();
  for (const [name, file] of Object.entries(findTools().found))
    if (name !== "bwrap") symlinkSync(file, join(folder.path, name));
  assert.equal(refusalOf(folder.path).reason, "not installed: bwrap");
});

test("the tools may lie in any folder, and are taken from there", { timeout }, () => {
  const { bwrap = "" } = findTools().found;
  using tools = toolsWith({ bwrap: `exec ${bwrap} "$@"` });
  assert.equal(tryNamespaces(tools.path).backend?.name, "namespaces");
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
    using tools = toolsWith({ [tool]: refusing });
    const { reason: told, hint: advice } = refusalOf(tools.path);
    assert.match(told, reason);
    assert.match(advice, hint);
  });

test("where no layer can be put over a folder, that is named", { timeout }, () => {
  const mount = findTools().found.mount ?? "";
  using tools = toolsWith({ mount: `case "$*" in *overlay*) ${refusing};; esac; exec ${mount} "$@"` });
  const { reason, hint } = refusalOf(tools.path);
  assert.equal(reason, "no layer can be put over a folder: refused: not today");
  assert.match(hint, /overlayfs/);
});

test("a tool that says nothing is still told about", { timeout }, () => {
  using tools = toolsWith({ nft: "exit 1" });
  assert.equal(refusalOf(tools.path).reason, "packets cannot be redirected: it gave no reason");
});
