/** The evidence of a grade, read from its folder and judged again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TrustError } from "../core/index.ts";
import { type Regraded, regrade } from "../grade/index.ts";
import { type RecordedEvent, readRecording } from "../wire/index.ts";

export interface Evidence {
  readonly regraded: Regraded;
  readonly events: readonly RecordedEvent[];
}

export async function readEvidence(folder: string): Promise<Evidence> {
  const read = (name: string): Buffer => {
    try {
      return readFileSync(join(folder, name));
    } catch (cause) {
      throw new TrustError("EVD_NOT_A_RUN", `${join(folder, name)} cannot be read`, { cause });
    }
  };
  const [bundle, recording] = [read("bundle.json"), read("recording.jsonl")];
  const events: RecordedEvent[] = [];
  const damage: string[] = [];
  for await (const reading of readRecording(once(recording)))
    if (reading.kind === "event") events.push(reading.event);
    else damage.push(`line ${reading.line}: ${reading.reason}`);
  return { regraded: regrade(bundle, recording, events, damage), events };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
