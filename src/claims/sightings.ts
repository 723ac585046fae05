/** What each kind of sighting weighs and how it is told. Implements spec/claims.md, CLM-12 to CLM-18 and CLM-21. */
import { asText, type Severity, shown } from "../core/index.ts";
import type { CapabilitySet } from "./capabilities.ts";
import type { Said } from "./event.ts";
import { named, type Sighted } from "./ledger.ts";
import type { Use } from "./uses.ts";
import { disagreement, isEarlier } from "./version.ts";

/** A sighting whose place its caller knows. */
export type Unplaced = Omit<Sighted, "where">;

/** Where the agreed set comes from. */
export type BaselineSource = "declared" | "initialize" | "first-request";

const AGREED_WORDS: Readonly<Record<BaselineSource, string>> = {
  declared: "declared",
  initialize: "agreed at initialize",
  "first-request": "claimed by the first request",
};

export interface Widening {
  readonly extra: readonly string[];
  readonly claims: CapabilitySet;
  readonly agreed: CapabilitySet;
  readonly source: BaselineSource;
  /** By capability, the request whose answer asked for it. */
  readonly asked: ReadonlyMap<string, string>;
}

export function widening({ extra, claims, agreed, source, asked }: Widening): Unplaced {
  const wanted = extra.filter((path) => asked.has(path));
  const request = asked.get(wanted[0] ?? "");
  const chain = request ? `; the server had asked for ${named(wanted)} in its answer to ${request}` : "";
  return {
    severity: "fail",
    message: `claims ${named(extra)} beyond what was ${AGREED_WORDS[source]} (${named(agreed)})${chain}`,
    evidence: `claimed: ${named(claims)}; agreed: ${named(agreed)}`,
  };
}

export function returning(paths: readonly string[]): Unplaced[] {
  if (paths.length === 0) return [];
  return [{ severity: "info", message: `claims ${named(paths)} again after leaving it out` }];
}

/** What the revision of a request shows, seen from the one in use. */
export function versionOdds(said: Said, inUse: string | undefined, isModern: boolean): Unplaced[] {
  const odds = disagreement(said);
  const version = said.version ?? said.headerVersion;
  const back =
    said.isOpening && isModern
      ? `opens a session of ${shown(asText(version), 40)} after the stateless revision was in use`
      : !said.isOpening && isEarlier(version, inUse)
        ? `falls back to ${version} after ${inUse} was in use`
        : undefined;
  return [odds, back].flatMap((message) => (message ? [{ severity: "warn" as const, message }] : []));
}

export function accepted(odds: string): Unplaced {
  return { severity: "fail", message: `the server gave a result to a request that ${odds}` };
}

/** What a server uses of a client that did not claim it. */
export function undeclared(uses: readonly Use[], claims: CapabilitySet | undefined): Unplaced[] {
  if (claims === undefined) return [];
  const missing = uses.filter(({ path }) => !claims.has(path));
  const told = (severity: Severity, some: readonly Use[]): Unplaced[] => {
    if (some.length === 0) return [];
    const paths = new Set(some.map(({ path }) => path));
    const message = `the server uses ${named(paths)}, which the client did not claim (${named(claims)})`;
    return [{ severity, message }];
  };
  return [
    ...told(
      "fail",
      missing.filter(({ isAdvice }) => !isAdvice),
    ),
    ...told(
      "warn",
      missing.filter(({ isAdvice }) => isAdvice),
    ),
  ];
}

export function asking(wanted: readonly string[], agreed: CapabilitySet): Unplaced[] {
  if (wanted.length === 0) return [];
  const message = `the server asks the client to claim ${named(wanted)} beyond what was agreed (${named(agreed)})`;
  return [{ severity: "info", message }];
}
