/** What the command line adds to any target: variables, headers, a token, a folder, a transport. */
import { defined, TrustError } from "../core/index.ts";
import type { EraChoice, Launch } from "../wire/index.ts";
import { secretsOf } from "./secrets.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Overrides {
  /** `NAME=VALUE`, or `NAME` to pass on our own value. */
  readonly env?: readonly string[];
  readonly cwd?: string;
  /** `Name: value`. */
  readonly headers?: readonly string[];
  readonly bearerEnv?: string;
  readonly era?: EraChoice;
  readonly transport?: "http" | "sse" | "auto";
}

/** The operator's own words come last and win. */
export function withOverrides(
  found: { readonly launch: Launch; readonly bearerEnv?: string },
  options: Overrides,
  environment: Environment,
): { launch: Launch; secrets: string[] } {
  const { launch } = found;
  const env = {
    ...(launch.kind === "stdio" ? launch.env : {}),
    ...Object.fromEntries((options.env ?? []).map((word) => readEnv(word, environment))),
  };
  const headers = {
    ...(launch.kind === "http" ? launch.headers : {}),
    ...Object.fromEntries((options.headers ?? []).map(readHeader)),
  };
  const bearerEnv = options.bearerEnv ?? found.bearerEnv;
  if (bearerEnv !== undefined) headers.authorization = `Bearer ${bearer(bearerEnv, environment)}`;
  const full: Launch =
    launch.kind === "http"
      ? { ...launch, headers, ...defined({ transport: options.transport ?? launch.transport }) }
      : { ...launch, env, ...defined({ cwd: options.cwd ?? launch.cwd }) };
  return { launch: full, secrets: secretsOf(full) };
}

function readEnv(word: string, environment: Environment): [string, string] {
  const [, name, , value] = /^([A-Za-z_][A-Za-z0-9_]*)(=([\s\S]*))?$/.exec(word) ?? [];
  // The word may hold a secret: it is not repeated.
  if (name === undefined) throw new TrustError("CLI_BAD_VALUE", "--env: want NAME or NAME=VALUE");
  const found = value ?? environment[name];
  if (found === undefined)
    throw new TrustError("TGT_MISSING_ENV", `--env ${name}: not set in this environment`);
  return [name, found];
}

function readHeader(word: string): [string, string] {
  const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(word) ?? [];
  if (name === undefined || value === undefined)
    throw new TrustError("CLI_BAD_VALUE", '--header: want "Name: value"');
  return [name.toLowerCase(), value];
}

function bearer(name: string, environment: Environment): string {
  // A token given in place of a name must not be repeated.
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new TrustError("CLI_BAD_VALUE", "--bearer-env: want the name of an environment variable");
  const token = environment[name];
  if (token === undefined || token === "")
    throw new TrustError("TGT_MISSING_ENV", `${name} is not set in this environment`);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TrustError("CLI_BAD_VALUE", `${name} does not hold a token: it has spaces or line breaks`);
  return token;
}
