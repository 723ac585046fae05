/** Declared hosts: recorded, answered from a file, or passed on; and never passed on into a private network. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectTls } from "node:tls";
import type { AllowedHost, CannedReply, EgressEvent, SandboxOptions } from "../../src/sandbox/index.ts";
import { start } from "../../src/sandbox/index.ts";
import { createAuthority } from "../../src/sandbox/inside/certificates.ts";
import { publicLookup } from "../../src/sandbox/namespaces/forwarder.ts";
import { fixtures } from "./kit.ts";

const timeout = 30_000;
const allowed: readonly AllowedHost[] = [
  { host: "api.declared.example", port: 443, by: "package" },
  { host: "api.declared.example", port: 80, by: "package" },
];

async function call(requests: readonly (readonly string[])[], options: SandboxOptions) {
  const running = await start(
    { command: process.execPath, args: [join(fixtures, "caller.mjs"), JSON.stringify(requests)] },
    options,
  );
  const parts: Buffer[] = [];
  running.stdio.stdout?.on("data", (part: Buffer) => parts.push(part));
  await running.exited;
  const egress = running.events
    .filter((event): event is EgressEvent => event.kind === "egress")
    .sort((a, b) => a.at - b.at);
  return { answers: Buffer.concat(parts).toString().trim().split("\n"), egress };
}

test("a declared host is recorded and gets nowhere unless it is said", { timeout }, async () => {
  const { answers, egress } = await call([["GET", "https://api.declared.example/v1"]], { allowed });
  assert.deepEqual(answers, ["503"]);
  assert.deepEqual(
    egress.map(({ verdict, ending }) => [verdict, ending]),
    [["permitted", "unavailable"]],
  );
});

/** Runs a program that asks in one connection, one request after the other, and prints each status line. */
async function inOneConnection(requests: readonly string[], options: SandboxOptions) {
  const program = `
    const requests = ${JSON.stringify(requests)};
    const socket = require("net").connect(80, "api.declared.example", () => socket.write(requests.shift()));
    socket.on("data", (part) => {
      console.log(String(part).split("\\r\\n")[0]);
      const next = requests.shift();
      if (next) socket.write(next);
      else setTimeout(() => process.exit(0), 100);
    });
    socket.on("error", () => process.exit(0));
    socket.on("close", () => process.exit(0));`;
  const running = await start({ command: process.execPath, args: ["-e", program] }, options);
  const parts: Buffer[] = [];
  running.stdio.stdout?.on("data", (part: Buffer) => parts.push(part));
  await running.exited;
  const egress = running.events.filter((event): event is EgressEvent => event.kind === "egress");
  return { lines: Buffer.concat(parts).toString().trim().split("\n"), egress, events: running.events };
}
const request = (path: string, host = "api.declared.example", more = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
const sentIn = ({ firstBytes }: EgressEvent): string => Buffer.from(firstBytes, "base64").toString();

test("a connection that is answered stays open, and each request in it is told by itself", {
  timeout,
}, async () => {
  const requests = [request("/1"), request("/2"), request("/3")];
  const { lines, egress } = await inOneConnection(requests, { allowed });
  assert.deepEqual(
    lines,
    Array.from({ length: 3 }, () => "HTTP/1.1 503 Service Unavailable"),
  );
  assert.deepEqual(egress.map(sentIn), requests);
  assert.deepEqual(
    egress.map(({ bytes, ending }) => [bytes, ending]),
    requests.map(({ length }) => [length, "unavailable"]),
  );
});

test("a later request to another host is reset and told, alone and behind one that is answered", {
  timeout,
}, async () => {
  const steal = request("/steal", "evil.example");
  for (const requests of [[request("/"), steal], [request("/") + steal]]) {
    const { lines, egress } = await inOneConnection(requests, { allowed });
    assert.deepEqual(lines, ["HTTP/1.1 503 Service Unavailable"]);
    assert.deepEqual(
      egress.map(({ verdict, ending }) => [verdict, ending]),
      [
        ["permitted", "unavailable"],
        ["overreach", "reset"],
      ],
    );
    assert.match(egress[1]?.reason ?? "", /evil\.example/);
  }
});

test("what follows an answer and is no request is told as well", { timeout }, async () => {
  const { egress } = await inOneConnection([request("/"), "\u0001\u0002 smuggled"], { allowed });
  assert.deepEqual(egress.map(sentIn), [request("/"), "\u0001\u0002 smuggled"]);
});

for (const [name, first] of [
  ["asks for the end", request("/", "api.declared.example", "Connection: close\r\n")],
  ["is of HTTP/1.0", request("/").replace("HTTP/1.1", "HTTP/1.0")],
] as const)
  test(`a connection is closed after a request that ${name}`, { timeout }, async () => {
    const { lines, egress } = await inOneConnection([first, request("/2")], { allowed });
    assert.deepEqual(lines, ["HTTP/1.1 503 Service Unavailable"]);
    assert.equal(egress.length, 1);
  });

test("a connection that was left open holds up nobody at the end, and is no gap", { timeout }, async () => {
  const program = `
    const { get, Agent } = require("https");
    get("https://api.declared.example/", { agent: new Agent({ keepAlive: true }) }, (reply) => {
      reply.resume().on("end", () => process.kill(process.pid, "SIGKILL"));
    });`;
  const running = await start({ command: process.execPath, args: ["-e", program] }, { allowed });
  await running.exited;
  assert.deepEqual(
    running.events.filter(({ kind }) => kind === "gap" || kind === "egress").map(({ kind }) => kind),
    ["egress"],
  );
});

test("canned replies answer declared hosts, with and without TLS, and nobody else [BOX-14]", {
  timeout,
}, async () => {
  const reply = { method: "GET", status: 200, headers: { "content-type": "text/plain" } } as const;
  const replies: CannedReply[] = [
    { ...reply, host: "api.declared.example", port: 443, path: "/v1/*", body: "over TLS" },
    { ...reply, host: "api.declared.example", port: 80, body: "in the clear" },
    { ...reply, host: "undeclared.example", port: 443, body: "never" },
  ];
  const requests = [
    ["GET", "https://api.declared.example/v1/now"],
    ["GET", "https://api.declared.example/v2"],
    ["GET", "http://api.declared.example/"],
    ["GET", "https://undeclared.example/"],
  ];
  const { answers, egress } = await call(requests, { allowed, replies });
  assert.deepEqual(answers, ["200 over TLS", "404 {}", "200 in the clear", "closed"]);
  assert.deepEqual(
    egress.map(({ ending }) => ending),
    ["answered", "answered", "answered", "reset"],
  );
});

test("declared connections are passed on, and what was said in them is seen [BOX-10]", {
  timeout,
}, async () => {
  const authority = createAuthority(new Date());
  const plain = createHttp((request, reply) => reply.end(`plain ${request.headers.host} ${request.url}`));
  const secure = createHttps(authority.leaf("api.declared.example"), (request, reply) =>
    reply.end(`secure ${request.headers.host}`),
  );
  await Promise.all(
    [plain, secure].map((server) => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))),
  );
  const portOf = (server: typeof plain): number => (server.address() as AddressInfo).port;
  const secret = randomBytes(20).toString("hex");
  const requests = [
    ["GET", "http://api.declared.example/a"],
    ["POST", "https://api.declared.example/b", secret],
    ["GET", "http://api.declared.example:81/"],
    ["GET", "https://other.example/"],
  ];
  const { answers, egress } = await call(requests, {
    allowed,
    forwards: true,
    dial: ({ isTls, host }) =>
      isTls
        ? connectTls({ host: "127.0.0.1", port: portOf(secure), servername: host, ca: authority.pem })
        : connect(portOf(plain), "127.0.0.1"),
  });
  plain.close();
  secure.close();
  assert.deepEqual(answers, [
    "200 plain api.declared.example /a",
    "200 secure api.declared.example",
    "closed",
    "closed",
  ]);
  const sent = egress.find(({ port, ending }) => port === 443 && ending === "forwarded");
  assert.equal(
    Buffer.from(sent?.tls?.plaintext ?? "", "base64")
      .toString()
      .includes(secret),
    true,
  );
  assert.deepEqual(
    egress.map(({ verdict }) => verdict),
    ["permitted", "permitted", "overreach", "overreach"],
  );
});

