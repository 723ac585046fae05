/** Builds those cases of spec/vectors/sad that are ours, each from the valid document by one change. */
import { AT_WEATHER, type DocumentCase, signed, type ToolCase, WEATHER } from "./sad.ts";

type Change = Readonly<Record<string, unknown>>;
type Options = Partial<Pick<DocumentCase, "root" | "encoding" | "padTo" | "base">> & {
  readonly context?: Partial<DocumentCase["context"]>;
  readonly seed?: number;
};
type OwnCase = readonly [name: string, content: { about: string } & (DocumentCase | ToolCase)];

const PROVENANCE = "made for this project";
const REASONS = [
  "unsupported_version",
  "not_mcp_server",
  "unsigned",
  "signer_not_trusted",
  "signer_expired",
  "signer_not_approved",
  "bad_signature",
  "below_required",
  "host_not_bound",
  "tool_not_admitted",
] as const;
const ADMITTED = { status: "admitted" } as const;

/** Typed out once more, so that a wrong row in the table of codes does not make its own vector right. */
const RULE_OF: Readonly<Record<number, number>> = { 130: 3, 131: 4, 132: 4, 133: 5, 134: 6, 135: 9 };
const INTAKE: Readonly<Record<number, number>> = {
  ...Object.fromEntries(
    [100, 101, 102, 103, 104, 105, 106, 107, 108, 111, 113, 114, 115, 120].map((code) => [code, 1]),
  ),
  109: 0,
  110: 0,
  112: 5,
  116: 2,
  117: 6,
  118: 8,
  119: 8,
};

function denied(code: number): Pick<DocumentCase, "layer" | "expect"> {
  const rule = RULE_OF[code] ?? INTAKE[code] ?? code;
  return {
    layer: code in INTAKE ? "intake" : `rule ${rule}`,
    expect: { status: "denied", reason: REASONS[rule] ?? "", code },
  };
}

function text(
  about: string,
  document: string,
  outcome: Pick<DocumentCase, "layer" | "expect">,
  options: Options,
) {
  const { root = "omcp-demo", context, seed: _, ...rest } = options;
  return {
    about,
    provenance: PROVENANCE,
    ...outcome,
    root,
    document,
    context: { ...AT_WEATHER, ...context },
    ...rest,
  };
}

/** Denied with the code, although the signature fits what the document says. */
const no = (name: string, code: number, about: string, change: Change, options: Options = {}): OwnCase => [
  `${code < 100 ? `rule-${code}` : code}-${name}`,
  text(about, JSON.stringify(signed({ ...WEATHER, ...change }, options.seed)), denied(code), options),
];
/** As above, but changed after it was signed. */
const late = (name: string, code: number, about: string, change: Change, options: Options = {}): OwnCase => [
  `${code < 100 ? `rule-${code}` : code}-${name}`,
  text(about, JSON.stringify({ ...signed(WEATHER), ...change }), denied(code), options),
];
const raw = (name: string, code: number, about: string, document: string, options: Options = {}): OwnCase => [
  `${code < 100 ? `rule-${code}` : code}-${name}`,
  text(about, document, denied(code), options),
];
const yes = (name: string, about: string, document: string | Change, options: Options = {}): OwnCase => {
  const level = options.root === "edge" ? EDGE_LEVELS : DEMO_LEVELS;
  const content =
    typeof document === "string"
      ? document
      : JSON.stringify(signed({ ...WEATHER, ...document }, options.seed));
  const { clearance, signerKeyId } = JSON.parse(content) as { clearance: string; signerKeyId: string };
  const outcome = {
    layer: "none",
    expect: { ...ADMITTED, level: clearance, rank: level[clearance] ?? -1, keyId: signerKeyId },
  };
  return [`admitted-${name}`, text(about, content, outcome, options)];
};
const tool = (
  name: string,
  about: string,
  allowed: readonly string[],
  called: string,
  code?: number,
): OwnCase => [
  `tool-${name}`,
  {
    about,
    provenance: PROVENANCE,
    ...(code === undefined ? { layer: "none", expect: ADMITTED } : denied(code)),
    allowed,
    tool: called,
  },
];

