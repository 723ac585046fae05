/** Whom a token stands for, and what it opens. Implements spec/gateway.md, GTW-3. */
import { createHash } from "node:crypto";
import { type Placed, TrustError } from "../core/index.ts";
import type { GatewayFile } from "./config.ts";
import type { Caller } from "./open.ts";

export interface Tokens {
  readonly limits: ReadonlyMap<string, Caller>;
  readonly secrets: readonly string[];
  /** Whom a token stands for; undefined where no token is wanted. */
  readonly callerOf: ((token: string) => string | undefined) | undefined;
}

/** Tokens are compared by their digests: how long it takes tells nothing of them. */
export function tokensOf(
  { tokens }: GatewayFile,
  environment: Readonly<Record<string, string | undefined>>,
  place: Placed<unknown>["place"],
): Tokens {
  const byDigest = new Map<string, string>();
  const limits = new Map<string, Caller>();
  const secrets: string[] = [];
  for (const [name, { env, sha256, servers, tools }] of Object.entries(tokens)) {
    const value = env === undefined ? undefined : environment[env];
    if (env !== undefined && (value === undefined || value.length < MIN_TOKEN_CHARS))
      throw new TrustError(
        "CFG_BAD_VALUE",
        `${place(["tokens", name, "env"])} tokens.${name}.env: the variable ${env} is ${value === undefined ? "not set" : `shorter than ${MIN_TOKEN_CHARS} characters`}`,
        {
          hint: `set ${env} to a token of at least ${MIN_TOKEN_CHARS} characters where the gateway is started`,
        },
      );
    const digest = sha256 ?? hex(value ?? "");
    if (byDigest.has(digest))
      throw new TrustError(
        "CFG_BAD_VALUE",
        `${place(["tokens", name])} tokens.${name}: this is the token of ${byDigest.get(digest)} too`,
        { hint: `give ${name} a token of its own` },
      );
    byDigest.set(digest, name);
    if (value !== undefined) secrets.push(value);
    limits.set(name, {
      ...(servers ? { servers: new Set(servers) } : {}),
      ...(tools ? { tools: new Set(tools) } : {}),
    });
  }
  const callerOf =
    byDigest.size === 0
      ? undefined
      : (token: string) => (token.length < MIN_TOKEN_CHARS ? undefined : byDigest.get(hex(token)));
  return { limits, secrets, callerOf };
}
const MIN_TOKEN_CHARS = 16;
const hex = (text: string): string => createHash("sha256").update(text).digest("hex");
