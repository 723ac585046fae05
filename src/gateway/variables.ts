/** Variables of the environment that the file names: what a check of the file can say where they are not set. Pure. */
import { type Placed, TrustError } from "../core/index.ts";
import type { GatewayFile, ServerFile } from "./config.ts";

export interface Unset {
  /** Where the file names it. */
  readonly place: string;
  readonly name: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Tokens of callers, of servers and of the collector. */
export function unsetIn({ tokens, servers, telemetry }: GatewayFile, environment: Environment): Unset[] {
  const named = [
    ...Object.entries(tokens).map(([name, { env }]) => [`tokens.${name}.env`, env] as const),
    ...Object.entries(servers).map(
      ([name, { auth }]) => [`servers.${name}.auth.bearer_env`, auth?.bearer_env] as const,
    ),
    ...Object.entries(telemetry?.headers ?? {}).map(
      ([name, { env }]) => [`telemetry.headers.${name}.env`, env] as const,
    ),
  ];
  return named.flatMap(([place, name]) => (isUnset(name, environment) ? [{ place, name }] : []));
}

/** What is no name may be the token itself, and is refused by whoever reads it. */
const isUnset = (name: string | undefined, environment: Environment): name is string =>
  name !== undefined && NAME.test(name) && (environment[name] ?? "") === "";
const NAME = /^[A-Za-z_]\w*$/;

/** The token of a server: without it the server is not started, and nothing is. */
export function refuseUnset(
  server: string,
  { auth }: ServerFile,
  environment: Environment,
  place: Placed<unknown>["place"],
): void {
  const name = auth?.bearer_env;
  if (!isUnset(name, environment)) return;
  const keys = ["servers", server, "auth", "bearer_env"];
  throw new TrustError(
    "TGT_MISSING_ENV",
    `${place(keys)} ${keys.join(".")}: the variable ${name} is not set`,
    { hint: `set ${name} to the token of ${server} where the gateway is started` },
  );
}

/** Texts that look as if a variable stood in them, and are sent as they are written. A `${` of `args` may be for a shell or a template. */
export function unfilledIn({ servers }: GatewayFile): string[] {
  return Object.entries(servers).flatMap(([server, { env = {}, headers = {}, url = "", variables }]) => {
    if (variables !== undefined) return [];
    const texts = [
      ...Object.entries(env).map(([name, text]) => [`env.${name}`, text] as const),
      ...Object.entries(headers).map(([name, text]) => [`headers.${name}`, text] as const),
      ["url", url] as const,
    ];
    return texts.flatMap(([key, text]) => {
      const [, name] = WRITTEN.exec(text) ?? [];
      if (name === undefined) return [];
      return [
        `servers.${server}.${key}: \${${name}} goes to the server as it is written: variables: true beside it puts the variable in its place, variables: false says that it is meant`,
      ];
    });
  });
}
/** What `variables: true` would fill in. */
const WRITTEN = /\$\{([A-Za-z_]\w{0,63})(?::-[^}]{0,1000})?\}/;

/** A value to read the rest of the file with: no secret, and another one for each. */
export const standIn = (name: string): string => `not-set-where-it-was-read-${name}`;
