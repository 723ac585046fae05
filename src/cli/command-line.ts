/** What a target starts or reaches, as a line for people. Everybody may read it: what is a secret, or may be one, is left out. */
import { shown } from "../core/index.ts";
import { hiddenValues, type Target } from "../target/index.ts";
import type { Launch } from "../wire/index.ts";
import { plainRedactor } from "./redact.ts";

const RUNNER = /(?:^|[/\\])(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|node|deno|docker|podman)(?:\.\w+)?$/i;
const HIDDEN = "[redacted]";
const MAX_WORD_CHARS = 1500;

/** Words as written, without secrets. */
export function commandLine({ launch, secrets }: Pick<Target, "launch" | "secrets">): string {
  const redact = plainRedactor(secrets);
  const clean = (text: string): string => redact?.text(text) ?? text;
  if (launch.kind === "http") return clean(launch.url.origin + withoutKeys(launch.url));
  const words = [launch.command, ...launch.args];
  const exact = new Set(secrets);
  const found = wordSecrets(launch).sort((a, b) => b.length - a.length);
  return words
    .map((word, index) => {
      if (exact.has(word)) return HIDDEN;
      const known = withoutLogin(withoutValue(word, exact));
      return doubtful(found.reduce(without, clean(known)), words.slice(0, index));
    })
    .map((word) =>
      /^[\w@%+=:,./[\]-]+$/.test(word)
        ? word
        : `'${shown(word, MAX_WORD_CHARS).replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(" ");
}

/** Credentials in the words of a command or in an address, which no option gave. */
export function wordSecrets(launch: Launch): string[] {
  return launch.kind === "http"
    ? hiddenValues({ url: launch.url.href })
    : hiddenValues({ command: launch.command, args: launch.args });
}

/** `--pin=12` when 12 is a secret: too short to be looked for everywhere, and plain enough to be seen here. */
function withoutValue(word: string, secrets: ReadonlySet<string>): string {
  const equals = word.indexOf("=");
  return equals > 0 && secrets.has(word.slice(equals + 1)) ? `${word.slice(0, equals)}=${HIDDEN}` : word;
}

/** A connection string: who reads over a shoulder needs no password. */
const withoutLogin = (word: string): string =>
  word
    .replace(/:\/\/[^/\s"']*@/g, `://${HIDDEN}@`)
    // A slash in a password makes no valid address, and is written all the same; a port is none.
    .replace(/:\/\/[^\s:@/"'[]*:(?!\d{1,5}[/?#])[^\s"']*@/g, `://${HIDDEN}@`);

/** A value of a few letters is replaced only where it stands alone. */
function without(text: string, value: string): string {
  if (value.length >= 6) return text.replaceAll(value, HIDDEN);
  const at = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replace(new RegExp(`(?<!\\w)${at}(?!\\w)`, "g"), HIDDEN);
}

/** What may be a credential and cannot be told from something else is shown by its kind. */
function doubtful(word: string, before: readonly string[]): string {
  const isPlain = /^[^\s./\\@-][^\s./\\@]*$/.test(word) && !/^[\d:[]/.test(word);
  // Before the first word that is no option, -p is the program's own: a package, a port.
  const isServers =
    before.slice(1, -1).some((each) => !each.startsWith("-")) || !RUNNER.test(before[0] ?? "");
  if (before.at(-1) === "-p" && isPlain && isServers) return "[value of -p]";
  if (/^[A-Za-z0-9+=_-]{20,}$/.test(word) && isMixed(word)) return "[looks random]";
  return word.replace(/(https?:\/\/[^\s/"'?#]+)(\/[^\s"'?#]*)/gi, (_, origin: string, path: string) =>
    [origin, path.split("/").map(byKind).join("/")].join(""),
  );
}

const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

/** Services that know a caller by the address put the key into its path. */
function withoutKeys(url: URL): string {
  const found = hiddenValues({ url: url.origin + url.pathname }).filter((value) => !value.includes("://"));
  return found.reduce(without, url.pathname).split("/").map(byKind).join("/");
}

const byKind = (part: string): string =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(part) || /^[\da-f]{16,}$/i.test(part)
    ? "[identifier]"
    : part;
