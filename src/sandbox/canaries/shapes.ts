/** Values in the shape of real credentials. Where a shape has a checksum it is right: a thief may look before he takes. */
import { crc32 } from "node:zlib";
import { BASE32, BASE36, BASE62, DIGITS, HEX, number, pick, type Random, uuid, word } from "./random.ts";

/** What is looked for later, and what is written in its place when the two differ. */
export interface Secret {
  readonly value: string;
  readonly written: string;
}

/** Makes another value each time it is called. */
export type Shape = (random: Random) => Secret;

const plain =
  (make: (random: Random) => string): Shape =>
  (random) => {
    const value = make(random);
    return { value, written: value };
  };

/** Every key of this issuer has the same eight letters in the middle. */
export const openAiKey = plain(
  (random) => `sk-proj-${word(random, BASE62, 20)}T3BlbkFJ${word(random, BASE62, 20)}`,
);

export const stripeKey = plain((random) => `sk_live_${word(random, BASE62, 24)}`);

export const slackToken = plain((random) => {
  const [team, bot] = [number(random, 9e11) + 1e11, number(random, 9e12) + 1e12];
  return `xoxb-${team}-${bot}-${word(random, BASE62, 24)}`;
});

/** GitHub and npm end their tokens with a checksum of the thirty characters before it. */
const withChecksum = (prefix: string): Shape =>
  plain((random) => {
    const secret = word(random, BASE62, 30);
    return `${prefix}_${secret}${checksum(secret)}`;
  });

export const githubToken = withChecksum("ghp");
export const githubLogin = withChecksum("gho");
export const npmToken = withChecksum("npm");

/** CRC-32 in six digits to the base 62. */
export function checksum(secret: string): string {
  let digits = "";
  for (let rest = crc32(secret); rest > 0; rest = Math.floor(rest / 62))
    digits = BASE62.charAt(rest % 62) + digits;
  return digits.padStart(6, "0");
}

export const gitlabToken = plain((random) => `glpat-${word(random, BASE62, 20)}`);
export const dockerToken = plain((random) => `dckr_pat_${word(random, BASE62, 27)}`);
export const awsKeyId = plain((random) => `AKIA${word(random, BASE32, 16)}`);
export const awsSecretKey = plain((random) => word(random, `${BASE62}+/`, 40));
export const externalId = plain(uuid);

/** The name that a cluster gives its load balancer. */
export const balancerName = plain((random) => `a${word(random, HEX, 31)}-${word(random, DIGITS, 10)}`);

const JWT_HEAD = base64url({ alg: "HS256", typ: "JWT" });
const FIRST_ISSUED = Date.UTC(2025, 0, 1) / 1000;
const YEAR_SECONDS = 31_536_000;

/** A signed token that lasts ten years, as people make them for programs. */
export const bearerToken = plain((random) => {
  const iat = FIRST_ISSUED + number(random, YEAR_SECONDS / 2);
  const claims = { iss: word(random, HEX, 32), iat, exp: iat + 10 * YEAR_SECONDS };
  return `${JWT_HEAD}.${base64url(claims)}.${random(32).toString("base64url")}`;
});

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

export interface Person {
  readonly first: string;
  readonly last: string;
}

export function person(random: Random): Person {
  return {
    first: pick(random, [
      "Elena",
      "Marcus",
      "Priya",
      "Jonas",
      "Sofia",
      "Daniel",
      "Hannah",
      "Tomas",
      "Leila",
      "Oliver",
    ]),
    last: pick(random, [
      "Novak",
      "Keller",
      "Raman",
      "Lindqvist",
      "Moreau",
      "Okafor",
      "Brandt",
      "Silva",
      "Haddad",
      "Reyes",
    ]),
  };
}

/** An e-mail address that is nobody's: no person has twenty random characters in it. */
export const emailOf = ({ first, last }: Person): Shape =>
  plain((random) => {
    const provider = pick(random, ["gmail.com", "outlook.com", "proton.me", "fastmail.com"]);
    return `${first}.${last}.${word(random, BASE36, 20)}@${provider}`.toLowerCase();
  });

/** For whoever is to see at a glance that a value is planted. */
export const mark = plain((random) => `POLYGRAPH-CANARY-${uuid(random)}`);
