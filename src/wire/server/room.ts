/** How many connections a server takes. Each is a descriptor, and whoever has none left cannot write its log or start a server either.
 *  Implements spec/wire.md, WIR-41. */
import { readFileSync } from "node:fs";

const MOST = 10_000;

/** Half of the descriptors of this process; `limits` is what the system says of them. */
export function mostConnections(limits: string = limitsOfThis()): number {
  const [, all] = /^Max open files +(\d+) /m.exec(limits) ?? [];
  return all === undefined ? MOST : Math.min(MOST, Math.floor(Number(all) / 2));
}

/** Not every system says it. */
function limitsOfThis(): string {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return "";
  }
}
