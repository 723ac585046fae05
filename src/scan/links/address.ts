/** What an address does: its scheme, its host, and whether its parts look like data on their way out. */

export interface Address {
  readonly scheme: "web" | "script" | "data" | "file" | "other";
  readonly reason: string;
  readonly host?: string;
  readonly leak?: Leak;
}

export interface Leak {
  readonly words: string;
  /** More than one reason, or one that documentation does not have. */
  readonly isStrong: boolean;
}

const CREDENTIAL =
  /^(?:api[-_]?key|apikey|access[-_]?key|secret(?:[-_]?key)?|token|access[-_]?token|auth(?:[-_]?token)?|bearer|password|passwd|pwd|session(?:[-_]?id|[-_]?token)?|cookie|jwt|private[-_]?key|ssh[-_]?key|credentials?|creds|env|key)$/i;
/** Names for "everything the agent knows" as values. */
const HOLDER =
  /(?:SYSTEM_?PROMPT|CONVERSATION|TRANSCRIPT|USER_?(?:DATA|SESSION|INFO|MESSAGE|INPUT)|SECRET|SENSITIVE|API_?KEYS?|SESSION_TOKEN|CHAT_?HISTORY|ENV(?:IRONMENT)?_?VARS?|CREDENTIALS|PASSWORD|CONTEXT|INSERT_)/;
