/** Text that speaks to the agent as somebody it obeys: overrides, roles, modes, impersonation, calls in free text. */
import type { Hit } from "./hit.ts";
import { instructions } from "./instructions.ts";
import type { Reading } from "./reading.ts";
import type { Place } from "./signals/seen.ts";

export function instructionMimicry(text: string | Reading, place: Place = { kind: "output" }): Hit[] {
  return instructions(text, place).filter(({ rule }) => rule === "SCAN-02");
}
