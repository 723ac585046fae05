import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { CategoryId, MethodId, ProbeStatus } from "../probes/index.ts";
import { PROBES } from "../probes/index.ts";
import type { Coverage } from "./coverage.ts";
import { type CategoryOutcome, categoryOf, type Graded, gradeOf, type ProbeOutcome } from "./rubric.ts";

/** Coverage of a server with so many tools. */
function coverage(advertised: number, succeeded: number): Coverage {
  const tools = Array.from({ length: advertised }, (_, index) => ({
    name: `tool${index + 1}`,
    called: 3,
    succeeded: index < succeeded ? 3 : 0,
  }));
  return { advertised, called: advertised, succeeded, calls: 3 * advertised, tools, residual: [] };
}
const FULL = coverage(2, 2);

type Status = CategoryOutcome["status"];

/** All categories of a method pass but those that are named. */
function graded(method: MethodId, but: Partial<Record<CategoryId, Status>> = {}, covered = FULL): Graded {
  const ids = new Set(
    PROBES.filter(({ methods }) => methods.includes(method)).map(({ category }) => category),
  );
  const categories = [...ids].map((id) => ({ id, status: but[id] ?? "pass", reason: `${id} reason` }));
  return gradeOf(method, categories, covered);
}

interface Row {
  readonly name: string;
  readonly method: MethodId;
  readonly but?: Partial<Record<CategoryId, Status>>;
  readonly covered?: Coverage;
  readonly letter: Graded["grade"];
  readonly says?: RegExp;
}

