/** Runs inside the namespaces, as their root and nobody's else: ends all connections, answers for names, watches planted
 *  files and limits, and starts the server in its jail. Descriptors 0 to 2 are the server's; 3 leads to the parent. When
 *  that one closes, this program ends, and with it everything in its process namespace. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { lineSplitter, type Order, type Orders } from "../control.ts";
import { EMPTY, ETC_FOLDER, etcFiles, HOME_FOLDER, SYSTEM_BUNDLES, WORK_FOLDER } from "../namespaces/jail.ts";
import { faultFile, PARTS, statusFile } from "../namespaces/setup.ts";
import { NameTable } from "../parse/name-table.ts";
import { type Authority, createAuthority } from "./certificates.ts";
import { closeForeignDescriptors } from "./descriptors.ts";
import { watchFolder } from "./folder.ts";
import { type Jailed, launch } from "./launch.ts";
import { findOrigins } from "./origin.ts";
import { reporterTo } from "./reporter.ts";
import { natives, type Sink } from "./sink.ts";
import { backlog } from "./sockets.ts";
import { sweep } from "./sweep.ts";
import { listenTcp } from "./tcp.ts";
import { listenUdp } from "./udp.ts";
import { plant, type Watch } from "./watch.ts";
import { brokenLimit, sharedMiB, usageOf } from "./watchdog.ts";

const MAX_ORDERS_CHARS = 16 * 1024 * 1024;
const LOOK_MS = 100;
const MUCH_SHARED_MIB = 64;
/** Packets sent right before the end are still on their way. */
const LAST_WORDS_MS = 30;
const LAST_FLOWS_MS = 5_000;
const SETUP_MS = 10_000;
const LOST_PARENT = 71;
/** Folders of the home that programs fill as they like; the working folder is watched by itself. */
const CACHES = [".cache", ".npm", ".yarn", ".bun", ".deno", ".cargo", ".rustup", ".nvm", ".pyenv", "project"];
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

closeForeignDescriptors(3);
const control = new Socket({ fd: 3, readable: true, writable: true });
const reporter = reporterTo(control);
let orders: Orders | undefined;
let isLeaving = false;
let obey: (order: Order) => void = () => {};

const split = lineSplitter(MAX_ORDERS_CHARS, (line) => {
  if (orders) return obey(JSON.parse(line) as Order);
  orders = JSON.parse(line) as Orders;
  run(orders).catch((cause: Error) => failed("sandbox", cause.message));
});
control.on("data", (chunk) => split(chunk) || leave(LOST_PARENT));
control.on("end", () => leave(LOST_PARENT));
control.on("error", () => leave(LOST_PARENT));
process.on("uncaughtException", (cause: Error) => failed("sandbox", cause.stack ?? cause.message));

async function run(orders: Orders): Promise<void> {
  const authority = createAuthority(new Date());
  writeEtc(orders, authority);
  await isSetUp();
  const sink: Sink = {
    orders,
    reporter,
    authority,
    names: new NameTable(),
    origins: findOrigins(orders.origins),
    natives: natives(reporter),
    seen: new Set(),
    taken: { connections: 0, datagrams: 0 },
    open: new Map(),
    isCut: false,
  };
  await Promise.all([listenTcp(sink), listenUdp(sink)]);
  const watch = plant(
    [
      { folder: HOME_FOLDER, shown: orders.home, files: orders.homeFiles },
      { folder: WORK_FOLDER, shown: orders.cwd, files: orders.workFiles },
    ],
    reporter,
  );
  const paths = (files: Orders["homeFiles"]): ReadonlySet<string> => new Set(files.map(({ path }) => path));
  const folders = [
    watchFolder(WORK_FOLDER, orders.cwd, paths(orders.workFiles), reporter),
    watchFolder(HOME_FOLDER, orders.home, new Set([...paths(orders.homeFiles), ...CACHES]), reporter),
  ];
  const look = (): void => {
    watch.look();
    for (const folder of folders) folder.look();
  };
  const started = Date.now();
  const jailed = launch(orders);
  if (!(await jailed.began)) return failed("jail", "bubblewrap could not set it up; its words are on stderr");
  reporter.say({ kind: "started", at: started });
  obey = (order) => {
    if (!("cut" in order)) return jailed.signal("stop" in order ? "SIGKILL" : order.signal);
    sink.isCut = true;
    reporter.say({ kind: "cut" });
  };
  const peak = guard(jailed, { look }, started, orders);
  const code = await jailed.exited;
  await settle(sink, { look });
  reporter.say({ kind: "exit", at: Date.now(), code, peakMiB: peak() });
  leave(code & 255);
}

