import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readIn, suites } from "../../../test/fixtures/suites/read.ts";
import { TrustError } from "../../core/index.ts";

/** Every suite of the folder, with what is said of it. */
const cases = [
  {
    file: "a-date.yml",
    code: "CFG_SYNTAX",
    message: "a-date.yml:7:27 no tags, as tag:yaml.org,2002:timestamp",
  },
  { file: "a-list.yml", code: "CFG_BAD_VALUE", message: "a-list.yml:1:1 the file: want a map" },
  {
    file: "agents.yml",
    code: "CFG_UNKNOWN_KEY",
    message: "agents.yml:3:1 agents: not taken, no model is ever asked: write the calls as steps of stepwise",
  },
  {
    file: "alias-bomb.yml",
    code: "CFG_SYNTAX",
    message: "alias-bomb.yml:1:1 Excessive alias count indicates a resource exhaustion attack",
  },
  {
    file: "alias-of-itself.yml",
    code: "CFG_SYNTAX",
    message:
      "alias-of-itself.yml:7:14 tools.0.args.more.more.more.more.more.more.more.more.more.more.more.more.more.more.more.more.more.more.more.more.more.mo… (+382 characters): nested deeper than 100 levels",
  },
  {
    file: "auth-twice.yml",
    code: "CFG_BAD_VALUE",
    message: "auth-twice.yml:5:11 servers.api.auth: the header Authorization is given already",
  },
  {
    file: "back-reference.yml",
    code: "CFG_BAD_VALUE",
    message:
      "back-reference.yml:9:26 tools.0.expect.0.matcher.regex: a pattern that cannot be run in linear time: no look-around, back references or inline flags",
  },
  {
    file: "bad-placeholder.yml",
    code: "CFG_BAD_VALUE",
    message:
      "bad-placeholder.yml:8:14 tools.0.args.query: a placeholder that cannot be read, want ${NAME}; write $${ for the characters themselves",
  },
  {
    file: "block-target-in-a-call.yml",
    code: "CFG_BAD_VALUE",
    message:
      "block-target-in-a-call.yml:8:17 tools.0.expect.0.target: negative_path is known in negative_path.expect alone",
  },
  {
    file: "capture-of-a-variable.yml",
    code: "CFG_BAD_VALUE",
    message: "capture-of-a-variable.yml:9:19 stepwise.0.steps.0.capture.id: a variable has this name already",
  },
  {
    file: "capture-used-too-early.yml",
    code: "CFG_BAD_VALUE",
    message:
      'capture-used-too-early.yml:7:36 stepwise.0.steps.0.call.args.id: there is no variable, nor a capture of an earlier step, "id"',
  },
  {
    file: "capture-wrong-target.yml",
    code: "CFG_BAD_VALUE",
    message:
      "capture-wrong-target.yml:8:23 stepwise.0.steps.0.capture.id: a target begins with result, error or duration_ms",
  },
  {
    file: "cassette.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "cassette.yml:2:9 servers.api.cassette: not taken, a recording is not a server: judge it again with touchstone grade",
  },
  {
    file: "cel.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "cel.yml:9:19 tools.0.expect.0.matcher.cel: not taken, no second language is evaluated: use schema for bounds and shapes",
  },
  {
    file: "check-twice.yml",
    code: "CFG_BAD_VALUE",
    message: 'check-twice.yml:7:41 tools.0.negative_path.checks.1: "oversized" stands twice',
  },
  {
    file: "command-and-url.yml",
    code: "CFG_BAD_VALUE",
    message: "command-and-url.yml:2:8 servers.api: want exactly one of command and url",
  },
  {
    file: "command-as-text.yml",
    code: "CFG_BAD_VALUE",
    message:
      'command-as-text.yml:2:18 servers.api.command: want a list of words, such as ["node", "server.js"]: no shell reads it',
  },
  {
    file: "compositions.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "compositions.yml:3:1 compositions: not taken, no second language is evaluated: write the calls as steps of stepwise",
  },
  {
    file: "duplicate-key.yml",
    code: "CFG_DUPLICATE_KEY",
    message: 'duplicate-key.yml:4:1 the key "tools" stands twice',
  },
  {
    file: "duplicate-name.yml",
    code: "CFG_BAD_VALUE",
    message: 'duplicate-name.yml:8:12 resources.0.name: "a" stands at duplicate-name.yml:4:11 already',
  },
  { file: "empty.yml", code: "CFG_BAD_VALUE", message: "empty.yml:1:1 the file: want a map" },
  {
    file: "failure-policy.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "failure-policy.yml:3:15 run_options.failure_policy: not taken, a test that does not hold fails: nothing is counted as less",
  },
  {
    file: "fuzz-cases.yml",
    code: "CFG_BAD_VALUE",
    message: "fuzz-cases.yml:7:19 tools.0.fuzz.cases: want at least 1",
  },
  {
    file: "header-env-missing.yml",
    code: "TGT_MISSING_ENV",
    message:
      "header-env-missing.yml:5:20 servers.api.headers.X-Key.env: needs the environment variable NOT_SET, which is not set",
  },
  {
    file: "header-with-line-break.yml",
    code: "CFG_BAD_VALUE",
    message:
      "header-with-line-break.yml:2:42 servers.api.headers.X-A: the value has characters that no header has",
  },
  {
    file: "hooks.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "hooks.yml:3:1 hooks: not taken, reading a suite must not mean running its commands: write what must happen first as steps of stepwise",
  },
  {
    file: "import-absolute.yml",
    code: "CFG_BAD_VALUE",
    message:
      "import-absolute.yml:3:11 imports.0: want a path that is relative to this file, with / between folders",
  },
  {
    file: "import-circle.yml",
    code: "CFG_BAD_VALUE",
    message:
      "parts/circle.yml:1:11 imports.0: a circle: import-circle.yml -> parts/circle.yml -> import-circle.yml",
  },
  {
    file: "import-glob.yml",
    code: "CFG_BAD_VALUE",
    message: "import-glob.yml:3:11 imports.0: want the path of one file, without wildcards or variables",
  },
  {
    file: "import-missing.yml",
    code: "CFG_NOT_FOUND",
    message: "import-missing.yml:4:5 imports.0: parts/none.yml: no such file",
  },
  {
    file: "import-same-server.yml",
    code: "CFG_BAD_VALUE",
    message: "import-same-server.yml:2:3 servers.api: stands at parts/api.yml:2:8 already",
  },
  {
    file: "import-second-security.yml",
    code: "CFG_BAD_VALUE",
    message: "import-second-security.yml:4:11 security: stands at parts/security.yml:1:11 already",
  },
  {
    file: "import-two-variables.yml",
    code: "CFG_BAD_VALUE",
    message: "parts/variables-b.yml:2:6 variables.A: stands at parts/variables-a.yml:2:6 already",
  },
  {
    file: "import-unknown-key.yml",
    code: "CFG_UNKNOWN_KEY",
    message: 'parts/unknown-key.yml:1:1 unknown key "toolz", did you mean "tools"?',
  },
  {
    file: "import-url.yml",
    code: "CFG_BAD_VALUE",
    message:
      "import-url.yml:3:11 imports.0: want a path that is relative to this file, with / between folders",
  },
  {
    file: "is-sql-with-value.yml",
    code: "CFG_BAD_VALUE",
    message:
      "is-sql-with-value.yml:9:27 tools.0.expect.0.matcher.is-sql: is-sql takes nothing: write is-sql: null",
  },
  {
    file: "levenshtein-without-max.yml",
    code: "CFG_BAD_VALUE",
    message: "levenshtein-without-max.yml:9:32 tools.0.expect.0.matcher.levenshtein.max is missing",
  },
  {
    file: "llm-judge.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "llm-judge.yml:9:19 tools.0.expect.0.matcher.llm-judge: not taken, no model is ever asked: use contains, regex or schema",
  },
  {
    file: "look-around.yml",
    code: "CFG_BAD_VALUE",
    message:
      "look-around.yml:9:26 tools.0.expect.0.matcher.regex: a pattern that cannot be run in linear time: no look-around, back references or inline flags",
  },
  {
    file: "metamorphic.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "metamorphic.yml:7:5 tools.0.metamorphic: not taken, relations between calls are not judged: write the two calls as steps of stepwise",
  },
  {
    file: "missing-environment.yml",
    code: "TGT_MISSING_ENV",
    message:
      "missing-environment.yml:7:19 tools.0.args.query: needs the environment variable NOT_SET, which is not set",
  },
  {
    file: "missing-variable.yml",
    code: "CFG_BAD_VALUE",
    message:
      'missing-variable.yml:7:19 tools.0.args.query: there is no variable "QUREY", did you mean "QUERY"?',
  },
  {
    file: "mock-file.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "mock-file.yml:1:1 mock_server: not taken, this is the file of a mock, not a suite: play it with touchstone mock",
  },
  {
    file: "no-matcher.yml",
    code: "CFG_BAD_VALUE",
    message: "no-matcher.yml:9:18 tools.0.expect.0.matcher: want exactly one matcher, not none",
  },
  { file: "no-servers.yml", code: "CFG_BAD_VALUE", message: "no-servers.yml:1:1 servers is missing" },
  {
    file: "no-such-number.yml",
    code: "CFG_BAD_VALUE",
    message:
      'no-such-number.yml:9:20 tools.0.negative_path.expect.0.target: no such number, did you mean "failures"?',
  },
  { file: "no-tool.yml", code: "CFG_BAD_VALUE", message: "no-tool.yml:4:5 tools.0.tool is missing" },
  {
    file: "not-a-number.yml",
    code: "CFG_BAD_VALUE",
    message: "not-a-number.yml:7:15 tools.0.args.n: want a number that JSON has",
  },
  {
    file: "null-boundary.yml",
    code: "CFG_BAD_VALUE",
    message:
      "null-boundary.yml:4:18 security.trust_boundary: want a map; {} declares that no flow is accepted",
  },
  {
    file: "number-too-large.yml",
    code: "CFG_BAD_VALUE",
    message:
      "number-too-large.yml:7:15 tools.0.args.n: 12345678901234567890 cannot be kept exactly; write it as text",
  },
  {
    file: "oauth.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "oauth.yml:4:12 servers.api.auth.oauth: not taken, log in with touchstone login, or give a token by bearer_token_env",
  },
  {
    file: "old-negotiation.yml",
    code: "CFG_BAD_VALUE",
    message:
      "old-negotiation.yml:4:36 security.capability_negotiation.target: want one of 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05",
  },
  {
    file: "only-in-ci.yml",
    code: "CFG_BAD_VALUE",
    message:
      "only-in-ci.yml:7:11 tools.0.only: the other tests would be left out in CI; take it out, or use tags",
  },
  {
    file: "p95.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "p95.yml:3:15 performance.p95_latency_ms: not taken, give the time of each call by expect.max_duration_ms",
  },
  {
    file: "parallel.yml",
    code: "CFG_BAD_VALUE",
    message: "parallel.yml:3:25 run_options.parallel: want false, auto, or a whole number from 1 to 256",
  },
  {
    file: "reserved-key.yml",
    code: "CFG_UNKNOWN_KEY",
    message: 'reserved-key.yml:8:7 nothing may be called "__proto__"',
  },
  {
    file: "schema-elsewhere.yml",
    code: "CFG_BAD_VALUE",
    message:
      'schema-elsewhere.yml:9:27 tools.0.expect.0.matcher.schema: a schema that cannot be judged by: remote-ref at "/$ref"',
  },
  {
    file: "servers-as-list.yml",
    code: "CFG_BAD_VALUE",
    message: "servers-as-list.yml:2:3 servers: want a map of server names",
  },
  {
    file: "skip-flag.yml",
    code: "CFG_BAD_VALUE",
    message: 'skip-flag.yml:7:11 tools.0.skip: want text; quote values such as "yes" or "1.0"',
  },
  {
    file: "snapshot-outside.yml",
    code: "CFG_BAD_VALUE",
    message:
      'snapshot-outside.yml:9:29 tools.0.expect.0.matcher.snapshot: want letters, digits, spaces, "_", "-" and ".", at most 100',
  },
  {
    file: "step-without-server.yml",
    code: "CFG_BAD_VALUE",
    message:
      "step-without-server.yml:6:9 stepwise.0.steps.0: no server: give it one, or give the test a default_server",
  },
  {
    file: "threshold.yml",
    code: "CFG_BAD_VALUE",
    message: "threshold.yml:9:22 tools.0.expect.0.assert-set.threshold: want a number from 0 to 1",
  },
  {
    file: "timeout.yml",
    code: "CFG_BAD_VALUE",
    message: "timeout.yml:7:17 tools.0.timeout_ms: want a whole number",
  },
  {
    file: "token-env-missing.yml",
    code: "TGT_MISSING_ENV",
    message:
      "token-env-missing.yml:4:30 servers.api.auth.bearer_token_env: needs the environment variable NOT_SET, which is not set",
  },
  {
    file: "too-deep.yml",
    code: "CFG_SYNTAX",
    message:
      "too-deep.yml:7:112 tools.0.args.a.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0… (+88 characters): nested deeper than 100 levels",
  },
  {
    file: "top-level-server.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "top-level-server.yml:1:1 server: not taken, every server has a name: write servers with one entry",
  },
  {
    file: "transform.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      "transform.yml:10:9 tools.0.expect.0.transform: not taken, no second language is evaluated: name the part you mean with target",
  },
  {
    file: "two-matchers.yml",
    code: "CFG_BAD_VALUE",
    message: "two-matchers.yml:9:18 tools.0.expect.0.matcher: want exactly one matcher, not 2",
  },
  {
    file: "typo-of-a-key.yml",
    code: "CFG_UNKNOWN_KEY",
    message: 'typo-of-a-key.yml:3:1 unknown key "tool", did you mean "tools"?',
  },
  {
    file: "unknown-check.yml",
    code: "CFG_BAD_VALUE",
    message:
      'unknown-check.yml:7:44 tools.0.negative_path.checks.1: want one of unknown_tool, missing_required, wrong_type, extra_field, oversized, did you mean "wrong_type"?',
  },
  {
    file: "unknown-flow.yml",
    code: "CFG_BAD_VALUE",
    message:
      'unknown-flow.yml:6:25 security.trust_boundary.allowed_flows.0.to: no server "database", declared: api',
  },
  {
    file: "unknown-key.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      'unknown-key.yml:1:1 unknown key "server_list", known keys: servers, variables, imports, tools, resources, prompts, stepwise, run_options, security, defaultTest, performance',
  },
  {
    file: "unknown-matcher.yml",
    code: "CFG_UNKNOWN_KEY",
    message:
      'unknown-matcher.yml:9:19 unknown key "tools.0.expect.0.matcher.contain", did you mean "contains"?',
  },
  {
    file: "unknown-server.yml",
    code: "CFG_BAD_VALUE",
    message: 'unknown-server.yml:5:13 tools.0.server: no server "apl", did you mean "api"?',
  },
  {
    file: "unknown-tag.yml",
    code: "CFG_SYNTAX",
    message: "unknown-tag.yml:7:15 Unresolved tag: tag:yaml.org,2002:js/function",
  },
  {
    file: "url-of-a-file.yml",
    code: "CFG_BAD_VALUE",
    message: "url-of-a-file.yml:2:14 servers.api.url: want an http or https URL",
  },
  {
    file: "url-with-password.yml",
    code: "CFG_BAD_VALUE",
    message:
      "url-with-password.yml:2:14 servers.api.url: the URL holds a user name or password; use auth or headers",
  },
  {
    file: "variable-of-two-kinds.yml",
    code: "CFG_BAD_VALUE",
    message: "variable-of-two-kinds.yml:4:6 variables.A: want exactly one of value and from_env",
  },
  {
    file: "wrong-target-part.yml",
    code: "CFG_BAD_VALUE",
    message:
      "wrong-target-part.yml:8:17 tools.0.expect.0.target: at character 15: want [0], [-1], [*] or ['key']",
  },
  {
    file: "wrong-target-root.yml",
    code: "CFG_BAD_VALUE",
    message:
      "wrong-target-root.yml:8:17 tools.0.expect.0.target: a target begins with result, error or duration_ms",
  },
];

const env = { CI: "true", TOKEN: "t" };

for (const { file, code, message } of cases)
  test(`a wrong suite is refused with its place: ${file}`, async () => {
    await assert.rejects(readIn("wrong", file, env), (error) => {
      assert.ok(error instanceof TrustError);
      assert.deepEqual({ code: error.code, message: error.message }, { code, message });
      return true;
    });
  });

test("every wrong suite of the folder has a line in the table", () => {
  const files = readdirSync(join(suites, "wrong")).filter((file) => file.endsWith(".yml"));
  assert.deepEqual(cases.map(({ file }) => file).sort(), files.sort());
});
