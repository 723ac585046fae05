/** The grade statement as a value: an in-toto Statement whose predicate is a grade. Implements spec/statement.md, STM-1 to STM-9. */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { canonicalJson } from "../../core/index.ts";
import { fromInstant } from "../keys/instant.ts";
import { digest, instant, positive } from "../root/format.ts";
import { isOrigin } from "../root/origin.ts";

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
/** A UUID of our own: no domain has to be owned, kept and paid for so that this name keeps its meaning. */
export const PREDICATE_TYPE = "urn:uuid:3cd8ba5f-e639-45b0-b99a-726bae818f7e#mcp-server-grade/v1";
export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

const MAX_SUBJECTS = 4096;
const MAX_LIFE_MS = 366 * 86_400_000;

export const LETTERS = ["A", "B", "C", "D", "F"] as const;
export type Letter = (typeof LETTERS)[number];

const text = (most: number) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const letter = v.nullable(v.picklist(LETTERS));
const method = v.pipe(v.string(), v.maxLength(64), v.regex(/^[a-z0-9][a-z0-9.-]*$/));
const fingerprint = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/));

const sha256 = v.strictObject({ sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) });
const sha512 = v.strictObject({ sha512: v.pipe(v.string(), v.regex(/^[0-9a-f]{128}$/)) });

const PACKAGE =
  /^npm:(?:@[A-Za-z0-9~-][A-Za-z0-9._~-]*\/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*@[0-9A-Za-z.+-]{1,64}$/;
const SERVER_JSON = /^server\.json:[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+@[0-9A-Za-z.+-]{1,64}$/;
const ORIGIN = /^origin:/;
const TOOL = /^tool:/;

const named = (name: v.GenericSchema<string>, value: typeof sha256 | typeof sha512) =>
  v.strictObject({ name, digest: value });
const subject = v.union([
  v.pipe(
    named(
      v.pipe(
        text(300),
        v.check((name) => ORIGIN.test(name) && isOrigin(name.slice(7))),
      ),
      sha256,
    ),
    v.check((item) => "sha256" in item.digest && item.digest.sha256 === hexOf(item.name.slice(7))),
  ),
  named(v.pipe(text(300), v.regex(PACKAGE)), sha512),
  named(v.pipe(text(300), v.regex(SERVER_JSON)), sha256),
  named(
    v.pipe(
      text(300),
      v.check((name) => TOOL.test(name) && name.length > 5),
    ),
    sha256,
  ),
  named(v.picklist(["surface", "fingerprint"]), sha256),
]);

const code = v.picklist([0, 1, 2]);
const predicate = v.pipe(
  v.strictObject({
    method,
    grades: v.pipe(v.array(v.strictObject({ method, grade: letter })), v.minLength(1), v.maxLength(16)),
    litmus: v.optional(
      v.strictObject({
        c01: code,
        c02: code,
        c03: code,
        overall: letter,
        fingerprint: v.nullable(fingerprint),
      }),
    ),
    coverage: v.strictObject({ advertised: count, called: count, succeeded: count, calls: count }),
    evidence: v.strictObject({
      digest,
      bundleDigest: v.optional(digest),
      uri: v.optional(v.pipe(v.string(), v.regex(/^https:\/\/[\x21-\x7e]{1,2000}$/))),
    }),
    ranAt: instant,
    issuedAt: instant,
    expiresAt: instant,
    serial: positive,
    clearance: v.optional(v.strictObject({ level: text(128), sad: digest })),
    command: v.optional(v.strictObject({ program: text(1024), digest })),
    extensions: v.optional(v.record(text(128), v.pipe(v.string(), v.maxLength(4096)))),
  }),
  v.check(({ grades, method: main }) => {
    const methods = grades.map((each) => each.method);
    return new Set(methods).size === methods.length && methods.includes(main);
  }, "each method once, and the main one among them"),
  v.check(
    ({ coverage: { advertised, called, succeeded, calls } }) =>
      succeeded <= called && called <= advertised && called <= calls,
    "coverage that cannot be",
  ),
  v.check(({ ranAt, issuedAt, expiresAt }) => {
    const [ran, issued, expires] = [ranAt, issuedAt, expiresAt].map((each) => Number(fromInstant(each)));
    return Number(ran) <= Number(issued) && Number(issued) < Number(expires);
  }, "dates out of order"),
  v.check(
    ({ issuedAt, expiresAt }) =>
      Number(fromInstant(expiresAt)) - Number(fromInstant(issuedAt)) <= MAX_LIFE_MS,
    "valid for too long",
  ),
);

export const statementSchema = v.pipe(
  v.strictObject({
    _type: v.literal(STATEMENT_TYPE),
    subject: v.pipe(v.array(subject), v.minLength(1), v.maxLength(MAX_SUBJECTS)),
    predicateType: v.literal(PREDICATE_TYPE),
    predicate,
  }),
  v.check(({ subject: subjects }) => {
    const names = subjects.map(({ name }) => name);
    const most = (head: string): boolean => names.filter((name) => name.startsWith(head)).length <= 1;
    return new Set(names).size === names.length && most("npm:") && most("server.json:");
  }, "a subject stands twice"),
  v.check(
    ({ subject: subjects, predicate: { command } }) =>
      command !== undefined || subjects.some(({ name }) => ORIGIN.test(name) || name.startsWith("npm:")),
    "no origin, package or command: it would hold for any server",
  ),
  v.check(
    ({ subject: subjects, predicate: { litmus } }) =>
      !litmus?.fingerprint ||
      subjects.some(
        ({ name, digest: value }) =>
          name === "fingerprint" && "sha256" in value && `0x${value.sha256}` === litmus.fingerprint,
      ),
    "two fingerprints",
  ),
);

export type Statement = v.InferOutput<typeof statementSchema>;
export type Predicate = Statement["predicate"];
export type Grade = Predicate["grades"][number];

const hexOf = (value: string): string => createHash("sha256").update(value, "utf8").digest("hex");

/** A command line by its words: it may hold secrets, so the words themselves are not published. */
export const commandDigest = (words: readonly string[]): string => `sha256:${hexOf(canonicalJson(words))}`;

export const originSubject = (origin: string): Statement["subject"][number] => ({
  name: `origin:${origin}`,
  digest: { sha256: hexOf(origin) },
});
