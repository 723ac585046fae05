/** A server that tries everything: each attempt is on record, with where it was meant to go and what was sent, and none
 *  reached anybody. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { DnsEvent, EgressEvent } from "../../src/sandbox/index.ts";
import { type Driven, drive, openFolder, type Tripwires, tripwires, users } from "./kit.ts";

const secret = `sk-proj-${randomUUID().replaceAll("-", "")}`;

/** protocol, host, port, verdict, and a part of what was sent that must be seen. */
const expected = (port: number, udpPort: number): [string, string, number, string, string?][] => [
  ["tcp", "203.0.113.77", 31337, "overreach", `raw ${secret}`],
  ["tcp", "2001:db8:bad::1", 4444, "overreach", `raw6 ${secret}`],
  ["tcp", "169.254.169.254", 80, "overreach", "GET /latest/meta-data/iam"],
  ["tcp", "203.0.113.25", 25, "overreach"],
  ["tcp", "telemetry.evil.example", 443, "overreach", "GET /collect?x=1"],
  ["tcp", "fetch.evil.example", 8443, "overreach", "hello"],
  ["tcp", "collect.evil.example", 8080, "overreach", secret],
  ["tcp", "c2.evil.example", 443, "overreach", secret],
  ["tcp", "curl2.evil.example", 443, "overreach", secret],
  ["tcp", "late.evil.example", 443, "overreach", `big=${secret}`],
  ["udp", "198.51.100.9", 9999, "overreach", `udp ${secret}`],
  ["udp", "198.51.100.10", 443, "overreach", "quic"],
  ["udp", "2001:db8:bad::2", 5005, "overreach", "udp6"],
  ["udp", "statsd.evil.example", 8125, "overreach", "named"],
  ["udp", "239.255.255.250", 1900, "overreach", "M-SEARCH"],
  ["tcp", "1.1.1.1", 443, "overreach", "GET /dns-query"],
  ["tcp", "curl.evil.example", 80, "overreach", secret],
  ["tcp", "2606:4700::1111", 8443, "overreach", "GET / "],
  ["icmp", "192.0.2.55", 0, "overreach"],
  ["tcp", "127.0.0.1", port, "loopback", "GET /secret"],
  ["tcp", "::1", port, "loopback", "hello"],
  ["tcp", "127.0.0.2", port, "loopback", "hello"],
  ["udp", "127.0.0.1", udpPort, "loopback", "hello"],
  ["tcp", "api.declared.example", 80, "permitted", "GET /v1/ping"],
  ["tcp", "api.declared.example", 81, "overreach", "GET / "],
  ["tcp", "api.declared.example", 80, "overreach", "Host: other.evil.example"],
];

const said = ({ firstBytes, tls }: EgressEvent): string =>
  Buffer.from(tls?.plaintext ?? firstBytes, "base64").toString("latin1");
const isEgress = (event: { kind: string }): event is EgressEvent => event.kind === "egress";

