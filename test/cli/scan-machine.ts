/** A machine of its own for scan: a home, a project folder, and the configs of clients in their places. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, temporaryFolder } from "../kit/paths.ts";
import { type Run, touchstone } from "../kit/program.ts";

export const examples = join(root, "examples/servers");
const fixtures = join(root, "test/fixtures/clients-scan");

/** Where each fixture belongs. */
const PLACES = {
  "claude-desktop.json": "home/.config/Claude/claude_desktop_config.json",
  "claude-code-user.json": "home/.claude.json",
  "claude-code-project.json": "shop/.mcp.json",
  "cursor.json": "home/.cursor/mcp.json",
  "vscode.json": "home/.config/Code/User/mcp.json",
  "codex.toml": "home/.codex/config.toml",
  "windsurf.json": "home/.codeium/windsurf/mcp_config.json",
  "gemini.json": "shop/.gemini/settings.json",
} as const;

export interface TestMachine extends Disposable {
  readonly folder: string;
  write(path: string, text: string): void;
  scan(args?: readonly string[], env?: Record<string, string>): Promise<Run>;
}

export function machine(): TestMachine {
  const temporary = temporaryFolder();
  const folder = temporary.path;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const place of ["home", "shop"]) mkdirSync(join(folder, place));
  return {
    folder,
    write,
    scan: (args = [], env = {}) =>
      touchstone(["scan", ...args], { cwd: join(folder, "shop"), env: { ...environment(folder), ...env } }),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

/** Nothing of the machine the tests run on is looked at. */
export const environment = (folder: string): Record<string, string> => ({
  HOME: join(folder, "home"),
  XDG_CONFIG_HOME: "",
  XDG_CACHE_HOME: "",
  CODEX_HOME: "",
  CLAUDE_CONFIG_DIR: "",
});

/** All fixtures in their places; `{node}` and `{examples}` filled in. */
export function fullMachine(): TestMachine {
  const made = machine();
  for (const [fixture, place] of Object.entries(PLACES))
    made.write(
      place,
      readFileSync(join(fixtures, fixture), "utf8")
        .replaceAll("{node}", process.execPath)
        .replaceAll("{examples}", examples),
    );
  return made;
}

/** Every planted secret of the fixtures. */
export const PLANTED = Object.keys(PLACES).flatMap((fixture) =>
  [...readFileSync(join(fixtures, fixture), "utf8").matchAll(/canary-[a-z0-9-]+/g)].map(([value]) => value),
);

/** A config of Cursor with these servers. */
export const cursorConfig = (servers: object): string => JSON.stringify({ mcpServers: servers }, null, 2);

/** A program that answers each request with what the expression makes of message `m`; undefined means silence. */
export const serverOf = (expression: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [
    "-e",
    `let h = ""; process.stdin.on("data", (d) => { h += d; for (let e; (e = h.indexOf("\\n")) >= 0; h = h.slice(e + 1)) {
    const m = JSON.parse(h.slice(0, e)); if (m.id === undefined) continue;
    const face = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } };
    const a = m.method === "initialize" ? { result: face } : (${expression});
    if (a !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: m.id, ...a }) + "\\n"); } });`,
  ],
});

/** A server with these tools and nothing else. */
export const toolServer = (...tools: readonly object[]): { command: string; args: string[] } =>
  serverOf(
    `m.method === "tools/list" ? { result: { tools: ${JSON.stringify(tools)} } } : { error: { code: -32601, message: "no" } }`,
  );
