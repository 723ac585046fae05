/** What has come about with another standing of a server: written down then, and not when somebody asks. Pure.
 *  Implements spec/gateway.md, GTW-93 and GTW-98. */
import type { AuditEvent } from "../audit/index.ts";
import { defined, shown } from "../core/index.ts";
import {
  admissionText,
  admissionWord,
  faultOf,
  type Mode,
  type Rules,
  type Standing,
  serverNamed,
} from "../policy/index.ts";
import { LIST_WORDS, type Unread, WHOLE } from "./lists.ts";
import { wayIn } from "./standing.ts";

export interface Change {
  readonly event: AuditEvent;
  /** For whoever watches. */
  readonly words: string;
}

/** `isStart`: it was started since, so that its admission is told even where it is as before. `unread`: what it shows there is not known. */
export function changesBetween(
  before: Standing,
  now: Standing,
  { mode, modes }: Rules,
  isStart: boolean,
  unread: Unread = WHOLE,
): readonly Change[] {
  const { name: server, admission, policy } = now;
  const named = namedOf(now);
  const changes: Change[] = [];
  const drifted: Change[] = [];
  const twice: Change[] = [];
  const tasks: Change[] = [];
  const flawed: Change[] = [];
  if (isStart || JSON.stringify(before.admission) !== JSON.stringify(admission))
    changes.push({
      event: {
        type: "admission",
        outcome: faultOf(admission) === undefined ? "allowed" : outcomeIn(modes.admission),
        server,
        data: {
          status: admissionWord(admission, modes.admission),
          ...groundsOf(admission),
          ...(policy.label === null ? {} : { server_label: policy.label }),
          tools: now.tools.size,
        },
      },
      words: `${named}: ${inWords(now, modes.admission)}`,
    });
  for (const [tool, { hasDrifted, isTwice, isTaskOnly, flaw }] of now.tools) {
    const known = before.tools.get(tool);
    const whose = `${named}: the tool "${shown(tool, 80)}"`;
    if (hasDrifted && !known?.hasDrifted)
      drifted.push({
        event: { type: "drift", outcome: outcomeIn(modes.drift), server, tool },
        words: `${whose} is not the one that was attested or locked`,
      });
    if (isTwice && !known?.isTwice)
      twice.push({
        event: { type: "finding", outcome: "denied", server, tool, data: { rule: "listed-twice" } },
        words: `${named}: it lists the tool "${shown(tool, 80)}" more than once, and nobody can call it`,
      });
    if (isTaskOnly && !known?.isTaskOnly)
      tasks.push({
        event: { type: "finding", outcome: "denied", server, tool, data: { rule: "task-only" } },
        words: `${whose} can only be called as a task, and tasks are not passed on: it is not shown`,
      });
    if (flaw !== undefined && known?.flaw !== flaw)
      flawed.push({
        event: { type: "finding", outcome: outcomeIn(modes.description), server, tool, data: { flaw } },
        words: `${whose} is hostile to read: ${flaw}`,
      });
  }
  changes.push(...someOf(drifted), ...someOf(twice), ...someOf(tasks), ...someOf(flawed));
  // What nobody has looked at is not shown: without a word its user would look for it in vain.
  const isListed = mode === "spec" && policy.allowedTools !== null;
  const added = [...(isListed ? [] : now.tools)].flatMap(([tool, { isStranger, hasDrifted, isTwice }]) =>
    isStranger && !hasDrifted && !isTwice && !before.tools.get(tool)?.isStranger ? [tool] : [],
  );
  if (added.length > 0) {
    const outcome = mode === "strict" ? "denied" : outcomeIn(modes.drift);
    changes.push({
      event: {
        type: "finding",
        outcome,
        server,
        data: {
          ...(added.length > MAX_TOLD ? { more: added.length - MAX_TOLD } : {}),
          rule: "new-tool",
          tools: added.slice(0, MAX_TOLD).map((tool) => shown(tool, 200)),
        },
      },
      words: `${named}: it shows what was neither attested nor locked${outcome === "denied" ? ", and nobody can call it" : ""}: ${shown(added.join(", "), 200)}`,
    });
  }
  // Who names what is not there has misspelt it, or expects another version.
  const missing = (policy.allowedTools ?? []).filter((tool) => !now.tools.has(tool));
  if (isStart && !unread.has("tools") && missing.length > 0)
    changes.push({
      event: {
        type: "finding",
        outcome: "allowed",
        server,
        data: { missing: missing.slice(0, MAX_MISSING) },
      },
      words: `${named}: allowed_tools names what it does not show: ${shown(missing.join(", "), 200)}`,
    });
  return [...changes, ...LISTED.flatMap((list) => flawsBetween(list, before, now, modes.description))];
}

