/** What `wrap` did, or would do, for people and as JSON. Texts of servers and configs are shown as data. */
import { join } from "node:path";
import { count, defined } from "../../core/index.ts";
import { CONFIG_FILE } from "../../target/index.ts";
import { commandLine } from "../consent.ts";
import { useText } from "../contain.ts";
import type { Output } from "../output.ts";
import { ENTRY_NAME } from "./entry.ts";
import type { Located } from "./locate.ts";
import type { Looked } from "./look.ts";
import type { Candidate, Stay } from "./plan.ts";
import type { State } from "./state.ts";

const MAX_SHOWN = 40;

interface Common {
  readonly located: Located;
  readonly kept: State["servers"];
  readonly stays: readonly Stay[];
}

interface Planned extends Common {
  readonly candidates: readonly Candidate[];
  readonly entry: Readonly<Record<string, unknown>>;
}

export function showPlan({ located, kept, candidates, stays, entry }: Planned, out: Output): void {
  const { file, folder, client } = located;
  out.json({
    file,
    folder,
    client: client.id,
    isWritten: false,
    isDryRun: true,
    entry,
    servers: [
      ...kept.map(({ name, as }) => ({ name, as, status: "behind" })),
      ...candidates.map(({ name, as, notes }) => ({ name, as, status: "would-be-wrapped", notes })),
      ...stays.map(staying),
    ],
    exit: stays.some(({ isFault }) => isFault) ? 1 : 0,
  });
  for (const { name } of kept) out.line(`behind      ${out.text(name, 120)}`);
  for (const { name, launch, notes, entry: from } of candidates) {
    const secrets = from.start.kind === "launch" ? from.start.secrets : [];
    out.line(
      `would wrap  ${out.color.bold(out.text(name, 120))}: ${out.text(commandLine({ launch, secrets }), 1000)}`,
    );
    for (const note of notes) out.line(`  ${out.text(note, 400)}`);
  }
  showStays(stays, "stays      ", out);
  out.line();
  if (candidates.length === 0) {
    out.line("there is nothing more to wrap");
    return;
  }
  out.line(`each would be started and looked at first; what cannot be looked at stays`);
  out.line(`would keep all of it in ${out.text(folder, 1000)}`);
  out.line(`would put "${ENTRY_NAME}" in their place in ${out.text(file, 1000)}`);
  out.line("nothing was started, and nothing was changed");
}

interface Wrapped extends Common {
  readonly looked: readonly Looked[];
  readonly isWritten: boolean;
}

export function showWrapped(wrapped: Wrapped, out: Output): void {
  const { located, kept, looked, stays, isWritten } = wrapped;
  const { file, folder, client } = located;
  out.json({
    file,
    folder,
    client: client.id,
    isWritten,
    servers: [
      ...kept.map(({ name, as }) => ({ name, as, status: "behind" })),
      ...looked.map(asJson),
      ...stays.map(staying),
    ],
    exit: stays.some(({ isFault }) => isFault) ? 1 : 0,
  });
  for (const { name } of kept) out.line(`${out.color.green("behind ")} ${out.text(name, 120)}, since before`);
  for (const one of looked) showOne(one, out);
  showStays(stays, "stays  ", out);
  out.line();
  for (const line of summary(wrapped)) out.line(out.text(line, 2000));
}

function showOne({ candidate, entry, changes, findings, sandbox }: Looked, out: Output): void {
  const { none, everything } = entry.surfaces;
  const wanted = none.tools.filter(([name]) => name !== null && candidate.isWanted(name)).length;
  const left = none.tools.length - wanted;
  const more = everything.tools.length - none.tools.length;
  const about = [
    count(wanted, "tool"),
    ...(left > 0 ? [`${left} left out, as in the client`] : []),
    ...(more > 0 ? [`${more} more for clients that claim everything, out of reach behind the gateway`] : []),
  ];
  out.line(
    `${out.color.green("wrapped")} ${out.color.bold(out.text(candidate.name, 120))}  ${about.join(", ")}`,
  );
  for (const note of candidate.notes) out.line(`  ${out.text(note, 400)}`);
  if (sandbox?.status === "skipped") out.line(`  ${out.color.yellow(out.text(useText(sandbox), 400))}`);
  if (changes.length > 0)
    out.line(
      `  ${out.color.red("not as it was locked before, which stays:")} what changed is set aside, until it is taken with`,
    );
  if (changes.length > 0)
    out.line(`  touchstone lock --accept ${candidate.as} --config FILE, with the file below`);
  for (const { subject, message } of changes.slice(0, MAX_SHOWN))
    out.line(`    ${out.text(subject, 200)}: ${out.text(message, 300)}`);
  for (const { rule, severity, where, message } of findings.slice(0, MAX_SHOWN)) {
    const paint = severity === "fail" ? out.color.red : out.color.yellow;
    out.line(`  ${paint(severity)} ${rule} ${out.text(where, 200)}: ${out.text(message, 300)}`);
  }
  if (findings.some(({ severity, rule }) => severity === "fail" && rule.startsWith("SCAN-")))
    out.line("  what fails here the gateway does not show to the client (modes.description)");
}

function showStays(stays: readonly Stay[], word: string, out: Output): void {
  for (const { name, reason, isFault } of stays) {
    const paint = isFault ? out.color.red : out.color.dim;
    out.line(`${paint(word)} ${out.text(name, 120)}: ${out.text(reason, 400)}`);
  }
}

function summary({ located, kept, looked, stays, isWritten }: Wrapped): string[] {
  const { file, folder, client } = located;
  const isFound = looked.some(({ findings }) => findings.length > 0);
  const missing = stays.filter(({ isFault }) => isFault).length;
  const left =
    missing === 0
      ? []
      : [
          `${count(missing, "server")} could not be taken in: ${client.label} goes on without the gateway there`,
        ];
  if (!isWritten)
    return [kept.length > 0 ? `${file} is wrapped already` : `${file} was left as it is`, ...left];
  return [
    `${file}: "${ENTRY_NAME}" stands in the place of ${count(kept.length + looked.length, "server")}`,
    `runs from ${join(folder, CONFIG_FILE)}`,
    ...left,
    ...(isFound
      ? ["what was found was there before: a lock only tells when it changes. See touchstone scan"]
      : []),
    `start ${client.label} again, so that it reads its config; touchstone unwrap takes it back`,
  ];
}

const staying = ({ name, reason, isFault }: Stay) => ({ name, status: "stays", reason, isFault });

const asJson = ({ candidate, entry, changes, findings, sandbox }: Looked) => ({
  name: candidate.name,
  as: candidate.as,
  status: "wrapped",
  tools: entry.surfaces.none.tools.flatMap(([name]) =>
    name !== null && candidate.isWanted(name) ? [name] : [],
  ),
  notes: candidate.notes,
  changes,
  findings,
  ...defined({ sandbox }),
});
