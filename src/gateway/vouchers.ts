/** What vouches for a server: a signed grade, a clearance, the lock. Read again each time it is asked for: statements expire, keys are revoked,
 *  and files are replaced while the gateway runs. Implements spec/gateway.md, GTW-10 to GTW-12, GTW-32, GTW-33, GTW-40 and GTW-76. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  clearanceAnchors,
  type Discovery,
  discover,
  levelByName,
  readRoot,
  readSad,
  SAD_PATH,
  type StatementVerdict,
  sadDigest,
  seenIn,
  type TrustRoot,
  verifySad,
  verifyStatement,
} from "../attest/index.ts";
import { defined, didYouMean, type Placed, shown, TrustError } from "../core/index.ts";
import { LOCK_FILE, type Lock, lockedForm } from "../surface/index.ts";
import type { ResolvedTarget } from "../target/index.ts";
import type { ServerFile } from "./config.ts";
import { exempting, toldOf } from "./exemption.ts";
import type { Serials } from "./serials.ts";
import { offersTasks, type Pins, type PlainVoucher, type Seen, type Voucher } from "./standing.ts";

export interface Vouching {
  readonly name: string;
  readonly entry: ServerFile;
  readonly target: ResolvedTarget;
  readonly folder: string;
  readonly root: (() => TrustRoot) | undefined;
  readonly lock: Lock | undefined;
  readonly serials: Serials;
  /** Where something stands in the configuration. */
  readonly place: Placed<unknown>["place"];
  /** Told when something of the server's is fetched, with the end of that. */
  readonly onFetch?: (fetched: Promise<void>) => void;
}

const METHODS = ["touchstone-1"];

/** Throws where the configuration asks for what nobody could give. */
export function voucherOf(parts: Vouching): () => Voucher {
  const { entry } = parts;
  const { statement, exemption, require: wanted = {} } = entry;
  if (wanted.clearance !== undefined) refuseUnknownLevel(parts, wanted.clearance);
  const cleared = wanted.clearance === undefined ? undefined : clearanceOf(parts, wanted.clearance);
  const other = statement === undefined ? lockOf(parts) : withLock(parts, statementOf(parts, statement));
  const withLevel = (voucher: PlainVoucher, level: Level | undefined): PlainVoucher => {
    if (level === undefined) return voucher;
    if ("reason" in level) return { kind: "none", reason: level.reason };
    if (isSwapped(voucher, level))
      return { kind: "none", reason: SWAPPED, ...defined({ lock: voucher.lock }) };
    // A clearance admits by itself; what pins its tools is the lock, where there is one.
    if (voucher.kind !== "none") return { ...voucher, clearance: level.name };
    return statement === undefined && !entry.locked ? { kind: "clearance", clearance: level.name } : voucher;
  };
  const exempt = exemption === undefined ? undefined : exemptingBy(parts, exemption);
  return safely(() => {
    const voucher = other();
    const level = cleared?.();
    const plain = withLevel(voucher, level);
    if (!exempt) return plain;
    const uncleared = level && "reason" in level ? level.reason : undefined;
    return exempt({ plain, rest: uncleared === undefined ? plain : voucher, ...defined({ uncleared }) });
  });
}

/** Whoever graded it had another assertion before them: both are of this server, and not of one build of it. */
const isSwapped = (voucher: PlainVoucher, { sad }: { readonly sad: string }): boolean => {
  if (voucher.kind !== "statement" || voucher.verdict.status !== "accepted") return false;
  const { clearance } = voucher.verdict.statement.predicate;
  return clearance !== undefined && clearance.sad !== sad;
};
const SWAPPED = "its statement is refused: it was made for another clearance assertion (swapped-statement)";

/** Whoever cannot be looked into vouches for nothing. */
const safely = (read: () => Voucher) => (): Voucher => {
  try {
    return read();
  } catch (cause) {
    return { kind: "none", reason: toldOf(cause, "what vouches for it") };
  }
};

