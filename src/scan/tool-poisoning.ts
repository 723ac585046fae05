/** Text that steers the agent beyond its own tool: secrecy, secrets, side channels, order and priority, other tools,
 *  false reasons. */
import type { Hit } from "./hit.ts";
import { instructions } from "./instructions.ts";
import type { Reading } from "./reading.ts";
import type { Place } from "./signals/seen.ts";

export function toolPoisoning(text: string | Reading, place: Place = { kind: "description" }): Hit[] {
  return instructions(text, place).filter(({ rule }) => rule === "SCAN-03");
}
