/** The servers of a suite: commands as words that no shell reads, or URLs with headers. */
import { defined, shown } from "../../core/index.ts";
import type { SuiteServer } from "../model.ts";
import { type Shaped, shapeOf } from "./shape.ts";
import { type Spot, wrong } from "./source.ts";
import { itemsOf, nameOf, textOf } from "./values.ts";
import { type Environment, type Fill, filledText, fromEnvironment, missingEnv } from "./variables.ts";

export interface ServerReading {
  readonly fill: Fill;
  readonly env: Environment;
}

const MAX_WORDS = 1_000;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

export function readServer(spot: Spot, reading: ServerReading): SuiteServer {
  if (spot.kind !== "map") throw wrong(spot, "want a map with command or url");
  const members = spot.members();
  const isUrl = members.has("url");
  if (isUrl && members.has("command")) throw wrong(spot, "want exactly one of command and url");
  if (!isUrl && !members.has("command") && !members.has("cassette"))
    throw wrong(spot, "want exactly one of command and url");
  return isUrl
    ? readUrlServer(shapeOf(spot, "urlServer"), spot, reading)
    : readCommandServer(shapeOf(spot, "commandServer"), spot, reading);
}

function readCommandServer(
  { command, env }: Shaped<"commandServer">,
  { place }: Spot,
  { fill }: ServerReading,
): SuiteServer {
  if (command.kind !== "list")
    throw wrong(command, 'want a list of words, such as ["node", "server.js"]: no shell reads it');
  const words = itemsOf(command, MAX_WORDS, 1).map((word) => filledText(word, fill));
  const [program] = words;
  if (program === "") throw wrong(command, "the first word names a program");
  const added = env === undefined ? {} : textsOf(env, (member) => filledText(member, fill));
  return { kind: "command", command: words, env: added, place };
}

function readUrlServer(
  { url, headers, auth, wait_for_ready }: Shaped<"urlServer">,
  { place }: Spot,
  reading: ServerReading,
): SuiteServer {
  const sent = headers === undefined ? {} : readHeaders(headers, reading);
  if (auth !== undefined) {
    if (Object.keys(sent).some((name) => name.toLowerCase() === "authorization"))
      throw wrong(auth, "the header Authorization is given already");
    const { bearer_token_env } = shapeOf(auth, "auth");
    sent.Authorization = `Bearer ${headerText(bearer_token_env, ofEnvironment(bearer_token_env, reading))}`;
  }
  const ready = wait_for_ready === undefined ? undefined : durationOf(wait_for_ready);
  return {
    kind: "url",
    url: urlOf(url, reading.fill),
    headers: sent,
    place,
    ...defined({ readyWithinMs: ready }),
  };
}

function urlOf(spot: Spot, fill: Fill): string {
  const text = filledText(spot, fill);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw wrong(spot, "want an http or https URL");
  if (url.username !== "" || url.password !== "")
    throw wrong(spot, "the URL holds a user name or password; use auth or headers");
  return text;
}

function readHeaders(spot: Spot, reading: ServerReading): Record<string, string> {
  return textsOf(spot, (member, name) => {
    if (!HEADER_NAME.test(name)) throw wrong(member, `"${shown(name, 60)}" is no name of a header`);
    if (member.kind !== "map") return headerText(member, filledText(member, reading.fill));
    const { env } = shapeOf(member, "headerFromEnv");
    return headerText(member, ofEnvironment(env, reading));
  });
}

/** A line break in a header would be another header. The value is not shown: it may be a secret. */
function headerText(spot: Spot, text: string): string {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
    throw wrong(spot, "the value has characters that no header has");
  return text;
}

function ofEnvironment(spot: Spot, { env }: ServerReading): string {
  const name = nameOf(spot);
  const value = fromEnvironment(env, name);
  if (value === undefined) throw missingEnv(spot, name);
  return value;
}

function textsOf(spot: Spot, read: (member: Spot, name: string) => string): Record<string, string> {
  if (spot.kind !== "map") throw wrong(spot, "want a map of names to text");
  return Object.fromEntries([...spot.members()].map(([name, member]) => [name, read(member.spot, name)]));
}

function durationOf(spot: Spot): number {
  const [, digits, unit = ""] = /^(\d{1,6})(ms|s|m)$/.exec(textOf(spot)) ?? [];
  if (digits === undefined) throw wrong(spot, "want a time such as 500ms, 10s or 2m");
  return Number(digits) * (UNITS[unit] ?? 1);
}
