/** What the tests of a run share. */
import { type Finding, finding, shown } from "../../core/index.ts";
import type { SnapshotSettings } from "../match/snapshot.ts";
import type { Place } from "../model.ts";
import type { Observed } from "./observed.ts";
import type { Servers } from "./servers.ts";

export interface Context {
  readonly servers: Servers;
  readonly observed: Observed;
  readonly allowDestructive: boolean;
  readonly snapshots?: Snapshots;
}

export interface Snapshots extends Omit<SnapshotSettings, "defaultName"> {
  store(name: string, text: string): void;
}

export function testFinding(name: string, reason: string, place: Place | undefined): Finding {
  const at = place === undefined ? "" : `${place.file}:${place.line}:${place.column} `;
  return finding("TEST-01", `${at}"${shown(name, 120)}"`, reason);
}
