/** A launch made ready for a place without a network: what a runner would fetch is installed before. */
import { asTrustError, defined } from "../core/index.ts";
import type { Launch } from "../wire/index.ts";
import { readNpmReference } from "./npm/name.ts";
import { npmLaunch } from "./npm.ts";
import { npxWords } from "./pinning/npm.ts";
import { programName } from "./pinning.ts";
import type { ResolvedPackage } from "./target.ts";

export type OfflineLaunch =
  | {
      readonly launch: Launch;
      readonly notes: readonly string[];
      /** The package that was installed for it. */
      readonly resolved?: ResolvedPackage;
    }
  /** Why it cannot be started there. */
  | { readonly reason: string };

/** Runners that fetch what they start, or have a service of this machine start it. */
const FETCHING = new Set(["uvx", "uv", "pipx", "bunx", "pnpx", "docker", "podman", "nerdctl", "nix"]);

export async function offlineLaunch(
  launch: Launch,
  options: {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly onProgress?: (text: string) => void;
  } = {},
): Promise<OfflineLaunch> {
  if (launch.kind === "http") return { reason: "it runs elsewhere" };
  const program = programName(launch.command);
  if (FETCHING.has(program)) return { reason: `${program} fetches or starts it outside of the sandbox` };
  const words = npxWords(program, launch.args);
  if (words === undefined) return { launch, notes: [] };
  if (words === "unclear") return { reason: `what ${program} fetches cannot be read from its words` };
  try {
    const reference = readNpmReference(words.bin === undefined ? words.spec : `${words.spec}#${words.bin}`);
    const { environment = process.env, onProgress } = options;
    const installed = await npmLaunch(reference, words.args, { environment, ...defined({ onProgress }) });
    if (installed.kind === "not-startable") return { reason: installed.reason };
    const { resolved } = installed;
    const { name, version } = resolved;
    return {
      resolved,
      launch: { ...installed.launch, ...defined({ env: launch.env, cwd: launch.cwd }) } as Launch,
      notes: [
        ...installed.notes,
        `${program}: ${name}@${version} was installed with scripts off and started from there`,
      ],
    };
  } catch (thrown) {
    const { code, message } = asTrustError(thrown);
    if (code === "INTERNAL") throw thrown;
    return { reason: `${program}: ${message}` };
  }
}