const rows: readonly Row[] = [
  { name: "all four categories pass", method: "litmus-v5", letter: "A" },
  {
    name: "C-02 skipped, the others pass",
    method: "litmus-v5",
    but: { "C-02": "skipped" },
    letter: "B",
    says: /not assessed: C-02/,
  },
  { name: "C-02 fails", method: "litmus-v5", but: { "C-02": "fail" }, letter: "D", says: /C-02 reason/ },
  { name: "C-04 fails", method: "litmus-v5", but: { "C-04": "fail" }, letter: "D", says: /C-04 reason/ },
  {
    name: "C-04 fails and C-02 is skipped",
    method: "litmus-v5",
    but: { "C-04": "fail", "C-02": "skipped" },
    letter: "D",
  },
  {
    name: "C-02 and C-04 fail",
    method: "litmus-v5",
    but: { "C-02": "fail", "C-04": "fail" },
    letter: "D",
    says: /C-02 reason; C-04: C-04 reason/,
  },
  { name: "C-01 fails", method: "litmus-v5", but: { "C-01": "fail" }, letter: "F", says: /C-01 reason/ },
  { name: "C-03 fails", method: "litmus-v5", but: { "C-03": "fail" }, letter: "F", says: /C-03 reason/ },
  {
    name: "C-01 fails beside C-02 and C-04",
    method: "litmus-v5",
    but: { "C-01": "fail", "C-02": "fail", "C-04": "fail" },
    letter: "F",
  },
  {
    name: "C-03 fails and C-02 is skipped",
    method: "litmus-v5",
    but: { "C-03": "fail", "C-02": "skipped" },
    letter: "F",
  },
  {
    name: "a tool that never succeeded is not in the specification's table",
    method: "litmus-v5",
    covered: coverage(3, 2),
    letter: "A",
  },
  {
    name: "no call succeeded",
    method: "litmus-v5",
    covered: coverage(2, 0),
    letter: null,
    says: /no call succeeded/,
  },
  {
    name: "no tool is advertised",
    method: "litmus-v5",
    covered: coverage(0, 0),
    letter: null,
    says: /advertises no tool/,
  },
  {
    name: "harm is graded although no call succeeded",
    method: "litmus-v5",
    but: { "C-01": "fail" },
    covered: coverage(2, 0),
    letter: "F",
  },
  {
    name: "a category that was not exercised",
    method: "litmus-v5",
    but: { "C-03": "unexercised" },
    letter: null,
    says: /C-03 reason/,
  },

  { name: "everything passes", method: "touchstone-1", letter: "A" },
  {
    name: "egress is not assessed",
    method: "touchstone-1",
    but: { "C-02": "skipped", "X-04": "skipped" },
    letter: "B",
    says: /not assessed: C-02: C-02 reason; X-04/,
  },
  {
    name: "a tool never succeeded",
    method: "touchstone-1",
    covered: coverage(3, 2),
    letter: "C",
    says: /1 tool of 3 never succeeded: tool3/,
  },
  {
    name: "a tool never succeeded and egress is not assessed",
    method: "touchstone-1",
    but: { "C-02": "skipped" },
    covered: coverage(3, 2),
    letter: "C",
  },
  {
    name: "secret files are handed out on request",
    method: "touchstone-1",
    but: { "X-05": "fail" },
    letter: "C",
    says: /X-05 reason/,
  },
  { name: "C-02 fails", method: "touchstone-1", but: { "C-02": "fail" }, letter: "D" },
  { name: "C-04 fails", method: "touchstone-1", but: { "C-04": "fail" }, letter: "D" },
  { name: "X-04 fails", method: "touchstone-1", but: { "X-04": "fail" }, letter: "D" },
  {
    name: "X-04 and X-05 fail",
    method: "touchstone-1",
    but: { "X-04": "fail", "X-05": "fail" },
    letter: "D",
  },
  { name: "C-01 fails", method: "touchstone-1", but: { "C-01": "fail" }, letter: "F" },
  { name: "C-03 fails", method: "touchstone-1", but: { "C-03": "fail" }, letter: "F" },
  { name: "X-01 fails", method: "touchstone-1", but: { "X-01": "fail" }, letter: "F" },
  { name: "X-02 fails", method: "touchstone-1", but: { "X-02": "fail" }, letter: "F" },
  { name: "X-03 fails", method: "touchstone-1", but: { "X-03": "fail" }, letter: "F" },
  {
    name: "no call succeeded",
    method: "touchstone-1",
    covered: coverage(2, 0),
    letter: null,
    says: /no call succeeded/,
  },
  {
    name: "the lists were not read again",
    method: "touchstone-1",
    but: { "X-03": "unexercised" },
    letter: "C",
    says: /not everything was exercised: X-03/,
  },
  {
    name: "a category that was not exercised does not hide what reaches beyond",
    method: "touchstone-1",
    but: { "C-04": "unexercised", "C-02": "fail" },
    letter: "D",
  },
  {
    name: "a category was not exercised and no call succeeded",
    method: "touchstone-1",
    but: { "C-04": "unexercised" },
    covered: coverage(2, 0),
    letter: null,
  },
  {
    name: "something is worth knowing",
    method: "touchstone-1",
    but: { "X-05": "fail" },
    letter: "C",
    says: /nothing worse was found, but: X-05/,
  },
];
for (const { name, method, but, covered, letter, says } of rows)
  test(`${method}: ${letter ?? "no letter"} when ${name}`, () => {
    const { grade, status, rationale } = graded(method, but, covered);
    assert.equal(grade, letter, rationale);
    assert.equal(status, letter === null ? "not-graded" : "graded");
    assert.match(rationale, says ?? /./);
  });

const statuses = fc.constantFrom<Status>("pass", "fail", "skipped", "unexercised");
const anyCategories = fc.record({
  "C-01": statuses,
  "C-02": statuses,
  "C-03": statuses,
  "C-04": statuses,
  "X-01": statuses,
  "X-02": statuses,
  "X-03": statuses,
  "X-04": statuses,
  "X-05": statuses,
});
const anyCoverage = fc.tuple(fc.nat(5), fc.nat(5)).map(([all, some]) => coverage(all, Math.min(all, some)));

test("C is never reached under litmus-v5, and a letter always has its reasons", () => {
  fc.assert(
    fc.property(anyCategories, anyCoverage, (but, covered) => {
      for (const method of ["litmus-v5", "touchstone-1"] as const) {
        const { grade, status, rationale } = graded(method, but, covered);
        assert.notEqual(rationale.trim(), "");
        assert.equal(grade === null, status === "not-graded");
        if (method === "litmus-v5") assert.notEqual(grade, "C");
      }
    }),
    { numRuns: 500 },
  );
});

