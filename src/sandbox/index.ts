/** A process with no way out, and a record of everything it tried: connections, names, planted files. Linux namespaces, no
 *  root, no container engine. */
export { type Declared, hostsDeclaredFor } from "./allow/declared.ts";
export type { AllowedHost } from "./allow/host.ts";
export { declaredHosts, readAllowedHost } from "./allow/read.ts";
export { isAbout } from "./allow/verdict.ts";
export type { Backend, SandboxOptions } from "./backend.ts";
export { type CanarySet, makeCanaries, type PlantedCanary } from "./canaries/make.ts";
export type { PlantedFile, SandboxLimits } from "./control.ts";
export type {
  CanaryReadEvent,
  DnsEvent,
  EgressEvent,
  FileChangeEvent,
  GapEvent,
  LimitEvent,
  SandboxEvent,
  TlsSight,
  Verdict,
} from "./events.ts";
export { type FindCanaries, placeOf, sandboxFindings, sentText } from "./findings.ts";
export { sandboxLauncher } from "./launcher.ts";
export { type Detection, detectSandbox } from "./namespaces/detect.ts";
export { HOME as SANDBOX_HOME, WORK as SANDBOX_WORK } from "./namespaces/environment.ts";
export { type Running, requireSandbox, type SandboxExit, start } from "./start.ts";
export type { CannedReply } from "./upstream.ts";
export { readUpstream } from "./upstream-file.ts";
