/** `attest serve`: the documents of a folder, where clients look for them. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { EVIDENCE_PATH, SAD_PATH, STATEMENT_PATH } from "../../attest/index.ts";
import { type ExitCode, TrustError } from "../../core/index.ts";
import { createRecorder, hasServed, relayHttp } from "../../wire/index.ts";
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
    throw new TrustError("CFG_NOT_FOUND", `${folder}: none of ${Object.values(FILES).join(", ")} is there`, {
      hint: "give the folder that `touchstone grade --out` or `attest sign` has written to",
    });
  const running = await start(documents, words);
  out.json({ origin: running.origin, paths: [...documents.keys()] });
  for (const path of documents.keys()) out.line(`${running.origin}${path}`);
  await new Promise<void>((done) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => done());
  });
  await running.close();
  return 0;
}

interface Serving {
  readonly origin: string;
  close(): Promise<void>;
}

/** By itself, or in front of a server that gets everything else. */
async function start(documents: ReadonlyMap<string, Buffer>, words: Words): Promise<Serving> {
  const port = wholeNumber(words, "port") ?? 0;
  const upstream = words.text("upstream");
  if (upstream !== undefined) {
    if (!/^https?:\/\//.test(upstream) || !URL.canParse(upstream))
      throw new TrustError("CLI_BAD_VALUE", "--upstream: want an http:// or https:// address");
    const silent = createRecorder(() => {}).peer("server");
    const relay = await relayHttp(new URL(upstream), silent, { port, documents }).catch(taken);
    return { origin: new URL(relay.url).origin, close: () => relay.close() };
  }
  const server = createServer((incoming, reply) => {
    if (!hasServed(documents, incoming, reply)) reply.writeHead(404).end();
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  }).catch(taken);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const taken = (cause: Error): never => {
  throw new TrustError("CLI_BAD_VALUE", `--port: ${cause.message}`, { cause });
};
