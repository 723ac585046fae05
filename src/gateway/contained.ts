/** A server in its sandbox, and what the operator is told of it there. Implements spec/gateway.md, GTW-99. */
import { shown, TrustError } from "../core/index.ts";
import { placeOf, requireSandbox, type SandboxEvent, sandboxLauncher } from "../sandbox/index.ts";
import { offlineLaunch, type Target } from "../target/index.ts";
import type { GatewayServer } from "./gateway.ts";

/** The server chooses what it tries. */
const MAX_TOLD = 16;

export async function contained(
  name: string,
  target: Target,
  onProgress: (text: string) => void = () => {},
): Promise<Pick<GatewayServer, "target" | "launcher">> {
  if (target.launch.kind !== "stdio") return { target };
  const offline = await offlineLaunch(target.launch, { onProgress });
  if ("reason" in offline)
    throw new TrustError("SBX_UNAVAILABLE", `${target.label}: ${offline.reason}`, {
      hint: "name the program itself under command, or leave sandbox: true out",
    });
  return {
    target: { ...target, launch: offline.launch },
    launcher: sandboxLauncher(requireSandbox(), { onEvent: telling(name, onProgress) }),
  };
}

/** Each once, over all of its starts: a server that fails for it says something else, and it is started again and again. */
export function telling(name: string, tell: (text: string) => void): (event: SandboxEvent) => void {
  const told = new Set<string>();
  return (event) => {
    const text = wordsFor(event);
    if (text === undefined || told.has(text) || told.size > MAX_TOLD) return;
    told.add(text);
    tell(`${name}: ${told.size > MAX_TOLD ? "in its sandbox it tried more than is told" : text}`);
  };
}

/** What it was kept from, or ended for; what it does within is its own matter. */
function wordsFor(event: SandboxEvent): string | undefined {
  if (event.kind === "gap") return `in its sandbox: ${shown(event.reason, 300)}`;
  if (event.kind === "limit") return `ended in its sandbox: ${event.limit}: ${shown(event.reason, 300)}`;
  if (event.kind !== "egress" || event.verdict === "loopback") return undefined;
  return `it tried to reach ${shown(placeOf(event), 120)}, and in its sandbox nothing is reached`;
}