const DEMO_LEVELS: Readonly<Record<string, number>> = {
  public: 0,
  internal: 10,
  confidential: 20,
  secret: 30,
};
const EDGE_LEVELS: Readonly<Record<string, number>> = { internal: 10, partner: 10, secret: 30 };

const valid = JSON.stringify(signed(WEATHER));
const { signature } = signed(WEATHER);
const hosts = (...netAllowedHosts: readonly unknown[]): Change => ({ netAllowedHosts });
const edge = { root: "edge" } as const;
const without = (name: keyof typeof WEATHER): string =>
  JSON.stringify(signed(Object.fromEntries(Object.entries(WEATHER).filter(([key]) => key !== name))));
const base64 = (...parts: readonly (string | readonly number[])[]): string =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))),
  ).toString("base64");
const nested = (levels: number): string =>
  `${valid.slice(0, -1)},"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;

/** The order of the group: S and S + L are one number to a verifier that does not look. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
function addedL(text: string): string {
  const bytes = Buffer.from(text, "base64");
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + L;
  return Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse(),
  ]).toString("base64");
}

const intake: readonly OwnCase[] = [
  raw("one-byte-too-many", 100, "one byte more than 64 KiB", valid, { padTo: 65_537, base: ADMITTED }),
  raw("byte-order-mark", 101, "a byte order mark before a valid document", `\ufeff${valid}`),
  raw("overlong", 102, "an overlong form of a letter", base64('{"v":"1.0","id":"', [0xc1, 0xa1], '"}'), {
    encoding: "base64",
  }),
  raw("surrogate-bytes", 102, "a surrogate written as bytes", base64('{"id":"', [0xed, 0xa0, 0x80], '"}'), {
    encoding: "base64",
  }),
  raw("latin-1", 102, "a byte that is no UTF-8", base64('{"publisher":"Caf', [0xe9], '"}'), {
    encoding: "base64",
  }),
  raw("empty", 103, "no bytes at all are no document", ""),
  raw("trailing-comma", 103, "a comma after the last member", `${valid.slice(0, -1)},}`),
  raw("two-documents", 103, "a second document after the first", valid + valid),
  raw("comment", 103, "a comment", `${valid}// signed`),
  raw("not-a-number", 103, "NaN is not JSON", '{"v":NaN}'),
  raw("null-byte", 103, "a zero byte after the document", `${valid}\0`),
  raw(
    "duplicate-clearance",
    104,
    "the last of two clearances is the signed one",
    `{"clearance":"secret",${valid.slice(1)}`,
    { base: ADMITTED },
  ),
  raw(
    "duplicate-escaped",
    104,
    "the second name is written with an escape",
    `{"\\u0063learance":"secret",${valid.slice(1)}`,
    { base: ADMITTED },
  ),
  raw(
    "duplicate-unknown",
    104,
    "twice in a member nobody knows",
    `${valid.slice(0, -1)},"x":{"a":1,"a":2}}`,
    { base: ADMITTED },
  ),
  raw("too-deep", 105, "nine levels within the document", nested(9), { base: ADMITTED }),
  raw("proto", 106, "__proto__ as a member", `${valid.slice(0, -1)},"__proto__":{"clearance":"secret"}}`, {
    base: ADMITTED,
  }),
  raw("constructor", 106, "constructor within a member", `${valid.slice(0, -1)},"x":{"constructor":1}}`, {
    base: ADMITTED,
  }),
  raw(
    "half-character",
    107,
    "half of a character in a member nobody knows",
    `${valid.slice(0, -1)},"x":"\\ud800"}`,
    { base: ADMITTED },
  ),
  raw("list", 108, "a list with the document in it", `[${valid}]`),
  raw("null", 108, "the document is null, which is not the same as none", "null"),
  raw("text", 108, "the document is a text with the document in it", JSON.stringify(valid)),

  no("text-without-minor", 0, "the text 1 is neither of the two forms", { v: "1" }),
  no("leading-zero-major", 109, "01.0 is not 1.0", { v: "01.0" }, { base: ADMITTED }),
  no("leading-zero-minor", 109, "1.00 is not 1.0", { v: "1.00" }, { base: ADMITTED }),
  no("three-parts", 0, "three parts", { v: "1.0.0" }),
  no("space-after", 0, "a space after the version", { v: "1.0 " }),
  no("line-after", 0, "a line end after the version", { v: "1.0\n" }),
  no("wide-digits", 0, "digits of another script", { v: "\uff11.0" }),
  no("fraction", 0, "a number that is no integer", { v: 1.5 }),
  no("negative", 0, "a negative number", { v: -1 }),
  no("true", 109, "true is not 1", { v: true }),
  no("null-version", 109, "null as the version", { v: null }),
  raw("no-version", 109, "no version", without("v")),
  no("other-version-other-shape", 110, "a later version may have another shape; that is what is said", {
    v: "2.0",
    capabilities: { server: true },
  }),

  raw("no-id", 111, "no id, although the rest is signed", without("id"), { base: ADMITTED }),
  raw("no-publisher", 111, "no publisher", without("publisher"), { base: ADMITTED }),
  raw("no-server-version", 111, "no version of the server", without("version"), { base: ADMITTED }),
  no("empty-id", 111, "an empty id", { id: "" }, { base: ADMITTED }),
  no("number-version", 111, "a number for a text", { version: 2 }, { base: ADMITTED }),
  raw("no-clearance", 112, "no clearance", without("clearance")),
  no("listed-clearance", 112, "a list with the level in it", { clearance: ["internal"] }),
  raw("no-capabilities", 113, "no capabilities", without("capabilities")),
  no("capabilities-text", 113, "a text that holds the word is no list that does", {
    capabilities: "mcp-server",
  }),
  no(
    "capabilities-mixed",
    113,
    "a number among the capabilities",
    { capabilities: ["mcp-server", 1] },
    { base: ADMITTED },
  ),
  yes(
    "capability-space",
    "a space sorts before the quote that ends a text: members are ordered as they are written",
    {
      capabilities: ["mcp-server", "mcp-server x"],
    },
  ),
  no(
    "capability-quote",
    114,
    "a quote in a capability",
    { capabilities: ["mcp-server", 'a"b'] },
    { base: ADMITTED },
  ),
  no(
    "capability-foreign",
    114,
    "a letter that looks like another",
    { capabilities: ["mcp-server", "m\u0441p"] },
    { base: ADMITTED },
  ),
  no(
    "capability-empty",
    114,
    "an empty capability",
    { capabilities: ["mcp-server", ""] },
    { base: ADMITTED },
  ),
  no("verification-null", 115, "null as the verification", { verification: null }, { base: ADMITTED }),
  no("verification-object", 115, "an object as the verification", { verification: {} }, { base: ADMITTED }),
  no("signer-null", 116, "null as the key", { signerKeyId: null }),
  no("signer-number", 116, "a number as the key", { signerKeyId: 7 }),
  late("signature-list", 116, "a list with the signature in it", { signature: [signature] }),

  late(
    "url-alphabet",
    117,
    "the alphabet of URLs",
    { signature: signature.replaceAll("+", "-").replaceAll("/", "_") },
    { base: ADMITTED },
  ),
  late("no-padding", 117, "no padding", { signature: signature.slice(0, -2) }, { base: ADMITTED }),
  late(
    "space-within",
    117,
    "a space within",
    { signature: `${signature.slice(0, 40)} ${signature.slice(40)}` },
    { base: ADMITTED },
  ),
  late("line-at-end", 117, "a line end after it", { signature: `${signature}\n` }, { base: ADMITTED }),
  late(
    "junk-within",
    117,
    "characters that lenient readers skip",
    { signature: `${signature.slice(0, 40)}!*${signature.slice(40)}` },
    { base: ADMITTED },
  ),
  late("bits-left-over", 117, "bits behind the last byte", {
    signature: `${signature.slice(0, 85)}${signature[85] === "w" ? "x" : "h"}==`,
  }),
  late("too-short", 6, "63 bytes", { signature: Buffer.alloc(63).toString("base64") }),
  late("too-long", 6, "65 bytes", { signature: Buffer.alloc(65).toString("base64") }),
  late("hexadecimal", 6, "hexadecimal digits", {
    signature: Buffer.from(signature, "base64").toString("hex"),
  }),

  no(
    "hosts-text",
    118,
    "a text for a list must not mean unbound",
    { netAllowedHosts: "https://tools.example.com" },
    { base: ADMITTED },
  ),
  no("hosts-null", 118, "null must not mean unbound", { netAllowedHosts: null }, { base: ADMITTED }),
  no("hosts-object", 118, "an object must not mean unbound", { netAllowedHosts: {} }, { base: ADMITTED }),
  no("hosts-mixed", 118, "a number beside the right origin", hosts("https://tools.example.com", 1)),
  no("host-bare", 119, "a bare host, as another dialect writes it", hosts("tools.example.com")),
  no("host-path", 119, "a path after the origin", hosts("https://tools.example.com/mcp")),
  no("host-slash", 119, "a slash after the origin", hosts("https://tools.example.com/")),
  no(
    "host-beside",
    119,
    "one bad entry beside the right one",
    hosts("https://tools.example.com", "https://"),
  ),
  no("host-user", 119, "a user before the host", hosts("https://tools.example.com@evil.example")),
  no("host-query", 119, "a question after the origin", hosts("https://tools.example.com?")),
  no("host-wildcard", 119, "a star is no host", hosts("https://*.example.com")),
  no("host-empty", 119, "an empty text", hosts("")),
  no("host-foreign", 119, "a letter that looks like another", hosts("https://t\u043eols.example.com")),
  no("host-dot-at-end", 119, "a dot at the end of the host", hosts("https://tools.example.com.")),
  no("host-one-slash", 119, "one slash, which URL readers mend", hosts("https:/tools.example.com")),
  no("host-other-scheme", 119, "a scheme that is not of the web", hosts("ftp://tools.example.com")),
  no("host-short-number", 119, "a short number that URL readers take for an address", hosts("https://127.1")),
  no("host-hexadecimal", 119, "a hexadecimal address", hosts("https://0x7f.0.0.1")),
  no("host-octal", 119, "an address with leading zeros", hosts("https://127.0.0.01")),
  no("host-five-numbers", 119, "five numbers", hosts("https://1.2.3.4.5")),
  no("host-bad-ipv6", 119, "two gaps in an address", hosts("https://[1::2::3]")),
  no("host-no-port", 119, "a colon without a port", hosts("https://tools.example.com:")),
  no("host-port-zero", 119, "port 0", hosts("https://tools.example.com:0")),
  no("host-port-zeros", 119, "a port with leading zeros", hosts("https://tools.example.com:0443")),
  no("host-port-large", 119, "a port beyond 65535", hosts("https://tools.example.com:65536")),
  late(
    "other-case",
    120,
    "a name in other case, which some readers take for the clearance",
    { Clearance: "secret" },
    { base: ADMITTED },
  ),
  late("other-separators", 120, "a name with separators", { net_allowed_hosts: [] }, { base: ADMITTED }),
];