for (const who of users)
  describe(`a hostile server, run by ${who === "self" ? "the user of the tests" : "a user without rights"}`, () => {
    let folder: ReturnType<typeof openFolder>;
    let wires: Tripwires;
    let run: Driven;
    let answers: Record<string, string>;

    before(async () => {
      folder = openFolder();
      wires = await tripwires();
      run = await drive(folder.path, who, {
        command: {
          command: process.execPath,
          args: [join(folder.path, "servers/hostile.mjs")],
          env: {
            SECRET: secret,
            TRIP_PORT: String(wires.port),
            TRIP_UDP: String(wires.udpPort),
            TRIP_SOCKET: wires.socket,
            TRIP_ABSTRACT: wires.abstract,
            TRIP_FILE: wires.file,
          },
        },
        options: {
          allowed: [{ host: "api.declared.example", port: 80, by: "operator" }],
          homeFiles: [".ssh/id_ed25519", ".aws/credentials", ".npmrc"].map((path) => ({
            path,
            content: `key ${secret}\n`,
            mode: 0o600,
          })),
          workFiles: [{ path: ".env", content: `TOKEN=${secret}\n`, mode: 0o600 }],
        },
        calls: [{ method: "initialize" }, { method: "tools/list" }, { method: "tools/call" }],
      });
      answers = JSON.parse(run.results[2]?.content?.[0]?.text ?? "{}") as Record<string, string>;
    });
    after(() => {
      wires?.close();
      folder?.remove();
    });

    test("it runs as nobody of importance, without capabilities, under a filter [BOX-2]", () => {
      assert.equal(run.uid, who === "nobody" ? 65_534 : process.getuid?.());
      const own = JSON.parse(answers.itself ?? "{}") as Record<string, unknown>;
      assert.notEqual(own.uid, 0);
      assert.deepEqual([own.capabilities, own.noNewPrivileges, own.seccomp], ["0000000000000000", "1", "2"]);
    });

    test("every attempt is on record, with host, port, verdict and bytes [BOX-6]", () => {
      const egress = run.events.filter(isEgress);
      const missing = expected(wires.port, wires.udpPort).filter(
        ([protocol, host, port, verdict, bytes]) =>
          !egress.some(
            (event) =>
              event.protocol === protocol &&
              event.host === host &&
              event.port === port &&
              event.verdict === verdict &&
              said(event).includes(bytes ?? ""),
          ),
      );
      assert.deepEqual(
        missing,
        [],
        JSON.stringify(
          egress.map((event) => ({ ...event, firstBytes: said(event) })),
          null,
          1,
        ),
      );
    });

    test("and nothing that was not tried", () => {
      const known = new Set(
        expected(wires.port, wires.udpPort).map(([protocol, host, port]) => `${protocol} ${host} ${port}`),
      );
      const unknown = run.events
        .filter(isEgress)
        .map(({ protocol, host, port }) => `${protocol} ${host} ${port}`)
        .filter((key) => !known.has(key));
      assert.deepEqual(unknown, []);
    });

    test("queries for names are on record: the secret in a label, the resolver that was hard-coded [BOX-9]", () => {
      const queries = run.events.filter((event): event is DnsEvent => event.kind === "dns");
      const named = (part: string) => queries.filter(({ name }) => name.includes(part));
      assert.equal(named("exfil.attacker.example").length > 0, true);
      assert.equal(named(Buffer.from(secret).toString("hex").slice(0, 60))[0]?.type, "TXT");
      assert.deepEqual(
        [...new Set(named("direct.attacker.example").map(({ resolver }) => resolver))],
        ["8.8.8.8"],
      );
    });

    test("claims are told apart from facts [BOX-7]", () => {
      const at = (host: string, port: number, part = "") =>
        run.events
          .filter(isEgress)
          .find((event) => event.host === host && event.port === port && said(event).includes(part));
      assert.equal(at("1.1.1.1", 443)?.tls?.sni, "cloudflare-dns.com");
      assert.equal(at("api.declared.example", 80, "other.evil")?.httpHost, "other.evil.example");
      assert.match(at("api.declared.example", 80, "other.evil")?.reason ?? "", /other\.evil\.example/);
      assert.match(at("api.declared.example", 81)?.reason ?? "", /port 80/);
    });

    test("a child process is named as the one that connected", () => {
      const curl = run.events.filter(isEgress).find(({ host }) => host === "curl.evil.example");
      assert.match(curl?.process?.command ?? "", /^curl /);
    });

    test("planted files that were read are told, also when the reader would hide it", () => {
      const read = run.events.flatMap((event) => (event.kind === "canary-read" ? [event.path] : []));
      assert.deepEqual([...new Set(read)].sort(), [
        "/home/dev/.aws/credentials",
        "/home/dev/.ssh/id_ed25519",
      ]);
      assert.equal(answers["a read that leaves no trace"], "EPERM");
    });

    test("the machine's own files, sockets and descriptors are not there", () => {
      assert.equal(answers["the machine's files"], "ENOENT,ENOENT,ENOENT");
      assert.equal(answers["the machine's socket"], "ENOENT");
      assert.equal(answers["the machine's abstract socket"], "ECONNREFUSED");
      assert.equal(answers["the container engine"], "ENOENT");
      assert.equal(answers.descriptors, "");
    });

    test("it can write where it lives, and beside its code in a layer that nobody else sees", () => {
      const written = JSON.parse(answers.writing ?? "{}") as Record<string, string>;
      const beside = join(folder.path, "servers/hostile.mjs.x");
      const allowed = Object.entries(written).filter(([, how]) => how === "ok");
      // Whether it may write beside its code is for the rights of that folder to say.
      assert.deepEqual(
        allowed.map(([file]) => file).filter((file) => file !== beside),
        ["/tmp/x", "/home/dev/x", "x"],
      );
      assert.equal(existsSync(beside), false, "nothing of it is on this machine");
    });

    test("it can talk to itself", () => {
      assert.deepEqual(
        [answers["its own listener"], answers["its own http server"], answers["its own udp socket"]],
        ["got hi", "got own", "got self"],
      );
    });

    test("no tripwire of the machine was touched, and each of them works [BOX-1]", async () => {
      assert.deepEqual(wires.hits, []);
      const poke = (where: object): Promise<void> =>
        new Promise((done) => {
          const socket = connect(where as { path: string }, () => {});
          socket.on("error", () => done());
          socket.on("close", () => done());
        });
      await poke({ host: "127.0.0.1", port: wires.port });
      await poke({ host: "::1", port: wires.port });
      await poke({ path: wires.socket });
      await poke({ path: `\0${wires.abstract}` });
      const udp = createSocket("udp4");
      await new Promise<void>((done) =>
        udp.send("x", wires.udpPort, "127.0.0.1", () => setTimeout(done, 50)),
      );
      udp.close();
      assert.deepEqual([...wires.hits].sort(), ["abstract", "tcp", "tcp6", "udp", "unix"]);
    });
  });
