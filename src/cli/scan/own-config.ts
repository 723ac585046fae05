/** The servers of touchstone.yml, with the line each stands on. A broken file is a finding here, and the rest is read on. */
import { readFile } from "node:fs/promises";
import { resolve as absolute } from "node:path";
import { asTrustError, finding, readConfigFile, shown, TrustError } from "../../core/index.ts";
import type { Place, Sighting } from "../../report/index.ts";
import {
  configSchema,
  hiddenValues,
  literalSecrets,
  pinningFindings,
  resolveTarget,
  secretFinding,
} from "../../target/index.ts";
import { detailsOf, type Known, MAX_SECRETS } from "./known.ts";

export interface OwnServers {
  readonly known: readonly Known[];
  readonly findings: readonly Sighting[];
  readonly secrets: readonly string[];
}

/** `isNamed`: the operator gave this file, so that a fault in it ends the run; otherwise one that is absent is none. */
export async function ownServers(file: string, isNamed: boolean): Promise<OwnServers> {
  try {
    const config = await readConfigFile(file, configSchema);
    const placeOf = await places(file);
    const known: Known[] = [];
    const findings: Sighting[] = [];
    const secrets: string[] = [];
    for (const [name, entry] of Object.entries(config.servers ?? {})) {
      const place = placeOf(["servers", name]);
      const reference = `touchstone.yml/${shown(name, 80)}`;
      const one = await resolved(name, reference, file, place);
      const { bearer_env } = entry.auth ?? {};
      known.push(bearer_env === undefined ? one.known : { ...one.known, takes: [bearer_env] });
      for (const secret of [...hiddenValues(entry), ...one.secrets]) secrets.push(secret);
      for (const found of one.pinned(place)) findings.push(found);
      for (const secret of literalSecrets(entry))
        findings.push(secretFinding(reference, secret, placeOf(["servers", name, ...secret.path])));
    }
    if (secrets.length > MAX_SECRETS)
      throw new TrustError(
        "CFG_BAD_VALUE",
        `${file}:1:1 ${secrets.length} values that may be secret: too many`,
      );
    return { known, findings, secrets };
  } catch (thrown) {
    const error = asTrustError(thrown);
    if (isNamed || error.code === "INTERNAL") throw thrown;
    if (error.code === "CFG_NOT_FOUND") return { known: [], findings: [], secrets: [] };
    return { known: [], findings: [broken(file, error.message)], secrets: [] };
  }
}

async function resolved(name: string, reference: string, file: string, place: Place) {
  const base = {
    name,
    reference,
    origin: "touchstone.yml",
    place,
    isDisabled: false,
    scope: { client: "touchstone.yml" },
  };
  try {
    const target = await resolveTarget({ kind: "named", name, args: [] }, { configFile: file });
    const pinned = (at: Place): Sighting[] => pinningFindings(reference, target.pinning, at);
    if (target.kind === "not-startable") {
      const known: Known = { ...base, details: detailsOf(undefined, target.pinning), reason: target.reason };
      return { known, secrets: [], pinned };
    }
    const known: Known = { ...base, target, details: detailsOf(target, target.pinning) };
    return { known, secrets: target.secrets, pinned };
  } catch (thrown) {
    const { message } = asTrustError(thrown);
    return {
      known: { ...base, details: [], reason: message } satisfies Known,
      secrets: [],
      pinned: () => [],
    };
  }
}

/** The reader's message begins with the place: `touchstone.yml:3:5 …`. */
function broken(file: string, message: string): Sighting {
  const rest = message.startsWith(`${file}:`) ? message.slice(file.length + 1) : "";
  const [, line = "1", column = "1", words = message] = /^(\d+):(\d+) ([\s\S]*)$/.exec(rest) ?? [];
  return {
    ...finding("CONF-04", file, words),
    place: { file: absolute(file), line: Number(line), column: Number(column) },
  };
}

/** Where the key of a path stands; the nearest one above it when it has no line of its own. */
async function places(file: string): Promise<(path: readonly string[]) => Place> {
  const [yaml, text] = await Promise.all([import("yaml"), readFile(file, "utf8")]);
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines });
  return (path) => {
    let node: unknown = document.contents;
    let offset = 0;
    for (const key of path) {
      if (!yaml.isMap(node)) break;
      const pair = node.items.find((item) => String(item.key) === key);
      if (!pair || !yaml.isNode(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    }
    const { line, col } = lines.linePos(offset);
    return { file: absolute(file), line: Math.max(line, 1), column: Math.max(col, 1) };
  };
}
