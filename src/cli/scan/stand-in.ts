/** Until the scanners are there. */
import type { Finding } from "../../core/index.ts";
export function scanSurface(
  _s: unknown,
  _c: { label: string; foreignTools?: ReadonlySet<string> },
): Finding[] {
  return [];
}
