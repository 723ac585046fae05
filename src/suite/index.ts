/** Suites in YAML, bad and odd requests, the protocol, flows and claims: what a server is asked, and what came of it.
 *  Reading runs nothing; judging is pure; only `run` talks to servers, over sessions that the caller opens. */
export { type CheckTerms, checkRecordings, type Recorded } from "./check.ts";
export {
  type CaseOutcome,
  type CaseResult,
  NEGATIVE_CHECKS,
  type Place,
  type Suite,
  type SuiteFinding,
  type SuiteReport,
  type SuiteServer,
  type SuiteTest,
  type TestResult,
  type TestStatus,
} from "./model.ts";
export { listening, type ProtocolPeer } from "./protocol/run.ts";
export { readSuite } from "./read/suite.ts";
export type { Snapshots } from "./run/context.ts";
export { firstSuite } from "./run/first.ts";
export { Observed } from "./run/observed.ts";
export { runSuite, type SuiteRunOptions } from "./run/run.ts";
export { NotOpened, type TestedServer } from "./run/servers.ts";
export { runWhole } from "./run/whole.ts";
