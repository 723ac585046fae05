/** Who plays in the demo: three example servers that come with touchstone, by the names they have behind the gateway. */
import { ownFile } from "../../core/index.ts";

export const CAST = {
  /** Does what it says. Keeps a note that is nobody else's business. */
  notes: "honest-notes",
  /** Speaks to the agent where people do not look. */
  weather: "hostile-weather",
  /** Behaves while it is tested, and shows another tool once somebody searches for the word below. */
  board: "turncoat-board",
} as const;
export type Name = keyof typeof CAST;
export const NAMES = Object.keys(CAST) as readonly Name[];

export const NOTE = "door";
export const TURNING_WORD = "tomorrow";

/** The words that start it: the same for the grade and for the gateway, since a statement is about exactly these. */
export const commandOf = (name: Name): readonly [command: string, script: string] => [
  process.execPath,
  ownFile(`examples/servers/${CAST[name]}/server.mjs`),
];
