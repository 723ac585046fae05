import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, isIP } from "node:net";
import { test } from "node:test";
import { createServer, type PeerCertificate, connect as tlsConnect } from "node:tls";
import fc from "fast-check";
import { createAuthority } from "./certificates.ts";

const NOW = new Date();
const authority = createAuthority(NOW);
const root = new X509Certificate(authority.pem);
const leafOf = (host: string): X509Certificate => new X509Certificate(authority.leaf(host).cert);

/** Up to a second, as certificates tell it. */
const dayFrom = (now: Date, days: number): number =>
  Math.floor((now.getTime() + days * 86_400_000) / 1000) * 1000;

test("the authority signs itself, for hosts only, and names nobody", () => {
  assert.equal(root.subject, "CN=Local Root");
  assert.equal(root.issuer, root.subject);
  assert.ok(root.ca);
  assert.ok(root.verify(root.publicKey));
  assert.equal(root.publicKey.asymmetricKeyDetails?.namedCurve, "prime256v1");
});

test("a leaf is signed by the authority, for servers, and is none itself", () => {
  const leaf = leafOf("api.example.com");
  assert.equal(leaf.subject, "CN=Local Server");
  assert.equal(leaf.issuer, root.subject);
  assert.ok(!leaf.ca);
  assert.ok(leaf.checkIssued(root));
  assert.ok(leaf.verify(root.publicKey));
  assert.deepEqual(leaf.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
  assert.ok(leaf.checkPrivateKey(createPrivateKey(authority.leaf("api.example.com").key)));
  assert.notEqual(leaf.serialNumber, root.serialNumber);
});

test("the chain is the leaf and then the authority", () => {
  const { cert } = authority.leaf("api.example.com");
  const certificates = cert.match(
    /-----BEGIN CERTIFICATE-----\n(?:[\w+/=]{1,64}\n)+-----END CERTIFICATE-----\n/g,
  );
  assert.equal(certificates?.length, 2);
  assert.equal(certificates.join(""), cert);
  assert.equal(certificates[1], authority.pem);
});

test("a chain can be put together by key", () => {
  const leaf = leafOf("a.example");
  const [id = ""] = hexOf(root).match(/(?<=0603551d0e04160414).{40}/) ?? [];
  assert.equal(id.length, 40);
  // The leaf points to it, and has its own.
  assert.ok(hexOf(leaf).includes(`0603551d23041830168014${id}`));
  assert.ok(hexOf(leaf).includes("0603551d0e04160414"));
  assert.ok(!hexOf(leaf).includes(`0603551d0e04160414${id}`));
});

test("limits of use are marked as critical", () => {
  // Basic constraints (an authority, no further one below it; none) and key usage (certificates, lists; signatures).
  assert.ok(hexOf(root).includes("0603551d130101ff040830060101ff020100"));
  assert.ok(hexOf(root).includes("0603551d0f0101ff040403020106"));
  assert.ok(hexOf(leafOf("a.example")).includes("0603551d130101ff04023000"));
  assert.ok(hexOf(leafOf("a.example")).includes("0603551d0f0101ff040403020780"));
});

const hosts = [
  { host: "api.example.com", san: "DNS:api.example.com" },
  { host: "API.Example.COM", san: "DNS:api.example.com" },
  { host: "example.com.", san: "DNS:example.com" },
  { host: "localhost", san: "DNS:localhost" },
  { host: "_dmarc.my_host.example", san: "DNS:_dmarc.my_host.example" },
  { host: "xn--bcher-kva.example", san: "DNS:xn--bcher-kva.example" },
  { host: `${"a".repeat(63)}.example`, san: `DNS:${"a".repeat(63)}.example` },
  { host: `${"abcdefg.".repeat(31)}abcde`, san: `DNS:${"abcdefg.".repeat(31)}abcde` },
  { host: "203.0.113.7", san: "IP Address:203.0.113.7" },
  { host: "2001:DB8::7", san: "IP Address:2001:DB8:0:0:0:0:0:7" },
  { host: "::", san: "IP Address:0:0:0:0:0:0:0:0" },
  { host: "[::1]", san: "IP Address:0:0:0:0:0:0:0:1" },
  { host: "1:2:3:4:5:6:7:8", san: "IP Address:1:2:3:4:5:6:7:8" },
  { host: "1:0:0:4::", san: "IP Address:1:0:0:4:0:0:0:0" },
  { host: "fe80::1%eth0", san: "IP Address:FE80:0:0:0:0:0:0:1" },
  { host: "::ffff:192.0.2.1", san: "IP Address:0:0:0:0:0:FFFF:C000:201" },
];
for (const { host, san } of hosts)
  test(`a certificate for ${host}`, () => assert.equal(leafOf(host).subjectAltName, san));

const nonsense = [
  "",
  ".",
  "a..b",
  ".example",
  "-a.example",
  "a-.example",
  "*.example.com",
  "a b",
  "a\0.example",
  "a\n.example",
  "bücher.example",
  "\u212aelvin.example",
  "a,DNS:b.example",
  "1.2.3.4:443",
  "[example.com]",
  "1::2::3",
  `${"a".repeat(64)}.example`,
  "abcdefg.".repeat(32),
  "a".repeat(100_000),
];
for (const host of nonsense)
  test(`no certificate can name ${JSON.stringify(host.slice(0, 40))}`, () =>
    assert.equal(leafOf(host).subjectAltName, "DNS:invalid"));

test("whatever the host, there is a certificate that can be read", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.domain(), fc.ipV4(), fc.ipV6()), (host) => {
      const leaf = leafOf(host);
      assert.match(leaf.subjectAltName ?? "", /^(DNS:[a-z0-9_.-]+|IP Address:[0-9A-F.:]+)$/);
      assert.ok(leaf.checkIssued(root));
    }),
    { numRuns: 200 },
  );
});

