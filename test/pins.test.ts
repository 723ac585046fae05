/** What others can observe and build on, typed out: a change here is a change for them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { errorTable } from "../src/core/index.ts";
import { peers, root } from "./kit/paths.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, string>;
  bin: Record<string, string>;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

test("exit codes", () => {
  const byExit = Object.entries(errorTable).map(([code, { exit }]) => `${exit} ${code}`);
  assert.deepEqual(byExit, [
    "2 CLI_UNKNOWN_COMMAND",
    "2 CLI_UNKNOWN_OPTION",
    "2 CLI_BAD_VALUE",
    "2 CLI_MISSING_ARGUMENT",
    "2 CFG_NOT_FOUND",
    "2 CFG_UNREADABLE",
    "2 CFG_SYNTAX",
    "2 CFG_DUPLICATE_KEY",
    "2 CFG_UNKNOWN_KEY",
    "2 CFG_BAD_VALUE",
    "2 TGT_BAD_REFERENCE",
    "2 TGT_UNKNOWN_SERVER",
    "2 TGT_MISSING_ENV",
    "2 TGT_AMBIGUOUS",
    "2 TGT_NOT_REWRITABLE",
    "4 TGT_INSTALL_FAILED",
    "4 TGT_NOT_STARTABLE",
    "3 TGT_LOGIN_FAILED",
    "3 WIRE_AUTH_NEEDED",
    "4 WIRE_UNREACHABLE",
    "4 WIRE_NO_MCP",
    "5 WIRE_RECORDING_FAILED",
    "2 LOCK_NOT_FOUND",
    "2 LOCK_UNREADABLE",
    "2 LOCK_CHANGED",
    "4 SBX_UNAVAILABLE",
    "5 SBX_FAILED",
    "2 EVD_NOT_A_RUN",
    "2 ATT_UNUSABLE",
    "5 INTERNAL",
  ]);
});

test("package exports, program and Node versions", () => {
  assert.deepEqual(Object.keys(manifest.exports), [
    "./core",
    "./wire",
    "./target",
    "./mock",
    "./schema",
    "./scan",
    "./report",
    "./surface",
    "./sandbox",
    "./probes",
    "./grade",
    "./flow",
    "./claims",
    "./suite",
    "./attest",
    "./package.json",
  ]);
  assert.deepEqual(manifest.bin, { touchstone: "dist/cli/main.js" });
  assert.deepEqual(manifest.engines, { node: ">=20.19" });
});

test("names exported by each room", async () => {
  const exported: Record<string, string[]> = {};
  for (const room of [
    "core",
    "wire",
    "target",
    "report",
    "surface",
    "sandbox",
    "flow",
    "claims",
    "suite",
    "attest",
  ])
    exported[room] = Object.keys((await import(`../src/${room}/index.ts`)) as object).sort();
  assert.deepEqual(exported, {
    core: [
      "CanonicalError",
      "IGNORE_FILE",
      "TrustError",
      "asText",
      "asTrustError",
      "bounded",
      "byUnits",
      "canonicalJson",
      "count",
      "dayOf",
      "defined",
      "didYouMean",
      "errorTable",
      "finding",
      "lookAlikes",
      "readConfig",
      "readConfigFile",
      "readIgnoreFile",
      "readIgnores",
      "readTextFile",
      "ruleTable",
      "shown",
      "skeleton",
      "suggest",
      "suppress",
    ],
    wire: [
      "DEFAULT_LIMITS",
      "InputNeeded",
      "LEGACY_VERSION",
      "LEGACY_VERSIONS",
      "LOOPBACK",
      "LineReader",
      "META",
      "MODERN_VERSION",
      "MOST_FRAME_BYTES",
      "PLAIN_CLIENT",
      "RECORDING_FORMAT",
      "RpcFailure",
      "SseReader",
      "Verbatim",
      "connect",
      "createRecorder",
      "decodeHeader",
      "describe",
      "detectContainment",
      "encodeHeader",
      "exitThroughShell",
      "findProgram",
      "hasServed",
      "isRecord",
      "list",
      "mirroredArguments",
      "modernHeaders",
      "readEvent",
      "readMessage",
      "readRecording",
      "recordToFile",
      "redactor",
      "relayHttp",
      "relayStdio",
      "requestsAt",
      "serveHttp",
      "serveStdio",
      "supervisor",
      "wireFindings",
    ],
    target: [
      "CLIENTS",
      "CONFIG_FILE",
      "auditClients",
      "clientById",
      "configSchema",
      "credentialFile",
      "credentialStore",
      "doMeet",
      "entryName",
      "entryPinning",
      "entrySecrets",
      "findEntry",
      "hiddenValues",
      "literalSecrets",
      "login",
      "offlineLaunch",
      "pinningFindings",
      "pinningOf",
      "readClients",
      "readReference",
      "replaceEntry",
      "resolveTarget",
      "secretFinding",
      "startable",
      "storedToken",
      "writtenWords",
    ],
    report: [
      "FORMATS",
      "GATES",
      "SUITE_FORMATS",
      "gradeBadge",
      "gradeHtml",
      "gradeJunit",
      "gradeMarkdown",
      "gradeSarif",
      "isOver",
      "render",
      "renderSuite",
      "skippedText",
      "suiteJson",
      "summaryOf",
    ],
    surface: [
      "LIST_NAMES",
      "LOCK_FILE",
      "LOCK_FORMAT",
      "SURFACE_FORMAT",
      "capture",
      "captureBoth",
      "claimsOf",
      "diff",
      "fingerprint",
      "identityOf",
      "launchKey",
      "openingError",
      "readLock",
      "runLock",
      "shadowFindings",
      "skeleton",
      "surfaceDigest",
      "toolDigest",
      "unknownMembers",
      "writeLock",
    ],
    sandbox: [
      "SANDBOX_HOME",
      "SANDBOX_WORK",
      "declaredHosts",
      "detectSandbox",
      "hostsDeclaredFor",
      "isAbout",
      "makeCanaries",
      "placeOf",
      "readAllowedHost",
      "readUpstream",
      "requireSandbox",
      "sandboxFindings",
      "sandboxLauncher",
      "sentText",
      "start",
    ],
    flow: ["EXEMPTIONS", "FLOW_KINDS", "createFlowContext", "flowsOf", "judgeFlows"],
    claims: [
      "STATELESS_REVISION",
      "capabilityPaths",
      "claimEvents",
      "createClaimWatch",
      "extrasOf",
      "judgeClaims",
      "negotiatedPaths",
      "verdictOf",
      "whyIdle",
      "withinAgreed",
    ],
    suite: [
      "NEGATIVE_CHECKS",
      "NotOpened",
      "Observed",
      "checkRecordings",
      "firstSuite",
      "listening",
      "readSuite",
      "runSuite",
      "runWhole",
    ],
    attest: [
      "EVIDENCE_PATH",
      "SAD_PATH",
      "STATEMENT_PATH",
      "addKey",
      "admitTool",
      "buildStatement",
      "clearanceAnchors",
      "cosign",
      "createRoot",
      "discover",
      "draftOf",
      "draftRoot",
      "explainCode",
      "generateKey",
      "inspectSad",
      "isEnvelope",
      "keyIdOf",
      "readKeyFile",
      "readRoot",
      "readSad",
      "readStatement",
      "revokeKey",
      "revokeStatement",
      "rotate",
      "sadDigest",
      "signSad",
      "signStatement",
      "verifyRootUpdate",
      "verifySad",
      "verifyStatement",
      "writeKeyFile",
    ],
  });
});

test("dependencies: exact versions, and few of them at run time", () => {
  assert.deepEqual(Object.keys(manifest.dependencies), [
    "@modelcontextprotocol/client",
    "jsonc-parser",
    "re2js",
    "smol-toml",
    "valibot",
    "yaml",
  ]);
  const versions = { ...manifest.dependencies, ...manifest.devDependencies };
  assert.deepEqual(
    Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    [],
  );
});

test("lock files carry no download addresses, and every package has its digest", () => {
  for (const folder of [root, peers, join(peers, "alone"), join(peers, "conformance")]) {
    const text = readFileSync(join(folder, "package-lock.json"), "utf8");
    assert.doesNotMatch(text, /"resolved":/);
    const { packages } = JSON.parse(text) as {
      packages: Record<string, { integrity?: string; link?: boolean }>;
    };
    const bare = Object.entries(packages).filter(
      ([path, entry]) => path !== "" && !entry.integrity && !entry.link,
    );
    assert.deepEqual(
      bare.map(([path]) => path),
      [],
    );
  }
});
