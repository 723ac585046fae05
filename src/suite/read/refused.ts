/** Keys of the format that are not taken, each with the reason and, where there is one, what to write instead.
 *  They are refused by name: a test that is silently left out would look like one that holds. */
import type { ShapeName } from "./shape.ts";

const NO_MODEL = "no model is ever asked";
const NO_LANGUAGE = "no second language is evaluated";
const NO_SHELL = "reading a suite must not mean running its commands";
const NO_DOWNGRADE = "a test that does not hold fails";

const MODEL_GRADED = `${NO_MODEL}: use contains, regex or schema`;

/** On every test of a call. */
const OF_A_TEST = {
  threshold: "every assertion counts: put those of which some may fail into an assert-set",
  derivedMetrics: "every assertion counts: put those of which some may fail into an assert-set",
  hooks: `${NO_SHELL}: write what must happen first as steps of stepwise`,
  transform: `${NO_LANGUAGE}: name the part you mean with target`,
  cache: "every test is run, every time",
  effects: "every test is run, every time",
  server_version: "every test is run; give it a tag and select by that",
} as const;

const OF_A_TOOL_TEST = {
  ...OF_A_TEST,
  inject_error: "answers are the server's own: play faults with a server of touchstone mock",
  input_responses: "questions of a server are declined",
  input_responder: "questions of a server are declined",
  metamorphic: "relations between calls are not judged: write the two calls as steps of stepwise",
} as const;

export const REFUSED: Partial<Record<ShapeName, Readonly<Record<string, string>>>> = {
  suite: {
    server: "every server has a name: write servers with one entry",
    default_server: "tests name their server; a stepwise test may have its own default_server",
    mock_server: "this is the file of a mock, not a suite: play it with touchstone mock",
    agents: `${NO_MODEL}: write the calls as steps of stepwise`,
    compositions: `${NO_LANGUAGE}: write the calls as steps of stepwise`,
    scenarios: `${NO_MODEL}: write the calls as steps of stepwise`,
    evals: `${NO_MODEL}: use tools with expect`,
    rubrics: `${NO_MODEL}: use tools with expect`,
    scorers: `${NO_SHELL}: use the matchers of expect`,
    calibration: NO_MODEL,
    providers: NO_MODEL,
    budget: `${NO_MODEL}, so nothing is paid for`,
    model_compat: NO_MODEL,
    model_compatibility: NO_MODEL,
    tool_quality: "use touchstone scan",
    compliance: "use touchstone grade",
    conformance: "use touchstone grade",
    coverage: "what was not tested is in the report as not assessed",
    corpus: "this is a file of rules, not a suite",
    faults: "answers are the server's own: play faults with a server of touchstone mock",
    fixtures: "answers are the server's own: play faults with a server of touchstone mock",
    hooks: `${NO_SHELL}: write what must happen first as steps of stepwise`,
    setup: `${NO_SHELL}: write what must happen first as steps of stepwise`,
    teardown: `${NO_SHELL}: write what must happen last as steps of stepwise`,
    setup_per_test: `${NO_SHELL}: write what must happen first as steps of stepwise`,
    input_responder: "questions of a server are declined",
    auth: "credentials belong to one server: write servers.NAME.auth",
    target_versions:
      "the version is agreed with each server; capability_negotiation.target names the one it is about",
  },
  commandServer: {
    cassette: "a recording is not a server: judge it again with touchstone grade",
    args: "write all words into command",
  },
  urlServer: {
    cassette: "a recording is not a server: judge it again with touchstone grade",
    http: "TLS is always checked, and times are given by timeout_ms",
    transport: "it is found out",
  },
  auth: {
    oauth: "log in with touchstone login, or give a token by bearer_token_env",
    web_bot_auth: "give a token by bearer_token_env",
    aws_sigv4: "give a token by bearer_token_env",
    headers: "write them into servers.NAME.headers",
  },
  toolTest: OF_A_TOOL_TEST,
  resourceTest: OF_A_TEST,
  promptTest: OF_A_TEST,
  expectation: {
    max_response_tokens: "tokens are a model's: bound the text by schema with maxLength",
    response_headers: "an assertion is about the answer, not its transport",
    response_headers_absent: "an assertion is about the answer, not its transport",
    snapshot: "use the matcher snapshot with update: true",
  },
  assertion: {
    weight: "every assertion counts once",
    name: "write what it is about into message",
    transform: `${NO_LANGUAGE}: name the part you mean with target`,
  },
  assertSet: { weight: "every assertion counts once" },
  matcher: {
    cel: `${NO_LANGUAGE}: use schema for bounds and shapes`,
    "llm-judge": MODEL_GRADED,
    "llm-jury": MODEL_GRADED,
    similar: `${NO_MODEL}: use levenshtein or icontains`,
    citation: MODEL_GRADED,
    factuality: MODEL_GRADED,
    "answer-relevance": MODEL_GRADED,
    "context-faithfulness": MODEL_GRADED,
  },
  runOptions: {
    inconclusive: `${NO_DOWNGRADE}: nothing is tried until it does`,
    failure_policy: `${NO_DOWNGRADE}: nothing is counted as less`,
  },
  defaultTest: {
    threshold: OF_A_TEST.threshold,
    derivedMetrics: OF_A_TEST.derivedMetrics,
    transform: OF_A_TEST.transform,
  },
  performance: { p95_latency_ms: "give the time of each call by expect.max_duration_ms" },
};