const INTERPOLATION = /\$\{|\{\{|%7b%7b|%24%7b|<%=|\$\(|\[INSERT|<[a-z0-9_ -]{3,40}>|\{[a-z_ ]{6,80}\}/i;
/** The same between braces, in small letters. */
const HELD =
  /\{[^}]{0,24}(?:conversation|chat_?(?:history|log)|transcript|system_?prompt|tool_(?:output|result)|user_?data|previous_(?:tool|message|answer|output)|all_messages)[^}]{0,24}\}/i;
const LONG_CHARS = 48;
const MIN_HIDDEN_CHARS = 12;
const MAX_VALUES = 50;
const MIN_ENTROPY_CHARS = 24;
const MIN_ENTROPY = 3.6;

/** An address without a query, a placeholder or a long word carries nothing. */
const MAY_LEAK = /[?${<%[]|[A-Za-z0-9_-]{12}|[A-Z]{4}/;

export function judgeAddress(target: string): Address {
  // Browsers drop white space and control characters inside a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is dropped
  const plain = target.replace(/[\u0000-\u0020]|\\x[0-9a-f]{2}/gi, "");
  // An address without a scheme takes that of the page.
  const isRelative = plain.startsWith("//");
  const scheme = isRelative ? "https" : /^([a-z][a-z0-9+.-]{1,20}):/i.exec(plain)?.[1]?.toLowerCase();
  if (scheme === "javascript" || scheme === "vbscript") return { scheme: "script", reason: `${scheme}:` };
  if (scheme === "data") {
    // A picture is what data addresses are honestly for.
    if (/^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|x-icon)[;,]/i.test(plain))
      return { scheme: "other", reason: "" };
    return /^data:(?:[a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=-]+)*,./i.test(plain)
      ? { scheme: "data", reason: plain.slice(0, 40) }
      : { scheme: "other", reason: "" };
  }
  if (scheme === "file") return { scheme: "file", reason: "file:" };
  if (scheme !== "http" && scheme !== "https" && scheme !== "ftp") return { scheme: "other", reason: "" };
  const [, host = "", path = "", query = ""] =
    /^(?:[a-z]+:)?\/{0,2}([^/?#]*)([^?#]*)\??([^#]*)/i.exec(plain) ?? [];
  const leak = MAY_LEAK.test(plain) ? leakIn(host, path, query) : undefined;
  return { scheme: "web", reason: "", host: host.replace(/^[^@]*@|:\d+$/g, ""), ...(leak ? { leak } : {}) };
}

function leakIn(host: string, path: string, query: string): Leak | undefined {
  return (query ? leakInQuery(query) : undefined) ?? leakInPath(path) ?? leakInHost(host);
}

function leakInQuery(query: string): Leak | undefined {
  for (const part of query.split("&", MAX_VALUES)) {
    const at = part.indexOf("=");
    if (at < 0 || at === part.length - 1) continue;
    const [name, value] = [part.slice(0, at), part.slice(at + 1)];
    const isHolder = HOLDER.test(value) || /^[A-Z]{4,12}$/.test(value);
    if (isHolder || INTERPOLATION.test(value))
      return {
        words: `the value of "${name}" is filled in by the reader`,
        isStrong: isHolder || /\$\{[^}]*\(|\{\{/.test(value) || HELD.test(value),
      };
    // An address inside an address is how pages are linked to after a login.
    if (value.length < MIN_HIDDEN_CHARS || /^https?(?::|%3a)/i.test(value)) continue;
    if (isPicture(value) || isClientConfig(value)) continue;
    const hidden = hiddenIn(value);
    if (hidden !== undefined) return { words: `"${name}" holds ${hidden}`, isStrong: true };
    const isDense = looksEncoded(unpercent(value));
    if (CREDENTIAL.test(name)) return { words: `the query names a credential, "${name}"`, isStrong: isDense };
    if (isDense && value.length >= LONG_CHARS)
      return { words: `"${name}" is long and looks encoded`, isStrong: false };
  }
  return undefined;
}

function leakInPath(path: string): Leak | undefined {
  const isHolder = /[A-Z]{4}/.test(path) && HOLDER.test(path);
  if (isHolder || (path.includes("{") && /\$\{[^}]*\}|\{\{[^}]*\}\}/.test(path)))
    return { words: "the path is filled in by the reader", isStrong: isHolder };
  if (path.length < LONG_CHARS || !path.includes("/eyJ")) return undefined;
  const segment = path.split("/").find((one) => one.length >= LONG_CHARS && one.startsWith("eyJ"));
  return segment !== undefined && looksEncoded(segment)
    ? { words: "the path holds a token", isStrong: true }
    : undefined;
}

function leakInHost(host: string): Leak | undefined {
  if (/\$[{(]|\{\{/.test(host)) return { words: "the host is filled in by the reader", isStrong: true };
  if (host.length < MIN_ENTROPY_CHARS) return undefined;
  const label = host
    .split(".")
    .find((one) => (one.length >= 32 && looksEncoded(one)) || spelled(one) !== undefined);
  return label === undefined ? undefined : { words: "a label of the host looks encoded", isStrong: true };
}

/** Keys as their makers shape them. */
const KEY =
  /\b(?:AKIA|ASIA)[0-9A-Z]{12,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bsk-[A-Za-z0-9-]{16,}|\bxox[abp]-|-----BEGIN|\w+:\/\/\w+:[^@\s]+@/;

/** What a value says once its encoding is undone; undefined when it hides nothing. */
function hiddenIn(value: string): string | undefined {
  const plain = unpercent(unpercent(value));
  if (KEY.test(plain)) return "a key";
  const encoded = (value.match(/%[0-9a-f]{2}/gi)?.length ?? 0) * 3;
  if (encoded >= 24 && encoded > value.length * 0.8 && /^[\x20-\x7e]+$/.test(plain))
    return "text encoded letter by letter";
  const said = spelled(plain.replace(/[-:]/g, "")) ?? base64Said(plain);
  return said === undefined ? undefined : KEY.test(said) ? "an encoded key" : undefined;
}

/** The logo of a badge. */
const isPicture = (value: string): boolean => /^data(?::|%3a)image(?:\/|%2f)/i.test(value);

/** How a server is set up in a client: what the button "install" of a readme carries, and everybody may read. */
function isClientConfig(value: string): boolean {
  const plain = unpercent(unpercent(value));
  const said = plain.startsWith("{") || plain.startsWith("[") ? plain : base64Said(plain);
  return (
    said !== undefined && !KEY.test(said) && /^[[{].{0,200}"(?:command|args|url|type|env|name)" ?:/.test(said)
  );
}

function unpercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Letters in hexadecimal digits: `4a6f686e` is John. */
function spelled(text: string): string | undefined {
  if (text.length < 12 || text.length % 2 === 1 || !/^[0-9a-f]+$/i.test(text) || !/[a-f]/i.test(text))
    return undefined;
  const said = Buffer.from(text, "hex").toString("latin1");
  return /^[\w ./:@-]+$/.test(said) ? said : undefined;
}

function base64Said(text: string): string | undefined {
  if (!/^[\w+/-]{16,}={0,2}$/.test(text)) return undefined;
  const said = Buffer.from(text, "base64").toString("latin1");
  return /^[\x20-\x7e]+$/.test(said) ? said : undefined;
}

/** Long, of many different characters, and no words: what base64, hexadecimal and keys look like. */
function looksEncoded(text: string): boolean {
  if (text.length < MIN_ENTROPY_CHARS) return false;
  if (/^[0-9a-f-]{24,}$/i.test(text)) return true;
  return (
    /^[\w+/=.~-]+$/.test(text) &&
    entropy(text.slice(0, 256)) >= MIN_ENTROPY &&
    /\d/.test(text) &&
    /[A-Z]/.test(text) &&
    /[a-z]/.test(text)
  );
}

function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
