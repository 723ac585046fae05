/** A log that can no longer be written, in every way that this comes about: nothing reaches a server whose entry is not there, and nothing of
 *  an answer reaches a client before its label is. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditEvent, Filled, Receipt } from "../../src/audit/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { call, gatewayOf, LIMIT, reads, Servers, textOf } from "./kit.ts";
import { entriesIn, startProgram, until } from "./program.ts";
import { RawHttp } from "./raw-clients.ts";

/** Servers that nobody vouches for may be used here: what is looked at is something else. */
const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const UNWRITABLE = /The audit log cannot be written: nothing is done without it/;
const MOST_CALLS = 400;

/** In a file system of its own that holds no more than this. */
const SMALL_DISK = [
  ...["unshare", "--map-root-user", "--mount", "sh", "-c"],
  'mount -t tmpfs -o size=128k tmpfs "$0" && exec "$@"',
];

interface Failing {
  readonly name: string;
  readonly isSmall?: boolean;
  /** Done after the first call. */
  readonly fail?: (audit: string, pid: number) => void;
}

const failing: readonly Failing[] = [
  { name: "the disk is full", isSmall: true },
  { name: "its folder is removed", fail: (audit) => rmSync(audit, { recursive: true }) },
  {
    name: "its file may not grow any more",
    fail(audit, pid) {
      const segment = readdirSync(audit).find((file) => file.endsWith(".jsonl")) ?? "";
      const { size } = statSync(join(audit, segment));
      const { status, stderr } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${size}:${size}`]);
      assert.equal(status, 0, String(stderr));
    },
  },
];
for (const { name, isSmall = false, fail } of failing)
  test(`${name}: no call reaches a server without its entry, and callers are told [GTW-24]`, {
    timeout: 60_000,
  }, async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("mail", { tools: [reads("list", "letters")] });
    const disk = join(folder.path, "disk");
    mkdirSync(disk);
    await using gateway = await startProgram(
      folder.path,
      {
        ...OPEN,
        listen: "http://127.0.0.1:0/mcp",
        audit: { folder: "disk/audit" },
        servers: { mail: servers.entry("mail") },
      },
      isSmall ? { prefix: [...SMALL_DISK, disk] } : {},
    );
    const pid = gateway.child.pid as number;
    // What only the gateway sees of the disk is seen through it.
    const audit = `/proc/${pid}/root${join(disk, "audit")}`;
    const client = new RawHttp(gateway.url, "modern");
    const list = async (): Promise<string> =>
      (await client.request("tools/call", { name: "mail__list", arguments: {} })).text;
    assert.match(await list(), /letters/);
    const before = entriesIn(audit);
    fail?.(audit, pid);
    // A writer may take some milliseconds to notice that its folder is gone.
    await sleep(50);
    let delivered = 1;
    let said = "";
    for (let calls = 0; calls < MOST_CALLS && !UNWRITABLE.test(said); calls++) {
      said = await list();
      if (said.includes("letters")) delivered += 1;
    }
    assert.match(said, UNWRITABLE);
    for (let times = 0; times < 5; times++) assert.match(await list(), UNWRITABLE);
    // Where the folder is gone, what was in it before is all there was.
    const entries = isSmall || name.includes("grow") ? entriesIn(audit) : before;
    const count = (type: string): number =>
      entries.filter((entry) => entry.type === type && entry.outcome === "allowed").length;
    assert.equal(servers.received("mail", "tools/call").length, count("decision"));
    assert.equal(delivered, count("label"));
    const { isWell, servers: up } = await gateway.health();
    assert.deepEqual([isWell, up], [false, { mail: true }]);
    if (isSmall) assert.equal(delivered > 10, true, `${delivered} calls before the disk was full`);
  });

type Append = (event: AuditEvent | Filled) => Receipt;
const typeOf = (event: AuditEvent | Filled): string => ("form" in event ? event.form.event : event).type;

/** The log of a gateway, with another way to append. */
function append(log: { append: Append }, way: (right: Append, event: AuditEvent | Filled) => Receipt): void {
  const right = log.append.bind(log);
  Object.assign(log, { append: (event: AuditEvent | Filled) => way(right, event) });
}
const thrown = (): never => {
  throw new Error("the store is broken");
};

const stores: readonly {
  readonly name: string;
  readonly way: (right: Append, event: AuditEvent | Filled) => Receipt;
  readonly reached: number;
}[] = [
  { name: "throws", way: thrown, reached: 0 },
  {
    name: "takes entries and loses them",
    way: (right, event) => ({ ...right(event), durable: Promise.reject(new Error("it was lost")) }),
    reached: 0,
  },
  {
    name: "throws when a label is written",
    way: (right, event) => (typeOf(event) === "label" ? thrown() : right(event)),
    reached: 1,
  },
];
for (const { name, way, reached } of stores)
  test(
    `a store that ${name}: the client gets nothing, the server no more than was written [GTW-24]`,
    LIMIT,
    async () => {
      await using gateway = await gatewayOf({ mail: { tools: [reads("list", "letters")] } }, OPEN);
      append(gateway.assembled.log, way);
      await using session = await gateway.connect();
      assert.match(textOf(await call(session, "mail__list")), UNWRITABLE);
      assert.equal(gateway.servers.received("mail", "tools/call").length, reached);
    },
  );

test("a denial that cannot be written down is a denial all the same [GTW-24]", LIMIT, async () => {
  await using gateway = await gatewayOf(
    { mail: { tools: [reads("list", "letters"), reads("send", "sent")] } },
    { ...OPEN, mcp_servers: { mail: { allowed_tools: ["list"] } } },
  );
  append(gateway.assembled.log, thrown);
  await using session = await gateway.connect();
  for (const tool of ["mail__send", "mail__nothing"])
    assert.match(textOf(await call(session, tool)), UNWRITABLE);
  assert.deepEqual(gateway.servers.received("mail", "tools/call"), []);
});

test(
  "a call whose entry is not durable yet waits, and nobody waits for it [GTW-21] [GTW-24]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf({ mail: { tools: [reads("list", "letters")] } }, OPEN);
    let decisions = 0;
    append(gateway.assembled.log, (right, event) => {
      const receipt = right(event);
      const isFirst = typeOf(event) === "decision" && decisions++ === 0;
      return isFirst ? { ...receipt, durable: new Promise(() => {}) } : receipt;
    });
    await using session = await gateway.connect();
    const given = new AbortController();
    const params = { name: "mail__list", arguments: { which: "first" } };
    const first = session.request("tools/call", params, { signal: given.signal });
    await until(() => decisions === 1);
    assert.equal(textOf(await call(session, "mail__list", { which: "second" })), "letters");
    const sent = gateway.servers.received("mail", "tools/call");
    assert.deepEqual([sent.length, sent[0]?.includes("second")], [1, true]);
    given.abort();
    assert.equal((await first).kind, "cancelled");
  },
);

test(
  "a file that changes once the log has failed is not taken, and ends nothing [GTW-24]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf({ mail: { tools: [reads("list", "letters")] } }, OPEN);
    await using session = await gateway.connect();
    assert.equal(textOf(await call(session, "mail__list")), "letters");
    rmSync(join(gateway.folder, "audit"), { recursive: true });
    await until(async () => UNWRITABLE.test(textOf(await call(session, "mail__list"))));
    writeFileSync(join(gateway.folder, "touchstone.yml"), '{"policy":"spec","servers":{}}');
    await until(() => gateway.told.some((text) => text.startsWith("the configuration was not taken")));
    assert.match(textOf(await call(session, "mail__list")), UNWRITABLE);
  },
);
