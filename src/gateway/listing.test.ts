/** What is listed and what is read never disagree, whoever lists what, and whoever asks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decide, MODES, policyFor, type Rules, type Standing } from "../policy/index.ts";
import { isRecord } from "../wire/index.ts";
import { newClashes } from "./clashes.ts";
import { type Listed, Listing } from "./listing.ts";
import { type Caller, opens } from "./open.ts";

const NAMES = ["a", "b", "c"] as const;
const rulesIn = (admission: (typeof MODES)[number]): Rules => ({
  mode: "strict",
  modes: { admission, drift: "enforce", description: "enforce", trigger: "enforce" },
});

const anyResource = fc.record({ uri: fc.constantFrom("x://1", "x://2", "y://1"), name: fc.constant("n") });
const anyTemplate = fc.record({
  uriTemplate: fc.constantFrom("x://{id}", "x://2{more}", "{all}"),
  name: fc.constant("n"),
});
const anyServer = fc.record({
  isRefused: fc.boolean(),
  resources: fc.array(fc.oneof(anyResource, fc.constant(null), fc.constant({ uri: 1 })), { maxLength: 4 }),
  templates: fc.array(anyTemplate, { maxLength: 2 }),
});
const anyNames = fc.option(fc.subarray([...NAMES]), { nil: undefined });
const anyCaller = fc.record({ servers: anyNames, tools: anyNames }).map(
  ({ servers, tools }): Caller => ({
    ...(servers ? { servers: new Set(servers) } : {}),
    ...(tools ? { tools: new Set(tools.map((name) => `${name}__t`)) } : {}),
  }),
);

const listed = (name: string, { isRefused, resources, templates }: AnyServer): Listed => {
  const admission: Standing["admission"] = isRefused
    ? { status: "refused", reason: "r" }
    : { status: "admitted", grade: "A" };
  // Each says whose it is.
  const own = <T>(items: readonly T[]) =>
    items.map((item) => (isRecord(item) ? { ...item, description: name } : item));
  return {
    upstream: {
      lists: { tools: [], prompts: [], resources: own(resources), resourceTemplates: own(templates) },
    },
    standing: { name, policy: policyFor(new Map(), { name }), admission, tools: new Map() },
  };
};
interface AnyServer {
  readonly isRefused: boolean;
  readonly resources: readonly unknown[];
  readonly templates: readonly unknown[];
}

test("what is listed is read from whoever is listed, once, and nothing else that is listed can be read [GTW-69]", () => {
  fc.assert(
    fc.property(
      fc.tuple(anyServer, anyServer, anyServer),
      anyCaller,
      fc.constantFrom(...MODES),
      (states, caller, mode) => {
        const servers = new Map(NAMES.map((name, at) => [name, listed(name, states[at] as AnyServer)]));
        const listing = new Listing(servers);
        const rules = rulesIn(mode);
        const isOpen = (server: string, wanted?: Parameters<typeof opens>[2]) =>
          opens(caller, server, wanted);
        const readFrom = (uri: string): string | undefined => {
          const [owner = ""] = listing.ownersOf(uri, rules, isOpen);
          const { standing } = servers.get(owner as "a") ?? {};
          const isRead =
            standing && decide(rules, standing, { kind: "resource", uri }, "USER").kind !== "deny";
          return isRead ? owner : undefined;
        };
        const shown = listing.all("resources", rules, isOpen).map(({ item }) => item) as {
          uri: string;
          description: string;
        }[];
        for (const { uri, description } of shown) assert.equal(readFrom(uri), description);
        const uris = shown.map(({ uri }) => uri);
        assert.equal(new Set(uris).size, uris.length);
        const templates = listing.all("resourceTemplates", rules, isOpen).map(({ item }) => item) as {
          uriTemplate: string;
        }[];
        assert.equal(new Set(templates.map(({ uriTemplate }) => uriTemplate)).size, templates.length);
        for (const uri of ["x://1", "x://2", "y://1"]) {
          const fits = templates.some(({ uriTemplate }) => isFor(uriTemplate, uri));
          assert.equal(readFrom(uri) !== undefined, uris.includes(uri) || fits, uri);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
const isFor = (template: string, uri: string): boolean =>
  template.indexOf("{") > 0 && uri.startsWith(template.slice(0, template.indexOf("{")));

const [FIRST, SECOND, THIRD] = NAMES;
const address = (uri: string) => ({ uri, name: "n" });
const clashes: readonly {
  readonly name: string;
  readonly states: readonly Partial<AnyServer>[];
  readonly told: readonly unknown[];
}[] = [
  {
    name: "each has its own",
    states: [{ resources: [address("x://1")] }, { resources: [address("x://2")] }],
    told: [],
  },
  {
    name: "one shows it twice itself",
    states: [{ resources: [address("x://1"), address("x://1")] }],
    told: [],
  },
  {
    name: "a later one shows it too",
    states: [{ resources: [address("x://1")] }, {}, { resources: [address("x://1"), address("x://1")] }],
    told: [[THIRD, { count: 1, names: ["x://1"], rule: "shadowed" }]],
  },
  {
    name: "one that is refused shows it too",
    states: [{ resources: [address("x://1")], isRefused: true }, { resources: [address("x://1")] }],
    told: [],
  },
  {
    name: "three show the same template",
    states: Array.from({ length: 3 }, () => ({ templates: [{ uriTemplate: "x://{id}", name: "n" }] })),
    told: [SECOND, THIRD].map((server) => [server, { count: 1, names: ["x://{id}"], rule: "shadowed" }]),
  },
];
for (const { name, states, told } of clashes)
  test(`what two servers claim is told: ${name} [GTW-69]`, () => {
    const none = { isRefused: false, resources: [], templates: [] };
    const servers = new Map(NAMES.map((each, at) => [each, listed(each, { ...none, ...states[at] })]));
    const found = [...new Listing(servers).clashes(rulesIn("enforce")).values()];
    assert.deepEqual(
      found.map(({ event: { server, data } }) => [server, data]),
      told,
    );
  });

test("a name that two tools would have is told, and foreign words are quoted [GTW-5]", () => {
  const of = (name: string) => ({ ...listed(name, { isRefused: false, resources: [], templates: [] }) });
  const [one, other] = [of("a.b"), of("a_b")];
  const tools = (item: object): Listed["upstream"] => ({ lists: { ...one.upstream.lists, tools: [item] } });
  const servers = new Map<string, Listed>([
    ["a.b", { ...one, upstream: tools({ name: "t" }) }],
    ["a_b", { ...other, upstream: tools({ name: "t" }) }],
    [FIRST, listed(FIRST, { isRefused: false, resources: [address("x://\n1")], templates: [] })],
    [SECOND, listed(SECOND, { isRefused: false, resources: [address("x://\n1")], templates: [] })],
  ]);
  const listing = new Listing(servers);
  listing.rename();
  assert.deepEqual(
    [...listing.clashes(rulesIn("enforce")).values()].map(({ words }) => words),
    [
      'a.b: "t" is not the only one that would be a_b__t',
      'a_b: "t" is not the only one that would be a_b__t',
      'b: 1 resource of a shown by it too, and read from a: "x://\\n1"',
    ],
  );
});

test("of many names that two tools of a server would have some are told, once, and how many more there are [GTW-93]", () => {
  const tools = Array.from({ length: 1000 }, (_, at) => [{ name: `t.${at}` }, { name: `t_${at}` }]).flat();
  const one = listed(FIRST, { isRefused: true, resources: [], templates: [] });
  const other = listed(SECOND, { isRefused: false, resources: [], templates: [] });
  const lists = { ...one.upstream.lists, tools: tools.slice(0, 4) };
  const servers = new Map<string, Listed>([
    [FIRST, { ...one, upstream: { lists: { ...lists, tools } } }],
    [SECOND, { ...other, upstream: { lists } }],
  ]);
  const listing = new Listing(servers);
  listing.rename();
  const clashes = listing.clashes(rulesIn("enforce"));
  assert.equal(clashes.size, 2004);
  const told = newClashes(clashes, new Set());
  const of = (server: string) => told.filter(({ event }) => event.server === server);
  assert.deepEqual([of(FIRST).length, of(SECOND).length], [16, 4]);
  assert.equal(of(FIRST).at(-1)?.event.data?.more, 1984);
  assert.equal(of(SECOND).at(-1)?.event.data?.more, undefined);
  assert.deepEqual(newClashes(clashes, new Set(clashes.keys())), []);
});

test("prompts are named in time that is linear in their number, and those listed twice are not [GTW-13] [GTW-92]", () => {
  const of = (length: number): Listing => {
    const prompts = Array.from({ length }, (_, at) => ({ name: `p${at}` }));
    const none = listed(FIRST, { isRefused: true, resources: [], templates: [] });
    const lists = { ...none.upstream.lists, prompts: [...prompts, { name: "twice" }, { name: "twice" }] };
    return new Listing(new Map([[FIRST, { ...none, upstream: { lists } }]]));
  };
  /** The best of five runs, in milliseconds of our own work: what else the machine does must not count. */
  const timeOf = (length: number): number => {
    const times = Array.from({ length: 5 }, () => {
      const listing = of(length);
      const start = process.cpuUsage();
      listing.rename();
      const { user, system } = process.cpuUsage(start);
      assert.equal(listing.prompts.byName.size, length);
      return (user + system) / 1000;
    });
    return Math.min(...times);
  };
  timeOf(2_000);
  const [few, many] = [timeOf(2_000), timeOf(20_000)];
  // Ten times as many; a hundred times as much work would be another matter. Shorter times say more about the machine than about our work.
  assert.ok(many < 30 * Math.max(few, 5), `2000 took ${few} ms, 20000 took ${many} ms`);
});
