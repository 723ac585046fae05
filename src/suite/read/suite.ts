/** Reads a suite in mcptest's format. Implements spec/suite.schema.json, with line and column for each fault.
 *  Reading runs nothing, opens nothing but the files it names, and takes nothing that it does not understand. */
import { shown } from "../../core/index.ts";
import type { Place, Suite, SuiteServer, SuiteTest } from "../model.ts";
import { readAssertions } from "./expect.ts";
import { loadParts, type Part, type ReadText } from "./imports.ts";
import { readDefaultTimeout, readRunOptions } from "./options.ts";
import { readSecurity } from "./security.ts";
import { readServer, type ServerReading } from "./servers.ts";
import { type KeyOf, shapeOf } from "./shape.ts";
import { fault, type Spot, wrong } from "./source.ts";
import { readStepsTest } from "./steps.ts";
import { type ReadTest, readPromptTest, readResourceTest, readToolTest, type TestReading } from "./tests.ts";
import { itemsOf } from "./values.ts";
import { type Environment, fillWith, readVariables, type Variable, type Variables } from "./variables.ts";

export interface SuiteOptions {
  /** What `from_env`, headers and tokens are read from; `CI` refuses `only`. */
  readonly env: Environment;
  readonly readText: ReadText;
}

const MAX_SERVERS = 100;
const MAX_TESTS = 10_000;
const SERVER_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;

export async function readSuite(file: string, { env, readText }: SuiteOptions): Promise<Suite> {
  const parts = await loadParts(file, readText);
  const variables = mergeVariables(parts, env);
  const fill = fillWith(variables);
  const servers = mergeServers(parts, { fill, env });
  const names = Object.keys(servers);
  const defaults = onlyBlock(parts, "defaultTest");
  const expected = defaults === undefined ? undefined : shapeOf(defaults, "defaultTest").expect;
  const tests = readTests(parts, {
    fill,
    variables,
    servers: names,
    defaults: expected === undefined ? [] : readAssertions(expected, fill),
    defaultTimeoutMs: readDefaultTimeout(onlyBlock(parts, "performance")),
    isCi: !["", "0", "false"].includes((env.CI ?? "").toLowerCase()),
  });
  return {
    file,
    servers,
    tests,
    security: readSecurity(onlyBlock(parts, "security"), names),
    runOptions: readRunOptions(onlyBlock(parts, "run_options")),
  };
}

/** A file may give another value to a variable of one that it imports. Two that do not know each other may not. */
function mergeVariables(parts: readonly Part[], env: Environment): Variables {
  const all = new Map<string, Variable>();
  for (const { root, imports } of parts) {
    if (root.variables === undefined) continue;
    for (const [name, variable] of readVariables(root.variables, env)) {
      const earlier = all.get(name);
      if (earlier !== undefined && !imports.has(earlier.place.file))
        throw fault("CFG_BAD_VALUE", variable.place, `variables.${name}: ${already(earlier.place)}`);
      all.set(name, variable);
    }
  }
  return all;
}

function mergeServers(parts: readonly Part[], reading: ServerReading): Readonly<Record<string, SuiteServer>> {
  const all = new Map<string, SuiteServer>();
  for (const { root } of parts) {
    if (root.servers === undefined) continue;
    if (root.servers.kind !== "map") throw wrong(root.servers, "want a map of server names");
    for (const [name, { keyPlace, spot }] of root.servers.members()) {
      const refuse = (why: string) => fault("CFG_BAD_VALUE", keyPlace, `${shown(spot.path, 200)}: ${why}`);
      const earlier = all.get(name);
      if (earlier !== undefined) throw refuse(already(earlier.place));
      if (!SERVER_NAME.test(name)) throw refuse('a name has letters, digits, "_", "-" and "."');
      if (all.size === MAX_SERVERS) throw refuse(`more than ${MAX_SERVERS} servers`);
      all.set(name, readServer(spot, reading));
    }
  }
  if (all.size > 0) return Object.fromEntries(all);
  const main = parts.at(-1);
  throw fault("CFG_BAD_VALUE", { file: main?.file ?? "", line: 1, column: 1 }, "servers is missing");
}

/** A block about the whole run stands in one file, so that none is loosened by another. */
function onlyBlock(parts: readonly Part[], key: KeyOf<"suite">): Spot | undefined {
  const [first, second] = parts.flatMap(({ root }) => root[key] ?? []);
  if (first !== undefined && second !== undefined) throw wrong(second, already(first.place));
  return first;
}

const READERS: Partial<Record<string, (spot: Spot, reading: TestReading) => ReadTest>> = {
  tools: readToolTest,
  resources: readResourceTest,
  prompts: readPromptTest,
  stepwise: readStepsTest,
};

function readTests(parts: readonly Part[], reading: TestReading): readonly SuiteTest[] {
  const read: ReadTest[] = [];
  const places = new Map<string, Place>();
  for (const [key, list] of parts.flatMap(({ root }) => Object.entries(root))) {
    const reader = READERS[key];
    for (const spot of reader === undefined ? [] : itemsOf(list, MAX_TESTS)) {
      const found = reader?.(spot, reading);
      if (found === undefined) continue;
      const { name } = found.test;
      const earlier = places.get(name);
      if (earlier !== undefined)
        throw fault(
          "CFG_BAD_VALUE",
          found.namePlace,
          `${spot.path}.name: "${shown(name, 100)}" ${already(earlier)}`,
        );
      places.set(name, found.namePlace);
      read.push(found);
      if (read.length > MAX_TESTS) throw wrong(spot, `more than ${MAX_TESTS} tests`);
    }
  }
  return withOnly(read);
}

/** Where some tests say `only`, the others are skipped, and say why. */
function withOnly(read: readonly ReadTest[]): readonly SuiteTest[] {
  const first = read.find(({ only }) => only !== undefined)?.only;
  if (first === undefined) return read.map(({ test }) => test);
  const skip = `only is set at ${spelt(first)}`;
  return read.map(({ test, only }) => (only === undefined ? { ...test, skip: test.skip ?? skip } : test));
}

const spelt = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;
const already = (place: Place): string => `stands at ${spelt(place)} already`;
