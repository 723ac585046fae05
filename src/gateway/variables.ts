/** Variables of the environment that the file names: what a check of the file can say where they are not set. Pure. */
import type { GatewayFile } from "./config.ts";

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
  return named.flatMap(([place, name]) =>
    // What is no name may be the token itself, and is refused by whoever reads it.
    name !== undefined && NAME.test(name) && (environment[name] ?? "") === "" ? [{ place, name }] : [],
  );
}
const NAME = /^[A-Za-z_]\w*$/;

/** A value to read the rest of the file with: no secret, and another one for each. */
export const standIn = (name: string): string => `not-set-where-it-was-read-${name}`;
