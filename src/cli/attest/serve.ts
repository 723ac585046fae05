/** `attest serve`: the documents of a folder, where clients look for them. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { EVIDENCE_PATH, SAD_PATH, STATEMENT_PATH } from "../../attest/index.ts";
import { type ExitCode, TrustError } from "../../core/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import type { Output } from "../output.ts";
import { readBytes } from "./keys.ts";

const FILES: Readonly<Record<string, string>> = {
  [SAD_PATH]: "attestation.json",
  [STATEMENT_PATH]: "statement.json",
  [EVIDENCE_PATH]: "bundle.json",
};

export async function runServe(words: Words, out: Output): Promise<ExitCode> {
  const [folder, ...more] = words.positionals;
  if (folder === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "serve needs one folder");
  // Read once: what is published is what was there when it began.
  const documents = new Map(
    Object.entries(FILES)
      .filter(([, file]) => existsSync(join(folder, file)))
      .map(([path, file]) => [path, readBytes(join(folder, file))]),
  );
  if (documents.size === 0)
    throw new TrustError("CFG_NOT_FOUND", `${folder}: none of ${Object.values(FILES).join(", ")} is there`);
  const server = createServer(({ method, url = "" }, reply) => {
    const document =
      method === "GET" || method === "HEAD" ? documents.get(url.split("?")[0] ?? "") : undefined;
    if (!document) return void reply.writeHead(404).end();
    reply.writeHead(200, { "content-type": "application/json", "content-length": document.length });
    reply.end(method === "HEAD" ? undefined : document);
  });
  await new Promise<void>((done, failed) => {
    server.once("error", (cause) =>
      failed(new TrustError("CLI_BAD_VALUE", `--port: ${cause.message}`, { cause })),
    );
    server.listen(wholeNumber(words, "port") ?? 0, "127.0.0.1", done);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  out.json({ origin, paths: [...documents.keys()] });
  for (const path of documents.keys()) out.line(`${origin}${path}`);
  await new Promise<void>((done) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => done());
  });
  server.closeAllConnections();
  server.close();
  return 0;
}
