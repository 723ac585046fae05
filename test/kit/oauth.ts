/** An authorization server and a protected MCP endpoint on one loopback port: real PKCE, registration, refresh, audience. */
import { createHash, randomUUID } from "node:crypto";
import { bodyOf, listen, type TestServer } from "./http.ts";

export interface Protected extends TestServer {
  /** Everything asked of the token endpoint. */
  readonly grants: Record<string, string>[];
  /** Makes every access token given so far worthless. */
  expire(): void;
  /** What the authorization page does with the user. */
  consent: "grant" | "refuse" | "wrong-state";
}

export async function protectedServer(): Promise<Protected> {
  const codes = new Map<string, { challenge: string; redirect: string; resource: string }>();
  const clients = new Map<string, string[]>();
  const tokens = new Set<string>();
  const refreshes = new Set<string>();
  const grants: Record<string, string>[] = [];
  const handle = { consent: "grant" as Protected["consent"] };

  const server = await listen(async (request, response) => {
    const origin = `http://${request.headers.host}`;
    const url = new URL(request.url ?? "/", origin);
    const json = (status: number, value: unknown, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(value));
    const grant = (): void => {
      const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
      tokens.add(access);
      refreshes.add(refresh);
      json(200, { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: 3600 });
    };
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource"))
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (url.pathname === "/.well-known/oauth-authorization-server")
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      });
    if (url.pathname === "/register") {
      const metadata = JSON.parse(await bodyOf(request)) as { redirect_uris: string[] };
      const id = randomUUID();
      clients.set(id, metadata.redirect_uris);
      return json(201, { ...metadata, client_id: id });
    }
    if (url.pathname === "/authorize") {
      const ask = Object.fromEntries(url.searchParams);
      if (!clients.get(ask.client_id ?? "")?.includes(ask.redirect_uri ?? ""))
        return json(400, { error: "invalid_client" });
      const back = new URL(ask.redirect_uri ?? "");
      back.searchParams.set("state", handle.consent === "wrong-state" ? "somebody-elses" : (ask.state ?? ""));
      back.searchParams.set("iss", origin);
      const code = randomUUID();
      if (handle.consent === "refuse") back.searchParams.set("error", "access_denied");
      else back.searchParams.set("code", code);
      codes.set(code, {
        challenge: ask.code_challenge ?? "",
        redirect: ask.redirect_uri ?? "",
        resource: ask.resource ?? "",
      });
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/token") {
      const asked = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
      grants.push(asked);
      if (asked.grant_type === "refresh_token")
        return refreshes.delete(asked.refresh_token ?? "") ? grant() : json(400, { error: "invalid_grant" });
      const kept = codes.get(asked.code ?? "");
      codes.delete(asked.code ?? "");
      const challenge = createHash("sha256")
        .update(asked.code_verifier ?? "")
        .digest("base64url");
      const isGood =
        kept &&
        kept.challenge === challenge &&
        kept.redirect === asked.redirect_uri &&
        asked.resource === `${origin}/mcp`;
      return isGood ? grant() : json(400, { error: "invalid_grant" });
    }
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (!tokens.has(token))
      return json(
        401,
        { error: "invalid_token" },
        {
          "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        },
      );
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(await bodyOf(request)) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "vault", version: "1" } }
        : {};
    return json(200, { jsonrpc: "2.0", id, result });
  });
  return Object.assign(handle, server, { grants, expire: () => tokens.clear() });
}
