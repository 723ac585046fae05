/** What can be said about config files without starting anything: names that collide, versions that float, secrets in plain
 *  text, files that cannot be read. Pure: judges what `readClients` has read. No value of a variable is put into words. */
import { type Finding, finding, shown } from "../core/index.ts";
import type { Launch } from "../wire/index.ts";
import { type AuditPlace, placesOf } from "./audit-places.ts";
import { hiddenValues, literalSecrets } from "./audit-secrets.ts";
import type { ClientEntry, ClientSurvey } from "./clients/read.ts";
import { isObject } from "./clients/values.ts";
import { type Pinning, pinningOf } from "./pinning.ts";
import { secretsOf } from "./secrets.ts";

export type { AuditPlace } from "./audit-places.ts";
export { hiddenValues, literalSecrets } from "./audit-secrets.ts";

export interface AuditFinding extends Finding {
  readonly place: AuditPlace;
}

export async function auditClients({ entries, problems }: ClientSurvey): Promise<AuditFinding[]> {
  const secrets = await Promise.all(entries.map(secretFindings));
  return [
    ...problems.map(({ file, line, column, message }) => ({
      ...finding("CONF-04", file, message),
      place: { file, line, column },
    })),
    ...collisions(entries),
    ...entries.flatMap((entry) =>
      entry.isDisabled ? [] : pinningFindings(entryName(entry), entryPinning(entry), placeOf(entry)),
    ),
    ...secrets.flat(),
  ];
}

/** How an entry is named in findings: `cursor@user/notes`; it stays the same when lines move. */
export function entryName({ client, origin, name, folder }: ClientEntry): string {
  return `${client}@${origin}/${shown(name, 80)}${folder === undefined ? "" : ` (${shown(folder, 200)})`}`;
}

export function entryPinning({ start }: ClientEntry): Pinning {
  return start.kind === "launch" ? pinningOf(start.launch) : start.pinning;
}

/** All of an entry that must never be printed, whether it can be started or not. */
export function entrySecrets({ value, start }: ClientEntry): string[] {
  const [command = "", ...args] = writtenWords(value);
  const launch: Launch = { kind: "stdio", command, args };
  const started =
    start.kind === "launch" ? [...start.secrets, ...secretsOf(start.launch)] : secretsOf(launch);
  return [...new Set([...hiddenValues(value), ...started])].filter((secret) => secret !== "");
}

const placeOf = ({ file, line, column }: ClientEntry): AuditPlace => ({ file, line, column });

/** CONF-02, for entries of any file. */
export function pinningFindings(where: string, { status, why }: Pinning, place: AuditPlace): AuditFinding[] {
  if (status !== "unpinned" && status !== "floating") return [];
  return [{ ...finding("CONF-02", where, why), place }];
}

async function secretFindings(entry: ClientEntry): Promise<AuditFinding[]> {
  const found = literalSecrets(entry.value);
  if (found.length === 0) return [];
  const places = await placesOf(entry);
  return found.map((secret) => secretFinding(entryName(entry), secret, places(secret.path)));
}

/** CONF-03. Names the field and the kind, never the value. */
export function secretFinding(
  where: string,
  { field, kind }: { readonly field: string; readonly kind: string },
  place: AuditPlace,
): AuditFinding {
  const name = shown(field, 200);
  return { ...finding("CONF-03", `${where}: ${name}`, `${name} holds ${kind} in plain text`), place };
}

/** CONF-01, one a name. What is switched off starts nothing, and projects in different folders never meet. */
export function collisions(entries: readonly ClientEntry[]): AuditFinding[] {
  const byName = new Map<string, ClientEntry[]>();
  for (const entry of entries.filter(({ isDisabled }) => !isDisabled))
    byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
  return [...byName.values()].flatMap((group) => {
    const clashing = group.filter((entry) =>
      group.some((other) => other !== entry && doMeet(entry, other) && !isSameStart(entry, other)),
    );
    // The one to look at first is what a project brought: it was written by somebody else.
    const [first] = [...clashing].sort((a, b) => levelRank(a) - levelRank(b));
    if (!first) return [];
    const others = clashing.filter((entry) => entry !== first).map(place);
    const message = `"${shown(first.name, 80)}" starts something else in ${others.join(", ")}`;
    return [{ ...finding("CONF-01", entryName(first), message), place: placeOf(first) }];
  });
}

const levelRank = ({ origin, folder }: ClientEntry): number =>
  origin === "project" ? 0 : folder === undefined ? 2 : 1;
const place = (entry: ClientEntry): string => `${entryName(entry)} (${shown(entry.file)}:${entry.line})`;

/** Whether two entries can be active at once: those of one folder's project never meet those of another. */
export function doMeet(a: Pick<ClientEntry, "folder">, b: Pick<ClientEntry, "folder">): boolean {
  if (a.folder === undefined || b.folder === undefined) return true;
  const [short = "", long = ""] = [a.folder, b.folder].sort((x, y) => x.length - y.length);
  return long === short || long.startsWith(`${short.replace(/[/\\]$/, "")}/`);
}

/** The same words as written, or the same program, arguments and address once variables are filled in. What is passed to it
 *  (variables, headers) makes no other program of it. */
function isSameStart(a: ClientEntry, b: ClientEntry): boolean {
  const [writtenA, writtenB] = [writtenWords(a.value), writtenWords(b.value)];
  const needsFolder = hasRelativePath(writtenA);
  if (JSON.stringify(writtenA) === JSON.stringify(writtenB) && !needsFolder) return true;
  if (a.start.kind !== "launch" || b.start.kind !== "launch") return false;
  return startKey(a.start.launch) === startKey(b.start.launch);
}

/** Command, arguments and address as they stand in the file. */
export function writtenWords(value: unknown): string[] {
  if (!isObject(value)) return [];
  const { command, args, url, serverUrl, httpUrl } = value;
  return [command, args, url, serverUrl, httpUrl].flat().filter((word) => typeof word === "string");
}

const RELATIVE = /^\.{1,2}[/\\]|^[^/\\@:-][^\\@:]*\.(?:[cm]?[jt]s|py|sh|rb)$/;
const hasRelativePath = (words: readonly string[]): boolean => words.some((word) => RELATIVE.test(word));

function startKey(launch: Launch): string {
  if (launch.kind === "http") return launch.url.href;
  const words = [launch.command, ...launch.args];
  return JSON.stringify([words, hasRelativePath(words) ? (launch.cwd ?? "") : ""]);
}
