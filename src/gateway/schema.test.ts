/** spec/touchstone.schema.json, for editors, says what the loader says. A new key goes into three places: the loader (config.ts here, or
 *  config.ts of target), the schema with a description, and EVERY_KEY below; one that every command has to let pass also into
 *  `configSchema` of target. These tests name the place that is missing. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { root } from "../../test/kit/paths.ts";
import { readConfig } from "../core/index.ts";
import { LEVELS } from "../policy/index.ts";
import { validate } from "../schema/index.ts";
import { configSchema } from "../target/index.ts";
import { gatewaySchema } from "./config.ts";

interface Json {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Json | false;
  readonly propertyNames?: Json;
  readonly items?: Json;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}
const schema = JSON.parse(readFileSync(join(root, "spec/touchstone.schema.json"), "utf8")) as Json & {
  readonly $defs: Readonly<Record<string, Json>>;
};

/** A schema of the loader, as far as it can be looked into. */
interface Loader {
  readonly type: string;
  readonly wrapped?: Loader;
  readonly default?: unknown;
  readonly entries?: Readonly<Record<string, Loader>>;
  readonly key?: Loader;
  readonly value?: Loader;
  readonly item?: Loader;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly { readonly kind: string; readonly type: string; readonly requirement?: unknown }[];
}

/** What a reference leads to, with what stands beside it. */
function seen({ $ref, ...own }: Json): Json {
  const name = $ref?.replace("#/$defs/", "");
  return name === undefined ? own : { ...seen(schema.$defs[name] ?? {}), ...own };
}

/** What need not be there. */
const MAYBE: readonly string[] = ["optional", "nullish"];

/** Where the two differ, by places such as `servers.*.env`. */
function differences(loader: Loader, given: Json, place: string): string[] {
  const json = seen(given);
  if (loader.type === "optional") {
    const inner = loader.wrapped as Loader;
    const isScalar = ["string", "boolean", "number"].includes(typeof loader.default);
    return [
      ...differ(place, "default", isScalar ? loader.default : undefined, json.default),
      ...differences({ ...inner, pipe: [...(inner.pipe ?? []), ...(loader.pipe ?? [])] }, given, place),
    ];
  }
  if (loader.type === "nullish") {
    const types = [json.type ?? []].flat();
    const [type] = types.filter((each) => each !== "null");
    return [
      ...differ(place, "null", true, types.includes("null")),
      ...differences(loader.wrapped as Loader, { ...json, ...(type === undefined ? {} : { type }) }, place),
    ];
  }
  return [
    ...((json.description ?? "") === "" ? [`${place}: a description is missing in the schema`] : []),
    ...bounds(loader, json, place),
    ...shape(loader, json, place),
  ];
}

const differ = (place: string, what: string, loader: unknown, json: unknown): string[] =>
  JSON.stringify(loader) === JSON.stringify(json)
    ? []
    : [
        `${place}: ${what} is ${JSON.stringify(loader)} for the loader, ${JSON.stringify(json)} in the schema`,
      ];

function shape(loader: Loader, json: Json, place: string): string[] {
  const typed = (type: string): string[] => differ(place, "the type", type, json.type);
  switch (loader.type) {
    case "strict_object":
      return [
        ...typed("object"),
        ...differ(place, "whether it takes other keys", false, json.additionalProperties),
        ...members(loader.entries ?? {}, json, place),
      ];
    case "record":
      return [
        ...typed("object"),
        ...(loader.key?.pipe ? bounds(loader.key, seen(json.propertyNames ?? {}), `${place}, names`) : []),
        ...differences(loader.value as Loader, memberOf(json), `${place}.*`),
      ];
    case "array":
      return [...typed("array"), ...differences(loader.item as Loader, itemOf(json), `${place}[]`)];
    case "picklist":
      return differ(place, "the list of words", loader.options, json.enum);
    case "custom":
      return differ(
        place,
        "the list of words",
        LEVELS.join(" ").toLowerCase(),
        json.anyOf?.[0]?.enum?.join(" "),
      );
    case "string":
    case "boolean":
      return typed(loader.type);
    case "number":
      return typed("integer");
    default:
      return [`${place}: this test has to learn what ${loader.type} is`];
  }
}

