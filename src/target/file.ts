/** A file as a target: which program starts it, told by its ending and its permissions. */
import { accessSync, constants } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { TrustError } from "../core/index.ts";
import type { Launch } from "../wire/index.ts";
import { bundle, serverDescription } from "./bundle.ts";
import type { NotStartable } from "./target.ts";

const MAX_DESCRIPTION_BYTES = 1024 * 1024;

export async function fileLaunch(path: string, args: readonly string[]): Promise<Launch | NotStartable> {
  const file = resolve(path);
  const info = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    const isAbsent = cause.code === "ENOENT" || cause.code === "ENOTDIR";
    throw refuse(
      `${path}: ${isAbsent ? "no such file" : `cannot be read (${cause.code})`}`,
      packageHint(path),
      cause,
    );
  });
  if (info.isDirectory()) throw refuse(`${path} is a folder`, "name the file in it that starts the server");
  if (!info.isFile()) throw refuse(`${path} is not a regular file`);
  if (/\.(mcpb|dxt)$/i.test(file)) return bundle(path);
  if (basename(file) === "server.json")
    return serverDescription(path, info.size > MAX_DESCRIPTION_BYTES ? "" : await readFile(file, "utf8"));
  const start = (command: string, ...before: readonly string[]): Launch => ({
    kind: "stdio",
    command,
    args: [...before, ...args],
  });
  switch (extname(file).toLowerCase()) {
    case ".js":
    case ".mjs":
    case ".cjs":
      return start(process.execPath, file);
    case ".py":
      return start("python3", file);
    case ".ts":
    case ".mts":
    case ".cts":
      if (Reflect.get(process.features, "typescript")) return start(process.execPath, file);
      throw refuse(`${path}: Node ${process.version} does not run TypeScript`, `write: -- npx tsx ${path}`);
    default:
      if (isExecutable(file)) return start(file);
      throw refuse(
        `${path}: not a kind of file that can be started`,
        "give a .js, .mjs, .cjs or .py file, one with the execute permission, or the whole command after --",
      );
  }
}

function isExecutable(file: string): boolean {
  if (process.platform === "win32") return /\.exe$/i.test(file);
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `@scope/name` and `user/repo` look like files and are most likely packages. */
function packageHint(path: string): string | undefined {
  return /^@[a-z0-9._~-]+\/[a-z0-9._~-]+(@[\w.+-]+)?$/.test(path)
    ? `for the package write npm:${path}`
    : undefined;
}

function refuse(message: string, hint?: string, cause?: unknown): TrustError {
  return new TrustError("TGT_BAD_REFERENCE", message, { ...(hint === undefined ? {} : { hint }), cause });
}
