/** HTTP for tests: a server from one function, and a request that may carry any header. */
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface TestServer extends AsyncDisposable {
  readonly url: URL;
}

/** Serves on a loopback port, a free one unless told, until the scope ends. */
export async function listen(handler: http.RequestListener, port = 0): Promise<TestServer> {
  const server = http.createServer(handler);
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export function send(url: URL, method: string, headers: Record<string, string>, body = ""): Promise<Reply> {
  return new Promise((done, fail) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on("error", fail);
    request.end(body);
  });
}

export async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
