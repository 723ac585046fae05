/** Faults of `touchstone.yml` that only two of its parts together show: names of servers that are not there, what needs a root, and the like.
 *  Pure. Implements spec/gateway.md, GTW-1 and GTW-3. */
import type * as v from "valibot";
import { didYouMean, urlTold } from "../core/index.ts";
import { hasNoValue, type PolicyTable, serverKey, WANT_TOOLS } from "../policy/index.ts";
import type { GatewayFile } from "./config.ts";
import { mayBeOf } from "./names.ts";

export interface Fault {
  readonly message: string;
  readonly path: [v.IssuePathItem, ...v.IssuePathItem[]];
}

export const faultsAcross = (file: GatewayFile): readonly Fault[] => [
  ...strangers(file),
  ...withoutTools(file),
  ...withoutRoot(file),
  ...twins(file),
  ...toolsOfNobody(file),
];

const strangers = (file: GatewayFile): Fault[] =>
  serversNamed(file)
    .filter(({ server }) => !Object.hasOwn(file.servers, server))
    .map(({ server, keys }) => ({
      message: `there is no server "${server}" in this file${didYouMean(server, Object.keys(file.servers))}`,
      path: pathTo(file, keys),
    }));

/** In strict nothing may be read in two ways: it could mean all or none. */
const withoutTools = ({ policy, mcp_servers }: GatewayFile): Fault[] =>
  [...(mcp_servers as PolicyTable)]
    .filter(([, entry]) => policy === "strict" && hasNoValue(entry))
    .map(([each]) => ({
      message: `${WANT_TOOLS}; in strict, without this key, what was attested or locked is meant`,
      path: pathTo({ mcp_servers: { [each]: { allowed_tools: null } } }, [
        "mcp_servers",
        each,
        "allowed_tools",
      ]),
    }));

/** What somebody signs is worth nothing where nobody says who may. */
function withoutRoot(file: GatewayFile): Fault[] {
  if (file.root !== undefined) return [];
  return Object.entries(file.servers).flatMap(
    ([each, { statement, clearance, exemption, require: wanted }]) => {
      const [signed] = Object.entries({ statement, clearance, exemption }).find(([, named]) => named) ?? [];
      const keys = signed !== undefined ? [signed] : wanted?.clearance ? ["require", "clearance"] : [];
      if (keys.length === 0) return [];
      const message =
        "who may sign one? name a trust root at the top of the file, root: FILE (touchstone attest root init makes one)";
      return [{ message, path: pathTo(file, ["servers", each, ...keys]) }];
    },
  );
}

function twins({ servers, mcp_servers }: GatewayFile): Fault[] {
  const table = mcp_servers as PolicyTable;
  return Object.entries(servers).flatMap(([each, { url }]) => {
    const key = url === undefined ? undefined : serverKey(url);
    if (key === undefined || !table.has(key) || !table.has(each)) return [];
    const path = pathTo({ mcp_servers: Object.fromEntries(table) }, ["mcp_servers", each], "key");
    return [{ message: `this is the same server as "${urlTold(key)}"`, path }];
  });
}

const toolsOfNobody = (file: GatewayFile): Fault[] =>
  Object.entries(file.tokens).flatMap(([who, { servers, tools = [] }]) =>
    [...tools.entries()]
      .filter(([, tool]) => !(servers ?? Object.keys(file.servers)).some((each) => mayBeOf(tool, each)))
      .map(([at, tool]) => ({
        message: `"${tool}" is no tool of a server ${servers ? "that this token opens" : "in this file"}: want SERVER__TOOL`,
        path: pathTo(file, ["tokens", who, "tools", at]),
      })),
  );

type Keys = readonly [string, ...(string | number)[]];

/** Where the file names servers of its own. */
function serversNamed(file: GatewayFile): { readonly server: string; readonly keys: Keys }[] {
  const flows = file.security.trust_boundary?.allowed_flows ?? [];
  return [
    ...flows.flatMap(({ from, to }, at) =>
      Object.entries({ from, to }).map(([end, each]) => ({
        server: each,
        keys: ["security", "trust_boundary", "allowed_flows", at, end] as const,
      })),
    ),
    ...Object.entries(file.tokens).flatMap(([who, { servers = [] }]) =>
      servers.map((each, at) => ({ server: each, keys: ["tokens", who, "servers", at] as const })),
    ),
    ...file.limits.calls.flatMap(({ server: each }, at) =>
      each === undefined ? [] : [{ server: each, keys: ["limits", "calls", at, "server"] as const }],
    ),
  ];
}

/** A path as valibot has it. */
function pathTo(
  root: unknown,
  keys: Keys,
  about: "key" | "value" = "value",
): [v.IssuePathItem, ...v.IssuePathItem[]] {
  let input = root;
  return keys.map((key) => {
    const value = (input as never)[key] as unknown;
    const item = { type: typeof key === "number" ? "array" : "object", origin: about, input, key, value };
    input = value;
    return item as v.IssuePathItem;
  }) as [v.IssuePathItem, ...v.IssuePathItem[]];
}
