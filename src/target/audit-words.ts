/** Credentials inside one word of a command line: `NAME=VALUE` in a script, members of JSON, pairs of a connection string,
 *  `Bearer X`, `user:password@host`, options in a line that is one word. Pure; what is found is only handed on to be hidden.
 *  Words come from files of others: every search is bounded by the length of the word. */
import { isSecretName } from "./audit-shapes.ts";

export interface WordSecret {
  /** The name it stands under; `password` where the place alone tells. */
  readonly name: string;
  /** As written, references and placeholders included: the caller judges. */
  readonly value: string;
}

/** What is cut off here is cut off in print long before. */
const MAX_WORD_CHARS = 10_000;
const MAX_DEPTH = 2;

export function secretsInWord(word: string, depth = MAX_DEPTH): WordSecret[] {
  const text = word.slice(0, MAX_WORD_CHARS);
  const found = [...addresses(text), ...pairs(text), ...assignments(text), ...schemes(text), ...logins(text)];
  if (depth > 0 && /\s/.test(text)) {
    const inner = lineWords(text);
    for (const [index, each] of inner.entries()) {
      for (const secret of optionSecrets(inner, index)) found.push(secret);
      if (each !== text && /\s/.test(each))
        for (const secret of secretsInWord(each, depth - 1)) found.push(secret);
    }
  }
  return found;
}

