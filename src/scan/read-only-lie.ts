/** Tools that claim to read only and say themselves that they do more: in their name, their parameters, their description.
 *  Only what admits of one meaning fails; what merely sounds like a change is a warning. */
import type { Severity } from "../core/index.ts";
import { type Hit, hit } from "./hit.ts";
import { type Action, actionOf } from "./read-only/name.ts";
import {
  AMOUNT_PARAMETERS,
  CHANGES,
  DESTROYS,
  MAKES,
  PAYLOAD_PARAMETERS,
  RECIPIENT_PARAMETERS,
  REHEARSES,
  SECRET_PARAMETERS,
} from "./read-only/words.ts";

export interface LieHit extends Hit {
  /** The member of the tool whose text the offset counts in: `name`, `description`, `inputSchema.properties.recipient`. */
  readonly field: string;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly string[];
}

/** The lies of one tool; none for a tool that does not claim `readOnlyHint`. */
export function readOnlyLie(tool: unknown): LieHit[] {
  const annotations = member(tool, "annotations");
  if (member(annotations, "readOnlyHint") !== true) return [];
  const name = member(tool, "name");
  const description = member(tool, "description");
  const properties = member(member(tool, "inputSchema"), "properties");
  const parts: Tool = {
    name: typeof name === "string" ? name : "",
    description: typeof description === "string" ? description.slice(0, MAX_DESCRIPTION_CHARS) : "",
    parameters: typeof properties === "object" && properties !== null ? Object.keys(properties) : [],
  };
  const action = actionOf(parts.name);
  const failures = [...inName(parts, action), ...inParameters(parts, action), ...inDescription(parts)];
  return failures.length > 0
    ? failures
    : softly(parts, action, member(annotations, "destructiveHint") === true);
}

const MAX_DESCRIPTION_CHARS = 20_000;
const MAX_SENTENCE_CHARS = 600;

function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function lie(
  field: string,
  raw: string,
  start: number,
  end: number,
  message: string,
  severity: Severity,
): LieHit {
  return {
    ...hit("SCAN-07", raw, start, end, `claims readOnlyHint, but ${message}`, { severity }),
    field,
  };
}

function inName({ name }: Tool, { kind, verb }: Action): LieHit[] {
  if (kind !== "destroys") return [];
  return [lieInName(name, verb, `its name says "${verb}"`, "fail")];
}

function lieInName(name: string, verb: string, message: string, severity: Severity): LieHit {
  const start = Math.max(0, name.search(new RegExp(verb, "i")));
  return lie("name", name, start, Math.min(name.length, start + verb.length), message, severity);
}

function inParameters({ parameters }: Tool, { kind, verb }: Action): LieHit[] {
  const plain = parameters.map((parameter) => ({
    parameter,
    key: parameter
      .slice(0, 100)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ""),
  }));
  const hasAmount = plain.some(({ key }) => AMOUNT_PARAMETERS.test(key));
  return plain.flatMap(({ parameter, key }) => {
    const at = (message: string, severity: Severity): LieHit =>
      lie(`inputSchema.properties.${parameter}`, parameter, 0, parameter.length, message, severity);
    if (SECRET_PARAMETERS.test(key)) return [at(`its parameter "${parameter}" takes a secret`, "fail")];
    if (!RECIPIENT_PARAMETERS.test(key)) return [];
    // A recipient filters a search and shapes a quote; with an amount, anything else moves value.
    if (kind === "reads") {
      if (!hasAmount || REHEARSES.has(verb)) return [];
      return [at(`its parameter "${parameter}" beside an amount names a movement of value`, "warn")];
    }
    if (/^to|^destination/.test(key) && !hasAmount) return [];
    return [at(`its parameter "${parameter}" names where something goes`, "fail")];
  });
}

const VALUE =
  "(?:funds|money|tokens?|coins?|crypto(?:currency)?|payments?|ether|eth|btc|bitcoin|sol|usdc?|assets?|ownership)";
/** The tool as the subject, or nobody: the sentence is then an order or a title. */
const SUBJECT =
  "(?:(?:this|the) (?:tool|function|endpoint|command|method|operation)(?: (?:will|can|also))* |use (?:this|it)(?: tool)? to |it (?:will |also )?|(?:will|can|also) )?(?:(?:permanently|irreversibly|immediately|completely|securely|safely|atomically|automatically|silently|recursively) (?:and \\w{4,20} )?){0,2}";
