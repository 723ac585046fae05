/** `mcp_servers` as an operator writes it, read so that nothing in it can be misread. Implements spec/policy.md, POL-14 to POL-16. */
import * as v from "valibot";
import { LEVELS, readLevel, type TrustLevel } from "./levels.ts";
import type { McpServerPolicy, PolicyMode } from "./server.ts";
import { type PolicyTable, policyTable } from "./table.ts";

const level = v.pipe(
  v.custom<string>((word) => readLevel(word) !== undefined, `want one of ${LEVELS.join(", ").toLowerCase()}`),
  v.transform((word): TrustLevel => readLevel(word) as TrustLevel),
);
const tool = v.pipe(v.string("want the exact name of a tool"), v.minLength(1, "a tool has a name"));

/** Unknown keys, quoted booleans, a text for a list, and an empty value are refused where they stand. */
const serverPolicySchema = v.pipe(
  v.strictObject({
    server_trust: v.optional(level),
    resource_trust: v.optional(level),
    verified: v.optional(v.boolean("want true or false, without quotes")),
    allowed_tools: v.optional(
      v.array(tool, "want a list of names; [] allows none, and without this key any is meant"),
    ),
    label: v.optional(v.pipe(v.string(), v.maxLength(200, "want at most 200 characters"))),
  }),
  v.transform(
    ({ server_trust, resource_trust, verified, allowed_tools, label }): McpServerPolicy => ({
      serverTrust: server_trust ?? "NONE",
      resourceTrust: resource_trust ?? "NONE",
      verified: verified ?? false,
      allowedTools: allowed_tools ?? null,
      label: label ?? null,
    }),
  ),
);

/** The entries of all servers, by the one form of their keys. */
export const mcpServersSchema = v.pipe(
  v.record(v.string(), serverPolicySchema),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): PolicyTable => {
    const table = policyTable(Object.entries(value));
    if (!("entry" in table)) return table;
    const { entry, message } = table;
    const place = { type: "object", origin: "key", input: value, key: entry, value: value[entry] } as const;
    addIssue({ message, path: [place] });
    return NEVER;
  }),
);

/** What is allowed and should not be. */
export function warningsFor(entry: string, policy: McpServerPolicy, mode: PolicyMode = "strict"): string[] {
  const warnings: string[] = [];
  if (mode === "spec" && policy.verified)
    warnings.push(`${entry}: verified counts by the word alone: with policy spec no evidence is asked for`);
  if (policy.resourceTrust !== "NONE")
    warnings.push(
      `${entry}: resource_trust ${policy.resourceTrust.toLowerCase()}: what a server reads from elsewhere is believed`,
    );
  if (!policy.verified && policy.serverTrust !== "NONE")
    warnings.push(
      `${entry}: server_trust ${policy.serverTrust.toLowerCase()} has no effect: the server is not verified`,
    );
  if (policy.verified && !["NONE", "TOOL"].includes(policy.serverTrust))
    warnings.push(
      `${entry}: server_trust ${policy.serverTrust.toLowerCase()}: its answers may instruct the agent; in strict it is taken as tool`,
    );
  return warnings;
}
