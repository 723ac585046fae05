/** A suggested policy as YAML for touchstone.yml, with what a person needs to decide in comments. Whatever servers and tools are called, the
 *  names are read back as they are, and no comment ends before its line does. Pure. Implements spec/gateway.md, GTW-35. */
import { count, shown } from "../core/index.ts";
import type { Tally } from "./seen.ts";
import type { SeenFlow, Suggestion, Tried } from "./suggest.ts";

const MAX_LINE_CHARS = 400;
const MAX_NAME_CHARS = 80;
/** More of one sort is counted and not told. */
const MAX_LINES = 50;
const MAX_WAYS = 5;

/** `about` is told first: where it comes from. */
export function suggestionText(suggestion: Suggestion, about: readonly string[]): string {
  const { flows, sanitizers } = suggestion;
  const lines = [
    ...about.map(comment),
    ...head(suggestion).map(comment),
    "",
    "policy: strict",
    "",
    ...modes(suggestion),
    "",
    ...servers(suggestion),
    "",
    "security:",
    "  trust_boundary:",
    ...(sanitizers.length > 0 && flows.length > 0
      ? [
          `    ${comment("these open nothing by themselves: what flows has to pass one of required_sanitizers")}`,
        ]
      : []),
    ...list("    allowed_flows:", flows.flatMap(flowLines)),
    ...(sanitizers.length > 0
      ? list(
          "    required_sanitizers:",
          sanitizers.map((name) => `      - ${quoted(name)}`),
        )
      : []),
    ...section("not in it, flows:", suggestion.flowsLeftOut.map(flowLeftOut)),
    ...section(
      "not in it:",
      suggestion.leftOut.map(({ server, tool, why, seen }) => {
        const whose = server === null ? "of no server" : name(server);
        return `${whose}${tool === null ? "" : `: ${name(tool)}`}, ${why}${seen ? `, ${tallied(seen)}` : ""}`;
      }),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function head({ seen, guarded, tried }: Suggestion): string[] {
  const stopped = tried.filter(({ kind }) => kind !== "allow" && kind !== "warn");
  const calls = (some: readonly Tried[]): number => some.reduce((sum, each) => sum + each.calls, 0);
  return [
    "Put this in place of policy, modes, mcp_servers and security in touchstone.yml, then: touchstone policy check",
    `Made of ${tallied(seen)}. touchstone why ID tells more of each.`,
    ...(guarded > 0
      ? [
          `${count(guarded, "call was", "calls were")} decided with controls on: what they stopped is not in here.`,
        ]
      : []),
    `With it ${calls(tried) - calls(stopped)} of these calls would be let through as they are.`,
    ...limited(
      stopped.map(
        ({ kind, rule, server, tool, calls: n, example }) =>
          `  ${WORDS[kind]}${rule === "" ? "" : ` by ${rule}`}: ${name(server)}: ${name(tool)}, ${count(n, "call")}, such as ${example}`,
      ),
    ),
  ];
}

const WORDS: Readonly<Record<Tried["kind"], string>> = {
  allow: "allowed",
  warn: "warned of",
  ask: "asked about",
  deny: "denied",
  unknown: "not known",
};

function modes({ admission, flow, ungraded, tried, triggerFrom, modes: kept }: Suggestion): string[] {
  const could = admission === "enforce" ? "can be called" : "could be called with enforce";
  const why = `no grade, so that nothing of them ${could}: ${ungraded.slice(0, MAX_LINES).map(name).join(", ")}`;
  return [
    "modes:",
    ...(ungraded.length > 0 ? [`  ${comment(why)}`] : []),
    `  admission: ${admission}`,
    "  drift: enforce",
    "  description: enforce",
    ...(tried.some(({ kind, rule }) => kind === "deny" && rule === "trigger")
      ? [`  ${comment("denies calls that were seen, see above; with policy: spec they are asked about")}`]
      : []),
    "  trigger: enforce",
    `  flow: ${flow}`,
    ...Object.entries(kept).map(([control, mode]) => `  ${control}: ${mode}`),
    ...(triggerFrom === "context" ? ["  trigger_from: context"] : []),
  ];
}

const servers = ({ servers: all }: Suggestion): string[] =>
  map(
    "mcp_servers:",
    all.flatMap(({ name: server, label, tools, notes }) => [
      `  ${quoted(server)}:`,
      ...notes.map((note) => `    ${comment(note)}`),
      ...(label === null ? [] : [`    label: ${quoted(label)}`]),
      "    server_trust: none",
      "    resource_trust: none",
      ...list(
        "    allowed_tools:",
        tools.map((tool) => `      - ${quoted(tool.name)} ${comment(tallied(tool))}`),
      ),
    ]),
  );

const flowLines = (flow: SeenFlow): string[] => [
  `      ${comment(flowWords(flow))}`,
  `      - from: ${quoted(flow.from)}`,
  `        to: ${quoted(flow.to)}`,
];

const flowLeftOut = (flow: SeenFlow & { readonly why: string }): string =>
  `${name(flow.from)} to ${name(flow.to)}: ${flow.why}${flow.calls > 0 ? `: ${flowWords(flow)}` : ""}`;

function flowWords(flow: SeenFlow): string {
  const ways = flow.ways.slice(0, MAX_WAYS).map(([from, into]) => `${name(from)} into ${name(into)}`);
  const more = flow.ways.length > MAX_WAYS ? [`${flow.ways.length - MAX_WAYS} more`] : [];
  return `${count(flow.values, "value")} in ${tallied(flow)}; ${[...ways, ...more].join(", ")}; ${flow.kinds.join(", ")}`;
}

const tallied = ({ calls, first, last, example }: Tally): string =>
  calls === 1
    ? `1 call, ${first}, ${example}`
    : `${count(calls, "call")}, ${first} to ${last}, such as ${example}`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", comment(title), ...limited(lines).map((line) => comment(`  ${line}`))];

const limited = (lines: readonly string[]): string[] =>
  lines.length <= MAX_LINES
    ? [...lines]
    : [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more, all with --json`];

const list = (key: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`${key} []`] : [key, ...lines];
const map = (key: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`${key} {}`] : [key, ...lines];

/** One line, whatever is in it. */
const comment = (text: string): string => `# ${shown(text, MAX_LINE_CHARS)}`;

/** A name in a comment, told apart from the words around it. */
const name = (text: string): string =>
  text.length <= MAX_NAME_CHARS ? quoted(text) : `${quoted(text.slice(0, MAX_NAME_CHARS))}...`;

/** In double quotes, which YAML and JSON share, and in ASCII alone: letters that look like others are seen. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/gu, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
