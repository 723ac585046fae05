/** `mcp_servers` as an operator writes it, read so that nothing in it can be misread. Implements spec/policy.md, POL-14 to POL-16. */
import * as v from "valibot";
import { shown } from "../core/index.ts";
import { LEVELS, readLevel, type TrustLevel } from "./levels.ts";
import type { McpServerPolicy, PolicyMode } from "./server.ts";
import { type PolicyTable, policyTable } from "./table.ts";

const level = v.pipe(
  v.custom<string>((word) => readLevel(word) !== undefined, `want one of ${LEVELS.join(", ").toLowerCase()}`),
  v.transform((word): TrustLevel => readLevel(word) as TrustLevel),
);
const tool = v.pipe(v.string("want the exact name of a tool"), v.minLength(1, "a tool has a name"));

/** What is said where a list has no value, or is none. In `spec`, where the document types it as a list or null, no value means any. */
export const WANT_TOOLS = "want a list of names; [] allows none";

/** Unknown keys, quoted booleans, a text for a list, and an empty value are refused where they stand. */
const serverPolicySchema = v.pipe(
  v.strictObject(
    {
      server_trust: v.optional(level),
      resource_trust: v.optional(level),
      verified: v.optional(v.boolean("want true or false, without quotes")),
      allowed_tools: v.nullish(v.array(tool, WANT_TOOLS)),
      label: v.nullish(v.pipe(v.string("want text"), v.maxLength(200, "want at most 200 characters"))),
    },
    "want a map with server_trust, resource_trust, verified, allowed_tools or label",
  ),
  v.transform(({ server_trust, resource_trust, verified, allowed_tools, label }): McpServerPolicy => {
    const policy: McpServerPolicy = {
      serverTrust: server_trust ?? "NONE",
      resourceTrust: resource_trust ?? "NONE",
      verified: verified ?? false,
      allowedTools: allowed_tools ?? null,
      label: label ?? null,
    };
    if (allowed_tools === null) withoutValue.add(policy);
    return policy;
  }),
);

const withoutValue = new WeakSet<McpServerPolicy>();
/** Its `allowed_tools` stands there without a value. */
export const hasNoValue = (policy: McpServerPolicy): boolean => withoutValue.has(policy);

/** The entries of all servers, by the one form of their keys. */
export const mcpServersSchema = v.pipe(
  v.record(v.string(), serverPolicySchema, "want a map of servers, by URL or name"),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): PolicyTable => {
    const table = policyTable(Object.entries(value));
    if (!("entry" in table)) return table;
    const { entry, message } = table;
    const place = { type: "object", origin: "key", input: value, key: entry, value: value[entry] } as const;
    addIssue({ message, path: [place] });
    return NEVER;
  }),
);

/** What is allowed and should not be. `isVerified`: what an admission comes to, where it is known. */
export function warningsFor(
  entry: string,
  policy: McpServerPolicy,
  mode: PolicyMode = "strict",
  isVerified = true,
): string[] {
  const warnings: string[] = [];
  if (mode === "spec" && policy.verified)
    warnings.push(`${entry}: verified counts by the word alone: with policy spec no evidence is asked for`);
  for (const tool of policy.allowedTools ?? [])
    if (/[*?]/.test(tool))
      warnings.push(
        `${entry}: allowed_tools names ${shown(JSON.stringify(tool), 80)}: names are exact, and no letter of them stands for others`,
      );
  if (hasNoValue(policy)) warnings.push(`${entry}: allowed_tools has no value: any tool is meant`);
  // In strict an admission decides, whatever the word says.
  const isBelieved = mode === "strict" || policy.verified;
  if (policy.resourceTrust !== "NONE" && isBelieved && (mode === "spec" || isVerified))
    warnings.push(
      `${entry}: resource_trust ${policy.resourceTrust.toLowerCase()}: what a server reads from elsewhere is believed`,
    );
  if (policy.resourceTrust !== "NONE" && mode === "strict" && !isVerified)
    warnings.push(
      `${entry}: resource_trust ${policy.resourceTrust.toLowerCase()} has no effect: the server is not admitted; once it is, what it reads from elsewhere is believed`,
    );
  for (const [key, level] of [
    ["server_trust", policy.serverTrust],
    ["resource_trust", policy.resourceTrust],
  ] as const)
    if (level !== "NONE" && !isBelieved)
      warnings.push(`${entry}: ${key} ${level.toLowerCase()} has no effect: the server is not verified`);
  if (isBelieved && !["NONE", "TOOL"].includes(policy.serverTrust))
    warnings.push(
      `${entry}: server_trust ${policy.serverTrust.toLowerCase()}: its answers may instruct the agent; in strict it is taken as tool`,
    );
  return warnings;
}
