/** What a message of a server needs the client to have claimed. Implements spec/claims.md, CLM-13 to CLM-16. */
import { capabilityPaths } from "./capabilities.ts";
import { isObject, type JsonObject, member } from "./json.ts";
import { MISSING_CAPABILITY } from "./version.ts";

export interface Use {
  readonly path: string;
  /** The protocol says SHOULD: an older server may not know of the capability. */
  readonly isAdvice?: true;
}

const TASKS = "extensions.io.modelcontextprotocol/tasks";
const URL_ELICITATION_REQUIRED = -32042;
const MAX_MODE_CHARS = 40;

/** Uses of a request that a server sends, by itself or inside an `input_required` result. */
export function usesOfRequest(method: unknown, params: unknown): Use[] {
  const isTask = isObject(member(params, "task"));
  switch (method) {
    case "roots/list":
      return [{ path: "roots" }];
    case "elicitation/create":
      return [
        { path: `elicitation.${modeOf(params)}` },
        ...(isTask ? [{ path: "tasks.requests.elicitation.create" }] : []),
      ];
    case "sampling/createMessage":
      return [
        { path: "sampling" },
        ...(hasTools(params) ? [{ path: "sampling.tools" }] : []),
        ...(hasContext(params) ? [{ path: "sampling.context", isAdvice: true } as const] : []),
        ...(isTask ? [{ path: "tasks.requests.sampling.createMessage" }] : []),
      ];
    case "tasks/list":
      return [{ path: "tasks.list" }];
    case "tasks/cancel":
      return [{ path: "tasks.cancel" }];
    case "tasks/get":
    case "tasks/result":
      return [{ path: "tasks" }];
    default:
      return [];
  }
}

/** Uses of an answer: the input it asks for, a task in place of a result, a page the user is sent to. */
export function usesOfAnswer(answer: JsonObject): Use[] {
  if (member(answer.error, "code") === URL_ELICITATION_REQUIRED) return [{ path: "elicitation.url" }];
  const kind = member(answer.result, "resultType");
  if (kind === "task") return [{ path: TASKS }];
  // A task that waits for input says so in its status.
  const isAsking = kind === "input_required" || member(answer.result, "status") === "input_required";
  const asked = member(answer.result, "inputRequests");
  if (!isAsking || !isObject(asked)) return [];
  return Object.values(asked).flatMap((entry) =>
    usesOfRequest(member(entry, "method"), member(entry, "params")),
  );
}

/** What an error asks the client to claim from now on. */
export function askedFor(answer: JsonObject): string[] {
  if (member(answer.error, "code") !== MISSING_CAPABILITY) return [];
  return [...capabilityPaths(member(member(answer.error, "data"), "requiredCapabilities"))];
}

function modeOf(params: unknown): string {
  const mode = member(params, "mode");
  return typeof mode === "string" ? mode.slice(0, MAX_MODE_CHARS) : "form";
}

function hasTools(params: unknown): boolean {
  return ["tools", "toolChoice"].some((key) => (member(params, key) ?? null) !== null);
}

function hasContext(params: unknown): boolean {
  const context = member(params, "includeContext");
  return typeof context === "string" && context !== "none";
}
