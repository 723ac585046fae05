/** Tokens of an earlier `touchstone login`, which end sooner than a gateway does. Implements spec/gateway.md, GTW-100. */
import { credentialFile, credentialStore, storedToken, type Target } from "../target/index.ts";
import { atMost } from "./at-most.ts";
import type { ServerFile } from "./config.ts";

/** So long an authorization server is waited for, and no sooner asked again because of a call. */
const [RENEW_MS, RENEW_AGAIN_MS] = [10_000, 1_000];

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

/** How a server is reached now, with the newest credentials that there are. */
export class Login {
  #target: Target;
  readonly #renewed: Renewed | undefined;
  readonly #closed: Promise<void>;
  #renewing: Promise<boolean> | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;

  /** `closed`: nobody waits for newer ones then. */
  constructor(target: Target, renewed: Renewed | undefined, closed: Promise<void>) {
    [this.#target, this.#renewed, this.#closed] = [target, renewed, closed];
  }

  get target(): Target {
    return this.#target;
  }

  /** Whether there are others now, which are used from the next start on. Who asks meanwhile gets the same answer: what renews them may
   *  hold once. */
  isRenewed(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** The same once the server has refused them: that may be in answer to each of many calls. */
  async isRenewedOnRefusal(): Promise<boolean> {
    if (performance.now() - this.#refusedAt < RENEW_AGAIN_MS) return false;
    this.#refusedAt = performance.now();
    return this.isRenewed();
  }

  async #renew(): Promise<boolean> {
    let target: Target | undefined;
    const asked = this.#renewed?.(this.#target).then(
      (found) => {
        target = found;
      },
      // What cannot be read or renewed is as before; the server then says what it makes of that.
      () => {},
    );
    if (!asked) return false;
    await atMost(RENEW_MS, Promise.race([asked, this.#closed]));
    if (target === undefined) return false;
    this.#target = target;
    return true;
  }
}
