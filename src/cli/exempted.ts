/** An exemption in words, wherever one is shown. */
import type { Waiver } from "../policy/index.ts";

export function exemptionLines(
  { waived, lacks, reason, signers, expires }: Waiver,
  text: (value: unknown) => string,
): string[] {
  return [
    `let in by an exemption until ${text(expires)}, signed by ${text(signers.join(", "))}`,
    `  waived: ${text(waived.join(", "))}, which it lacks: ${text(lacks)}`,
    `  reason: ${text(reason)}`,
  ];
}
