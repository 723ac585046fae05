/** One client and one server, message by message: what was agreed, what is claimed, what is used.
 *  Implements spec/claims.md, CLM-9 to CLM-20 and CLM-24. */
import { defined, type Finding } from "../core/index.ts";
import {
  type CapabilitySet,
  capabilityPaths,
  extrasOf,
  negotiatedPaths,
  serverWords,
  withinAgreed,
} from "./capabilities.ts";
import { readSaid, type Said, type Sighting, withClaims } from "./event.ts";
import { isObject, type JsonObject, member } from "./json.ts";
import { createLedger, exchangeName, placeIn } from "./ledger.ts";
import { createOpenRequests, type OpenRequest } from "./open.ts";
import { createReturns } from "./returns.ts";
import {
  accepted,
  asking,
  type BaselineSource,
  returning,
  type Unplaced,
  undeclared,
  versionOdds,
  widening,
} from "./sightings.ts";
import { askedFor, usesOfAnswer, usesOfRequest } from "./uses.ts";
import { disagreement, isEarlier, isRevision, isStatelessError } from "./version.ts";

export interface Baseline {
  readonly peer: string;
  readonly session: string;
  readonly source: BaselineSource;
  /** What requests may claim. */
  readonly agreed: readonly string[];
  /** What the server said it offers. */
  readonly granted: readonly string[];
  readonly version?: string;
}

export interface WatchOptions {
  readonly peer?: string;
  readonly session?: string;
  /** The agreed set in words; without it, the first claim that is seen is the agreed one. */
  readonly negotiated?: readonly string[] | undefined;
}

export interface ClaimCheck {
  /** What the message claims and was not agreed. Empty: it may pass as it is. */
  readonly extra: readonly string[];
  /** What this message showed for the first time. */
  readonly findings: readonly Finding[];
}

export interface ClaimWatch {
  /** A message of the client, or a batch of them. */
  request(message: unknown, seen?: Sighting): ClaimCheck;
  /** The message with the widened claims taken out, for sending on in place of the one just checked. */
  strip(message: unknown, seen?: Sighting): unknown;
  /** A message of the server: an answer, a request, a notification. */
  answer(message: unknown, seen?: Sighting): { readonly findings: readonly Finding[] };
  findings(): readonly Finding[];
  baseline(): Baseline | undefined;
  /** How many messages claimed something, and how many of them could be compared with what was agreed before. */
  counts(): { readonly claiming: number; readonly compared: number };
}

const MAX_ASKED = 512;
const NO_CLAIMS: CapabilitySet = new Set();