/** Addresses in a longer text; whether one holds anything, the caller judges. */
function addresses(text: string): WordSecret[] {
  const all = text.matchAll(/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`;|<>)]{1,2000}/gi);
  return [...all].flatMap(([value]) => (value === text ? [] : [{ name: "address", value }]));
}

/** A connection string: nothing but pairs, whose values may hold spaces. */
function pairs(text: string): WordSecret[] {
  const parts = text.replace(/^-{0,2}[\w-]{1,100}=(?=[A-Za-z][\w .-]{0,60}=)/, "").split(";");
  const read = parts.filter((part) => part.trim() !== "").map((part) => part.split(/=(.*)/s, 2));
  if (parts.length < 2 || !read.every(([name = ""]) => /^\s*[A-Za-z][\w .-]{0,60}$/.test(name))) return [];
  return read.flatMap(([name = "", value = ""]) =>
    isSecretName(name) && value.trim() !== "" ? [{ name: name.trim(), value: value.trim() }] : [],
  );
}

const NAMED = /(?<!\w)([A-Za-z_][\w.-]{0,200})\\{0,4}["']?(\s{0,4})(?:=(?![=>~])|:(?!\/\/|:))/g;
const CODE =
  /^(?:await|async|new|function|this|require|typeof|null|undefined|process\.env\b.*|os\.environ\b.*|\$?\(.*|`.*)$/s;

/** `NAME=VALUE`, `NAME: VALUE`, `"NAME": "VALUE"`, wherever in the text. */
function assignments(text: string): WordSecret[] {
  const found: WordSecret[] = [];
  for (const match of text.matchAll(NAMED)) {
    const [whole, name = "", space = ""] = match;
    if (!isSecretName(name)) continue;
    const { value, isQuoted, isCall } = valueAt(text, match.index + whole.length, /cookie/i.test(name));
    // `key = value` without quotes is code: no shell and no option is written so.
    const isCode = !isQuoted && (CODE.test(value) || isCall || (whole.endsWith("=") && space !== ""));
    if (value !== "" && !isCode) found.push({ name, value });
  }
  return found;
}

/** The value that begins here: to its closing quote, or to what ends a word. */
function valueAt(
  text: string,
  from: number,
  isWhole: boolean,
): { value: string; isQuoted: boolean; isCall: boolean } {
  const start = from + (/^\s{0,4}/.exec(text.slice(from, from + 4))?.[0].length ?? 0);
  const quote = /^\\{0,4}["']/.exec(text.slice(start, start + 5))?.[0];
  if (quote !== undefined) {
    const begin = start + quote.length;
    let end = text.indexOf(quote, begin);
    while (quote === '"' && end > begin && text[end - 1] === "\\") end = text.indexOf(quote, end + 1);
    return { value: text.slice(begin, end < 0 ? undefined : end), isQuoted: true, isCall: false };
  }
  const rest = text.slice(start);
  if (isWhole) return { value: rest.split(/["']/, 1)[0] ?? "", isQuoted: false, isCall: false };
  const [scheme = ""] = /^(?:bearer|basic|token|apikey|digest)\s{1,4}/i.exec(rest) ?? [];
  const [value = ""] = rest.slice(scheme.length).split(/[\s;&"'`]/, 1);
  return {
    // What closes around a value is not of it; a reference keeps its own brace.
    value: value.startsWith("$") ? value : value.replace(/[,)}\]\\]+$/, ""),
    isQuoted: false,
    isCall: /^[A-Za-z_$][\w$.]*\($/.test(value.slice(0, value.indexOf("(") + 1)),
  };
}

/** `Bearer X` and `Basic X` under no name. */
function schemes(text: string): WordSecret[] {
  const found: WordSecret[] = [];
  for (const [, scheme = "", value = ""] of text.matchAll(
    /\b(bearer|basic)\s{1,4}\\{0,4}["']?([^\s"'`\\;&|]{4,2000})/gi,
  )) {
    // "basic usage" is prose; encoded names and passwords have digits, capitals or padding.
    if (/^basic$/i.test(scheme) && !/^(?=.*[A-Z\d=])[A-Za-z\d+/]{8,}={0,2}$/.test(value)) continue;
    found.push({ name: "authorization", value });
  }
  return found;
}

/** `user:password@host`, with or without a scheme. Packages (`npm:a@1.2.3`) and images (`a:1@sha256:…`) look alike. */
function logins(text: string): WordSecret[] {
  const found: WordSecret[] = [];
  for (const [, user = "", value = ""] of text.matchAll(/:\/\/([^\s:@/"']{0,200}):([^\s"']{1,1000})@/g))
    if (!/^\d{1,5}(?:[/?#]|$)/.test(value) || user === "") found.push({ name: "password", value });
  for (const [, user = "", value = "", host = ""] of text.matchAll(
    /(?<![\w./:@-])([\w.%+-]{1,200}):([^\s@:/"'`;]{1,500})@([\w.-]{1,200})/g,
  )) {
    if (/^(?:npm|jsr|github|gitlab|bitbucket|gist|git|file|link|workspace|pypi|oci|docker)$/i.test(user))
      continue;
    if (/^sha\d+$/i.test(host) || /^v?\d+(?:\.\d+){0,2}(?:$|[-+])/.test(host) || host === "latest") continue;
    found.push({ name: "password", value });
  }
  return found;
}

/** What the option before a word, or the word's own form, tells: `--token X`, `-pX`, `-p X`, `-u name:X`. */
export function optionSecrets(list: readonly string[], index: number, program = list[0] ?? ""): WordSecret[] {
  const word = list[index] ?? "";
  const before = list[index - 1] ?? "";
  const [, option = ""] = /^--?([A-Za-z][\w.-]{0,100})$/.exec(before) ?? [];
  if (option !== "" && !word.startsWith("-") && isSecretName(option)) return [{ name: option, value: word }];
  if (option === "u" || option === "user" || option === "proxy-user") {
    const [, user = "", value = ""] = /^([^\s:/]{1,200}):([^\s/]{4,500})$/.exec(word) ?? [];
    return value === "" || value === user || /^\d+$/.test(value) ? [] : [{ name: "password", value }];
  }
  const [, attached = ""] = /^-p(.{4,500})$/s.exec(word) ?? [];
  const value = attached !== "" ? attached : before === "-p" ? word : "";
  const isOwn = !RUNNERS.test(program) || hasPositional(list.slice(0, index), program);
  return isOwn && isPassword(value, attached !== "") ? [{ name: "password", value }] : [];
}

/** Programs whose own `-p` is a package, a port or a print; behind the first word that is no option it is the server's. */
const RUNNERS =
  /^(?:.*[/\\])?(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|node|deno|tsx|python[\d.]*|docker|podman)(?:\.\w+)?$/i;

function hasPositional(words: readonly string[], program: string): boolean {
  const own = words[0] === program ? words.slice(1) : words;
  return own.some((word, index) => !word.startsWith("-") && own[index - 1] !== "-p");
}

/** A word with letters and something else that is no port, path, package, file or longer option. */
function isPassword(value: string, isAttached: boolean): boolean {
  if (value.length < 8 || !/[A-Za-z]/.test(value) || !/[^A-Za-z_.-]/.test(value)) return false;
  if (/^[.~/\\]|[/\\]|@v?\d|\.[a-z]{1,5}$|^\w+:\d+$|^\d+:\d+|\s|=/.test(value)) return false;
  return !(
    isAttached && /^(?:ort|ath|ython|rofile|ackage|roject|refix|lugin|rint|roxy|latform|ublic)/.test(value)
  );
}

/** The words of a line as a shell would divide it, near enough. */
function lineWords(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  let isOpen = false;
  const end = (): void => {
    if (isOpen) words.push(word);
    word = "";
    isOpen = false;
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (quote !== "") {
      if (letter === quote) quote = "";
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      isOpen = true;
    } else if (/[\s;|&()]/.test(letter)) end();
    else {
      word += letter;
      isOpen = true;
    }
  }
  end();
  return words;
}
