/** The clients whose config files are read: where the files are, how they are written, what they call things. */
import { resolve } from "node:path";

/** What a client puts in place of variables, and how it writes them. */
export type VariableStyle =
  /** Taken as written. */
  | "none"
  /** `${NAME}`, `${NAME:-default}`. */
  | "braces"
  /** `${env:NAME}`, `${workspaceFolder}`, `${userHome}`; `${input:id}` and others have no value here. */
  | "editor"
  /** `$NAME`, `${NAME}`. */
  | "shell"
  /** `{env:NAME}`; `{file:path}` has no value here. */
  | "curly";

export type Platform = "linux" | "darwin" | "win32";
export type Format = "jsonc" | "toml";

export interface Client {
  readonly id: string;
  readonly label: string;
  readonly format: Format;
  /** The key that holds the servers by name. */
  readonly root: string;
  readonly variables: VariableStyle;
  /** Files of the user; `{home}`, `{config}` and the like stand for folders. */
  readonly user: Readonly<Record<Platform, readonly string[]>>;
  /** Files of a project, from its folder. */
  readonly project: readonly string[];
  /** Keys that hold the address of a remote server, and which transport each means. */
  readonly urls: Readonly<Record<string, "http" | "sse" | "auto">>;
}

const everywhere = (...files: readonly string[]): Client["user"] => ({
  linux: files,
  darwin: files,
  win32: files,
});

const LIBRARY = "{home}/Library/Application Support";

export const CLIENTS = [
  {
    id: "claude-desktop",
    label: "Claude Desktop",
    format: "jsonc",
    root: "mcpServers",
    variables: "none",
    user: {
      linux: ["{config}/Claude/claude_desktop_config.json"],
      darwin: [`${LIBRARY}/Claude/claude_desktop_config.json`],
      win32: ["{appdata}/Claude/claude_desktop_config.json"],
    },
    project: [],
    urls: { url: "auto" },
  },
  {
    id: "claude-code",
    label: "Claude Code",
    format: "jsonc",
    root: "mcpServers",
    variables: "braces",
    user: everywhere("{claude}/.claude.json"),
    project: [".mcp.json"],
    urls: { url: "auto" },
  },
  {
    id: "cursor",
    label: "Cursor",
    format: "jsonc",
    root: "mcpServers",
    variables: "editor",
    user: everywhere("{home}/.cursor/mcp.json"),
    project: [".cursor/mcp.json"],
    urls: { url: "auto" },
  },
  {
    id: "vscode",
    label: "VS Code",
    format: "jsonc",
    root: "servers",
    variables: "editor",
    user: {
      linux: ["{config}/Code/User/mcp.json"],
      darwin: [`${LIBRARY}/Code/User/mcp.json`],
      win32: ["{appdata}/Code/User/mcp.json"],
    },
    project: [".vscode/mcp.json"],
    urls: { url: "auto" },
  },
  {
    id: "codex",
    label: "Codex",
    format: "toml",
    root: "mcp_servers",
    variables: "none",
    user: everywhere("{codex}/config.toml"),
    project: [".codex/config.toml"],
    urls: { url: "http" },
  },
  {
    id: "gemini",
    label: "Gemini CLI",
    format: "jsonc",
    root: "mcpServers",
    variables: "shell",
    user: everywhere("{home}/.gemini/settings.json"),
    project: [".gemini/settings.json"],
    urls: { httpUrl: "http", url: "sse" },
  },
  {
    id: "windsurf",
    label: "Windsurf",
    format: "jsonc",
    root: "mcpServers",
    variables: "editor",
    user: everywhere("{home}/.codeium/windsurf/mcp_config.json"),
    project: [],
    urls: { serverUrl: "auto", url: "auto" },
  },
  {
    id: "opencode",
    label: "opencode",
    format: "jsonc",
    root: "mcp",
    variables: "curly",
    user: everywhere("{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"),
    project: ["opencode.json", "opencode.jsonc"],
    urls: { url: "auto" },
  },
] as const satisfies readonly Client[];

export type ClientId = (typeof CLIENTS)[number]["id"];

export const CLIENT_IDS: readonly ClientId[] = CLIENTS.map(({ id }) => id);

export function isClientId(text: string): text is ClientId {
  return (CLIENT_IDS as readonly string[]).includes(text);
}

export function clientById(id: ClientId): Client {
  const [found = CLIENTS[0]] = CLIENTS.filter((client) => client.id === id);
  return found;
}

/** Where to look: everything that differs between machines, so that a test can build one of its own. */
export interface Machine {
  readonly platform: Platform;
  readonly home: string;
  /** The project: the folder the operator stands in. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ConfigPlace {
  readonly client: ClientId;
  readonly level: "user" | "project";
  readonly file: string;
}

/** Every file that may hold servers, whether it is there or not. In the home folder a file is the user's, not a project's. */
export function configPlaces(machine: Machine): ConfigPlace[] {
  return CLIENTS.flatMap((client: Client & { id: ClientId }) => {
    const user = client.user[machine.platform].map((file) => resolve(expandFolder(file, machine)));
    const project = client.project.map((file) => resolve(machine.folder, file));
    return [
      ...user.map((file) => place(client.id, "user", file)),
      ...project.filter((file) => !user.includes(file)).map((file) => place(client.id, "project", file)),
    ];
  });
}

const place = (client: ClientId, level: ConfigPlace["level"], file: string): ConfigPlace => ({
  client,
  level,
  file,
});

function expandFolder(file: string, { home, environment }: Machine): string {
  const folders: Readonly<Record<string, string>> = {
    home,
    config: environment.XDG_CONFIG_HOME || `${home}/.config`,
    appdata: environment.APPDATA || `${home}/AppData/Roaming`,
    codex: environment.CODEX_HOME || `${home}/.codex`,
    claude: environment.CLAUDE_CONFIG_DIR || home,
  };
  return file.replace(/\{(\w+)\}/g, (_, name: string) => folders[name] ?? "");
}
