/** What verifying costs: a clearance assertion fetched, parsed and verified (cold), and verified again (warm), against one bare
 *  Ed25519 verification of the same bytes, in turns. */
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { discover, readSad, SAD_PATH, type Sad, signSad, verifySad } from "../dist/attest/index.js";

const [COLD, WARM] = [300, 5_000];
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
const signed = signSad(
  {
    v: "1.0",
    id: "urn:example:bench",
    publisher: "Example Ltd",
    version: "1.2.3",
    clearance: "internal",
    capabilities: ["mcp-server"],
    netAllowedHosts: ["https://bench.example"],
  },
  privateKey,
  "bench-key",
) as { sad: Sad; bytes: Uint8Array };
const anchors = {
  keys: new Map([
    ["bench-key", { publicKey: raw, state: "active" as const, approvedClearances: ["internal"] }],
  ]),
  scheme: {
    levels: [
      { name: "public", rank: 0 },
      { name: "internal", rank: 10 },
    ],
  },
};
const context = { origin: "https://bench.example", requiredClearance: "internal", now: new Date() };
const bare = sign(null, signed.bytes, privateKey);

const server = createServer((_, reply) =>
  reply.writeHead(200, { "content-type": "application/json" }).end(signed.bytes),
);
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);

async function cold(): Promise<void> {
  const found = await discover(url, SAD_PATH, { allowLoopback: true });
  if (found.status !== "found") throw new Error(found.status);
  admitted(found.bytes);
}
function admitted(bytes: Uint8Array): void {
  if (verifySad(readSad(bytes), anchors, context).status !== "admitted") throw new Error("denied");
}

const times: Record<"bare" | "warm" | "cold", number[]> = { bare: [], warm: [], cold: [] };
const timed = async (name: keyof typeof times, work: () => unknown): Promise<void> => {
  const began = performance.now();
  await work();
  times[name].push(performance.now() - began);
};
for (let round = 0; round < 200; round++) {
  verify(null, signed.bytes, publicKey, bare);
  admitted(signed.bytes);
}
for (let round = 0; round < WARM; round++) {
  const began = performance.now();
  verify(null, signed.bytes, publicKey, bare);
  const middle = performance.now();
  admitted(signed.bytes);
  times.bare.push(middle - began);
  times.warm.push(performance.now() - middle);
}
for (let round = 0; round < COLD; round++) await timed("cold", cold);
server.close();

const at = (name: keyof typeof times, share: number): number => {
  const sorted = times[name].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
};
console.log(
  `attest, ${WARM} warm and ${COLD} cold (${process.version}, ${new Date().toISOString().slice(0, 10)})`,
);
for (const name of ["bare", "warm", "cold"] as const)
  console.log(
    `  ${name}  P50 ${at(name, 0.5).toFixed(3)} ms, P95 ${at(name, 0.95).toFixed(3)} ms, P99 ${at(name, 0.99).toFixed(3)} ms`,
  );
const ratio = at("warm", 0.5) / at("bare", 0.5);
const isOver = ratio > 2;
console.log(`  ${isOver ? "OVER" : "ok  "} warm / bare Ed25519 verify: ${ratio.toFixed(2)} x, bound 2 x`);
process.exit(isOver ? 1 : 0);
