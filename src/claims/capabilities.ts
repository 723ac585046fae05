/** Capability claims as sets of paths: `sampling.tools`, `elicitation.url`, `extensions.com.example/x`.
 *  Implements spec/claims.md, CLM-1 to CLM-6, CLM-24 and CLM-25. */
import { hash } from "node:crypto";
import { isObject, type JsonObject } from "./json.ts";

export type CapabilitySet = ReadonlySet<string>;

// Claims are attacker-controlled. An honest client claims a handful, four levels deep, with short names.
const MAX_PATHS = 512;
const MAX_DEPTH = 5;
const MAX_KEY_CHARS = 100;

/** Stands for what was not looked at. Never agreed, so that nothing can hide behind the limit. */
const MORE = `(more than ${MAX_PATHS} capabilities)`;
const DEEPER = "…";

/** Maps from an identifier to settings: the identifiers are the capabilities, the settings are their owners' affair. */
const MAPS: readonly string[] = ["experimental", "extensions"];

/** What only a server can grant. A client that repeats these words claims nothing beyond the grant. */
const SERVER_WORDS: readonly string[] = ["tools", "resources", "prompts", "completions", "logging"];

const ELICITATION = "elicitation";
const FORM = "elicitation.form";

/** Every capability an object claims, each with the capabilities it is part of. */
export function capabilityPaths(capabilities: unknown): CapabilitySet {
  const paths = new Set<string>();
  if (isObject(capabilities)) collect(capabilities, "", 1, paths);
  return paths;
}

function collect(members: JsonObject, parent: string, depth: number, paths: Set<string>): void {
  for (const [key, value] of Object.entries(members)) {
    if (!isClaim(value)) continue;
    if (paths.size >= MAX_PATHS) {
      paths.add(MORE);
      return;
    }
    const path = pathOf(parent, key);
    if (!isMap(path, value)) paths.add(path);
    if (path === ELICITATION && namesNoMode(value)) paths.add(FORM);
    if (!isObject(value) || isIdentifier(path)) continue;
    if (depth < MAX_DEPTH) collect(value, path, depth + 1, paths);
    else if (Object.values(value).some(isClaim)) paths.add(`${path}.${DEEPER}`);
  }
}

/** The capabilities a list of words stands for: each word as its empty object does on the wire. */
export function negotiatedPaths(words: readonly string[]): CapabilitySet {
  const paths = new Set<string>();
  for (const word of words) {
    if (MAPS.includes(word)) continue;
    paths.add(word);
    if (word === ELICITATION) paths.add(FORM);
    if (isIdentifier(word)) continue;
    for (let dot = word.indexOf("."); dot > 0; dot = word.indexOf(".", dot + 1))
      paths.add(word.slice(0, dot));
  }
  return paths;
}

/** What is claimed and was not agreed. */
export function extrasOf(claims: CapabilitySet, agreed: CapabilitySet): string[] {
  return [...claims].filter((path) => path === MORE || !agreed.has(path));
}

/** Of what a server granted, the part that a client may repeat. */
export function serverWords(granted: CapabilitySet): string[] {
  return [...granted].filter((path) => SERVER_WORDS.includes(path.split(".", 1)[0] ?? ""));
}

/** The capabilities object without what was not agreed. The same object when there is nothing to take away. */
export function withinAgreed(capabilities: unknown, agreed: CapabilitySet): unknown {
  if (!isObject(capabilities)) return capabilities;
  return extrasOf(capabilityPaths(capabilities), agreed).length === 0
    ? capabilities
    : keep(capabilities, "", 1, agreed);
}

function keep(members: JsonObject, parent: string, depth: number, agreed: CapabilitySet): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(members)) {
    const path = pathOf(parent, key);
    if (!isClaim(value)) kept.push([key, value]);
    else if (isMap(path, value)) kept.push([key, keep(value, path, depth + 1, agreed)]);
    else if (agreed.has(path)) {
      const part = isObject(value) && !isIdentifier(path) ? keepPart(value, path, depth, agreed) : value;
      // An empty elicitation claims the form mode: it goes when the form was not agreed, and when it was not claimed.
      const wasForm = namesNoMode(value);
      if (path === ELICITATION && namesNoMode(part) && !(wasForm && agreed.has(FORM))) continue;
      kept.push([key, part]);
    }
  }
  return Object.fromEntries(kept);
}

function keepPart(value: JsonObject, path: string, depth: number, agreed: CapabilitySet): JsonObject {
  if (depth < MAX_DEPTH) return keep(value, path, depth + 1, agreed);
  return agreed.has(`${path}.${DEEPER}`) ? value : {};
}

/** `false`, `null` and nothing are no claim; an empty object is one, and so is every value nobody foresaw. */
function isClaim(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function isMap(path: string, value: unknown): value is JsonObject {
  return MAPS.includes(path) && isObject(value);
}

function isIdentifier(path: string): boolean {
  return MAPS.some((map) => path.startsWith(`${map}.`));
}

function namesNoMode(elicitation: unknown): boolean {
  return (
    !isObject(elicitation) || (!Object.hasOwn(elicitation, "form") && !Object.hasOwn(elicitation, "url"))
  );
}

/** Identifiers have dots of their own and stand as they are; any other name with a dot in it is quoted. */
function pathOf(parent: string, key: string): string {
  const name =
    key.length > MAX_KEY_CHARS ? `${key.slice(0, 40)}${DEEPER}${hash("sha256", key).slice(0, 16)}` : key;
  if (MAPS.includes(parent)) return `${parent}.${name}`;
  const step = /^[^."\s]+$/.test(name) ? name : JSON.stringify(name);
  return parent === "" ? step : `${parent}.${step}`;
}
