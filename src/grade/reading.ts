/** What prompts and resources say, as far as they can be had: those that are listed, those that templates lead to, and those that
 *  answers link to. */
import { shown } from "../core/index.ts";
import { isRecord, type RecordedEvent } from "../wire/index.ts";
import { promptArguments } from "./client.ts";
import type { Driver } from "./driver.ts";

const MAX_LISTED = 40;
const MAX_LINKS = 12;
const MAX_TEMPLATES = 12;
const MAX_WORD = 200;

export async function readListed(driver: Driver): Promise<void> {
  const [prompts, resources] = [await driver.list("prompts/list"), await driver.list("resources/list")];
  const wanted = [
    ...named(prompts, "name").map(([name, prompt]) => ({
      what: `prompt "${shown(name, 80)}"`,
      method: "prompts/get",
      params: { name, arguments: promptArguments(prompt) },
    })),
    ...named(resources, "uri").map(([uri]) => ({
      what: `resource ${shown(uri, 120)}`,
      method: "resources/read",
      params: { uri },
    })),
  ];
  for (const { what, method, params } of wanted.slice(0, MAX_LISTED)) await driver.read(what, method, params);
}

/** After the calls: answers name resources that no list holds. */
export async function readLinked(driver: Driver, recorded: readonly RecordedEvent[]): Promise<void> {
  const templates = named(await driver.list("resources/templates/list"), "uriTemplate").map(([uri]) => uri);
  const { links, said } = linksIn(recorded, templates);
  for (const uri of links.slice(0, MAX_LINKS))
    await driver.read("resource behind a link", "resources/read", { uri });
  for (const template of templates.slice(0, MAX_TEMPLATES)) {
    const fitting = said.find((uri) => patternOf(template)?.test(uri));
    for (const uri of new Set([fitting ?? expanded(template, "1"), expanded(template, "example")]))
      await driver.read(`resource of the template ${shown(template, 120)}`, "resources/read", { uri });
  }
}

const named = (
  items: readonly unknown[],
  key: "name" | "uri" | "uriTemplate",
): [string, Record<string, unknown>][] =>
  items.flatMap((item) => (isRecord(item) && typeof item[key] === "string" ? [[item[key], item]] : []));

/** `resource_link` blocks of answers, and words in answers that begin as a template does. */
export function linksIn(
  recorded: readonly RecordedEvent[],
  templates: readonly string[],
): { readonly links: string[]; readonly said: string[] } {
  const [links, said] = [new Set<string>(), new Set<string>()];
  const schemes = new Set(templates.flatMap((template) => /^[a-z][\w+.-]{0,40}:/i.exec(template)?.[0] ?? []));
  for (const { dir, raw } of recorded) {
    if (dir !== "server->client" || typeof raw !== "string") continue;
    for (const scheme of schemes) for (const word of wordsWith(scheme, raw)) said.add(word);
    if (raw.includes('"resource_link"')) collect(parsed(raw), links);
  }
  return { links: [...links], said: [...said] };
}

/** Words that begin with this, up to a sign that no address holds. */
function* wordsWith(start: string, raw: string): Generator<string> {
  let found = 0;
  for (let at = raw.indexOf(start); at >= 0 && found < MAX_LINKS; at = raw.indexOf(start, at + 1)) {
    found += 1;
    const [word = ""] = raw.slice(at, at + MAX_WORD).split(/[\s"'\\<>]/);
    yield word;
  }
}

function collect(value: unknown, links: Set<string>, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > 20) return;
  if (isRecord(value) && value.type === "resource_link" && typeof value.uri === "string")
    links.add(value.uri);
  for (const item of Object.values(value)) collect(item, links, depth + 1);
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** `{id}`, `{/path*}`, `{?q,lang}` with one value for each name. */
export const expanded = (template: string, value: string): string =>
  template.replace(/\{([+#./;?&]?)([^{}]{0,200})\}/g, (_, operator: string, names: string) => {
    const each = names.split(",").map((name) => name.replace(/[*:].*$/, ""));
    if (operator === "?" || operator === "&" || operator === ";")
      return `${operator}${each.map((name) => `${name}=${value}`).join(operator === ";" ? ";" : "&")}`;
    return `${operator === "+" ? "" : operator}${each.map(() => value).join(operator === "/" ? "/" : ",")}`;
  });

/** What the template could have made; undefined when it has nothing to fill in. */
function patternOf(template: string): RegExp | undefined {
  const parts = template.split(/\{[^{}]{0,200}\}/);
  if (parts.length < 2 || parts.length > 8) return undefined;
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[^\\s{}]+")}$`);
}
