/** The maps of a suite, each with the keys it has. Everything else is refused: a slip of the hand with the right word, a
 *  part of the format that is not taken with the reason. */
import { didYouMean } from "../../core/index.ts";
import { REFUSED } from "./refused.ts";
import { fault, type Member, type Spot, wrong } from "./source.ts";

/** The keys of each map, those that must be there with a `!`. The schema for editors has the same, by test. */
export const SHAPES = {
  suite: [
    "servers",
    "variables",
    "imports",
    "tools",
    "resources",
    "prompts",
    "stepwise",
    "run_options",
    "security",
    "defaultTest",
    "performance",
  ],
  commandServer: ["command!", "env"],
  urlServer: ["url!", "headers", "auth", "wait_for_ready"],
  auth: ["bearer_token_env!"],
  headerFromEnv: ["env!"],
  variable: ["value", "from_env", "default"],
  toolTest: [
    "name!",
    "server!",
    "tool!",
    "args",
    "expect",
    "timeout_ms",
    "skip",
    "only",
    "tags",
    "negative_path",
    "fuzz",
  ],
  resourceTest: ["name!", "server!", "uri!", "expect", "timeout_ms", "skip", "only", "tags"],
  promptTest: ["name!", "server!", "prompt!", "args", "expect", "timeout_ms", "skip", "only", "tags"],
  stepsTest: ["name!", "default_server", "steps!", "timeout_ms", "skip", "only", "tags"],
  step: ["server", "call!", "capture", "expect"],
  call: ["tool!", "args"],
  expectation: ["assertions", "max_duration_ms"],
  assertion: ["target!", "matcher!", "message"],
  assertSetItem: ["assert-set!"],
  assertSet: ["name", "threshold!", "assertions!"],
  matcher: [
    "exact",
    "contains",
    "subset",
    "regex",
    "schema",
    "snapshot",
    "contains-all",
    "contains-any",
    "icontains",
    "starts-with",
    "is-json",
    "is-valid-tools-call",
    "levenshtein",
    "is-xml",
    "is-sql",
    "not",
    "oneOf",
    "anyOf",
    "allOf",
  ],
  snapshot: ["name", "update"],
  withSchema: ["schema"],
  levenshtein: ["value!", "max!"],
  isXml: ["root"],
  negativePath: ["checks", "expect", "max_call_ms"],
  fuzz: ["seed", "cases", "max_call_ms", "expect"],
  runOptions: ["restart_policy", "parallel"],
  security: ["scan", "trust_boundary", "capability_negotiation"],
  trustBoundary: ["allowed_flows", "required_sanitizers", "min_chars", "exempt", "raise"],
  flow: ["from!", "to!"],
  capabilityNegotiation: ["target", "negotiated!"],
  defaultTest: ["expect"],
  performance: ["default_timeout_ms"],
} as const;

export type ShapeName = keyof typeof SHAPES;
type Bare<Key> = Key extends `${infer Name}!` ? Name : Key;
type Required<Key> = Key extends `${infer Name}!` ? Name : never;
export type KeyOf<Name extends ShapeName> = Bare<(typeof SHAPES)[Name][number]>;

/** The members of a map that has the shape: those that must be there are. */
export type Shaped<Name extends ShapeName> = {
  readonly [Key in KeyOf<Name>]?: Spot;
} & { readonly [Key in Required<(typeof SHAPES)[Name][number]>]: Spot };

/** Reads a map strictly. */
export function shapeOf<Name extends ShapeName>(spot: Spot, name: Name): Shaped<Name> {
  if (spot.kind !== "map") throw wrong(spot, "want a map");
  const known = SHAPES[name].map((key) => key.replace("!", ""));
  const members = spot.members();
  for (const [key, member] of members) if (!known.includes(key)) throw unknownKey(key, member, name, known);
  for (const key of SHAPES[name]) {
    const bare = key.slice(0, -1);
    if (key.endsWith("!") && !members.has(bare))
      throw fault(
        "CFG_BAD_VALUE",
        spot.place,
        `${spot.path === "the file" ? "" : `${spot.path}.`}${bare} is missing`,
      );
  }
  return Object.fromEntries([...members].map(([key, member]) => [key, member.spot])) as Shaped<Name>;
}

function unknownKey(
  key: string,
  { keyPlace, spot }: Member,
  name: ShapeName,
  known: readonly string[],
): Error {
  const refused: Readonly<Record<string, string>> = REFUSED[name] ?? {};
  if (Object.hasOwn(refused, key))
    return fault("CFG_UNKNOWN_KEY", keyPlace, `${spot.path}: not taken, ${refused[key]}`);
  const near = didYouMean(key, known) || `, known keys: ${known.join(", ")}`;
  return fault("CFG_UNKNOWN_KEY", keyPlace, `unknown key "${spot.path}"${near}`);
}