/** A watch over one conversation under the stateless target. Messages are those of one client and one server. */
export function createClaimWatch({ peer = "", session = "", negotiated }: WatchOptions = {}): ClaimWatch {
  const ledger = createLedger(peer);
  const open = createOpenRequests();
  const returns = createReturns();
  const asked = new Map<string, string>();
  let source: BaselineSource = negotiated ? "declared" : "first-request";
  let agreed: CapabilitySet | undefined = negotiated && negotiatedPaths(negotiated);
  /** What the client claims where a message does not say so itself. */
  let offer: CapabilitySet | undefined;
  let granted: CapabilitySet | undefined;
  /** The latest revision in which the server gave a result. */
  let inUse: string | undefined;
  let isModern = false;
  let claiming = 0;
  let compared = 0;

  /** A session of the earlier revisions begins: what was agreed before it was another one's. */
  function begin(claims: CapabilitySet): void {
    inUse = undefined;
    granted = undefined;
    asked.clear();
    returns.clear();
    if (source === "declared") return;
    source = "initialize";
    agreed = undefined;
    offer = claims;
  }

  function judgeClaim(said: Said, claims: CapabilitySet): { extra: string[]; found: Unplaced[] } {
    claiming += 1;
    if (said.isOpening && !isModern) begin(claims);
    if (said.isOpening || offer === undefined) offer = claims;
    const back = returns.of(said.client, claims);
    if (agreed === undefined) {
      agreed = claims;
      return { extra: [], found: [] };
    }
    compared += 1;
    const extra = extrasOf(claims, agreed);
    const found = extra.length > 0 ? [widening({ extra, claims, agreed, source, asked })] : [];
    return { extra, found: [...found, ...returning(back.filter((path) => !extra.includes(path)))] };
  }

  /** What a result lets both sides rely on from here on. */
  function learn({ said }: OpenRequest, result: unknown): void {
    const spoken = said.isOpening ? member(result, "protocolVersion") : said.version;
    if (isRevision(spoken) && (inUse === undefined || isEarlier(inUse, spoken))) inUse = spoken;
    if (said.isStateless && typeof member(result, "resultType") === "string") isModern = true;
    const isGrant = said.isOpening ? !isModern : said.method === "server/discover";
    const offered = member(result, "capabilities");
    if (!isGrant || granted !== undefined || !isObject(offered)) return;
    granted = capabilityPaths(offered);
    if (source !== "declared") agreed = new Set([...(agreed ?? []), ...serverWords(granted)]);
  }

  function judgeAsking(answer: JsonObject, request: OpenRequest | undefined): Unplaced[] {
    const base = agreed ?? NO_CLAIMS;
    const wanted = askedFor(answer).filter((path) => !base.has(path));
    for (const path of wanted)
      if (asked.size < MAX_ASKED && !asked.has(path)) asked.set(path, request?.name ?? "a request");
    return asking(wanted, base);
  }

  function judgeAnswer(answer: JsonObject, request: OpenRequest | undefined): Unplaced[] {
    const found = [
      ...undeclared(usesOfAnswer(answer), request?.claims ?? offer ?? agreed),
      ...judgeAsking(answer, request),
    ];
    if (request && member(answer, "result") !== undefined) {
      const odds = disagreement(request.said);
      if (odds) found.push(accepted(odds));
      learn(request, answer.result);
    } else if (request?.said.isStateless && isStatelessError(answer.error)) isModern = true;
    return found;
  }

  function judgeServerRequest(method: string, params: unknown): Unplaced[] {
    const uses = usesOfRequest(method, params);
    return uses.length === 0 ? [] : undeclared(uses, open.claims() ?? offer ?? agreed);
  }

  const tell = (found: readonly Unplaced[], name: string, { place }: Sighting): Finding[] =>
    found.flatMap((sighted) => ledger.tell({ ...sighted, where: placeIn(peer, name, place) }));

  const watch: ClaimWatch = {
    request(message, seen = {}) {
      if (Array.isArray(message)) {
        const checks = message.map((single) => watch.request(single, seen));
        return {
          extra: [...new Set(checks.flatMap(({ extra }) => extra))],
          findings: checks.flatMap(({ findings }) => findings),
        };
      }
      const said = readSaid(message, seen.headers);
      if (!said) return { extra: [], findings: [] };
      const name = exchangeName(said.method, said.id);
      const odds = versionOdds(said, inUse, isModern);
      const { extra, found } = said.claims ? judgeClaim(said, said.claims) : { extra: [], found: [] };
      const claims = said.claims ?? (said.isStateless ? NO_CLAIMS : offer);
      open.add({ said, name, claims, exchange: seen.exchange });
      return { extra, findings: tell([...found, ...odds], name, seen) };
    },
    strip(message, seen = {}) {
      const base = agreed;
      if (base === undefined) return message;
      if (Array.isArray(message)) return message.map((single) => watch.strip(single, seen));
      const stripped = withClaims(message, (capabilities) => withinAgreed(capabilities, base));
      const said = stripped === message ? undefined : readSaid(stripped, seen.headers);
      // From here on the server has seen the narrower claim: what it uses is measured by that.
      if (said?.claims) open.narrow(said.id, seen.exchange, said.claims);
      return stripped;
    },
    answer(message, seen = {}) {
      if (Array.isArray(message))
        return { findings: message.flatMap((single) => watch.answer(single, seen).findings) };
      if (!isObject(message)) return { findings: [] };
      const id = member(message, "id");
      const method = member(message, "method");
      if (typeof method === "string") {
        const found = judgeServerRequest(method, member(message, "params"));
        return { findings: tell(found, exchangeName(method, id), seen) };
      }
      const request = open.take(id, seen.exchange);
      const name = `answer to ${request?.name ?? exchangeName("a request", id)}`;
      return { findings: tell(judgeAnswer(message, request), name, seen) };
    },
    findings: () => ledger.findings(),
    baseline: () =>
      agreed && {
        peer,
        session,
        source,
        agreed: [...agreed],
        granted: [...(granted ?? [])],
        ...defined({ version: inUse }),
      },
    counts: () => ({ claiming, compared }),
  };
  return watch;
}
