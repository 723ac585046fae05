/** Tokens of an earlier `touchstone login`, which end sooner than a gateway does. Implements spec/gateway.md, GTW-100. */
import { credentialFile, credentialStore, storedToken, type Target } from "../target/index.ts";
import type { ServerFile } from "./config.ts";

/** The target as it is to be reached now; undefined where that is as before. */
export type Renewed = (target: Target) => Promise<Target | undefined>;

/** For who is at a URL and was given no credentials in the file; `onSecret` hears of each token before it is used. */
export function renewing(
  { url, auth, headers = {} }: ServerFile,
  environment: Readonly<Record<string, string | undefined>>,
  onSecret: (token: string) => void,
): Renewed | undefined {
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  if (url === undefined || auth !== undefined || isGiven) return undefined;
  const store = credentialStore(credentialFile(environment));
  return async (target) => {
    const { launch, secrets } = target;
    if (launch.kind !== "http") return undefined;
    const token = await storedToken(launch.url, store);
    if (token === undefined) return undefined;
    const authorization = `Bearer ${token}`;
    if (launch.headers?.authorization === authorization) return undefined;
    onSecret(token);
    return {
      ...target,
      launch: { ...launch, headers: { ...launch.headers, authorization } },
      secrets: [...secrets, token],
    };
  };
}