test("of a connection that is passed on, a second request to another host gets nowhere and is told", {
  timeout,
}, async () => {
  const asked: string[] = [];
  const plain = createHttp((request, reply) => {
    asked.push(`${request.headers.host}${request.url}`);
    reply.end("hello");
  });
  await new Promise<void>((done) => plain.listen(0, "127.0.0.1", done));
  const twice = `
    const head = (host, path) => "GET " + path + " HTTP/1.1\\r\\nHost: " + host + "\\r\\n\\r\\n";
    const socket = require("net").connect(80, "api.declared.example", () => {
      socket.write(head("api.declared.example", "/") + head("evil.example", "/steal"));
    });
    socket.on("close", () => process.exit(0)).resume();`;
  const running = await start(
    { command: process.execPath, args: ["-e", twice] },
    { allowed, forwards: true, dial: () => connect((plain.address() as AddressInfo).port, "127.0.0.1") },
  );
  await running.exited;
  plain.close();
  assert.deepEqual(asked, ["api.declared.example/"]);
  const [event] = running.events.filter((each): each is EgressEvent => each.kind === "egress");
  assert.deepEqual([event?.verdict, event?.ending], ["overreach", "forwarded"]);
  assert.match(event?.reason ?? "", /evil\.example/);
});

const notPassed = [
  { name: "half a request", words: "GET / HT", wait: 1_500 },
  {
    name: "a method nobody knows",
    words: "M-SEARCHSEARCHSEARCHSEARCH / HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n",
    wait: 0,
  },
  { name: "nothing at first", words: "", wait: 1_500 },
];
for (const { name, words, wait } of notPassed)
  test(`not passed on: ${name}`, { timeout }, async () => {
    let hasDialled = false;
    const script = `
      const socket = require("net").connect(80, "api.declared.example", () => {
        if ("${words}") socket.write("${words}");
        setTimeout(() => socket.write("GET /steal HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n"), ${wait});
      });
      socket.on("error", () => {});
      socket.on("close", () => process.exit(0)).resume();`;
    const running = await start(
      { command: process.execPath, args: ["-e", script] },
      {
        allowed,
        forwards: true,
        dial: () => {
          hasDialled = true;
          return connect(1, "127.0.0.1");
        },
      },
    );
    await running.exited;
    assert.equal(hasDialled, false);
    assert.equal(
      running.events.some((event) => event.kind === "egress" && event.ending === "reset"),
      true,
    );
  });

test("a private network is never dialled, whatever is declared [BOX-13]", { timeout }, async () => {
  const hits: string[] = [];
  const trip = createHttp((_, reply) => {
    hits.push("hit");
    reply.end();
  });
  await new Promise<void>((done) => trip.listen(0, "127.0.0.1", done));
  const { port } = trip.address() as AddressInfo;
  const { egress } = await call([["GET", `http://10.1.2.3:${port}/`]], {
    allowed: [{ host: "10.1.2.3", port, by: "operator" }],
    forwards: true,
  });
  trip.close();
  assert.deepEqual(
    egress.map(({ verdict, ending }) => [verdict, ending]),
    [["permitted", "reset"]],
  );
  assert.deepEqual(hits, []);
  const found = await new Promise((done) =>
    publicLookup("localhost", { all: true }, (fault) => done(fault?.message)),
  );
  assert.match(String(found), /private addresses only/);
});
