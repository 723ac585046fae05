/** The gateway of the demo, as `touchstone gateway` starts it, and an agent in front of it that speaks to it over HTTP. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { KEY_FILE } from "../../audit/index.ts";
import { asText, TrustError } from "../../core/index.ts";
import { assemble, LABEL_KEY } from "../../gateway/index.ts";
import {
  connect,
  describe,
  isRecord,
  list,
  type Outcome,
  type Session,
  serveHttp,
} from "../../wire/index.ts";
import { commandOf, NAMES } from "./cast.ts";
import { evidenceOf } from "./grade.ts";
import { ROOT_FILE, STATEMENT_FILE } from "./sign.ts";

export const GATEWAY_FILE = "touchstone.yml";
export const AUDIT_FOLDER = "audit";
/** Who asks; it stands in the log. */
const AGENT = { name: "demo-agent", version: "1.0.0" } as const;
const CHANGE = "notifications/tools/list_changed";
const MOST_MS = 10_000;

/** How a call ended, for who made it. */
export interface Called {
  readonly tool: string;
  /** The gateway did not let it through. */
  readonly isDenied: boolean;
  /** It has come to nothing, whoever says so. */
  readonly isError: boolean;
  /** What came back. */
  readonly text: string;
  readonly decision: string;
  readonly rule: string;
  readonly reason: string;
}

export interface Agent {
  /** The names of all tools that it sees. */
  tools(): Promise<readonly string[]>;
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Called>;
  /** Whether it hears, from now on and within a time, that the list of tools is another one. */
  nextChange(): Promise<boolean>;
}

/** How a server stands behind the gateway. */
export interface Standing {
  readonly status: string;
  readonly grade: string | null;
  readonly reason: string;
}

export interface Gate {
  readonly agent: Agent;
  readonly url: string;
  /** The file that it was started from. */
  readonly file: string;
  /** The key of its log as it was at the start: whoever changes the folder does not change this. */
  readonly logKey: string;
  standing(server: string): Standing;
  /** What a server says of a tool now, also where the agent does not hear it. */
  description(server: string, tool: string): string;
  /** Ends agent, servers and log. */
  close(): Promise<void>;
}

export async function openGate(folder: string, isSandboxed: boolean, version: string): Promise<Gate> {
  const path = join(folder, GATEWAY_FILE);
  const file = gatewayFile(folder, isSandboxed);
  writeFileSync(path, file, { mode: 0o600 });
  const assembled = await assemble(path, { version });
  const closing: (() => Promise<unknown>)[] = [() => assembled.close()];
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const { gateway } = assembled;
    await gateway.start();
    const server = await serveHttp(gateway.definition());
    closing.push(() => server.close());
    gateway.onAnnounce((method) => server.announce(method));
    const heard = listener();
    const session = await connect(
      { kind: "http", url: server.url },
      { clientInfo: AGENT, onNotification: ({ method }) => heard.tell(method) },
    );
    closing.push(() => session.close());
    if (!session.isOpen)
      throw new TrustError("WIRE_UNREACHABLE", `the gateway does not answer: ${describe(session.opening)}`);
    return {
      agent: agentOf(session, heard.next),
      url: server.url.href,
      file,
      logKey: readFileSync(join(folder, AUDIT_FOLDER, KEY_FILE), "utf8"),
      standing: (name) => {
        const admission = gateway.servers.get(name)?.standing.admission;
        return {
          status: admission?.status ?? "unknown",
          grade: admission?.status === "admitted" ? admission.grade : null,
          reason: admission?.status === "refused" ? admission.reason : "",
        };
      },
      description: (name, tool) => {
        const tools = gateway.servers.get(name)?.upstream.lists.tools ?? [];
        const found = tools.find((item) => isRecord(item) && item.name === tool);
        return isRecord(found) ? asText(found.description) : "";
      },
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Relative to itself, as an operator would write it. */
function gatewayFile(folder: string, isSandboxed: boolean): string {
  const servers = NAMES.map((name) => {
    const [command, script] = commandOf(name);
    const statement = join(evidenceOf(folder, name), STATEMENT_FILE).slice(folder.length + 1);
    const entry = { command, args: [script], statement, require: { grade: "B" }, sandbox: isSandboxed };
    return [name, entry] as const;
  });
  return stringify({
    root: ROOT_FILE,
    servers: Object.fromEntries(servers),
    mcp_servers: { board: { allowed_tools: ["list_posts", "search_posts", "post"] } },
    modes: { flow: "strict" },
    audit: { folder: AUDIT_FOLDER },
  });
}

/** Whoever waits hears of the next change, or is told that none came. */
function listener(): { tell(method: string): void; next(): Promise<boolean> } {
  const waiting = new Set<() => void>();
  return {
    tell(method) {
      if (method === CHANGE) for (const told of waiting) told();
    },
    next: () =>
      new Promise((done) => {
        const end = (isHeard: boolean): void => {
          clearTimeout(timer);
          waiting.delete(told);
          done(isHeard);
        };
        const told = (): void => end(true);
        const timer = setTimeout(() => end(false), MOST_MS);
        waiting.add(told);
      }),
  };
}

const agentOf = (session: Session, nextChange: () => Promise<boolean>): Agent => ({
  nextChange,
  async tools() {
    const { items, end } = await list(session, "tools/list");
    // What is not in a list that broke off may be there all the same.
    if (end !== "complete") throw new TrustError("WIRE_NO_MCP", `the list of tools broke off: ${end}`);
    return items.map((item) => (isRecord(item) ? String(item.name) : "")).sort();
  },
  call: async (tool, args) =>
    calledOf(tool, await session.request("tools/call", { name: tool, arguments: args })),
});

export function calledOf(tool: string, outcome: Outcome): Called {
  const nothing = { tool, isDenied: false, isError: true, decision: "", rule: "", reason: "" };
  if (outcome.kind !== "result" || !isRecord(outcome.result)) return { ...nothing, text: describe(outcome) };
  const { content, isError, _meta } = outcome.result;
  const meta = isRecord(_meta) ? _meta : {};
  const [block] = Array.isArray(content) ? content : [];
  const text = isRecord(block) && typeof block.text === "string" ? block.text : "";
  const [denied, label] = [meta["touchstone/decision"], meta[LABEL_KEY]];
  if (isRecord(denied))
    return {
      tool,
      isDenied: true,
      isError: true,
      text,
      decision: String(denied.id),
      rule: String(denied.rule),
      reason: String(denied.reason),
    };
  return {
    ...nothing,
    isError: isError === true,
    text,
    decision: isRecord(label) ? String(label.decision) : "",
  };
}
