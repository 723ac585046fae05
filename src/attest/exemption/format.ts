/** The exemption as a value: an operator lets a server in without what it lacks, for a reason, until a day, as it shows itself now.
 *  Implements spec/exemption.md, EXM-1 to EXM-6. */
import * as v from "valibot";
import { fromInstant } from "../keys/instant.ts";
import { digest, instant, origin } from "../root/format.ts";

export const EXEMPTION_FORMAT = "touchstone/exemption/1";
/** Its own type, so that no signature under a grade can be taken for one under an exception. */
export const EXEMPTION_PAYLOAD_TYPE = "application/vnd.touchstone.exemption+json";

/** What can be waived, as `require` of the gateway's file names it. */
export const WAIVABLE = ["grade", "clearance"] as const;
export type Waivable = (typeof WAIVABLE)[number];

/** An exception that nobody has to look at again is a rule. */
export const MAX_LIFE_DAYS = 90;
export const MAX_LIFE_MS = MAX_LIFE_DAYS * 86_400_000;
export const MAX_REASON_CHARS = 500;
const MAX_TOOLS = 4096;

const text = (most: number) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  v.pipe(v.string(), v.maxLength(most), v.regex(/^[^\u0000-\u001f\u007f-\u009f]+$/));

const subject = v.union([
  v.strictObject({ origin }),
  v.strictObject({ command: v.strictObject({ program: text(1024), digest }) }),
]);

const tool = v.strictObject({ name: text(300), digest });
const isOnce = (items: readonly string[]): boolean => new Set(items).size === items.length;

export const exemptionSchema = v.pipe(
  v.strictObject({
    format: v.literal(EXEMPTION_FORMAT),
    /** As the gateway's file calls it. */
    server: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/)),
    subject,
    waives: v.pipe(
      v.array(v.picklist(WAIVABLE)),
      v.minLength(1),
      v.check((words) => isOnce(words), "a word stands twice"),
    ),
    reason: v.pipe(text(MAX_REASON_CHARS), v.regex(/\S/, "only white space")),
    issuedAt: instant,
    expiresAt: instant,
    surface: v.strictObject({
      digest,
      /** Null where the tools have none. */
      fingerprint: v.nullable(v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/))),
      tools: v.pipe(
        v.array(tool),
        v.maxLength(MAX_TOOLS),
        v.check((tools) => isOnce(tools.map(({ name }) => name)), "a tool stands twice"),
      ),
    }),
  }),
  v.check(
    ({ issuedAt, expiresAt }) => Number(fromInstant(issuedAt)) < Number(fromInstant(expiresAt)),
    "ends before it begins",
  ),
);

export type Exemption = v.InferOutput<typeof exemptionSchema>;