/** What is described where it is named needs no second description. */
const memberOf = ({ additionalProperties, description = "" }: Json): Json => ({
  description,
  ...(additionalProperties || {}),
});
const itemOf = ({ items = {}, description = "" }: Json): Json => ({ description, ...items });

function members(entries: Readonly<Record<string, Loader>>, json: Json, place: string): string[] {
  const properties = json.properties ?? {};
  const needed = Object.keys(entries).filter((key) => !MAYBE.includes(entries[key]?.type ?? ""));
  return [
    ...Object.keys(entries).flatMap((key) => {
      const [loader, own] = [entries[key], properties[key]];
      if (!loader || !own) return [`${place}.${key}: missing in the schema`];
      return differences(loader, own, `${place}.${key}`);
    }),
    ...Object.keys(properties)
      .filter((key) => !Object.hasOwn(entries, key))
      .map((key) => `${place}.${key}: the loader does not know it`),
    ...differ(place, "what must be there", needed.sort(), [...(json.required ?? [])].sort()),
  ];
}

/** Bounds that a schema can say. */
function bounds({ pipe = [] }: Loader, json: Json, place: string): string[] {
  return pipe.flatMap(({ kind, type, requirement }) => {
    if (kind !== "validation") return [];
    switch (type) {
      case "non_empty":
      case "min_length": {
        const isBound = json.minLength === 1 || json.minItems === 1 || json.pattern !== undefined;
        return isBound ? [] : [`${place}: may be empty in the schema`];
      }
      case "regex":
      case "url":
        return json.pattern === undefined && json.anyOf === undefined
          ? [`${place}: has no pattern in the schema`]
          : [];
      case "max_length":
        return differ(place, "the greatest length", requirement, json.maxLength);
      case "min_value":
        return differ(place, "the least value", requirement, json.minimum);
      case "max_value":
        return differ(place, "the greatest value", requirement, json.maximum);
      default:
        // `integer` is in the type; the others are for the loader alone.
        return [];
    }
  });
}

test("the schema and the loader have the same keys, words, bounds and defaults, each with a description [GTW-1]", () =>
  assert.deepEqual(differences(gatewaySchema as unknown as Loader, schema, "touchstone.yml"), []));

test("that comparison sees a key that is missing on either side", () => {
  const { listen, ...rest } = schema.properties ?? {};
  const loader = gatewaySchema as unknown as Loader;
  assert.deepEqual(differences(loader, { ...schema, properties: rest }, "f"), [
    "f.listen: missing in the schema",
  ]);
  const more = { ...schema, properties: { ...rest, listen: { ...listen, default: "tcp" }, plugins: {} } };
  assert.deepEqual(differences(loader, more as Json, "f"), [
    'f.listen: default is "stdio" for the loader, "tcp" in the schema',
    "f.plugins: the loader does not know it",
  ]);
});

/** A file in which every key stands. */
const EVERY_KEY = `
listen: http://0.0.0.0:8808/mcp
tokens:
  ci: { env: CI_TOKEN, servers: [files], tools: [files__read] }
  dev: { sha256: ${"0123456789abcdef".repeat(4)} }
servers:
  files:
    command: node
    args: [server.js, "1.0"]
    cwd: files
    env: { ROOT: /srv }
    sandbox: true
    statement: files.grade.json
    require: { grade: B, methods: [touchstone-1], max_age: 90d }
  web.v2:
    url: https://mcp.example/mcp
    headers: { X-Team: a }
    auth: { bearer_env: WEB }
    era: modern
    transport: http
    locked: true
    variables: true
    clearance: web.sad.json
    statement: web.grade.json
    require: { clearance: internal, maxAge: 30d }
    exemption: web.exemption.json
  local_1: { url: "http://127.0.0.1:9000/mcp", sandbox: false, locked: true, ungraded: true }
root: trust-root.json
policy: spec
modes: { admission: warn, drift: observe, description: warn, trigger: enforce, flow: strict, output: redact, claims: refuse, trigger_from: context }
questions: { elicitation: refuse, sampling: pass, roots: pass }
mcp_servers:
  files: { server_trust: tool, resource_trust: NONE, verified: true, allowed_tools: [read], label: Files }
  "https://mcp.example/mcp/@team?a=1": { allowed_tools: [], server_trust: Agent }
security:
  trust_boundary:
    allowed_flows: [{ from: web.v2, to: files }]
    required_sanitizers: [files.clean]
audit: { folder: log, key: log.key, durability: synced, content: content, keep: 12h, writers: many }
egress: { allow: ["*.example.com:443"] }
telemetry:
  endpoint: https://collector.example/otlp
  headers: { authorization: { env: OTLP_TOKEN }, x-team: { value: a } }
  interval_ms: 5000
  traces: false
  metrics: true
limits:
  timeout_ms: 1000
  max_frame_bytes: 1024
  max_messages: 10
  max_pages: 5
  calls:
    - { server: files, tool: read, rate: 60/m, argument_bytes: 10, result_bytes: 10, time: 30s, fail: open }
`;
const everyKey = parse(EVERY_KEY) as Readonly<Record<string, unknown>>;

