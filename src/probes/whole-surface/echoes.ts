/** Resources as they are listed after calls, without what this run has sent itself: a notebook lists notes by their names. */
import { withoutReflections } from "../../scan/index.ts";
import type { Surface } from "../../surface/index.ts";
import type { Run } from "../run/model.ts";

/** Tools and prompts keep their texts: whoever writes those from arguments speaks to the agent. */
export function withoutEchoes(run: Run): (surface: Surface) => Surface {
  const sent = run.exchanges.flatMap((exchange) => exchange.sent);
  const clean = (text: string): string => {
    const plain = decoded(text);
    const lower = plain.toLowerCase();
    const echoed = sent.filter(({ marker }) => lower.includes(marker.toLowerCase()));
    return echoed.length === 0 ? text : withoutReflections(plain, echoed);
  };
  const cleaned = (value: unknown): unknown => {
    if (typeof value === "string") return clean(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(cleaned);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item)]));
  };
  return (surface) => ({ ...surface, resources: surface.resources.map(cleaned) });
}

/** As it was before it became a part of an address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
