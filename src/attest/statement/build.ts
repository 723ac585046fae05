/** Makes a statement from a grade's bundle. The same input gives the same bytes. Implements spec/statement.md, STM-1 to STM-9. */
import * as v from "valibot";
import { canonicalJson, defined } from "../../core/index.ts";
import type { SigningKey } from "../keys/ed25519.ts";
import { signEnvelope } from "../keys/envelope.ts";
import { toInstant } from "../keys/instant.ts";
import {
  commandDigest,
  type Letter,
  originSubject,
  PAYLOAD_TYPE,
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  type Statement,
  statementSchema,
} from "./format.ts";
import { type CategoryResult, litmusOf } from "./litmus.ts";

const USUAL_LIFE_MS = 30 * 86_400_000;
const LITMUS = "litmus-v5";

/** What a statement takes from the bundle of spec/evidence.md. */
export interface GradeBundle {
  readonly methodologyVersion: string;
  readonly grades: Readonly<Record<string, { readonly grade: Letter | null }>>;
  readonly ranAt: string;
  readonly fingerprint: string | null;
  readonly surfaceDigest: string | null;
  readonly evidenceDigest: string;
  readonly bundleDigest?: string;
  readonly categories: readonly CategoryResult[];
  readonly coverage: {
    readonly advertised: number;
    readonly called: number;
    readonly succeeded: number;
    readonly calls: number;
  };
  readonly target: {
    readonly resolved?: { readonly name: string; readonly version: string; readonly integrity: string };
  };
}

export interface StatementInput {
  readonly bundle: GradeBundle;
  /** The categories by litmus, where the bundle's own are those of another method. */
  readonly litmusCategories?: readonly CategoryResult[];
  /** Name and digest of each tool, as `toolDigest` of the surface gives it. */
  readonly tools: readonly (readonly [name: string, digest: string])[];
  readonly origins?: readonly string[];
  readonly serverJson?: { readonly name: string; readonly version: string; readonly digest: string };
  /** All words of the command line of a local server. */
  readonly command?: readonly string[];
  readonly clearance?: { readonly level: string; readonly sad: string };
  readonly evidenceUri?: string;
  readonly extensions?: Readonly<Record<string, string>>;
  readonly serial: number;
  readonly issuedAtMs: number;
  readonly lifeMs?: number;
}

/** A statement that its own reader would refuse is not made: what is wrong with the input is thrown. */
export function buildStatement(input: StatementInput): Uint8Array {
  const parsed = v.safeParse(statementSchema, statementOf(input));
  if (parsed.success) return new TextEncoder().encode(canonicalJson(parsed.output));
  const [issue] = parsed.issues;
  throw new RangeError(`no statement can say this: ${v.getDotPath(issue) ?? "the whole"}: ${issue.message}`);
}

export const signStatement = (payload: Uint8Array, keys: readonly SigningKey[]): Uint8Array =>
  signEnvelope(PAYLOAD_TYPE, payload, keys);

function statementOf(input: StatementInput): object {
  const { bundle, command, clearance, extensions, serial, issuedAtMs } = input;
  const { advertised, called, succeeded, calls } = bundle.coverage;
  const { methodologyVersion: method, fingerprint } = bundle;
  const categories = input.litmusCategories ?? (method === LITMUS ? bundle.categories : undefined);
  const overall = bundle.grades[LITMUS]?.grade ?? null;
  return {
    _type: STATEMENT_TYPE,
    subject: subjectsOf(input),
    predicateType: PREDICATE_TYPE,
    predicate: {
      method,
      grades: Object.entries(bundle.grades)
        .map(([id, { grade }]) => ({ method: id, grade }))
        .sort((a, b) => (a.method < b.method ? -1 : 1)),
      coverage: { advertised, called, succeeded, calls },
      evidence: {
        digest: bundle.evidenceDigest,
        ...defined({ bundleDigest: bundle.bundleDigest, uri: input.evidenceUri }),
      },
      ranAt: toInstant(Date.parse(bundle.ranAt)),
      issuedAt: toInstant(issuedAtMs),
      expiresAt: toInstant(issuedAtMs + (input.lifeMs ?? USUAL_LIFE_MS)),
      serial,
      ...defined({
        litmus: categories && litmusOf(categories, overall, fingerprint),
        clearance,
        extensions,
        command: command && { program: command[0], digest: commandDigest(command) },
      }),
    },
  };
}

function subjectsOf({ bundle, tools, origins = [], serverJson }: StatementInput): Statement["subject"] {
  const { resolved } = bundle.target;
  const named = (name: string, digest: string | null | undefined): Statement["subject"] =>
    digest ? [{ name, digest: { sha256: digest.replace(/^(?:sha256:|0x)/, "") } }] : [];
  return [
    ...origins.map(originSubject),
    ...(resolved
      ? [
          {
            name: `npm:${resolved.name}@${resolved.version}`,
            digest: { sha512: sha512Of(resolved.integrity) },
          },
        ]
      : []),
    ...(serverJson ? named(`server.json:${serverJson.name}@${serverJson.version}`, serverJson.digest) : []),
    ...named("surface", bundle.surfaceDigest),
    ...named("fingerprint", bundle.fingerprint),
    ...tools.flatMap(([name, digest]) => named(`tool:${name}`, digest)),
  ];
}

/** npm writes `sha512-` and base64, in-toto hexadecimal digits. Anything else comes out as no digest and is refused. */
export function sha512Of(integrity: string): string {
  const [, base64 = ""] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity) ?? [];
  return Buffer.from(base64, "base64").toString("hex");
}
