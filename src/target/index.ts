/** A reference (a file, a URL, a package, an entry of a config file, a command) to something that can be started or
 *  reached. Reads the operator's configuration and that of other clients, installs packages without running anything
 *  of them, judges how exactly code is named; starts no server itself. */
export {
  type AuditFinding,
  type AuditPlace,
  auditClients,
  doMeet,
  entryName,
  entryPinning,
  entrySecrets,
  hiddenValues,
  literalSecrets,
  pinningFindings,
  secretFinding,
  writtenWords,
} from "./audit.ts";
export { type Exchange, exchangeEntries, type Restored, restoreEntries } from "./clients/exchange.ts";
export { type EntryReference, findEntry } from "./clients/find.ts";
export type { EntryLaunch } from "./clients/launch.ts";
export {
  type ClientEntry,
  type ClientProblem,
  type ClientSurvey,
  readClientBytes,
  readClients,
} from "./clients/read.ts";
export { type NewEntry, type Rewritten, replaceEntry } from "./clients/rewrite.ts";
export {
  CLIENT_IDS,
  CLIENTS,
  type Client,
  type ClientId,
  type ConfigPlace,
  clientById,
  configPlaces,
  type Format,
  isClientId,
  type Machine,
} from "./clients/table.ts";
export {
  COMMON_ENTRIES,
  type Config,
  configSchema,
  isStartedOneWay,
  LIMIT_ENTRIES,
  ONE_WAY,
  SERVER_ENTRIES,
  variableName,
} from "./config.ts";
export { type Credential, type CredentialStore, credentialFile, credentialStore } from "./credentials.ts";
export { type LoginOptions, login, storedToken } from "./login.ts";
export { cacheFolder } from "./npm/cache.ts";
export { type OfflineLaunch, offlineLaunch } from "./offline.ts";
export { type Pinning, pinningOf } from "./pinning.ts";
export { type Reference, readReference } from "./reference.ts";
export { CONFIG_FILE, resolveTarget, type TargetOptions } from "./resolve.ts";
export {
  type NotStartable,
  type Origin,
  type Resolution,
  type ResolvedPackage,
  type ResolvedTarget,
  startable,
  type Target,
} from "./target.ts";
