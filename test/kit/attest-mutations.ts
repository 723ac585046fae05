/** Changes a valid envelope at random and tells which changes are accepted. None should be. The soak runs more of them. */
import { isDeepStrictEqual } from "node:util";
import type { TrustRoot } from "../../src/attest/root/format.ts";
import type { StatementPolicy } from "../../src/attest/statement/policy.ts";
import { verifyStatement } from "../../src/attest/statement/verify.ts";
import { sampleLive } from "./attest.ts";

export interface MutationRun {
  readonly tried: number;
  /** How often each reason was given. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Envelopes that were accepted though they say something else. */
  readonly survivors: readonly string[];
}

export function mutationRun(
  envelope: Uint8Array,
  root: TrustRoot,
  policy: StatementPolicy,
  count: number,
  seed: number,
): MutationRun {
  const random = randomFrom(seed);
  const reasons: Record<string, number> = {};
  const survivors: string[] = [];
  for (let tried = 0; tried < count; tried += 1) {
    const changed = meaningful(envelope, random);
    const verdict = verifyStatement(changed, root, policy, sampleLive);
    if (verdict.status === "accepted") survivors.push(Buffer.from(changed).toString("base64"));
    else reasons[verdict.reason] = (reasons[verdict.reason] ?? 0) + 1;
  }
  return { tried: count, reasons, survivors };
}

type Random = (below: number) => number;

/** White space and escapes say the same thing in other bytes: such a change is drawn again. */
function meaningful(envelope: Uint8Array, random: Random): Uint8Array {
  const before = parsed(envelope);
  for (;;) {
    const changed = pick(MUTATIONS, random)(Buffer.from(envelope), random);
    const after = parsed(changed);
    if (after === undefined || !isDeepStrictEqual(after, before)) return changed;
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

type Mutation = (bytes: Buffer, random: Random) => Uint8Array;

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    const index = random(bytes.length);
    bytes[index] = (bytes[index] as number) ^ (1 << random(8));
    return bytes;
  },
  (bytes, random) => {
    bytes[random(bytes.length)] = random(256);
    return bytes;
  },
  (bytes, random) => {
    const start = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + random(20))]);
  },
  (bytes, random) => {
    const [start, from] = [random(bytes.length), random(bytes.length)];
    const part = bytes.subarray(from, from + 1 + random(20));
    return Buffer.concat([bytes.subarray(0, start), part, bytes.subarray(start)]);
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => inPayload(bytes, (text) => changedLeaf(text, random)),
  (bytes, random) => inPayload(bytes, (text) => changedDigit(text, random)),
  (bytes, random) => inPayload(bytes, (text) => text.replace(/\{/, `{"x${random(1000)}":${random(10)},`)),
];

/** The payload says something else, the envelope around it is as it was. */
function inPayload(bytes: Buffer, change: (text: string) => string): Uint8Array {
  const envelope = JSON.parse(bytes.toString("utf8")) as { payload: string };
  const text = Buffer.from(envelope.payload, "base64").toString("utf8");
  const payload = Buffer.from(change(text), "utf8").toString("base64");
  return Buffer.from(JSON.stringify({ ...envelope, payload }), "utf8");
}

function changedLeaf(text: string, random: Random): string {
  const leaves = [...text.matchAll(/:("[^"]*"|\d+|null)/g)];
  const leaf = pick(leaves, random);
  const value = pick(['"A"', "null", "0", "1", '"2099-01-01T00:00:00Z"', "[]", "{}", "true", '""'], random);
  return `${text.slice(0, leaf.index + 1)}${value}${text.slice(leaf.index + leaf[0].length)}`;
}

function changedDigit(text: string, random: Random): string {
  const { index } = pick([...text.matchAll(/[0-9a-f]/g)], random);
  return `${text.slice(0, index)}${random(10)}${text.slice(index + 1)}`;
}

const pick = <Item>(items: readonly Item[], random: Random): Item => items[random(items.length)] as Item;

/** A small generator, so that a seed gives the same changes everywhere. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
