/** Stands between the conformance suite and a gateway with one server: the suite asks for `name`, the gateway has `server__name`. Nothing else
 *  of a message is touched, and nothing at all of those that name nothing. */
import http from "node:http";
import { bodyOf, listen, type TestServer } from "../kit/http.ts";

const NAMING = new Set(["tools/call", "prompts/get", "completion/complete"]);
const LISTING = new Set(["tools/list", "prompts/list"]);

interface Frame {
  readonly method?: string;
  readonly params?: { readonly name?: unknown; readonly ref?: { readonly name?: unknown } };
}

export function withoutPrefix(url: URL, server: string): Promise<TestServer> {
  const prefix = `${server}__`;
  return listen(async (request, response) => {
    const given = await bodyOf(request);
    const { method = "", params } = frameIn(given);
    const isNaming = NAMING.has(method) && typeof (params?.ref ?? params)?.name === "string";
    const where = params?.ref ? /("ref"\s*:\s*\{[^{}]*"name"\s*:\s*")/ : /("name"\s*:\s*")/;
    const body = isNaming ? given.replace(where, `$1${prefix}`) : given;
    const headers: http.OutgoingHttpHeaders = {
      ...request.headers,
      "content-length": Buffer.byteLength(body),
    };
    if (isNaming && headers["mcp-name"] !== undefined)
      headers["mcp-name"] = `${prefix}${headers["mcp-name"]}`;
    const outgoing = http.request(
      url,
      { method: request.method, headers, agent: false },
      async (incoming) => {
        if (!LISTING.has(method)) {
          response.writeHead(incoming.statusCode ?? 502, incoming.headers);
          response.flushHeaders();
          return void incoming.pipe(response);
        }
        const text = (await bodyOf(incoming)).replaceAll(`"name":"${prefix}`, '"name":"');
        const length = Buffer.byteLength(text);
        response.writeHead(incoming.statusCode ?? 502, { ...incoming.headers, "content-length": length });
        response.end(text);
      },
    );
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    outgoing.end(body);
  });
}

function frameIn(text: string): Frame {
  try {
    const frame = JSON.parse(text) as Frame | null;
    return typeof frame === "object" && frame !== null ? frame : {};
  } catch {
    return {};
  }
}
