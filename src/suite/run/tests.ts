/** One test of each kind. */
import { shown } from "../../core/index.ts";
import type { Outcome, Params } from "../../wire/index.ts";
import { runFuzz } from "../fuzz/run.ts";
import { judgeAssertions, judgeExpectation } from "../match/judge.ts";
import { lookUp, readTarget, type Scope, type TargetPlace } from "../match/target.ts";
import type {
  Assertion,
  AssertionResult,
  AssertSet,
  Expectation,
  PromptTest,
  ResourceTest,
  Step,
  StepsTest,
  SuiteTest,
  TestResult,
  ToolTest,
} from "../model.ts";
import type { Assessed } from "../negative/result.ts";
import { runNegative } from "../negative/run.ts";
import type { ToolFacts } from "../negative/tool.ts";
import { withCaptures } from "../read/captures.ts";
import { answerOf, unexpected } from "./answer.ts";
import { type Context, testFinding } from "./context.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

/** The call itself where it is asserted on or nothing else is asked, then its bad requests, then its odd ones. */
export async function runTool(test: ToolTest, context: Context): Promise<Assessed[]> {
  const { negativePath, fuzz, expect } = test;
  const isExpecting = expect.assertions.length > 0 || expect.maxDurationMs !== undefined;
  const isCalled = isExpecting || (negativePath === undefined && fuzz === undefined);
  const rows: Assessed[] = [];
  if (isCalled)
    rows.push(
      await oneCall(test, test.expect, context, { server: test.server, tool: test.tool }, () =>
        callTool(test, test.timeoutMs, context),
      ),
    );
  if (negativePath === undefined && fuzz === undefined) return rows;
  const tools = await context.servers.tools(test.server);
  const tool = tools.find(({ name }) => name === test.tool);
  const peer = context.servers.peer(test.server);
  const { allowDestructive } = context;
  if (negativePath) {
    const titled = { ...test, name: `${test.name} (negative_path)` };
    const { checks, maxCallMs } = negativePath;
    const options = { checks, allowDestructive, ...(maxCallMs === undefined ? {} : { maxCallMs }) };
    const assessed = tool
      ? await runNegative(peer, titled, tool, test.args, options)
      : notThere(titled, "negative_path", tools);
    rows.push(gated(assessed, "negative_path", negativePath.expect, context));
  }
  if (fuzz) {
    const titled = { ...test, name: `${test.name} (fuzz)` };
    const assessed = tool
      ? await runFuzz(peer, titled, tool, test.args, { ...fuzz, allowDestructive })
      : notThere(titled, "fuzz", tools);
    rows.push(gated(assessed, "fuzz", fuzz.expect, context));
  }
  return rows;
}

export async function runResource(test: ResourceTest, context: Context): Promise<Assessed[]> {
  const read = (): Promise<Outcome> =>
    exchange(context, test.server, "resources/read", { uri: test.uri }, test.timeoutMs, {
      kind: "resource",
      tool: test.uri,
      arguments: { uri: test.uri },
    });
  return [await oneCall(test, test.expect, context, { server: test.server }, read)];
}

export async function runPrompt(test: PromptTest, context: Context): Promise<Assessed[]> {
  const params = { name: test.prompt, arguments: test.args };
  const get = (): Promise<Outcome> =>
    exchange(context, test.server, "prompts/get", params, test.timeoutMs, {
      kind: "prompt",
      tool: test.prompt,
      arguments: test.args,
    });
  return [await oneCall(test, test.expect, context, { server: test.server }, get)];
}

/** Ends with the first step that does not hold: later ones would be about something else. */
export async function runSteps(test: StepsTest, context: Context): Promise<Assessed[]> {
  const began = performance.now();
  const captured: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const assertions: AssertionResult[] = [];
  let reason: string | undefined;
  for (const [index, step] of test.steps.entries()) {
    reason = await oneStep(step, captured, assertions, test, context);
    if (reason !== undefined) {
      reason = `step ${index + 1}, ${step.server}.${shown(step.tool, 80)}: ${reason}`;
      break;
    }
  }
  return [concluded(test, {}, assertions, reason, performance.now() - began)];
}

