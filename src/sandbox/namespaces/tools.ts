/** The programs of the system that the sandbox is made with, found on the system's own path: a PATH meant for the server
 *  must not decide what contains it. */
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const TOOLS = ["unshare", "setpriv", "prlimit", "mount", "ip", "nft", "bwrap", "sh"] as const;
type Tool = (typeof TOOLS)[number];

export interface Tools {
  readonly found: Readonly<Partial<Record<Tool, string>>>;
  readonly missing: readonly Tool[];
}

export function findTools(path: string = SYSTEM_PATH): Tools {
  const found: Partial<Record<Tool, string>> = {};
  for (const tool of TOOLS) {
    const file = path
      .split(":")
      .map((folder) => join(folder, tool))
      .find(isProgram);
    if (file !== undefined) found[tool] = file;
  }
  return { found, missing: TOOLS.filter((tool) => found[tool] === undefined) };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