const rules: readonly OwnCase[] = [
  no("major-zero", 0, "a MAJOR of 0", { v: "0.9" }),
  no("major-ten", 0, "a MAJOR that begins with 1", { v: "10.0" }),
  no("integer-zero", 0, "the integer 0", { v: 0 }),
  no("capability-case", 1, "a capability in other case", { capabilities: ["MCP-Server"] }),
  no("capability-part", 1, "a capability that only begins with it", { capabilities: ["mcp-server2"] }),
  no("empty-signer", 2, "an empty key id", { signerKeyId: "" }),
  raw(
    "nothing-signed",
    2,
    "neither key nor signature",
    JSON.stringify({ ...WEATHER, signerKeyId: undefined }),
  ),
  no("signer-case", 3, "a key id in other case", { signerKeyId: "Key-Prod-2026" }),
  no("signer-of-the-language", 3, "a key id that every object has", { signerKeyId: "toString" }),
  no("signer-space", 3, "a key id with a space", { signerKeyId: "key-prod-2026 " }),
  late("unknown-beats-level", 3, "an unknown key is said before an unknown level", {
    signerKeyId: "key-untrusted",
    clearance: "cosmic",
  }),
  no("revoked", 130, "a revoked key", { signerKeyId: "revoked" }, edge),
  no(
    "revoked-at-that-instant",
    130,
    "a key at the moment it is revoked from",
    { signerKeyId: "revoked-in-july" },
    { ...edge, context: { now: "2026-07-01T00:00:00Z" } },
  ),
  yes(
    "before-it-is-revoked",
    "a key that is revoked from a later moment",
    { signerKeyId: "revoked-in-july" },
    { ...edge, context: { now: "2026-06-30T23:59:59.999Z" } },
  ),
  no("retired", 131, "a retired key: nobody knows when it signed", { signerKeyId: "retired" }, edge),
  no(
    "not-begun",
    132,
    "a millisecond before the key begins",
    { signerKeyId: "from-june" },
    { ...edge, context: { now: "2026-05-31T23:59:59.999Z" } },
  ),
  yes(
    "as-it-begins",
    "at the moment the key begins",
    { signerKeyId: "from-june" },
    { ...edge, context: { now: "2026-06-01T00:00:00Z" } },
  ),
  yes(
    "skew-at-beginning",
    "a minute early, with a minute forgiven",
    { signerKeyId: "from-june" },
    { ...edge, context: { now: "2026-05-31T23:59:00Z", skewMs: 60_000 } },
  ),
  no(
    "beyond-skew",
    132,
    "more than a minute early, with a minute forgiven",
    { signerKeyId: "from-june" },
    { ...edge, context: { now: "2026-05-31T23:58:59.999Z", skewMs: 60_000 } },
  ),
  no("begins-nowhen", 132, "a beginning that is no moment", { signerKeyId: "from-soon" }, edge),
  no(
    "skew-at-end",
    4,
    "nothing is forgiven where a key ends",
    { signerKeyId: "until-june" },
    { ...edge, context: { now: "2026-06-01T00:00:00Z", skewMs: 60_000 } },
  ),
  no("ends-nowhen", 4, "an end that is no moment", { signerKeyId: "until-soon" }, edge),
  no(
    "ends-30-february",
    4,
    "an end on a day that does not exist",
    { signerKeyId: "until-30-february" },
    edge,
  ),
  no("ends-without-zone", 4, "an end without a zone", { signerKeyId: "until-local" }, edge),
  no(
    "expired-beats-level",
    4,
    "an expired key is said before an unknown level",
    { signerKeyId: "key-expired", clearance: "cosmic" },
    { seed: 0x22 },
  ),
  no("level-case", 5, "a level in other case", { clearance: "Internal" }),
  no("level-of-the-language", 5, "a level that every object has", { clearance: "toString" }),
  no(
    "same-rank-other-level",
    5,
    "approved for another level of the same rank",
    { signerKeyId: "for-internal", clearance: "partner" },
    edge,
  ),
  yes(
    "same-rank-own-level",
    "approved for the second level of a rank",
    { signerKeyId: "for-partner", clearance: "partner" },
    edge,
  ),
  no(
    "alias-of-two",
    5,
    "an alias of two levels means none",
    { signerKeyId: "plain", clearance: "shared" },
    edge,
  ),
  no(
    "alias-is-not-approval",
    5,
    "a key approved for an alias only",
    { signerKeyId: "for-alias", clearance: "top" },
    edge,
  ),
  late("unapproved-beats-signature", 5, "a missing approval is said before a bad signature", {
    signerKeyId: "key-restricted",
    clearance: "secret",
    signature: Buffer.alloc(64).toString("base64"),
  }),
  no(
    "other-origin",
    133,
    "a key that may vouch for another origin only",
    { signerKeyId: "for-origin" },
    edge,
  ),
  yes(
    "own-origin",
    "a key that may vouch for this origin",
    { signerKeyId: "for-origin" },
    { ...edge, context: { origin: "https://files.example.com" } },
  ),
  no(
    "origin-unknown",
    133,
    "what is connected to is no origin",
    { signerKeyId: "for-origin" },
    { ...edge, context: { origin: "stdio" } },
  ),
  no("small-order-one", 134, "the neutral point as a key", { signerKeyId: "order-1" }, edge),
  no("small-order-eight", 134, "a point of order 8 as a key", { signerKeyId: "order-8" }, edge),
  no("small-order-sign", 134, "a point of order 4 with the other sign", { signerKeyId: "order-4" }, edge),
  no("not-canonical-key", 134, "a key that is not reduced", { signerKeyId: "not-reduced" }, edge),
  no("short-key", 134, "a key of 31 bytes", { signerKeyId: "short" }, edge),
  raw(
    "small-order-forgery",
    134,
    "a signature that fits every document under the neutral point",
    JSON.stringify({
      ...WEATHER,
      signerKeyId: "order-1",
      signature: Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString("base64"),
    }),
    edge,
  ),
  no("no-point", 6, "a key that is no point", { signerKeyId: "no-point" }, edge),
  late("zero-signature", 6, "64 zero bytes", { signature: Buffer.alloc(64).toString("base64") }),
  late("s-plus-order", 6, "the same S in a second way", { signature: addedL(signature) }),
  late("integer-for-text", 6, "the other form of the version", { v: 1 }),
  late("clearance-raised", 6, "a level raised after signing", { clearance: "secret" }),
  late("hosts-added", 6, "an empty list added after signing", { netAllowedHosts: [] }),
  late("space-added", 6, "a space that another dialect trims", { id: `${WEATHER.id} ` }),
  late("other-form", 6, "another normal form of the same text", { publisher: "Exa\u0300mple Tools Ltd" }),
  raw(
    "alias-replaced",
    6,
    "an alias replaced by the name of its level",
    JSON.stringify({ ...signed({ ...WEATHER, clearance: "conf" }), clearance: "confidential" }),
  ),
  raw(
    "duplicate-removed",
    6,
    "one of two equal capabilities removed",
    JSON.stringify({
      ...signed({ ...WEATHER, capabilities: ["mcp-server", "mcp-server"] }),
      capabilities: ["mcp-server"],
    }),
  ),
  raw(
    "host-case-changed",
    6,
    "a host written in other case than it was signed",
    JSON.stringify({
      ...signed({ ...WEATHER, ...hosts("https://tools.example.com") }),
      ...hosts("https://Tools.example.com"),
    }),
  ),
  no(
    "level-too-low",
    7,
    "a level below the required one",
    { clearance: "internal" },
    { context: { requiredClearance: "confidential" } },
  ),
  no(
    "required-case",
    7,
    "a required level in other case is none",
    {},
    { context: { requiredClearance: "Internal" } },
  ),
  no("required-empty", 7, "an empty required level is none", {}, { context: { requiredClearance: "" } }),
  no(
    "required-of-two",
    7,
    "a required level that means two",
    { signerKeyId: "plain" },
    { ...edge, context: { requiredClearance: "shared" } },
  ),
  no("subdomain", 8, "a host below the bound one", hosts("https://tools.example.com"), {
    context: { origin: "https://a.tools.example.com" },
  }),
  no("suffix", 8, "a host that begins like the bound one", hosts("https://tools.example.com"), {
    context: { origin: "https://tools.example.com.evil.example" },
  }),
  no("port-of-other-scheme", 8, "port 443 without TLS", hosts("https://tools.example.com"), {
    context: { origin: "http://tools.example.com:443" },
  }),
  no("user-in-origin", 8, "a user in what is connected to", hosts("https://tools.example.com"), {
    context: { origin: "https://tools.example.com@evil.example" },
  }),
  no("no-origin", 8, "what is connected to is no origin", hosts("https://tools.example.com"), {
    context: { origin: "stdio" },
  }),
  no("kelvin", 8, "a sign that becomes a k in lower case", hosts("https://kit.example"), {
    context: { origin: "https://\u212ait.example" },
  }),
  no("other-ipv6", 8, "another address", hosts("https://[::1]"), { context: { origin: "https://[::2]" } }),
];