async function oneStep(
  step: Step,
  captured: Record<string, unknown>,
  assertions: AssertionResult[],
  test: StepsTest,
  context: Context,
): Promise<string | undefined> {
  const args = withCaptures(step.args, captured);
  const answer = answerOf(await callTool({ ...step, args }, test.timeoutMs, context));
  const judged = judgeExpectation(step.expect, answer.scope, settings(test.name, context));
  store(judged.snapshots, context);
  assertions.push(...judged.results);
  const wrong = unexpected(answer, step.expect.assertions) ?? firstUnmet(judged.results);
  if (wrong !== undefined) return wrong;
  for (const [name, target] of Object.entries(step.capture)) {
    const read = readTarget(target);
    const found =
      "fault" in read ? { isFound: false as const, reason: read.fault } : lookUp(read, answer.scope);
    if (!found.isFound) return `nothing to capture as ${name}: ${found.reason}`;
    captured[name] = found.value;
  }
  return undefined;
}

async function callTool(
  { server, tool, args }: Pick<Step, "server" | "tool" | "args">,
  timeoutMs: number | undefined,
  context: Context,
): Promise<Outcome> {
  const facts = (await context.servers.tools(server)).find(({ name }) => name === tool);
  return exchange(context, server, "tools/call", { name: tool, arguments: args }, timeoutMs, {
    kind: "tool",
    tool,
    arguments: args,
    ...(facts?.inputSchema === undefined ? {} : { inputSchema: facts.inputSchema }),
  });
}

async function exchange(
  { servers, observed }: Context,
  server: string,
  method: string,
  params: Params,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  call: Parameters<Context["observed"]["call"]>[1],
): Promise<Outcome> {
  const session = await servers.session(server);
  const outcome = await session.request(method, params, { timeoutMs });
  observed.call(server, call, outcome);
  return outcome;
}

async function oneCall(
  test: SuiteTest,
  expect: Expectation,
  context: Context,
  about: Pick<TestResult, "server" | "tool">,
  ask: () => Promise<Outcome>,
): Promise<Assessed> {
  const began = performance.now();
  const answer = answerOf(await ask());
  const judged = judgeExpectation(expect, answer.scope, settings(test.name, context));
  store(judged.snapshots, context);
  const reason = unexpected(answer, expect.assertions) ?? firstUnmet(judged.results);
  return concluded(test, about, judged.results, reason, performance.now() - began);
}

function concluded(
  test: SuiteTest,
  about: Pick<TestResult, "server" | "tool">,
  assertions: readonly AssertionResult[],
  reason: string | undefined,
  ms: number,
): Assessed {
  const { name, kind, tags, place } = test;
  const head = { name, kind, tags, place, ...about, ms: Math.round(ms), assertions };
  if (reason === undefined) return { result: { ...head, status: "passed" }, findings: [] };
  return { result: { ...head, status: "failed", reason }, findings: [testFinding(name, reason, place)] };
}

const firstUnmet = (results: readonly AssertionResult[]): string | undefined =>
  results.find(({ isMet }) => !isMet)?.message;

/** A block's own expectations take the place of its gate. What was found is told all the same, as a remark where it is expected. */
function gated(
  assessed: Assessed,
  place: TargetPlace & ("negative_path" | "fuzz"),
  expect: readonly (Assertion | AssertSet)[],
  context: Context,
): Assessed {
  const { result, findings } = assessed;
  if (expect.length === 0 || result.status === "not_assessed") return assessed;
  const scope: Scope = { [place]: result.targets ?? {} };
  const { results } = judgeAssertions(expect, scope, { ...settings(result.name, context), place });
  const reason = firstUnmet(results);
  const { reason: _gate, ...head } = result;
  if (reason !== undefined)
    return { result: { ...head, status: "failed", reason, assertions: results }, findings };
  return {
    result: { ...head, status: "passed", assertions: results },
    findings: findings.map((found) => ({ ...found, severity: "info" as const })),
  };
}

function notThere(
  test: Pick<ToolTest, "name" | "server" | "tool" | "tags" | "place">,
  kind: "negative_path" | "fuzz",
  tools: readonly ToolFacts[],
): Assessed {
  const reason = `${test.server} lists no tool "${shown(test.tool, 80)}" among ${tools.length}`;
  const { name, server, tool, tags, place } = test;
  return {
    result: { name, kind, status: "not_assessed", reason, server, tool, tags, place, ms: 0, assertions: [] },
    findings: [],
  };
}

const settings = (name: string, { snapshots }: Context) =>
  snapshots === undefined ? {} : { snapshots: { ...snapshots, defaultName: name } };

function store(
  made: readonly {
    readonly name: string;
    readonly text: string;
    readonly state: string;
    readonly isUpdate: boolean;
  }[],
  { snapshots }: Context,
): void {
  for (const { name, text, state, isUpdate } of made)
    if (state === "new" || (state === "different" && isUpdate)) snapshots?.store(name, text);
}