/** Lists that could be read, and can no longer, or never could. */
export function unreadSince(
  before: Unread,
  now: Unread,
  { name: server, policy }: Standing,
): readonly Change[] {
  return [...now]
    .filter(([list]) => !before.has(list))
    .map(([list, reason]) => ({
      event: { type: "finding", outcome: "denied", server, data: { list, reason, rule: "list-unread" } },
      words: `${serverNamed(server, policy.label)}: its list of ${LIST_WORDS[list]} could not be read to its end: ${reason}; nothing of it is shown until it can`,
    }));
}
const LISTED = ["resources", "templates", "prompts"] as const;
const WORDS = { resources: "resource", templates: "template", prompts: "prompt" } as const;
/** A list may be long, and another one each time it is read: of one kind so many are told at once. */
const MAX_TOLD = 16;

/** The first of many that are of one kind; the last of these says how many more there are. */
export function someOf(changes: readonly Change[]): readonly Change[] {
  const more = changes.length - MAX_TOLD;
  const some = changes.slice(0, MAX_TOLD);
  const last = some.at(-1);
  if (more <= 0 || !last) return some;
  const { event, words } = last;
  return [
    ...some.slice(0, -1),
    { event: { ...event, data: { ...event.data, more } }, words: `${words} (and ${more} more)` },
  ];
}

function flawsBetween(
  list: (typeof LISTED)[number],
  before: Standing,
  now: Standing,
  mode: Mode,
): readonly Change[] {
  const { name: server } = now;
  const named = namedOf(now);
  const word = WORDS[list];
  const flawed = [...(now[list] ?? [])].filter(
    ([name, flaw]) => flaw !== "" && before[list]?.get(name) !== flaw,
  );
  return someOf(
    flawed.map(([name, flaw]) => ({
      event: {
        type: "finding",
        outcome: outcomeIn(mode),
        server,
        data: { flaw, [word]: shown(name, 200) },
      },
      words: `${named}: the ${word} "${shown(name, 80)}" is hostile to read: ${flaw}`,
    })),
  );
}
const MAX_MISSING = 16;

const namedOf = ({ name, policy: { label } }: Standing): string => serverNamed(name, label);

function groundsOf(admission: Standing["admission"]): Readonly<Record<string, unknown>> {
  switch (admission.status) {
    case "admitted":
      return {
        grade: admission.grade,
        ...defined({ clearance: admission.clearance, lapsed: admission.lapsed, reason: faultOf(admission) }),
      };
    case "exempted":
      return { ...admission.by };
    case "refused":
      return { reason: admission.reason };
    case "locked":
    case "unasked":
      return {};
  }
}

function inWords({ admission }: Standing, mode: Mode): string {
  const fault = faultOf(admission);
  const way = wayIn(admission, mode);
  if (fault !== undefined)
    return `${admissionText(admissionWord(admission, mode), mode)}: ${fault}${way === undefined ? "" : ` (${way})`}`;
  if (admission.status === "exempted")
    return `exempted until ${admission.by.expires}: ${shown(admission.by.reason, 200)} (${admission.by.lacks})`;
  if (admission.status === "unasked") return "let in, nothing is asked of it";
  if (admission.status !== "admitted") return admission.status;
  const { grade, clearance, lapsed } = admission;
  const cleared = clearance === undefined ? "" : `, clearance ${shown(clearance, 80)}`;
  return `admitted${cleared}, ${grade === null ? "no grade" : `grade ${grade}`}${lapsed === undefined ? "" : `; ${lapsed}`}`;
}

const outcomeIn = (mode: Mode): "denied" | "allowed" => (mode === "enforce" ? "denied" : "allowed");
