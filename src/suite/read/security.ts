/** The block `security`: what the suite declares of boundaries between its servers and of agreed capabilities. */
import { defined } from "../../core/index.ts";
import { LEGACY_VERSIONS, MODERN_VERSION } from "../../wire/index.ts";
import type { SuiteSecurity } from "../model.ts";
import { shapeOf } from "./shape.ts";
import { type Spot, wrong } from "./source.ts";
import { serverOf } from "./tests.ts";
import { flagOf, itemsOf, nameOf, namesOf, oneOf, wholeOf } from "./values.ts";

const MAX_FLOWS = 10_000;
const MAX_MIN_CHARS = 1_000_000;
const VERSIONS = [MODERN_VERSION, ...LEGACY_VERSIONS];

export function readSecurity(spot: Spot | undefined, servers: readonly string[]): SuiteSecurity {
  if (spot === undefined) return { scan: false };
  const { scan, trust_boundary, capability_negotiation } = shapeOf(spot, "security");
  return {
    scan: scan === undefined ? false : flagOf(scan),
    ...defined({
      trustBoundary: trust_boundary === undefined ? undefined : readBoundary(trust_boundary, servers),
      capabilityNegotiation:
        capability_negotiation === undefined ? undefined : readNegotiation(capability_negotiation),
    }),
  };
}

type Boundary = NonNullable<SuiteSecurity["trustBoundary"]>;

function readBoundary(spot: Spot, servers: readonly string[]): Boundary {
  if (spot.kind !== "map") throw wrong(spot, "want a map; {} declares that no flow is accepted");
  const { allowed_flows, required_sanitizers, min_chars, exempt, raise } = shapeOf(spot, "trustBoundary");
  const names = (list: Spot | undefined): readonly string[] | undefined =>
    list === undefined ? undefined : namesOf(list, nameOf);
  return {
    allowedFlows:
      allowed_flows === undefined
        ? []
        : itemsOf(allowed_flows, MAX_FLOWS).map((flow) => readFlow(flow, servers)),
    requiredSanitizers: names(required_sanitizers) ?? [],
    ...defined({
      minChars: min_chars === undefined ? undefined : wholeOf(min_chars, 1, MAX_MIN_CHARS),
      exempt: names(exempt),
      raise: names(raise),
    }),
  };
}

function readFlow(spot: Spot, servers: readonly string[]): { from: string; to: string } {
  const { from, to } = shapeOf(spot, "flow");
  return { from: serverOf(from, { servers }), to: serverOf(to, { servers }) };
}

function readNegotiation(spot: Spot): NonNullable<SuiteSecurity["capabilityNegotiation"]> {
  const { target, negotiated } = shapeOf(spot, "capabilityNegotiation");
  return {
    target: target === undefined ? MODERN_VERSION : oneOf(target, VERSIONS),
    negotiated: namesOf(negotiated, nameOf),
  };
}
