/** A reference (a URL, a name in touchstone.yml, a command) to something that can be started or reached.
 *  Reads the operator's configuration; starts nothing itself. */
export { type Config, configSchema } from "./config.ts";
export { type Reference, readReference } from "./reference.ts";
export { CONFIG_FILE, resolveTarget, type Target, type TargetOptions } from "./resolve.ts";