/** The keys of a value, by places; those that somebody may choose are \`*\`. */
function keysIn(value: unknown, loader: Loader, place = ""): string[] {
  const inner = MAYBE.includes(loader.type) ? (loader.wrapped as Loader) : loader;
  if (inner.item)
    return (value as unknown[]).flatMap((item) => keysIn(item, inner.item as Loader, `${place}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const next = inner.entries?.[key] ?? inner.value;
    const there = inner.entries ? `${place}.${key}` : `${place}.*`;
    return next ? [there, ...keysIn(member, next, there)] : [];
  });
}

function keysOf(loader: Loader, place = ""): string[] {
  const inner = MAYBE.includes(loader.type) ? (loader.wrapped as Loader) : loader;
  if (inner.item) return keysOf(inner.item, `${place}[]`);
  const below = inner.entries
    ? Object.entries(inner.entries)
    : inner.value
      ? [["*", inner.value] as const]
      : [];
  return below.flatMap(([key, next]) => [`${place}.${key}`, ...keysOf(next, `${place}.${key}`)]);
}

test("the file with every key has every key, and loader and schema take it", async () => {
  const loader = gatewaySchema as unknown as Loader;
  const has = new Set(keysIn(everyKey, loader));
  assert.deepEqual(
    keysOf(loader).filter((key) => !has.has(key)),
    [],
  );
  await readConfig(EVERY_KEY, "touchstone.yml", gatewaySchema);
  assert.deepEqual(validate(schema, everyKey), { verdict: "valid" });
});

test("what the gateway takes, every other command reads", async () =>
  void (await readConfig(EVERY_KEY, "touchstone.yml", configSchema)));

test("each schema of spec/ has a name of its own", () => {
  const files = readdirSync(join(root, "spec")).filter((file) => file.endsWith(".schema.json"));
  const ids = files.map((file) => String(JSON.parse(readFileSync(join(root, "spec", file), "utf8")).$id));
  for (const id of ids) assert.match(id, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, 7);
});

const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith("touchstone.yml"),
);
test("there are examples", () => assert.equal(examples.length >= 1, true));
for (const file of examples)
  test(`examples/${file} is one for the loader and for the schema`, async () => {
    const text = readFileSync(join(root, "examples", file), "utf8");
    await readConfig(text, file, gatewaySchema);
    assert.deepEqual(validate(schema, parse(text)), { verdict: "valid" });
    assert.match(text, /^# yaml-language-server: \$schema=(?:\.\.\/)+spec\/touchstone\.schema\.json\n/);
  });

const MINIMAL = "servers:\n  files: { command: node }\n";
const ofServer = (body: string): string => `servers:\n  files: { ${body} }\n`;

/** Wrong for both. */
const wrong: readonly (readonly [name: string, text: string])[] = [
  ["an empty file", ""],
  ["no servers", "policy: spec\n"],
  ["a list of servers", "servers: [files]\n"],
  ["an unknown key at the top", `${MINIMAL}plugins: {}\n`],
  ["an unknown key of a server", ofServer("command: a, sandbx: true")],
  ["an unknown mode", `${MINIMAL}modes: { flows: ask }\n`],
  ["a command and a URL", ofServer("command: a, url: https://a.example/")],
  ["neither of them", ofServer("cwd: a")],
  ["a sandbox for a URL", ofServer("url: https://a.example/, sandbox: true")],
  ["a requirement without a statement", ofServer("command: a, require: { grade: A }")],
  ["a URL of another scheme", ofServer("url: ftp://a.example/")],
  ["a quoted boolean", ofServer('command: a, sandbox: "true"')],
  ["a word of another YAML for a boolean", ofServer("command: a, locked: yes")],
  ["a number for a text", ofServer("command: a, env: { PORT: 80 }")],
  ["a grade in small letters", ofServer("command: a, statement: s, require: { grade: a }")],
  ["no method", ofServer("command: a, statement: s, require: { methods: [] }")],
  ["an age twice", ofServer("command: a, statement: s, require: { max_age: 1d, maxAge: 1d }")],
  ["an age by another name without a statement", ofServer("command: a, require: { maxAge: 1d }")],
  ["the trigger from two words", `${MINIMAL}modes: { trigger: context, trigger_from: flow }\n`],
  ["a time in words", `${MINIMAL}audit: { keep: 90 days }\n`],
  ["a server with __ in its name", "servers: { a__b: { command: a } }\n"],
  ["a server with _ at its end", "servers: { a_: { command: a } }\n"],
  ["a server with a line in its name", 'servers: { "a\\n": { command: a } }\n'],
  ["a server with a name too long", `servers: { ${"a".repeat(65)}: { command: a } }\n`],
  [
    "a token of a variable and of a digest",
    `${MINIMAL}tokens: { ci: { env: A, sha256: "${"0".repeat(64)}" } }\n`,
  ],
  ["a token of neither", `${MINIMAL}tokens: { ci: {} }\n`],
  ["a digest in capitals", `${MINIMAL}tokens: { ci: { sha256: "${"A".repeat(64)}" } }\n`],
  ["a text for a list of tools", `${MINIMAL}mcp_servers: { files: { allowed_tools: search } }\n`],
  ["an empty name of a tool", `${MINIMAL}mcp_servers: { files: { allowed_tools: [""] } }\n`],
  ["a level that there is not", `${MINIMAL}mcp_servers: { files: { server_trust: full } }\n`],
  ["a number for a level", `${MINIMAL}mcp_servers: { files: { server_trust: 1 } }\n`],
  ["a policy of a URL with a user", `${MINIMAL}mcp_servers: { "https://me@a.example/": {} }\n`],
  ["a policy of a name with a space", `${MINIMAL}mcp_servers: { "my files": {} }\n`],
  ["a policy without a body", `${MINIMAL}mcp_servers:\n  files:\n`],
  ["a label too long", `${MINIMAL}mcp_servers: { files: { label: ${"a".repeat(201)} } }\n`],
  [
    "a pair with a third end",
    `${MINIMAL}security: { trust_boundary: { allowed_flows: [{ from: files, to: files, via: a }] } }\n`,
  ],
  ["half a pair", `${MINIMAL}security: { trust_boundary: { allowed_flows: [{ from: files }] } }\n`],
  ["a host with a scheme", `${MINIMAL}egress: { allow: ["https://a.example"] }\n`],
  ["no time at all", `${MINIMAL}limits: { timeout_ms: 0 }\n`],
  ["half a page", `${MINIMAL}limits: { max_pages: 1.5 }\n`],
  ["a time longer than any timer", `${MINIMAL}limits: { timeout_ms: 2147483648 }\n`],
  ["a rate of nothing", `${MINIMAL}limits: { calls: [{ rate: 0/m }] }\n`],
  ["a message too long", `${MINIMAL}limits: { max_frame_bytes: 268435457 }\n`],
  ["https to listen to", `listen: https://127.0.0.1/\n${MINIMAL}`],
  ["a word to listen to", `listen: tcp\n${MINIMAL}`],
];
for (const [name, text] of wrong)
  test(`wrong for the loader and for the schema: ${name} [GTW-1]`, async () => {
    await assert.rejects(readConfig(text, "touchstone.yml", gatewaySchema));
    assert.equal(validate(schema, parse(text)).verdict, "invalid");
  });

/** What no schema can say: by what the loader says of it. */
const BEYOND = new RegExp(
  [
    "there is no server",
    "is no tool of a server",
    "who may sign one",
    "want at most 24d",
    "want at least 1s",
    "others than this machine need a token",
    "http is for this machine only",
    "the URL holds a user name",
    "want an http or https URL",
    'want "stdio" or a URL',
    "this is the same server as",
    String.raw`allowed_tools: want a list of names; \[\] allows none`,
  ].join("|"),
);
const beyond: readonly (readonly [name: string, text: string])[] = [
  ["an address of others without a token", `listen: http://0.0.0.0:80/\n${MINIMAL}`],
  ["an upstream elsewhere over http", ofServer("url: http://a.example/")],
  ["an upstream with a password", ofServer("url: https://me:pw@a.example/")],
  [
    "a flow from nowhere",
    `${MINIMAL}security: { trust_boundary: { allowed_flows: [{ from: web, to: files }] } }\n`,
  ],
  ["a token for nothing", `${MINIMAL}tokens: { ci: { env: A, servers: [web] } }\n`],
  [
    "two policies for one server",
    `${MINIMAL}mcp_servers: { "https://a.example": {}, "https://A.example/": {} }\n`,
  ],
  ["a list of tools without a value", `${MINIMAL}mcp_servers:\n  files:\n    allowed_tools:\n`],
  [
    "a policy by the name of a server and one by its URL",
    "servers: { a: { url: https://a.example/v1 } }\nmcp_servers: { a: {}, 'https://A.example:443/v1/': {} }\n",
  ],
  ["a tool of nobody for a token", `${MINIMAL}tokens: { ci: { env: A, tools: [web__read] } }\n`],
  ["a call that may take a month", `${MINIMAL}limits: { calls: [{ time: 30d }] }\n`],
  ["a call that may take no time", `${MINIMAL}limits: { calls: [{ time: 0s }] }\n`],
  ["a URL with a query to listen to", `listen: "http://127.0.0.1/?a"\n${MINIMAL}`],
];
for (const [name, text] of beyond)
  test(`wrong for the loader alone: ${name} [GTW-1]`, async () => {
    await assert.rejects(readConfig(text, "touchstone.yml", gatewaySchema), BEYOND);
    assert.deepEqual(validate(schema, parse(text)), { verdict: "valid" });
  });

const OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  "x",
  "",
  "9d",
  0,
  1,
  1.5,
  -1,
  [],
  ["x"],
  [{}],
  {},
  { unknown_key: 1 },
];

/** The file with one value in place of another, with one key less, and with one more in each map. */
function* changed(
  value: unknown,
  put: (value: unknown) => unknown,
  place = "",
): Generator<readonly [string, unknown]> {
  for (const other of OTHERS) yield [`${place} = ${JSON.stringify(other)}`, put(other)];
  if (Array.isArray(value))
    for (const [at, item] of value.entries())
      yield* changed(item, (other) => put(value.with(at, other)), `${place}[${at}]`);
  else if (typeof value === "object" && value !== null) {
    yield [`${place} with another key`, put({ ...value, unknown_key: 1 })];
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _gone, ...rest } = value as Record<string, unknown>;
      yield [`${place} without ${key}`, put(rest)];
      yield* changed(member, (other) => put({ ...value, [key]: other }), `${place}.${key}`);
    }
  }
}

/** Where time is short each third is enough. */
const EACH = process.env.FIXED_PROPERTIES === undefined ? 1 : 3;

test("of every change to the file with every key, loader and schema say the same, but for what no schema can say [GTW-1]", {
  timeout: 60_000,
}, async () => {
  const disagreed: string[] = [];
  let tried = 0;
  for (const [what, value] of changed(everyKey, (other) => other)) {
    tried += 1;
    if (tried % EACH !== 0) continue;
    const said = await readConfig(JSON.stringify(value), "f", gatewaySchema).then(
      () => "taken",
      (error: Error) => error.message,
    );
    const { verdict } = validate(schema, value ?? {});
    const isBeyond = verdict === "valid" && BEYOND.test(said);
    if (verdict !== (said === "taken" ? "valid" : "invalid") && !isBeyond)
      disagreed.push(`${what}: ${said} by the loader, ${verdict} by the schema`);
  }
  assert.equal(tried > 500, true);
  assert.deepEqual(disagreed, []);
});