const years = [
  { now: "2026-11-15T12:34:56.789Z", tags: ["17", "17"] },
  { now: "2000-01-01T00:00:00Z", tags: ["17", "17"] },
  { now: "2049-12-15T00:00:00Z", tags: ["17", "18"] },
  { now: "2050-01-01T12:00:00Z", tags: ["17", "18"] },
  { now: "2050-01-02T00:00:00Z", tags: ["18", "18"] },
  { now: "2071-02-28T23:59:59Z", tags: ["18", "18"] },
];
for (const { now, tags } of years)
  test(`on ${now} it has been valid for a day and is for thirty more`, () => {
    const at = new Date(now);
    const then = createAuthority(at);
    for (const pem of [then.pem, then.leaf("a.example").cert]) {
      const certificate = new X509Certificate(pem);
      assert.equal(Date.parse(certificate.validFrom), dayFrom(at, -1));
      assert.equal(Date.parse(certificate.validTo), dayFrom(at, 30));
      // Two digits for the year before 2050, four from then on.
      const [, from, to] =
        hexOf(certificate).match(/30(?:1e|20|22)(17|18)0[df](?:3\d)+5a(17|18)0[df](?:3\d)+5a/) ?? [];
      assert.deepEqual([from, to], tags);
    }
  });

test("numbers of certificates are positive, of sixteen bytes, and made from the given randomness", () => {
  const serials = [0x00, 0x7f, 0x80, 0xff].map(
    (byte) => new X509Certificate(createAuthority(NOW, (size) => Buffer.alloc(size, byte)).pem).serialNumber,
  );
  assert.deepEqual(serials, [
    `40${"00".repeat(15)}`,
    `7F${"7F".repeat(15)}`,
    `40${"80".repeat(15)}`,
    `7F${"FF".repeat(15)}`,
  ]);
  const drawn = new Set(["a", "b", "c"].map((host) => leafOf(host).serialNumber));
  assert.equal(drawn.size, 3);
});

test("a host keeps its certificate while it is among the last thousand", () => {
  const own = createAuthority(NOW);
  const first = own.leaf("first.example");
  const second = own.leaf("second.example");
  assert.equal(own.leaf("FIRST.example."), first);
  for (let i = 0; i < 999; i++) own.leaf(`h${i}.example`);
  assert.equal(own.leaf("first.example"), first);
  assert.notEqual(own.leaf("second.example"), second);
});

test("two authorities have nothing in common", () => {
  const other = createAuthority(NOW);
  assert.notEqual(other.leaf("a.example").key, authority.leaf("a.example").key);
  assert.ok(!leafOf("a.example").verify(new X509Certificate(other.pem).publicKey));
});

/** In place of Node's own check, which takes no IPv6 address for any in 22.23 and 24.17 (nodejs/node#64144). */
function checkIPv6(address: string, peer: PeerCertificate): Error | undefined {
  if (new X509Certificate(peer.raw).checkIP(address) !== undefined) return undefined;
  return Object.assign(new Error(address), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
}

/** Shakes hands on loopback: a server with the leaf of `host`, a client that wants `wanted`. Resolves to what came back. */
async function shake(host: string, wanted: string, ca: string): Promise<string> {
  const server = createServer({ ...authority.leaf(host) }, (socket) => socket.end("hello"));
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const plain = connect((server.address() as AddressInfo).port, "127.0.0.1");
  // The name to check is that of the host, whatever the socket is connected to: no machine needs to have IPv6.
  const client = tlsConnect({
    socket: plain,
    host: wanted,
    ca,
    ...(isIP(wanted) === 0 && { servername: wanted }),
    ...(isIP(wanted) === 6 && { checkServerIdentity: checkIPv6 }),
  });
  try {
    let text = "";
    for await (const chunk of client.setEncoding("utf8")) text += chunk;
    assert.ok(client.authorized);
    return text;
  } finally {
    client.destroy();
    plain.destroy();
    await new Promise((closed) => server.close(closed));
  }
}

for (const host of ["api.example.com", "203.0.113.7", "2001:db8::7", "127.0.0.1", "::1"]) {
  test(`a client that trusts the authority takes the server for ${host}`, { timeout: 10_000 }, async () => {
    assert.equal(await shake(host, host, authority.pem), "hello");
  });

  test(`and for nobody else than ${host}`, { timeout: 10_000 }, async () => {
    for (const other of ["other.example", "203.0.113.8", "2001:db8::8"])
      await assert.rejects(shake(host, other, authority.pem), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });

  test(`a client that does not trust it refuses ${host}`, { timeout: 10_000 }, async () => {
    await assert.rejects(shake(host, host, createAuthority(NOW).pem), {
      code: /SELF_SIGNED|UNABLE_TO|SIGNATURE/,
    });
  });
}

function hexOf(certificate: X509Certificate): string {
  return certificate.raw.toString("hex");
}
