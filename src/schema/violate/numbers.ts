/** Numbers beyond their bounds, and between the steps they may take. */
import { isMultipleOf } from "../decimal.ts";
import { operands } from "../generate/members.ts";
import { boundsOf } from "../generate/number.ts";
import { typesOf } from "../generate/types.ts";
import { own } from "../values.ts";
import type { Spot } from "./places.ts";
import type { Change } from "./violation.ts";

const SIDES = [
  { plain: "minimum", exclusive: "exclusiveMinimum", sign: -1, what: "below the minimum" },
  { plain: "maximum", exclusive: "exclusiveMaximum", sign: 1, what: "above the maximum" },
] as const;

export function* numberChanges({ path, parts, value }: Spot): Generator<Change> {
  const types = typesOf(parts);
  if (!types.includes("number") && !types.includes("integer")) return;
  const bounds = boundsOf(parts);
  const step = bounds.step ?? 1;
  for (const { plain, exclusive, sign, what } of SIDES) {
    const [end, isOpen] = sign < 0 ? [bounds.low, bounds.isLowOpen] : [bounds.high, bounds.isHighOpen];
    if (!Number.isFinite(end)) continue;
    // Far enough that a large bound does not swallow the difference.
    const beyond = end + sign * step * Math.max(1, Math.ceil((Math.abs(end) * 1e-6) / step));
    const keyword = parts.some(({ schema }) => own(schema, plain) === end) ? plain : exclusive;
    const values = (isOpen ? [end, beyond] : [beyond]).filter((one) => Number.isFinite(one));
    yield { keyword, path, what: isOpen ? `${what}, which is not allowed itself` : what, values };
  }
  const start = typeof value === "number" ? value : 0;
  for (const operand of operands(parts, "multipleOf")) {
    if (typeof operand !== "number" || !(operand > 0)) continue;
    const values = [start + 1, start + operand / 2, start + operand / 3].filter(
      (one) => Number.isFinite(one) && !isMultipleOf(one, operand),
    );
    if (values.length > 0) yield { keyword: "multipleOf", path, what: `no multiple of ${operand}`, values };
  }
}