/** A level that the root does not know could never be reached. */
function refuseUnknownLevel({ name, root, place }: Vouching, level: string): void {
  const { scheme } = (root as () => TrustRoot)().content;
  if (levelByName(scheme, level)) return;
  const known = scheme.levels.map((each) => each.name);
  const keys = ["servers", name, "require", "clearance"];
  throw new TrustError(
    "CFG_BAD_VALUE",
    `${place(keys)} ${keys.join(".")}: the trust root has no level "${shown(level, 80)}"${didYouMean(level, known)}`,
    { hint: `give ${keys.join(".")} one of ${shown(known.join(", "), 300)}` },
  );
}

const exemptingBy = ({ name, target, folder, root }: Vouching, file: string): ReturnType<typeof exempting> =>
  exempting({
    file,
    read: () => bytesOf(resolve(folder, file)),
    root: root as () => TrustRoot,
    server: name,
    identity: identityOf(target),
  });

/** What a server is, in the form that signed documents name it. */
const identityOf = ({
  launch,
}: ResolvedTarget): { readonly command: readonly string[] } | { readonly origin: string } =>
  launch.kind === "stdio" ? { command: [launch.command, ...launch.args] } : { origin: launch.url.origin };

function statementOf(
  { name, entry, target, folder, root, serials }: Vouching,
  file: string,
): () => PlainVoucher {
  const { require: wanted = {} } = entry;
  const identity = identityOf(target);
  return () => {
    const bytes = bytesOf(resolve(folder, file));
    if (bytes === undefined) return { kind: "none", reason: `there is no ${file}` };
    const policy = {
      nowMs: Date.now(),
      threshold: 1,
      acceptedMethods: wanted.methods ?? METHODS,
      highestSerial: serials.of(name)?.serial ?? 0,
      ...identity,
      ...defined({ maxAgeMs: wanted.max_age }),
    };
    const verdict = verifyStatement(bytes, (root as () => TrustRoot)(), policy);
    const fault = verdict.status === "accepted" ? serials.take(name, verdict) : undefined;
    if (fault !== undefined) return { kind: "none", reason: fault };
    return { kind: "statement", verdict, ...defined({ least: wanted.grade }) };
  };
}

function lockOf({ name, entry, target, lock }: Vouching): () => PlainVoucher {
  const pins = lock && pinsIn(lock, name);
  if (!entry.locked)
    return () => ({
      kind: "none",
      // Who has locked it has still to say that the lock counts.
      reason: `nothing vouches for it: no statement, and ${pins ? `${LOCK_FILE}, which has it, counts only with locked: true in its entry` : "it is not locked"}`,
      isUnasked: entry.require?.clearance === undefined && entry.exemption === undefined,
    });
  const asLocked = lockedForm(target);
  const seen = lock && seenWhenLocked(lock, name);
  return () =>
    pins
      ? { kind: "lock", pins, isUngraded: entry.ungraded ?? false, ...defined({ asLocked, seen }) }
      : { kind: "none", reason: `${LOCK_FILE} does not know it; write it with touchstone lock` };
}

/** Who has a statement and is locked as well is held to both: neither of them may be the one that nobody looks at. */
function withLock(parts: Vouching, statement: () => PlainVoucher): () => PlainVoucher {
  if (!parts.entry.locked) return statement;
  const lock = lockOf(parts);
  return () => {
    const locked = lock();
    return locked.kind === "lock" ? { ...statement(), lock: locked } : locked;
  };
}

/** `sad`: the digest of the assertion that says so. */
type Level = { readonly name: string; readonly sad: string } | { readonly reason: string };

