/** A grade with its evidence: plan, drive, record, judge, letter; and the same again from the recording alone. */
export { type Bundle, bundleText, EVIDENCE_FORMAT, sha256 } from "./bundle.ts";
export type { Coverage, ToolCoverage } from "./coverage.ts";
export { OpeningFailed } from "./driver.ts";
export { type GradeRequest, type GradeResult, grade, planOf } from "./grade.ts";
export { type JudgedCategory, type JudgedProbe, type Judgement, judge } from "./judge.ts";
export type { ToolPlan } from "./plan.ts";
export { type Regraded, regrade } from "./regrade.ts";
export type { Letter } from "./rubric.ts";
