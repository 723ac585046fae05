/** An entry of `servers` in `touchstone.yml`: how a server is started, and what is wanted of it. Implements spec/gateway.md, GTW-4 and GTW-10. */
import * as v from "valibot";
import { isStartedOneWay, ONE_WAY, SERVER_ENTRIES } from "../target/index.ts";
import { isSafeUrl } from "./address.ts";
import { duration, names, saidAlready, text } from "./config-words.ts";

export const GRADES = ["A", "B", "C", "D", "F"] as const;
const requirement = v.pipe(
  v.strictObject(
    {
      grade: v.optional(v.picklist(GRADES, `want one of ${GRADES.join(", ")}`)),
      methods: v.optional(v.pipe(names, v.nonEmpty("name a method"))),
      max_age: v.optional(duration),
      /** The same by another spelling. */
      maxAge: v.optional(duration),
      /** A level of the trust root's scheme. */
      clearance: v.optional(text),
    },
    "want a map with clearance, grade, methods or max_age",
  ),
  v.rawCheck(({ dataset: { typed, value }, addIssue }) => {
    if (typed && value.max_age !== undefined && value.maxAge !== undefined)
      addIssue(saidAlready(value, "maxAge", "max_age"));
  }),
  v.transform(({ maxAge, ...rest }) => (maxAge === undefined ? rest : { ...rest, max_age: maxAge })),
);

const FOR_URLS = "a clearance is for a server at a URL";

export const server = v.pipe(
  v.strictObject(
    {
      ...SERVER_ENTRIES,
      sandbox: v.optional(v.boolean("want true or false, without quotes"), false),
      statement: v.optional(text),
      /** A clearance assertion that the operator keeps for it; without one it is asked for its own. */
      clearance: v.optional(text),
      require: v.optional(requirement),
      /** A signed exception: it is let in without what it lacks, until the exception ends. */
      exemption: v.optional(text),
      /** Its tools are those of the lock file; beside a statement, those of both. */
      locked: v.optional(v.boolean("want true or false, without quotes"), false),
      /** No grade is wanted of it: whoever wrote this file takes it as it was locked. */
      ungraded: v.optional(v.boolean("want true or false, without quotes")),
    },
    "want a map",
  ),
  v.check((entry) => isStartedOneWay(entry), ONE_WAY),
  v.forward(
    v.check(
      ({ require: { grade, methods, max_age } = {}, statement }) =>
        [grade, methods, max_age].every((each) => each === undefined) || statement !== undefined,
      "it needs a statement to look into: name one beside it, statement: FILE",
    ),
    ["require"],
  ),
  v.forward(
    v.check(({ clearance, url }) => clearance === undefined || url !== undefined, FOR_URLS),
    ["clearance"],
  ),
  v.forward(
    v.check(({ require: wanted, url }) => wanted?.clearance === undefined || url !== undefined, FOR_URLS),
    ["require", "clearance"],
  ),
  v.forward(
    v.check(
      ({ require: wanted, clearance }) => clearance === undefined || wanted?.clearance !== undefined,
      "it needs the level that is wanted: require: { clearance: LEVEL }",
    ),
    ["clearance"],
  ),
  v.forward(
    v.check(
      ({ ungraded, locked, statement }) => !ungraded || (locked && statement === undefined),
      "ungraded goes with locked: true, and without a statement: what needs no grade is held against the lock file",
    ),
    ["ungraded"],
  ),
  v.forward(
    v.check(({ sandbox, url }) => !sandbox || url === undefined, "a server at a URL has no sandbox here"),
    ["sandbox"],
  ),
  v.forward(
    v.check(({ url }) => url === undefined || isSafeUrl(url), "http is for this machine only: want https"),
    ["url"],
  ),
);
