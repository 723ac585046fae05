/** The gateway's file of a wrapped client: written once, and later changed only where servers come or go. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Document } from "yaml";
import { shown, TrustError } from "../../core/index.ts";
import { CONFIG_FILE } from "../../target/index.ts";
import type { Located } from "./locate.ts";
import type { WrittenServer } from "./plan.ts";

export interface Behind {
  readonly as: string;
  readonly server: WrittenServer;
  readonly era: "legacy" | "modern";
  /** Those that were seen, and that the client let through. */
  readonly tools: readonly string[];
}

/** The file as it stands; undefined where there is none. */
export async function readGatewayText(folder: string): Promise<string | undefined> {
  const file = join(folder, CONFIG_FILE);
  return readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new TrustError("WRP_UNUSABLE", `${file}: ${cause.message}`, { cause });
  });
}

/** Whatever else its owner has written there stays: `servers` get what comes and lose what goes, and `mcp_servers` get a list of
 *  tools for each that has none. */
export async function gatewayText(
  before: string | undefined,
  coming: readonly Behind[],
  going: readonly string[],
  { client, file, folder }: Pick<Located, "client" | "file" | "folder">,
): Promise<string> {
  const yaml = await import("yaml");
  const document: Document = before === undefined ? new yaml.Document(DEFAULTS) : yaml.parseDocument(before);
  if (before === undefined) document.commentBefore = about(client.label, file, folder);
  for (const as of going) for (const group of ["servers", "mcp_servers"]) document.deleteIn([group, as]);
  for (const { as, server, era, tools } of coming) {
    document.setIn(["servers", as], document.createNode({ ...server, era, locked: true, ungraded: true }));
    if (!document.hasIn(["mcp_servers", as]))
      document.setIn(
        ["mcp_servers", as],
        document.createNode({ server_trust: "none", allowed_tools: tools }),
      );
  }
  // Quotes leave no doubt that a text is one.
  return document.toString({ lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
}

/** Only what changes is stopped, and what goes from one server to another is asked about. */
const DEFAULTS = {
  servers: {},
  mcp_servers: {},
  modes: { admission: "enforce", drift: "enforce", trigger: "warn", flow: "ask" },
  // As long as clients wait for a call.
  limits: { timeout_ms: 300_000 },
  // A client starts one gateway a window.
  audit: { writers: "many" },
};

const about = (label: string, file: string, folder: string): string =>
  [
    `Written by touchstone wrap: the gateway of ${label} runs from this file.`,
    `Config: ${shown(file)}`,
    "It holds what that config held of these servers, secrets included: keep it to yourself.",
    `A server that changed on purpose: touchstone lock --accept NAME --config ${shown(join(folder, CONFIG_FILE))}`,
  ]
    .map((line) => ` ${line}`)
    .join("\n");
