/** Keywords that combine schemas, in three-valued logic: a branch in doubt matters only if the others leave it open. */
import { count } from "../../core/index.ts";
import { absorb, noMarks } from "../marks.ts";
import { everyAt, type Frame, fail, here, tallyAt } from "../run.ts";
import { below } from "../trail.ts";
import { isBetween, isDoubt, not, type Truth } from "../truth.ts";
import { own } from "../values.ts";
import { aboutAll, unreadable } from "./define.ts";

const isList = (operand: unknown): operand is readonly unknown[] =>
  Array.isArray(operand) && operand.length > 0;

function branch(
  frame: Frame,
  keyword: string,
  schemas: readonly unknown[],
  at: number,
  isLoud: boolean,
): Truth {
  return here(frame, keyword, schemas[at], below(below(frame.place, keyword), at), { isLoud });
}

const allOf = aboutAll("allOf", (_, schemas, frame) => {
  if (!isList(schemas)) return unreadable(frame, "allOf");
  return everyAt(frame, 0, schemas.length, (at) => branch(frame, "allOf", schemas, at, true));
});

const anyOf = aboutAll("anyOf", (_, schemas, frame) => {
  if (!isList(schemas)) return unreadable(frame, "anyOf");
  // With marks to collect every branch is asked.
  const enough = frame.marks === undefined ? 0 : Number.POSITIVE_INFINITY;
  const found = tallyAt(frame, schemas.length, (at) => branch(frame, "anyOf", schemas, at, false), enough);
  const truth = isBetween(found, 1, Number.POSITIVE_INFINITY);
  return truth === false
    ? fail(frame, "anyOf", `must match one of ${count(schemas.length, "alternative")}, matches none`)
    : truth;
});

const oneOf = aboutAll("oneOf", (_, schemas, frame) => {
  if (!isList(schemas)) return unreadable(frame, "oneOf");
  const found = tallyAt(frame, schemas.length, (at) => branch(frame, "oneOf", schemas, at, false), 1);
  const truth = isBetween(found, 1, 1);
  if (truth !== false) return truth;
  const matched = found.sure === 0 ? "none" : "more";
  return fail(
    frame,
    "oneOf",
    `must match exactly one of ${count(schemas.length, "alternative")}, matches ${matched}`,
  );
});

const notKeyword = aboutAll("not", (_, schema, frame) => {
  // What a schema marks is lost when it must not hold.
  const truth = not(
    here({ ...frame, marks: undefined }, "not", schema, below(frame.place, "not"), { isLoud: false }),
  );
  return truth === false ? fail(frame, "not", "must not match the schema under not") : truth;
});

const ifThenElse = aboutAll(
  "if",
  (_, condition, frame) => {
    const test = here(frame, "if", condition, below(frame.place, "if"), { isLoud: false });
    const outcome = (keyword: "then" | "else", isLoud: boolean, marks = frame.marks): Truth =>
      Object.hasOwn(frame.schema, keyword)
        ? here({ ...frame, marks }, keyword, own(frame.schema, keyword), below(frame.place, keyword), {
            isLoud,
          })
        : true;
    if (!isDoubt(test)) return outcome(test ? "then" : "else", true);
    // Which of the two applies is open: it does not matter if both say the same.
    const marks = noMarks();
    const [then, otherwise] = [outcome("then", false, marks), outcome("else", false, marks)];
    if (frame.marks !== undefined) absorb(frame.marks, marks, test);
    if (then === true && otherwise === true) return true;
    if (then === false && otherwise === false)
      return fail(frame, "if", "matches neither then nor else, whichever applies");
    return test;
  },
  { since: 7 },
);

export const logicKeywords = [allOf, anyOf, oneOf, notKeyword, ifThenElse];
