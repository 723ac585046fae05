/** Telemetry where somebody wants it: nothing of it is loaded otherwise. Implements spec/gateway.md, GTW-43. */
import type { Wanted } from "./settings.ts";
import type { Telemetry, TelemetryOptions } from "./telemetry.ts";

export async function openTelemetry(
  { settings }: Wanted,
  {
    onProgress,
    ...options
  }: Omit<TelemetryOptions, "onTrouble"> & { readonly onProgress: (text: string) => void },
): Promise<Telemetry | undefined> {
  if (!settings) return undefined;
  const { Telemetry: Opened } = await import("./telemetry.ts");
  const { traces, metrics, endpoint, by } = settings;
  const what = [...(traces ? ["traces"] : []), ...(metrics ? ["metrics"] : [])].join(" and ");
  onProgress(`telemetry: ${what} go to ${endpoint.href} (${by})`);
  return new Opened(settings, { ...options, onTrouble: (text) => onProgress(`telemetry: ${text}`) });
}