/** Looks again and again; tells how much memory was used at most. */
function guard(jailed: Jailed, watch: Watch, started: number, { limits }: Orders): () => number {
  let peakMiB = 0;
  let isBroken = false;
  const sharedBefore = sharedMiB();
  const look = (): void => {
    watch.look();
    if (jailed.first === 0 || isBroken) return;
    const usage = usageOf(jailed.first, sharedMiB() - sharedBefore > MUCH_SHARED_MIB);
    peakMiB = Math.max(peakMiB, usage.memoryMiB);
    const broken = brokenLimit(usage, Date.now() - started, limits);
    if (!broken) return;
    isBroken = true;
    reporter.event({ kind: "limit", at: Date.now(), ...broken });
    jailed.signal("SIGKILL");
  };
  setInterval(() => {
    try {
      look();
    } catch (cause) {
      reporter.gap(`limits and planted files could not be looked at: ${(cause as Error).message}`);
    }
  }, LOOK_MS);
  return () => peakMiB;
}

/** Everything that is still open is told as far as it is known. */
async function settle(sink: Sink, watch: Watch): Promise<void> {
  await sleep(LAST_WORDS_MS);
  // All sockets of the process are closed by now: what is left ends by itself once it is read.
  for (const began = Date.now(); Date.now() - began < LAST_FLOWS_MS; await sleep(10))
    if (backlog().waiting === 0 && sink.open.size === 0) break;
  await sink.origins.idle();
  for (const flow of sink.open.values()) flow?.stop();
  await Promise.race([Promise.all(sink.open.keys()), sleep(LAST_WORDS_MS * 10)]);
  if (sink.open.size > 0) reporter.gap(`${sink.open.size} connections were still open at the end`);
  const { waiting, dropped } = backlog();
  if (waiting > 0) reporter.gap("connections were still waiting to be looked at at the end");
  if (dropped > 0) reporter.gap(`${dropped} datagrams were lost: there were too many at once`);
  watch.look();
  await sweep(sink).catch((cause: Error) => reporter.gap(`the kernel's own list: ${cause.message}`));
}

/** Network and folders are made ready by the program that started us, beside us. */
async function isSetUp(): Promise<void> {
  const waiting = new Set(PARTS);
  for (const started = Date.now(); waiting.size > 0; await sleep(1)) {
    for (const part of waiting) {
      const stage = contentOf(statusFile(part));
      if (stage === "ok") waiting.delete(part);
      else if (stage) failed(stage, contentOf(faultFile(part)) ?? "");
    }
    if (Date.now() - started > SETUP_MS) failed("setup", `not ready after ${SETUP_MS} ms`);
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

function writeEtc(orders: Orders, { pem }: Authority): void {
  mkdirSync(ETC_FOLDER, { recursive: true });
  for (const [name, content] of Object.entries(etcFiles(orders)))
    writeFileSync(join(ETC_FOLDER, name), content);
  const system = SYSTEM_BUNDLES.map(contentOf).find((bundle) => bundle !== undefined) ?? "";
  writeFileSync(join(ETC_FOLDER, EMPTY), "");
  writeFileSync(join(ETC_FOLDER, "root.pem"), pem);
  writeFileSync(join(ETC_FOLDER, "bundle.pem"), `${system}\n${pem}`);
}

function failed(stage: string, reason: string): void {
  reporter.say({ kind: "failed", stage, reason });
  leave(70);
}

function leave(code: number): void {
  if (isLeaving) return;
  isLeaving = true;
  // The one folder that lies outside, and only for connections that are passed on.
  if (orders?.forwardSocket !== undefined)
    rmSync(dirname(orders.forwardSocket), { recursive: true, force: true });
  if (control.destroyed || code === LOST_PARENT) process.exit(code);
  control.end(() => process.exit(code));
  setTimeout(() => process.exit(code), 500);
}
