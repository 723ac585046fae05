/** Finds the one entry that `config:…` means. Two that could be meant are an error: a project's file must not be able to
 *  put itself in the place of what the user wrote. */
import { didYouMean, shown, TrustError } from "../../core/index.ts";
import type { ClientEntry, ClientSurvey } from "./read.ts";
import type { ClientId } from "./table.ts";

export interface EntryReference {
  readonly client?: ClientId;
  readonly level?: "user" | "project";
  readonly name: string;
}

export function findEntry(survey: ClientSurvey, wanted: EntryReference, folder: string): ClientEntry {
  const here = survey.entries.filter((entry) => entry.folder === undefined || isInside(folder, entry.folder));
  const inScope = here.filter(
    ({ client, origin }) =>
      (wanted.client === undefined || client === wanted.client) &&
      (wanted.level === undefined || origin === wanted.level),
  );
  const found = narrowest(inScope.filter(({ name }) => name === wanted.name));
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (only) {
    const lines = found.map((entry) => `\n  ${written(entry)}  ${placeOf(entry)}`).join("");
    throw new TrustError(
      "TGT_AMBIGUOUS",
      `"${shown(wanted.name, 80)}" is the name of ${found.length} servers:${lines}`,
    );
  }
  throw unknown(survey, inScope, wanted);
}

/** Within one client and level, what is written for this very folder goes before what is written for all. */
function narrowest(entries: readonly ClientEntry[]): readonly ClientEntry[] {
  return entries.filter(
    (entry) =>
      !entries.some(
        (other) =>
          other !== entry &&
          other.client === entry.client &&
          other.origin === entry.origin &&
          (other.folder?.length ?? 0) > (entry.folder?.length ?? 0),
      ),
  );
}

function isInside(folder: string, outer: string): boolean {
  const prefix = outer.replace(/[/\\]+$/, "");
  return folder === prefix || folder.startsWith(`${prefix}/`) || folder.startsWith(`${prefix}\\`);
}

const written = ({ client, origin, name }: ClientEntry): string =>
  `config:${client}@${origin}/${shown(name, 80)}`;
const placeOf = ({ file, line, column }: ClientEntry): string => `${shown(file)}:${line}:${column}`;

function unknown(survey: ClientSurvey, inScope: readonly ClientEntry[], wanted: EntryReference): TrustError {
  const names = [...new Set(inScope.map(({ name }) => name))];
  const near = didYouMean(wanted.name, names);
  const listed = names.slice(0, 20).map((name) => shown(name, 80));
  const known = near || (listed.length > 0 ? `, there are: ${listed.join(", ")}` : "");
  const broken = survey.problems.map(
    ({ file, line, column, message }) => `\n  problem: ${shown(file)}:${line}:${column} ${shown(message)}`,
  );
  const scope = wanted.client === undefined ? "no client config" : `no config of ${wanted.client}`;
  return new TrustError(
    "TGT_UNKNOWN_SERVER",
    `${scope} has a server "${shown(wanted.name, 80)}"${known}${broken.join("")}`,
    { hint: "names come from the config files of clients, of this user and in this folder" },
  );
}
