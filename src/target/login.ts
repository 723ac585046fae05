/** Logs in to a server with OAuth: authorization code with PKCE, through the official SDK, the answer caught on loopback. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { TrustError } from "../core/index.ts";
import type { Credential, CredentialStore } from "./credentials.ts";

export interface LoginOptions {
  readonly scope?: string;
  /** Shows the user where to go. */
  readonly open: (url: URL) => void;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

const TIMEOUT_MS = 5 * 60_000;

/** Asks the user's browser for consent and keeps the tokens. */
export async function login(server: URL, store: CredentialStore, options: LoginOptions): Promise<void> {
  const state = randomBytes(32).toString("base64url");
  await using callback = await listenForCode(state, options.timeoutMs ?? TIMEOUT_MS);
  const provider = providerFor(server, store, {
    redirectUrl: callback.url,
    state,
    open: options.open,
    now: options.now,
  });
  const { auth } = await import("@modelcontextprotocol/client");
  const scope = options.scope === undefined ? {} : { scope: options.scope };
  try {
    const first = await auth(provider, { serverUrl: server, ...scope, forceReauthorization: true });
    if (first === "AUTHORIZED") return;
    const { code, iss } = await callback.answer;
    await auth(provider, {
      serverUrl: server,
      authorizationCode: code,
      ...(iss === undefined ? {} : { iss }),
      ...scope,
    });
  } catch (cause) {
    if (cause instanceof TrustError) throw cause;
    const unreached = networkFault(cause);
    throw new TrustError(
      unreached === undefined ? "TGT_LOGIN_FAILED" : "WIRE_UNREACHABLE",
      `${server.origin}${server.pathname}: ${unreached ?? (cause as Error).message}`,
      { cause, ...(unreached === undefined ? {} : { hint: "check the URL and the network" }) },
    );
  }
}

/** What the system said where nobody was reached: `fetch` says only that it failed, and keeps the reason as its cause. */
function networkFault(thrown: unknown): string | undefined {
  if (!(thrown instanceof TypeError) || !(thrown.cause instanceof Error)) return undefined;
  const { message, code = "" } = thrown.cause as NodeJS.ErrnoException;
  return message || code || undefined;
}

/** The bearer token kept for a server, refreshed when it is about to end; undefined when there is none. */
export async function storedToken(
  server: URL,
  store: CredentialStore,
  now: () => number = Date.now,
): Promise<string | undefined> {
  const kept = await store.read(server);
  const token = kept?.tokens?.access_token;
  if (typeof token !== "string") return undefined;
  const { expires_in: seconds, refresh_token: refresh } = kept?.tokens ?? {};
  const savedAt = Date.parse(kept?.savedAt ?? "");
  const isFresh =
    typeof seconds !== "number" || Number.isNaN(savedAt) || now() < savedAt + (seconds - 60) * 1000;
  if (isFresh || typeof refresh !== "string") return token;
  const { auth } = await import("@modelcontextprotocol/client");
  // The address of the first login: credentials are bound to it, and nothing is opened there.
  const [registered] = Array.isArray(kept?.client?.redirect_uris) ? kept.client.redirect_uris : [];
  const provider = providerFor(server, store, {
    redirectUrl: String(registered ?? ""),
    state: "",
    open() {},
    now,
  });
  // A refresh that fails leaves the old token: the server's own refusal then names the way out.
  await auth(provider, { serverUrl: server }).catch(() => undefined);
  const renewed = (await store.read(server))?.tokens?.access_token;
  return typeof renewed === "string" ? renewed : token;
}

interface ProviderOptions {
  readonly redirectUrl: string;
  readonly state: string;
  readonly open: (url: URL) => void;
  readonly now: (() => number) | undefined;
}

/** Joins the SDK's flow to our store. */
function providerFor(
  server: URL,
  store: CredentialStore,
  { redirectUrl, state, open, now = Date.now }: ProviderOptions,
): OAuthClientProvider {
  let verifier = "";
  const change = async (part: Credential): Promise<void> =>
    store.write(server, { ...(await store.read(server)), ...part });
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "Touchstone",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => state,
    async clientInformation(context) {
      const kept = await store.read(server);
      // Credentials belong to one issuer; those of another, or for another address of ours, are not offered to this one.
      if (!kept?.client || (context?.issuer !== undefined && kept.issuer !== context.issuer))
        return undefined;
      const known = kept.client.redirect_uris;
      if (redirectUrl !== undefined && !(Array.isArray(known) && known.includes(redirectUrl)))
        return undefined;
      return kept.client as unknown as StoredOAuthClientInformation;
    },
    saveClientInformation: (client, context) =>
      change({ client: { ...client }, ...(context?.issuer === undefined ? {} : { issuer: context.issuer }) }),
    async tokens(context) {
      const kept = await store.read(server);
      if (context?.issuer !== undefined && kept?.issuer !== context.issuer) return undefined;
      return kept?.tokens as unknown as StoredOAuthTokens | undefined;
    },
    saveTokens: (tokens, context) =>
      change({
        tokens: { ...tokens },
        savedAt: new Date(now()).toISOString(),
        ...(context?.issuer === undefined ? {} : { issuer: context.issuer }),
      }),
    redirectToAuthorization: (url) => open(url),
    saveCodeVerifier(given) {
      verifier = given;
    },
    codeVerifier: () => verifier,
  };
}

interface Callback extends AsyncDisposable {
  readonly url: string;
  readonly answer: Promise<{ code: string; iss?: string }>;
}

/** A one-shot page on loopback that takes the browser's answer, if it carries our state. */
async function listenForCode(state: string, timeoutMs: number): Promise<Callback> {
  let settle:
    | { done: (answer: { code: string; iss?: string }) => void; fail: (cause: TrustError) => void }
    | undefined;
  const answer = new Promise<{ code: string; iss?: string }>((done, fail) => {
    settle = { done, fail };
  });
  answer.catch(() => {});
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const say = (status: number, text: string): void =>
      void response
        .writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" })
        .end(text);
    if (url.pathname !== "/callback" || request.method !== "GET") return say(404, "not here");
    if (!isSame(url.searchParams.get("state") ?? "", state))
      return say(400, "this answer belongs to another login");
    const refusal = url.searchParams.get("error");
    const code = url.searchParams.get("code");
    if (refusal !== null || code === null) {
      say(400, "the login was refused; you can close this page");
      settle?.fail(
        new TrustError(
          "TGT_LOGIN_FAILED",
          `the login was refused: ${(refusal ?? "no code").slice(0, 100).replace(/[^\w .-]/g, "?")}`,
        ),
      );
      return;
    }
    say(200, "logged in; you can close this page");
    const iss = url.searchParams.get("iss");
    settle?.done(iss === null ? { code } : { code, iss });
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  const timer = setTimeout(
    () =>
      settle?.fail(
        new TrustError("TGT_LOGIN_FAILED", `no answer from the browser in ${Math.round(timeoutMs / 1000)} s`),
      ),
    timeoutMs,
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    answer,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
