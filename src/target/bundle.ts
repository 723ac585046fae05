/** Descriptions of servers that are no programs: `server.json` of a registry, `.mcpb` bundles. Recognised, their
 *  pinning judged, and said to be not assessed. */
import { isRecord } from "../wire/index.ts";
import { imagePinning } from "./pinning/container.ts";
import { npmSpec } from "./pinning/npm.ts";
import { pythonSpec } from "./pinning/python.ts";
import { leastExact, type Pinning, pinning } from "./pinning/words.ts";
import { type NotStartable, notStartable } from "./target.ts";

export function bundle(path: string): NotStartable {
  const why = "a file of this machine; what it installs is named inside it";
  return notStartable(path, "a bundle is unpacked and started by its client only", pinning("local", why));
}

/** The text is somebody else's: whatever it holds, the answer is a value. */
export function serverDescription(path: string, text: string): NotStartable {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const packages = isRecord(value) && Array.isArray(value.packages) ? value.packages.filter(isRecord) : [];
  const remotes = isRecord(value) && Array.isArray(value.remotes) ? value.remotes.filter(isRecord) : [];
  const judged = leastExact(packages.map(packagePinning));
  const none =
    remotes.length > 0
      ? pinning("unknown", "a URL names a place, not the code behind it")
      : pinning("unknown", "no package is named");
  return notStartable(
    path,
    `a server.json describes a server and starts none${wayOut(packages, remotes)}`,
    judged ?? none,
  );
}

function packagePinning(item: Readonly<Record<string, unknown>>): Pinning {
  const kind = String(item.registryType ?? item.registry_type ?? item.registry_name);
  const name = typeof item.identifier === "string" ? item.identifier : String(item.name ?? "");
  const version = typeof item.version === "string" ? item.version : undefined;
  switch (kind) {
    case "npm":
      return npmSpec(version === undefined ? name : `${name}@${version}`);
    case "pypi":
      return pythonSpec(version === undefined ? name : `${name}==${version}`);
    case "oci":
      return imagePinning(
        version === undefined || /[:@]/.test(name.split("/").at(-1) ?? "") ? name : `${name}:${version}`,
      );
    case "mcpb":
      return /^[0-9a-f]{64}$/i.test(String(item.fileSha256))
        ? pinning("pinned", "a bundle with its SHA-256")
        : pinning("unpinned", "a bundle without a digest");
    default:
      return pinning("unknown", "a registry that is not judged here");
  }
}

function wayOut(
  packages: readonly Readonly<Record<string, unknown>>[],
  remotes: readonly Readonly<Record<string, unknown>>[],
): string {
  const npm = packages.find((item) => item.registryType === "npm");
  if (typeof npm?.identifier === "string" && /^[@a-z0-9/._~-]+$/.test(npm.identifier)) {
    const version =
      typeof npm.version === "string" && /^[\w.+-]+$/.test(npm.version) ? `@${npm.version}` : "";
    return `; give npm:${npm.identifier}${version} instead`;
  }
  return remotes.length > 0 ? "; give the URL of its remote instead" : "";
}