/** Of a file that the operator's own key signed, which has to say whom it is for, or as the server publishes it. */
function clearanceOf(parts: Vouching, required: string): () => Level {
  const { entry, target, folder, root } = parts;
  const { launch } = target;
  if (launch.kind !== "http") return () => ({ reason: "a clearance is for servers at a URL" });
  const { clearance: file } = entry;
  const published = file === undefined ? publishedAt(launch.url, parts.onFetch) : undefined;
  return () => {
    const bytes = file === undefined ? published?.() : bytesOf(resolve(folder, file));
    if (bytes === undefined || "reason" in bytes)
      return { reason: bytes?.reason ?? `there is no ${String(file)}` };
    const reading = readSad(bytes);
    if (file !== undefined && "sad" in reading && (reading.sad.netAllowedHosts ?? []).length === 0)
      return { reason: `${file} does not say which server it is for: it needs netAllowedHosts` };
    const verdict = verifySad(reading, clearanceAnchors((root as () => TrustRoot)()), {
      origin: launch.url.origin,
      requiredClearance: required,
      now: new Date(),
    });
    if (verdict.status !== "admitted")
      return { reason: `its clearance is refused: ${verdict.message} (${verdict.reason})` };
    const fault = file !== undefined && "sad" in reading ? lookFault(parts, seenIn(reading.sad)) : undefined;
    return fault === undefined
      ? { name: verdict.level, sad: `sha256:${sadDigest(bytes)}` }
      : { reason: `${String(file)} ${fault}` };
  };
}

/** A clearance of what was seen holds for that, and the lock file is what holds the server to it. */
function lookFault({ name, entry, lock }: Vouching, seen: string | undefined): string | undefined {
  if (seen === undefined) return undefined;
  if (!entry.locked) return "clears it as it was locked: it needs locked: true";
  const now = lock?.servers.find(({ id }) => id === name)?.surfaces.none.digest;
  return now === seen ? undefined : `clears it as it was, and ${LOCK_FILE} has another one: sign it again`;
}

const FETCH_AGAIN_MS = 60_000;

/** Fetched beside the work; what was fetched last counts until it is too old. */
function publishedAt(url: URL, onFetch: Vouching["onFetch"]): () => Buffer | { readonly reason: string } {
  let last: Discovery | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let isFetching = false;
  const fetchAgain = (): void => {
    isFetching = true;
    const fetched = discover(url, SAD_PATH, { allowLoopback: true }).then((discovery) => {
      [last, fetchedAt, isFetching] = [discovery, performance.now(), false];
    });
    onFetch?.(fetched);
  };
  return () => {
    if (!isFetching && performance.now() - fetchedAt > FETCH_AGAIN_MS) fetchAgain();
    if (last === undefined) return { reason: "its clearance is being fetched" };
    return last.status === "found"
      ? Buffer.from(last.bytes)
      : { reason: `it publishes no clearance: ${last.reason}` };
  };
}

function seenWhenLocked(lock: Lock, name: string): Seen | undefined {
  const surface = lock.servers.find(({ id }) => id === name)?.surfaces.none.surface;
  return surface && { tools: surface.tools, hasTasks: offersTasks(surface.era, surface.capabilities) };
}

function pinsIn(lock: Lock, name: string): Pins | undefined {
  const server = lock.servers.find((each) => each.id === name);
  if (!server) return undefined;
  const pins = new Map<string, string>();
  for (const [tool, digest] of server.surfaces.none.tools) if (tool !== null) pins.set(tool, digest);
  return pins;
}

export function bytesOf(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** The file is looked at again each time: keys are revoked while the gateway runs. What is wrong with it then is told to callers too: it
 *  stands under the name that the configuration has for it, not under where it is. */
export function rootOf(folder: string, file: string, place: Placed<unknown>["place"]): () => TrustRoot {
  const read = (where = ""): TrustRoot => {
    const bytes = bytesOf(resolve(folder, file));
    if (!bytes)
      throw new TrustError("CFG_NOT_FOUND", `${where}${file}: no such file`, {
        hint: "give as root the file of a trust root; touchstone attest root init makes one",
      });
    const result = readRoot(bytes, { nowMs: Date.now() });
    if (result.status === "read") return result.root;
    throw new TrustError("ATT_UNUSABLE", `${where}${file}: ${result.message} (${result.reason})`);
  };
  read(`${place(["root"])} root: `);
  return () => read();
}

export type Accepted = Extract<StatementVerdict, { readonly status: "accepted" }>;
