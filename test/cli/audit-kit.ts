/** A log as somebody has left it in a folder, with the key that `attest keygen` made, and the program beside it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readKeyFile, type SigningKey } from "../../src/attest/index.ts";
import { type AuditEvent, type AuditLog, fileStore, openLog, type Receipt } from "../../src/audit/index.ts";
import { root, temporaryFolder } from "../kit/paths.ts";
import { type Run, touchstone } from "../kit/program.ts";

export const timeout = 60_000;
export const HOUR_MS = 3_600_000;
export const ORIGIN = "log.example/gateway-1";
export const SECRET = "sk-live-4f0c9a1b2e6d7c8f";
export const LONG = "much ".repeat(200);
/** Clears the screen, names the window, turns red by one byte, and writes from right to left. */
export const ESCAPES = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202ered";

/** In this order, behind the entry that every log begins with. Those before `failed` were three hours ago. */
const EVENTS = {
  admitted: { type: "admission", server: "mail", data: { clearance: "internal", tools: ["read", "send"] } },
  sent: { type: "decision", actor: "agent-7", server: "mail", tool: "send", data: { rule: "tools" } },
  refused: { type: "decision", outcome: "denied", actor: "agent-7", server: "mail", tool: "wipe" },
  asked: { type: "approval", outcome: "deferred", actor: "agent-8", server: "files", tool: "write" },
  failed: {
    type: "decision",
    outcome: "error",
    server: "files",
    tool: "read",
    data: { message: LONG, rule: "server-down" },
  },
  hostile: { type: "drift", outcome: "denied", server: "files", tool: ESCAPES, data: { text: ESCAPES } },
  secret: { type: "config", data: { header: `Bearer ${SECRET}` } },
  labelled: { type: "label", actor: "agent-8", server: "mail", tool: "send", data: { label: "internal" } },
  approved: { type: "approval", actor: "operator", server: "files", tool: "write" },
} as const satisfies Record<string, AuditEvent>;
export type EventName = keyof typeof EVENTS;
const NAMES = Object.keys(EVENTS) as EventName[];
const isNew = (name: EventName): boolean => NAMES.indexOf(name) >= NAMES.indexOf("failed");

export interface Kept extends Disposable {
  /** Where the program runs: the log is `log`, its private key `log.key`. */
  readonly folder: string;
  readonly receipts: Readonly<Record<EventName, Receipt>>;
  at(name: string): string;
  read(name: string): string;
  edit(name: string, change: (text: string) => string): void;
  /** Segments of a log, oldest first: entries 0 and 1, 2 to 4, 5, 6 to 8, and 9. */
  segments(log?: string): string[];
  copy(log: string): void;
  /** Opens the log as its writer. */
  open(options?: {
    readonly origin?: string;
    readonly log?: string;
    readonly key?: string;
  }): Promise<AuditLog>;
  /** `touchstone audit …`, here. */
  audit(...words: string[]): Promise<Run>;
  /** The same, which has to end well; what it printed. */
  done(...words: string[]): Promise<string>;
  keygen(file: string): Promise<void>;
}

export async function keptLog(): Promise<Kept> {
  const temporary = temporaryFolder();
  const at = (name: string): string => join(temporary.path, name);
  const read = (name: string): string => readFileSync(at(name), "utf8");
  const audit = (...words: string[]): Promise<Run> =>
    touchstone(["audit", ...words], { cwd: temporary.path, env: { TOUCHSTONE_PASSPHRASE: "" } });
  let clock = (): number => Date.now() - 3 * HOUR_MS;
  const open: Kept["open"] = ({ origin = ORIGIN, log = "log", key = "log.key" } = {}) =>
    openLog(fileStore(at(log)), {
      key: signingKey(at(key)),
      origin,
      segmentBytes: 600,
      now: () => clock(),
      redact: (text) => text.replaceAll(SECRET, "[redacted]"),
    });
  const keygen = async (file: string): Promise<void> => {
    const { code, stderr } = await touchstone(["attest", "keygen", "--plain", file], { cwd: temporary.path });
    assert.equal(code, 0, stderr);
  };
  await keygen("log.key");
  const receipts = {} as Record<EventName, Receipt>;
  const log = await open();
  for (const name of NAMES) {
    if (isNew(name)) clock = Date.now;
    receipts[name] = log.append(EVENTS[name]);
    // One after another: a segment ends between two writes.
    await receipts[name].durable;
    if (name === "asked") await log.checkpoint();
  }
  await log.close();
  return {
    folder: temporary.path,
    receipts,
    at,
    read,
    open,
    audit,
    keygen,
    edit: (name, change) => writeFileSync(at(name), change(read(name))),
    segments: (folder = "log") =>
      readdirSync(at(folder))
        .filter((name) => name.endsWith(".jsonl"))
        .sort(),
    copy: (name) => cpSync(at("log"), at(name), { recursive: true }),
    async done(...words) {
      const { code, stdout, stderr } = await audit(...words);
      assert.equal(code, 0, `${words.join(" ")}: ${stderr}${stdout}`);
      return stdout;
    },
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

function signingKey(file: string): SigningKey {
  const read = readKeyFile(readFileSync(file), { allowPlain: true });
  assert.equal(read.status, "read", file);
  return (read as { key: SigningKey }).key;
}

/** What `--json` prints where something is wrong with the words. */
export const errorIn = ({ stdout }: Run): { code: string; message: string; hint: string } =>
  (JSON.parse(stdout) as { error: { code: string; message: string; hint: string } }).error;

/** What the checker that shares only the specification says of a log or, after `--proof`, of a proof. */
export function checked(...words: string[]): Record<string, unknown> {
  const { error, stdout, stderr } = spawnSync(
    "python3",
    ["-B", join(root, "spec/check/audit.py"), ...words],
    {
      encoding: "utf8",
      timeout,
    },
  );
  assert.equal(
    error,
    undefined,
    `python3 (3.9 or later) has to be installed for this test: ${error?.message}`,
  );
  assert.equal(stderr, "", "what the checker says beside its answer");
  return JSON.parse(stdout) as Record<string, unknown>;
}
