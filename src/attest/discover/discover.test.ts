import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { isLocal, isLoopback } from "./address.ts";
import { type DiscoverOptions, discover, SAD_PATH } from "./discover.ts";

const DOCUMENT = '{"v":1}';
const JSON_TYPE = { "content-type": "application/json" };

async function asked(
  answer: RequestListener,
  options: DiscoverOptions = { allowLoopback: true },
): Promise<Awaited<ReturnType<typeof discover>>> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    return await discover(new URL(`http://127.0.0.1:${port}/deep/mcp?x=1`), SAD_PATH, options);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("the document is asked for at the root of the origin, without credentials", async () => {
  const seen: string[] = [];
  const found = await asked(({ url, headers }, response) => {
    seen.push(`${url} ${headers.cookie} ${headers.authorization}`);
    response.writeHead(200, JSON_TYPE).end(DOCUMENT);
  });
  assert.equal(found.status === "found" && Buffer.from(found.bytes).toString(), DOCUMENT);
  assert.deepEqual(seen, ["/.well-known/mcp-attestation undefined undefined"]);
});

const cases: readonly {
  readonly name: string;
  readonly answer: RequestListener;
  readonly status: string;
  readonly reason: RegExp;
}[] = [
  { name: "404", answer: (_, out) => out.writeHead(404).end(), status: "absent", reason: /404/ },
  { name: "410", answer: (_, out) => out.writeHead(410).end(), status: "absent", reason: /410/ },
  { name: "500", answer: (_, out) => out.writeHead(500).end(), status: "unreachable", reason: /500/ },
  {
    name: "a redirect",
    answer: (_, out) => out.writeHead(302, { location: "/other" }).end(),
    status: "refused",
    reason: /not followed/,
  },
  {
    name: "another type",
    answer: (_, out) => out.writeHead(200, { "content-type": "text/html" }).end(DOCUMENT),
    status: "malformed",
    reason: /text\/html/,
  },
  {
    name: "no type",
    answer: (_, out) => out.writeHead(200).end(DOCUMENT),
    status: "malformed",
    reason: /missing/,
  },
  {
    name: "an encoded body",
    answer: (_, out) => out.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" }).end(DOCUMENT),
    status: "malformed",
    reason: /encoded/,
  },
  {
    name: "a large body that says so",
    answer: (_, out) =>
      out.writeHead(200, { ...JSON_TYPE, "content-length": "70000" }).end("x".repeat(70_000)),
    status: "malformed",
    reason: /65536 bytes/,
  },
  {
    name: "a large body that does not",
    answer: (_, out) => out.writeHead(200, JSON_TYPE).end("x".repeat(70_000)),
    status: "malformed",
    reason: /65536 bytes/,
  },
  {
    name: "a body that is cut off",
    answer: (_, out) => {
      out.writeHead(200, { ...JSON_TYPE, "content-length": "100" });
      out.write("{");
      setTimeout(() => out.destroy(), 20);
    },
    status: "unreachable",
    reason: /./,
  },
];
for (const { name, answer, status, reason } of cases)
  test(`${name}: ${status}`, async () => {
    const found = await asked(answer);
    assert.equal(found.status, status);
    assert.match(found.status === "found" ? "" : found.reason, reason);
  });

test("an answer that drips ends in time", async () => {
  const found = await asked(
    (_, out) => {
      out.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => out.write(" "), 20);
      out.on("close", () => clearInterval(timer));
    },
    { allowLoopback: true, timeoutMs: 200 },
  );
  assert.deepEqual(found, { status: "unreachable", reason: "no whole answer in 200 ms" });
});

const refused: readonly (readonly [url: string, options: DiscoverOptions, reason: RegExp])[] = [
  ["http://127.0.0.1:9/mcp", {}, /plain http on this machine/],
  ["https://127.0.0.1:9/mcp", {}, /this machine/],
  ["http://192.0.2.1/mcp", {}, /not https/],
  ["https://10.1.2.3/mcp", {}, /private address/],
  ["https://169.254.169.254/latest", {}, /private address/],
  ["https://[fd00::1]/mcp", {}, /private address/],
  ["https://[::ffff:10.0.0.1]/mcp", {}, /private address/],
  ["https://0x7f.1/mcp", {}, /this machine/],
  ["ftp://example.com/", {}, /not https|an address/],
];
for (const [url, options, reason] of refused)
  test(`${url} is not asked`, async () => {
    const found = await discover(new URL(url), SAD_PATH, options);
    assert.equal(found.status, "refused");
    assert.match(found.status === "refused" ? found.reason : "", reason);
  });

test("addresses are told apart", () => {
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    assert.equal(isLoopback(address), true, address);
  for (const address of [
    "10.0.0.1",
    "172.31.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.1.1",
    "0.0.0.0",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "64:ff9b::a00:1",
    "224.0.0.1",
    "255.255.255.255",
  ])
    assert.equal(isLocal(address), true, address);
  for (const address of ["8.8.8.8", "172.32.0.1", "192.0.2.1", "2001:4860::1"])
    assert.equal(isLocal(address), false, address);
});
