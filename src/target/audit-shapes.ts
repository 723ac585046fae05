/** Whether a literal value is a credential: by its shape, by the name it stands under, or by how random it is.
 *  Placeholders and references are none. Pure; the value is looked at and never repeated. */

/** Prefixes that issuers give their credentials so that they are recognised. Lengths are lower bounds. */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/],
  ["a GitHub token", /\b(?:gh[opsru]_[A-Za-z0-9]{16}|github_pat_[A-Za-z0-9_]{20})/],
  ["a GitLab token", /\bgl(?:pat|ptt|rt)-[A-Za-z0-9_-]{16}/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[A-Za-z0-9_-]{30}/],
  ["a Google OAuth secret", /\bGOCSPX-[A-Za-z0-9_-]{20}/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10}/],
  ["a Stripe key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10}/],
  ["an Anthropic key", /\bsk-ant-[A-Za-z0-9_-]{10}/],
  ["an API key that begins with sk-", /\bsk-[A-Za-z0-9_-]{16}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{30}/],
  ["a PyPI token", /\bpypi-[A-Za-z0-9_-]{30}/],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{20}/],
  ["a SendGrid key", /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16}/],
  ["a Notion token", /\b(?:secret_|ntn_)[A-Za-z0-9]{30}/],
  ["a signed token (JWT)", /\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8}/],
];

export function knownShape(value: string): string | undefined {
  return SHAPES.find(([, shape]) => shape.test(value))?.[0];
}

const SECRET_WORDS = new Set(
  "token secret password passwd passphrase pwd pass apikey accesskey secretkey privatekey authkey credential credentials authorization bearer cookie pat".split(
    " ",
  ),
);
/** `PGPASSWORD`, `authtoken`: written as one word. */
const SECRET_ENDING = /(?:password|passwd|passphrase|secret|token|apikey|accesskey|secretkey|privatekey)$/;
/** Keys that open nothing: those of tables, caches and public ones. */
const DATA_KEYS = new Set("sort primary foreign partition cache object index public group row".split(" "));
/** A last word that says the value is about a credential and not one itself. */
const ABOUT = new Set(
  "file path dir folder url uri endpoint host name id type kind mode method header prefix env var enabled disabled required ttl expiry expires timeout limit count size max min length format version scope scopes issuer audience provider helper command".split(
    " ",
  ),
);

/** `GITHUB_TOKEN`, `x-api-key`, `clientSecret`: names whose value is a credential. `MAX_TOKENS` and `TOKEN_URL` are none. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const last = words.at(-1) ?? "";
  if (ABOUT.has(last)) return false;
  if (words.some((word) => SECRET_WORDS.has(word) || SECRET_ENDING.test(word))) return true;
  return last === "key" && !words.some((word) => DATA_KEYS.has(word));
}

const PLACEHOLDER_WORDS =
  /(?:^|[^a-z])(?:your|insert|enter|paste)(?:[^a-z]|$)|^my[-_ ]?(?:api[-_ ]?)?(?:key|token|secret|password)$|change[-_ ]?(?:me|this|it)|replace[-_ ]?(?:me|this|it|with)|placeholder|example|dummy|sample|goes[-_ ]?here|[-_ ]here$|redacted|todo|^tbd$/;

/** `your-key-here`, `<token>`, `xxx`, `changeme`: what documentation puts where a value belongs. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim().toLowerCase().slice(0, 500);
  if (/^[<[{(%].*[>\]})%]$/.test(text)) return true;
  if (/x{3,}|\*{3,}|\.{3}|…|_{4,}/.test(text)) return true;
  if (PLACEHOLDER_WORDS.test(text)) return true;
  if (/^(?:secret|password|passwd|token|key|api[-_ ]?key|test|none|null|undefined|empty)$/.test(text))
    return true;
  // Sixteen letters of which one or two are different ones are nobody's key.
  return text.length >= 8 && new Set(text.replace(/^[a-z]{2,4}[-_]/, "")).size <= 2;
}

/** Values that stand under any name: switches, small numbers, addresses without credentials, paths. */
export function isHarmless(value: string): boolean {
  return (
    value.length < 4 ||
    /^(?:true|false|yes|no|on|off|none|null|auto|default|oauth2?|basic|bearer|\d{1,3})$/i.test(value) ||
    /^(?:\.{0,2}\/|~\/?|[A-Za-z]:\\)[^\s]*$/.test(value) ||
    /^https?:\/\/[^@?]*$/i.test(value)
  );
}

const MIN_RANDOM_CHARS = 24;
const MIN_BITS_A_CHAR = 3.9;

/** One word of letters and digits in no order a person would write. Hexadecimal alone may be a digest, which is no secret. */
export function isRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_CHARS || value.length > 1000) return false;
  if (!/^[A-Za-z0-9+/=_.~-]+$/.test(value) || /^[/.~]/.test(value)) return false;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return false;
  return entropy(value) >= MIN_BITS_A_CHAR;
}

const MIN_KEY_CHARS = 10;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** A part of a path that reads like a key: letters and digits in turns, as no word or version has them. Identifiers and
 *  digests, which many addresses hold, are none. */
export function isKeyLike(part: string): boolean {
  if (part.length < MIN_KEY_CHARS || part.length > 1000 || !/^[\w~.+=-]+$/.test(part)) return false;
  if (UUID.test(part) || /^(?:[\da-f]{40}|[\da-f]{64})$/i.test(part)) return false;
  return part.split(/[-_.~]/).some((chunk) => {
    if (!/[A-Za-z]/.test(chunk) || !/\d.*\d/.test(chunk)) return false;
    const turns = chunk.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
    return chunk.length >= 16 || (chunk.length >= 8 && turns >= 2);
  });
}

/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const n of counts.values()) bits -= (n / text.length) * Math.log2(n / text.length);
  return bits;
}

/** No credential is longer; a file of others may hold anything. */
const MAX_VALUE_CHARS = 10_000;

/** What is left when references to variables are taken out. The default of `${NAME:-default}` is literal and stays. */
export function withoutReferences(value: string): string {
  return value
    .slice(0, MAX_VALUE_CHARS)
    .replace(/\$\{[A-Za-z_]\w{0,200}:-([^}]{0,1000})\}/g, "$1")
    .replace(
      /\$\{[^}]{1,1000}\}|\{(?:env|file):[^}]{1,1000}\}|%[A-Za-z_]\w{0,200}%|\$[A-Za-z_]\w{0,200}/g,
      "",
    )
    .replace(/^\s*(?:bearer|basic|token|apikey)\s+/i, "")
    .trim();
}