const DEED = `(?:(?:deletes?|erases?|wipes?|purges?|destroys?|withdraws?|revokes?)\\b(?! (?:operations?|requests?|events?|actions?|permissions?|status|history|logs?|markers?|flags?|rate|policy|policies|protection|candidates?)\\b)|transfers? [^.;\\n]{0,40}\\b${VALUE}\\b|sends? [^.;\\n]{0,30}\\b${VALUE}\\b|signs? (?:and \\w{4,20} )?(?:an? |the )?(?:\\w{2,20} )?transactions?\\b|burns? [^.;\\n]{0,20}\\b(?:tokens?|coins?|nfts?)\\b)`;
const OPENS_SENTENCE = new RegExp(
  `^[\\s#>*"'(\\[\\]-]{0,8}(?:\\[[^\\]\\n]{1,40}\\] ?)?${SUBJECT}(${DEED})`,
  "i",
);
const ALSO =
  /\b(?:and|then|also)(?: then| also| permanently| irreversibly)? ((?:deletes|erases|wipes|purges|destroys|withdraws|revokes)\b)/i;
/** Sentences about somebody else, or about what does not happen. */
const NEGATED =
  /\b(?:not|never|cannot|without|no|nothing|none|neither|instead of|rather than|unlike|before|if|when|whenever|who|which|that|whether|how|what|after|until|unless|dry[ -]?run|would|simulat\w{1,6}|previews?)\b|n't\b/i;

function inDescription({ description }: Tool): LieHit[] {
  for (const { text, start } of sentences(description)) {
    const match = OPENS_SENTENCE.exec(text) ?? ALSO.exec(text);
    const deed = match?.[1];
    if (match === null || deed === undefined) continue;
    const from = match.index + match[0].length - deed.length;
    // Behind an order only its own object may be denied: "deletes nothing", "deletes no file".
    if (NEGATED.test(text.slice(0, from)) || /^\w{1,20} (?:nothing|no|none)\b/i.test(text.slice(from)))
      continue;
    const at = start + from;
    return [lie("description", description, at, at + deed.length, `its description says "${deed}"`, "fail")];
  }
  return [];
}

function* sentences(text: string): Generator<{ text: string; start: number }> {
  const end = /[.;!?](?=\s|$)|\n/g;
  let start = 0;
  for (let match = end.exec(text); match !== null; match = end.exec(text)) {
    if (match.index > start)
      yield { text: text.slice(start, Math.min(match.index, start + MAX_SENTENCE_CHARS)), start };
    start = match.index + 1;
  }
  if (start < text.length) yield { text: text.slice(start, start + MAX_SENTENCE_CHARS), start };
}

const CHINESE_CHANGES = /创建|删除|更新|修改|写入|部署|上传|销毁|新增|绑定/;
const CHINESE_READS = /只读|不产生任何变更|仅查询/;

function softly({ name, description, parameters }: Tool, action: Action, isDestructive: boolean): LieHit[] {
  const warn = (verb: string, message: string): LieHit[] => [lieInName(name, verb, message, "warn")];
  if (action.kind === "reads") return [];
  if (action.kind === "changes") return warn(action.verb, `its name says "${action.verb}"`);
  if (isDestructive) return warn("", "it claims destructiveHint as well");
  const lead = leadingVerb(description);
  const isConfirmed =
    lead !== "" || (CHINESE_CHANGES.test(description) && !CHINESE_READS.test(description.slice(0, 400)));
  if (action.kind === "makes" && isConfirmed) {
    return warn(action.verb, `its name says "${action.verb}" and its description agrees`);
  }
  if (lead === "" || !parameters.some((parameter) => PAYLOAD_PARAMETERS.test(parameter.toLowerCase())))
    return [];
  const start = Math.max(0, description.search(new RegExp(lead, "i")));
  const message = `its description says "${lead}" and it takes something to write`;
  return [lie("description", description, start, start + lead.length, message, "warn")];
}

/** What comes out of these is the answer: a text, a chart, a plan. */
const SHOWS: ReadonlySet<string> = new Set(["generate", "build", "make", "perform", "format"]);

/** What is added up is no addition to anything: "Adds two numbers". */
const ARITHMETIC =
  /^[\s#*"'<>]{0,8}adds?(?: (?:up|together|the|an?|two|three|several|multiple|all|given|list|array|of|any|\d{1,3})){0,5} (?:numbers|integers|floats|decimals|operands|addends|summands|fractions|vectors|matrices)\b(?! (?:in)?to\b)/i;

/** The verb a description opens with, when it changes something: "Creates a branch" gives "create". */
function leadingVerb(description: string): string {
  if (ARITHMETIC.test(description)) return "";
  const opening =
    /^[\s#*"'<>]{0,8}(?:[A-Za-z]{4,20}ly )?([A-Za-z]{3,20})\b/.exec(description)?.[1]?.toLowerCase() ?? "";
  for (const verb of [opening, opening.replace(/s$/, ""), opening.replace(/es$/, "")])
    if (DESTROYS.has(verb) || CHANGES.has(verb) || (MAKES.has(verb) && !SHOWS.has(verb))) return verb;
  return "";
}
