/** `policy check` and `policy explain`: the gateway's file read as the gateway reads it, and told. */
import { defined, didYouMean, type ExitCode, shown, TrustError } from "../core/index.ts";
import { canBeCalled, prepare, type ServerView, unseenIn, viewOf } from "../gateway/index.ts";
import { admissionText, type Mode, policyFor, serverNamed } from "../policy/index.ts";
import { CONFIG_FILE } from "../target/index.ts";
import type { Words } from "./command.ts";
import { exemptionLines } from "./exempted.ts";
import type { Output } from "./output.ts";

async function viewsOf(
  words: Words,
): Promise<{ views: ServerView[]; warnings: readonly string[]; mode: string; admission: Mode }> {
  const { servers, table, rules, warnings } = await prepare(words.text("config") ?? CONFIG_FILE, {
    isOnlyRead: true,
  });
  const misspelt: string[] = [];
  // What servers publish is fetched when it is asked for.
  for (const { voucher } of servers) voucher();
  await Promise.all(servers.map(({ fetched }) => fetched?.()));
  const views = servers.map(({ name, target: { launch }, voucher }) => {
    const url = launch.kind === "http" ? launch.url.href : undefined;
    const server = { name, ...defined({ url }) };
    const found = voucher();
    const view = viewOf(server, table, rules, found);
    const unseen = unseenIn(policyFor(table, server), rules, found);
    const seen = view.tools.map((tool) => tool.name).filter((tool) => !unseen.includes(tool));
    for (const tool of unseen)
      misspelt.push(
        `${name}: allowed_tools names "${shown(tool, 80)}", which was neither attested nor locked, so that nobody can call it${didYouMean(tool, seen)}`,
      );
    return view;
  });
  return { views, warnings: [...warnings, ...misspelt], mode: rules.mode, admission: rules.modes.admission };
}

export async function runCheck(words: Words, out: Output): Promise<ExitCode> {
  const { views, warnings, mode, admission } = await viewsOf(words);
  out.json({ mode, servers: views, warnings });
  for (const view of views) {
    const { status, exemption, fault, level } = view;
    const tools = view.tools.filter(canBeCalled);
    const how = exemption
      ? `exempted until ${exemption.expires}, ${out.text(exemption.waived.join(", "), 80)} waived (${out.text(exemption.reason, 500)})`
      : fault !== ""
        ? `${admissionText(status, admission)}: ${out.text(fault, 600)}${wayOf(view)}`
        : admittedBy(view, out);
    out.line(
      `${named(view, out)}  ${how}; answers are believed as ${level}; ${tools.length === 0 ? noneOf(view, out) : tools.map((tool) => toolOf(view, tool.name, out)).join(", ")}`,
    );
  }
  for (const warning of warnings) out.line(`warning: ${out.text(warning, 300)}`);
  return 0;
}

/** `*` stands for any tool, where it is no name of one that a list has. */
const toolOf = ({ isAny }: ServerView, name: string, out: Output): string =>
  isAny && name === "*" ? "any tool" : out.text(name, 80);

/** Where it is let in, and its tools are not, that is a matter of each of them. */
const noneOf = ({ name, fault, tools }: ServerView, out: Output): string =>
  fault === "" && tools.length > 0
    ? `no tool can be called: touchstone policy explain ${out.text(name, 80)} says why`
    : "no tool can be called";

const named = ({ name, label }: ServerView, out: Output): string => out.text(serverNamed(name, label), 300);

const wayOf = ({ wayIn }: ServerView): string => (wayIn === undefined ? "" : ` (${wayIn})`);

/** On what ground it is let in. */
function admittedBy({ status, grade, clearance, reason }: ServerView, out: Output): string {
  if (status === "unasked") return "let in, nothing is asked of it";
  const cleared = clearance === undefined ? [] : [`clearance ${out.text(clearance, 80)}`];
  const but = reason === "" ? [] : [out.text(reason, 300)];
  return [status, ...cleared, grade === null ? "no grade" : `grade ${grade}`, ...but].join(", ");
}

export async function runExplain(words: Words, out: Output): Promise<ExitCode> {
  const [name, ...more] = words.positionals;
  if (name === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "policy explain needs the name of one server");
  const { views, mode, admission } = await viewsOf(words);
  const view = views.find((each) => each.name === name);
  if (!view)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `there is no server "${out.text(name, 80)}"${didYouMean(
        name,
        views.map((each) => each.name),
      )}`,
    );
  out.json(view);
  const { status, grade, exemption, fault, level, tools } = view;
  const how =
    fault !== ""
      ? `${admissionText(status, admission)}: ${out.text(fault, 300)}${wayOf(view)}`
      : exemption
        ? "exempted"
        : admittedBy(view, out);
  out.line(`${named(view, out)}: ${how}`);
  if (exemption)
    for (const line of exemptionLines(exemption, (value) => out.text(value, 500))) out.line(`  ${line}`);
  out.line(`  grade ${grade ?? "none"}; answers are believed as ${level}; policy ${mode}`);
  for (const tool of tools)
    out.line(
      `  ${toolOf(view, tool.name, out)}: ${tool.reads} where it only reads, ${tool.changes} where it may change something`,
    );
  if (tools.length === 0) out.line("  no tool of it could be called: none is allowed, attested or locked");
  return 0;
}
