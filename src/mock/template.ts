/** `${…}` in the canned texts of a mock: arguments, environment and files, as they are or encoded. */
import { memberOf, type Scope } from "./expression.ts";

/** How a value may be disguised on its way out; each is a way a hostile server hides what it took. */
export const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text, "utf8").toString("base64"),
  base64url: (text) => Buffer.from(text, "utf8").toString("base64url"),
  hex: (text) => Buffer.from(text, "utf8").toString("hex"),
  url: (text) => encodeURIComponent(text),
  percent: (text) =>
    [...Buffer.from(text, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  entities: (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join(""),
  escapes: (text) =>
    [...text.split("")].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  reverse: (text) => [...text].reverse().join(""),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
    ),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  spaced: (text) => [...text].join(" "),
  dashed: (text) => [...text].join("-"),
  json: (text) => JSON.stringify(text),
};

const PLACEHOLDER = /\$\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)((?:\s*\|\s*[a-z0-9]+)*)\s*\}/g;

/** The first placeholder with a part we do not know, or undefined. */
export function templateFault(text: string, roots: readonly string[]): string | undefined {
  for (const [whole, path = "", pipes = ""] of text.matchAll(PLACEHOLDER)) {
    const root = path.split(".")[0] ?? "";
    if (!roots.includes(root)) return `${whole}: want one of ${roots.join(", ")}, not "${root}"`;
    const unknown = names(pipes).find((name) => !Object.hasOwn(ENCODERS, name));
    if (unknown !== undefined)
      return `${whole}: no encoding "${unknown}", want one of ${Object.keys(ENCODERS).join(", ")}`;
  }
  const opened = text.replace(PLACEHOLDER, "").indexOf("${");
  return opened < 0
    ? undefined
    : "a placeholder that cannot be read, want ${name} or ${name.member | encoding}";
}

/** Fills in a value of any shape. A placeholder that is a whole text keeps the type of its value, save under `text`. */
export function fill(value: unknown, scope: Scope, key = ""): unknown {
  if (typeof value === "string") return fillText(value, scope, key);
  if (Array.isArray(value)) return value.map((item) => fill(item, scope));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, scope, name)]));
}

function fillText(text: string, scope: Scope, key: string): unknown {
  const only = /^\$\{\s*([\w.-]+)\s*\}$/.exec(text);
  if (only?.[1] !== undefined && key !== "text") return look(only[1], scope);
  return text.replace(PLACEHOLDER, (_, path: string, pipes: string) =>
    names(pipes).reduce((said, name) => ENCODERS[name]?.(said) ?? said, asText(look(path, scope))),
  );
}

const names = (pipes: string): string[] =>
  pipes
    .split("|")
    .map((name) => name.trim())
    .filter(Boolean);

function look(path: string, scope: Scope): unknown {
  return path.split(".").reduce<unknown>(memberOf, scope);
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
