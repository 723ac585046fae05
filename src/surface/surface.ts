/** What a server advertises to one kind of client. Every member of it is a parsed copy of what was sent, nothing dropped. */
import { type Claims, type Era, isRecord } from "../wire/index.ts";

/** How much a client says it can do; servers show different lists to different clients. */
export type ClaimSet = "none" | "everything";

export interface Surface {
  readonly era: Era;
  /** The version the server answered with; foreign text. */
  readonly protocolVersion: string;
  readonly claims: ClaimSet;
  /** What the server says of itself, whatever it is; undefined where it said nothing. */
  readonly info: unknown;
  readonly capabilities: unknown;
  readonly instructions: unknown;
  /** Items of whatever kind the server sent, in its order, of all pages. */
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

export const LIST_NAMES = ["tools", "resources", "resourceTemplates", "prompts"] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** All a client can claim by the specifications of both eras, with the extensions that show further tools. What a server
 *  asks because of it is refused, request by request. */
const EVERYTHING: Claims = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
  extensions: {
    "io.modelcontextprotocol/tasks": {},
    "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] },
  },
};

export function claimsOf(set: ClaimSet): Claims {
  return set === "none" ? {} : EVERYTHING;
}

/** The member that tells the items of a list apart, and what one item is called. */
const LISTS: Readonly<Record<ListName, { readonly key: string; readonly word: string }>> = {
  tools: { key: "name", word: "tool" },
  resources: { key: "uri", word: "resource" },
  resourceTemplates: { key: "uriTemplate", word: "resource template" },
  prompts: { key: "name", word: "prompt" },
};

/** The name of a tool or prompt, the address of a resource; undefined for what has none. */
export function identityOf(list: ListName, item: unknown): string | undefined {
  const key = isRecord(item) ? item[LISTS[list].key] : undefined;
  return typeof key === "string" ? key : undefined;
}

export const wordFor = (list: ListName): string => LISTS[list].word;