test("a failure never makes a letter better, and nothing but passes gives an A", () => {
  const rank = (grade: Graded["grade"]): number => (grade === null ? 0 : "ABCDF".indexOf(grade));
  fc.assert(
    fc.property(anyCategories, anyCoverage, (but, covered) => {
      for (const method of ["litmus-v5", "touchstone-1"] as const) {
        const { grade } = graded(method, but, covered);
        const ids =
          method === "litmus-v5"
            ? (["C-01", "C-02", "C-03", "C-04"] as const)
            : (Object.keys(but) as CategoryId[]);
        if (grade === "A") for (const id of ids) assert.equal(but[id as keyof typeof but], "pass");
        for (const id of ids) {
          const worse = graded(method, { ...but, [id]: "fail" }, covered).grade;
          if (worse !== null && but[id as keyof typeof but] === "pass")
            assert.ok(rank(worse) >= rank(grade), `${id}: ${grade} to ${worse}`);
        }
      }
    }),
    { numRuns: 300 },
  );
});

/** Probes of one category with these statuses. */
const probes = (category: CategoryId, of: Readonly<Record<string, ProbeStatus>>): ProbeOutcome[] =>
  Object.entries(of).map(([id, status]) => ({
    id,
    category,
    title: id,
    status,
    reason: `${status} of ${id}`,
  }));

const categories: readonly {
  readonly name: string;
  readonly id: CategoryId;
  readonly of: Readonly<Record<string, ProbeStatus>>;
  readonly status: Status;
  readonly reason?: string;
}[] = [
  {
    name: "passes alone pass",
    id: "C-01",
    of: { "1.1": "pass", "1.2": "pass", "1.3": "pass" },
    status: "pass",
  },
  {
    name: "one failure fails",
    id: "C-01",
    of: { "1.1": "pass", "1.2": "fail", "1.3": "pass" },
    status: "fail",
    reason: "1.2: fail of 1.2",
  },
  {
    name: "a failure outweighs what was not exercised",
    id: "C-01",
    of: { "1.1": "fail", "1.2": "unexercised" },
    status: "fail",
  },
  {
    name: "a failure outweighs what was skipped",
    id: "C-02",
    of: { "2.1": "fail", "2.2": "skipped" },
    status: "fail",
    reason: "2.1: fail of 2.1",
  },
  {
    name: "no chained call leaves no gap",
    id: "C-01",
    of: { "1.1": "pass", "1.2": "pass", "1.3": "unexercised" },
    status: "pass",
  },
  {
    name: "no tool that takes text leaves no gap",
    id: "C-04",
    of: { "3.1": "pass", "3.2": "unexercised" },
    status: "pass",
  },
  {
    name: "tools that were never called leave one",
    id: "C-01",
    of: { "1.1": "pass", "1.2": "unexercised", "1.3": "pass" },
    status: "unexercised",
    reason: "1.2: unexercised of 1.2",
  },
  {
    name: "egress that was skipped is skipped",
    id: "C-02",
    of: { "2.1": "pass", "2.2": "skipped" },
    status: "skipped",
    reason: "2.2: skipped of 2.2",
  },
  {
    name: "egress with gaps is skipped, not passed",
    id: "C-02",
    of: { "2.1": "pass", "2.2": "partial" },
    status: "skipped",
  },
  {
    name: "answers that were looked at alone pass, and that is said",
    id: "C-03",
    of: { "4.1": "pass", "4.2": "partial" },
    status: "pass",
    reason: "4.2: partial of 4.2",
  },
  {
    name: "a leak in answers fails all the same",
    id: "C-03",
    of: { "4.1": "fail", "4.2": "partial" },
    status: "fail",
  },
];
for (const { name, id, of, status, reason } of categories)
  test(`${id}: ${name}`, () => {
    const found = categoryOf(id, [...probes(id, of), ...probes("X-01", { "5.1": "fail" })]);
    assert.equal(found.status, status);
    assert.notEqual(found.reason, "");
    if (reason !== undefined) assert.equal(found.reason, reason);
  });
