/** What tests of the sandbox share: the machine's tripwires, another user, a copy of the package that he can read. */
import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SandboxEvent, SandboxExit, SandboxOptions } from "../../src/sandbox/index.ts";
import type { Command } from "../../src/wire/index.ts";
import { root } from "../kit/paths.ts";

export const fixtures = join(root, "test/fixtures/sandbox");

/** A folder that every user can read, with the built package and the servers of the tests. */
export function openFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "open-"));
  cpSync(join(root, "dist"), join(path, "dist"), { recursive: true });
  cpSync(fixtures, join(path, "servers"), { recursive: true });
  cpSync(join(root, "test/sandbox/drive.mjs"), join(path, "drive.mjs"));
  writeFileSync(join(path, "package.json"), '{ "type": "module" }');
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Listeners of the machine that nothing in a sandbox may ever reach. */
export interface Tripwires {
  readonly port: number;
  readonly udpPort: number;
  readonly socket: string;
  readonly abstract: string;
  readonly file: string;
  readonly hits: readonly string[];
  close(): void;
}

export async function tripwires(): Promise<Tripwires> {
  const hits: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "trip-"));
  chmodSync(folder, 0o777);
  const open: Server[] = [];
  const listen = (name: string, where: object): Promise<Server> =>
    new Promise((done) => {
      const server = createServer((socket) => {
        hits.push(name);
        socket.destroy();
      });
      open.push(server);
      server.listen(where, () => done(server));
    });
  const first = await listen("tcp", { host: "127.0.0.1", port: 0 });
  const { port } = first.address() as { port: number };
  await listen("tcp6", { host: "::1", port });
  const socket = join(folder, "socket");
  await listen("unix", { path: socket });
  chmodSync(socket, 0o777);
  const abstract = `trip-${process.pid}-${port}`;
  await listen("abstract", { path: `\0${abstract}` });
  const udp = createSocket("udp4");
  udp.on("message", () => hits.push("udp"));
  await new Promise<void>((done) => udp.bind(0, "127.0.0.1", done));
  const file = join(folder, "secret.txt");
  writeFileSync(file, "of this machine", { mode: 0o644 });
  return {
    port,
    udpPort: udp.address().port,
    socket,
    abstract,
    file,
    hits,
    close() {
      for (const server of open) server.close();
      udp.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Driven {
  readonly uid: number;
  readonly results: readonly { readonly content?: readonly { readonly text: string }[] }[];
  readonly events: readonly SandboxEvent[];
  readonly exit: SandboxExit;
  readonly stderr: string;
}

/** As an ordinary user without any capability; only root can become one. */
const AS_NOBODY = [
  ...["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"],
  ...["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--"],
];

export async function drive(
  folder: string,
  who: "self" | "nobody",
  orders: {
    readonly command: Command;
    readonly options: SandboxOptions;
    readonly calls: readonly { readonly method: string; readonly params?: object }[];
  },
): Promise<Driven> {
  const file = join(folder, `orders-${who}.json`);
  writeFileSync(file, JSON.stringify(orders), { mode: 0o644 });
  const words = [process.execPath, join(folder, "drive.mjs"), join(folder, "dist"), file];
  const [program = "", ...args] = who === "nobody" ? [...AS_NOBODY, ...words] : words;
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env.PATH },
  });
  return JSON.parse(stdout) as Driven;
}

/** Who can be tried here: an ordinary user can only be himself. */
export const users: readonly ("self" | "nobody")[] = process.getuid?.() === 0 ? ["self", "nobody"] : ["self"];
