/** Recomputes a bundle from its recording, without the server. */
import type { RecordedEvent } from "../wire/index.ts";
import { type Bundle, bundleOf, bundleText, sha256 } from "./bundle.ts";

export type Regraded =
  | { readonly status: "same"; readonly bundle: Bundle }
  | { readonly status: "different"; readonly differences: readonly string[]; readonly bundle?: Bundle };

/** `events` are the lines of the recording; `damage` says what of it could not be read. */
export function regrade(
  bundleBytes: Buffer,
  recordingBytes: Buffer,
  events: readonly RecordedEvent[],
  damage: readonly string[],
): Regraded {
  const differences = damage.map((one) => `recording: ${one}`);
  let bundle: Bundle | undefined;
  try {
    bundle = bundleOf(events, sha256(recordingBytes));
  } catch (cause) {
    differences.push(`recording: ${(cause as Error).message}`);
    return { status: "different", differences };
  }
  const wanted = bundleText(bundle);
  const given = bundleBytes.toString("utf8");
  if (given !== wanted || !bundleBytes.equals(Buffer.from(wanted)))
    differences.push(...membersThatDiffer(given, bundle));
  return differences.length === 0 ? { status: "same", bundle } : { status: "different", differences, bundle };
}

function membersThatDiffer(given: string, bundle: Bundle): string[] {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    return ["bundle: not JSON"];
  }
  if (typeof value !== "object" || value === null) return ["bundle: not an object"];
  const names = new Set([...Object.keys(value), ...Object.keys(bundle)]);
  const differing = [...names].filter(
    (name) =>
      JSON.stringify((value as Record<string, unknown>)[name]) !==
      JSON.stringify((bundle as Record<string, unknown>)[name]),
  );
  return differing.length === 0
    ? ["bundle: the same members, other bytes"]
    : differing.map((name) => `bundle: ${name} is not what the recording gives`);
}