const good: readonly OwnCase[] = [
  yes("largest", "exactly 64 KiB", valid, { padTo: 65_536 }),
  yes("deepest", "eight levels within the document", nested(8)),
  yes(
    "other-spelling",
    "other order, spaces and escapes",
    `{ "signature":"${signature}",\n\t"\\u0076":"1\\u002e0",${valid.slice(valid.indexOf('"id"'), valid.indexOf(',"signature"'))} }`,
  ),
  yes(
    "integer-as-fraction",
    "the integer 1 written as 1.0",
    JSON.stringify(signed({ ...WEATHER, v: 1 })).replace('"v":1', '"v":1.0'),
  ),
  yes("later-minor", "a MINOR of two digits", { v: "1.10" }),
  yes("foreign-text", "letters beyond ASCII and beyond 16 bits", {
    publisher: "Prüfstelle \u{1f50d} 検査\u2028",
  }),
  yes("escaped-text", "control characters, quotes and strokes", { publisher: 'a\u0001\b\t\n\f\r"\\/\u007f' }),
  yes("two-capabilities", "capabilities out of order", {
    capabilities: ["x/y:[z]", "mcp-server", "Mcp", "mcp-server"],
  }),
  yes("empty-hosts", "an empty list is signed and binds to nothing", hosts(), {
    context: { origin: "https://anywhere.example" },
  }),
  yes("verification", "a verification", { verification: "tested" }),
  yes("empty-verification", "an empty verification", { verification: "" }),
  yes("unbound-stdio", "no origin, and bound to none", {}, { context: { origin: "stdio" } }),
  yes("host-case", "host and scheme in any case", hosts("HTTPS://Tools.Example.COM:443"), {
    context: { origin: "https://tools.example.com" },
  }),
  yes("http", "plain http on its usual port", hosts("http://localhost"), {
    context: { origin: "http://localhost:80" },
  }),
  yes("ipv4", "an IPv4 address", hosts("http://127.0.0.1:8080"), {
    context: { origin: "http://127.0.0.1:8080" },
  }),
  yes("ipv6", "an IPv6 address in two ways", hosts("https://[2001:DB8:0:0::1]:8443"), {
    context: { origin: "https://[2001:db8::1]:8443" },
  }),
  yes("mapped-ipv4", "an IPv4 address within an IPv6 address", hosts("https://[::ffff:127.0.0.1]"), {
    context: { origin: "https://[::ffff:7f00:1]" },
  }),
  yes(
    "equal-ranks",
    "another level of the required rank",
    { signerKeyId: "for-partner", clearance: "partner" },
    { ...edge, context: { requiredClearance: "internal" } },
  ),
];

const tools: readonly OwnCase[] = [
  tool("listed", "a listed tool", ["get_forecast", "list_stations"], "get_forecast"),
  tool("unlisted", "a tool that is not listed", ["get_forecast", "list_stations"], "delete_everything", 9),
  tool("empty-list", "an empty list allows nothing", [], "anything", 9),
  tool("64-characters", "the longest name", ["a".repeat(64)], "a".repeat(64)),
  tool("65-characters", "one character more, although it is listed", ["a".repeat(65)], "a".repeat(65), 135),
  tool("all-signs", "every kind of character", ["Az09_-./"], "Az09_-./"),
  tool("listed-but-no-name", "listed, but no name", ["read file"], "read file", 135),
  tool("line-after", "a line end after a listed name", ["read"], "read\n", 135),
  tool("star-listed", "a star on the list is no pattern", ["*"], "read", 9),
  tool("prefix-listed", "a prefix on the list is no pattern", ["files/"], "files/read", 9),
];

export const ownCases: readonly OwnCase[] = [...intake, ...rules, ...good, ...tools];
