/** Long runs over assertions: our canonical bytes against another implementation's, and a signed document spoiled in many ways. */
import {
  canonicalBody,
  readSad,
  type Sad,
  type SadBody,
  signSad,
  verifySad,
} from "../../src/attest/sad/index.ts";
import { AT_WEATHER, anchorsOf, testKey, WEATHER } from "./sad.ts";
import { otherCanonicalBody } from "./sad-canonical.ts";

type Random = (below: number) => number;

/** The same numbers for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;

/** What two writers of JSON disagree on, if they disagree: escapes, halves of characters, what sorts around a quote, and
 *  characters whose order differs between UTF-8 and UTF-16. */
const PIECES: readonly string[] = [
  ..."abzAZ09._:/-[]",
  ...' !"#\\',
  ..."\0\u0001\b\t\n\v\f\r\u001f\u007f\u0080\u009f\u2028\u2029",
  ..."é\u0301ß\u212a\ufeff\ufffd\uffff\ue000\u{1f600}\u{10ffff}",
  "\ud800",
  "\udfff",
  "mcp-server",
  "__proto__",
  "\\u0061",
];
const NUMBERS: readonly number[] = [1, 0, -0, 2, 1.5, 1e21, 1e-7, 2 ** 53, -1];

function text(random: Random): string {
  return Array.from({ length: random(7) }, () => oneOf(random, PIECES)).join("");
}

function document(random: Random): SadBody {
  const texts = (): string[] => Array.from({ length: random(5) }, () => text(random));
  const may = <Value>(name: string, value: () => Value): Record<string, Value> =>
    random(2) === 0 ? {} : { [name]: value() };
  const required = {
    id: text(random),
    publisher: text(random),
    version: text(random),
    clearance: text(random),
  };
  return {
    ...may(text(random), () => text(random)),
    v: random(2) === 0 ? text(random) : oneOf(random, NUMBERS),
    ...required,
    capabilities: texts(),
    ...may("signature", () => text(random)),
    ...may("verification", () => text(random)),
    ...may("signerKeyId", () => text(random)),
    ...may("netAllowedHosts", texts),
  };
}

/** Documents whose bytes are not the same by both; there should be none. */
export function compareCanonical(count: number, seed: number): { documents: number; different: string[] } {
  const random = randomFrom(seed);
  const different: string[] = [];
  for (let made = 0; made < count; made++) {
    const one = document(random);
    if (!otherCanonicalBody(one).equals(canonicalBody(one))) different.push(JSON.stringify(one));
  }
  return { documents: count, different };
}

const signedWeather = signSad(
  {
    ...WEATHER,
    capabilities: ["mcp-server", "tools"],
    netAllowedHosts: ["https://tools.example.com", "https://backup.example.com:8443"],
    verification: "tested",
  },
  testKey(0x11),
  "key-prod-2026",
);
if ("fault" in signedWeather) throw new Error(signedWeather.fault.message);
const { sad: original, bytes: originalBytes } = signedWeather;
const anchors = anchorsOf("omcp-demo");
const context = { ...AT_WEATHER, now: new Date(AT_WEATHER.now) };

/** Spoils a document that is admitted, and tells those that still are. What only says the same in other words is not counted. */
export function spoilSad(count: number, seed: number): { spoiled: number; admitted: string[] } {
  const random = randomFrom(seed);
  const admitted: string[] = [];
  for (let spoiled = 0; spoiled < count; ) {
    const bytes = random(2) === 0 ? spoiledBytes(random) : spoiledMember(random);
    const reading = readSad(bytes);
    if ("sad" in reading && isSame(reading.sad)) continue;
    spoiled += 1;
    if (verifySad(reading, anchors, context).status === "admitted")
      admitted.push(Buffer.from(bytes).toString());
  }
  return { spoiled: count, admitted };
}

const isSame = (sad: Sad): boolean =>
  sad.signature === original.signature && Buffer.from(canonicalBody(sad)).equals(canonicalBody(original));

function spoiledBytes(random: Random): Buffer {
  const bytes = Buffer.from(originalBytes);
  const [from, to] = [random(bytes.length), random(bytes.length)];
  switch (random(6)) {
    case 0:
      bytes[from] = (bytes[from] ?? 0) ^ (1 << random(8));
      return bytes;
    case 1:
      bytes[from] = random(256);
      return bytes;
    case 2:
      [bytes[from], bytes[to]] = [bytes[to] ?? 0, bytes[from] ?? 0];
      return bytes;
    case 3:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random(4))]);
    case 4:
      return Buffer.concat([bytes.subarray(0, from), Buffer.of(random(256)), bytes.subarray(from)]);
    default:
      return Buffer.concat([
        bytes.subarray(0, from),
        bytes.subarray(to, to + random(40)),
        bytes.subarray(from),
      ]);
  }
}

const OTHER_VALUES: readonly unknown[] = [
  ...[null, true, 0, 1, "", " ", [], {}, "1.1", "secret", "mcp-server", "key-restricted"],
  ...[["mcp-server"], ["https://tools.example.com"], ["https://evil.example"], "https://tools.example.com"],
];

function spoiledMember(random: Random): Buffer {
  const members: Record<string, unknown> = { ...original };
  const name = oneOf(random, Object.keys(members));
  const value = members[name];
  switch (random(4)) {
    case 0:
      delete members[name];
      break;
    case 1:
      members[name] = oneOf(random, OTHER_VALUES);
      break;
    case 2:
      members[name] = members[oneOf(random, Object.keys(members))];
      break;
    default:
      members[name] = Array.isArray(value)
        ? value.map((item, at) => (at === 0 ? spoiledText(random, String(item)) : item))
        : spoiledText(random, String(value));
  }
  return Buffer.from(JSON.stringify(members));
}

function spoiledText(random: Random, value: string): string {
  const at = random(value.length + 1);
  const piece = oneOf(random, PIECES);
  const ways = [
    value.slice(0, at) + piece + value.slice(at),
    value.slice(0, at) + piece + value.slice(at + 1),
    value.slice(0, at),
    value.toUpperCase(),
    ` ${value}`,
    `${value}=`,
    value.replaceAll("=", ""),
    value.normalize("NFD"),
    value + value,
  ];
  return oneOf(random, ways);
}
