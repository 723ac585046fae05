/** One run of `inspect`: a session, all its lists, and what was seen of them. */
import { existsSync } from "node:fs";
import { count, dayOf, defined, type ExitCode, suppress, TrustError } from "../core/index.ts";
import { capture, unknownMembers } from "../surface/index.ts";
import { isRecord, recordToFile } from "../wire/index.ts";
import type { Words } from "./command.ts";
import { containment, useText } from "./contain.ts";
import { ignoresFrom, ownNotes, showSuppressed } from "./ignores.ts";
import type { Output } from "./output.ts";
import { targetFrom } from "./target-options.ts";

/** The rules it can find anything by. */
const FAMILIES = /^(?:WIRE|SBX)/;

export async function runInspect(words: Words, out: Output): Promise<ExitCode> {
  const now = new Date();
  const ignores = await ignoresFrom(words, now);
  const target = await targetFrom(words, out);
  const contained = await (await containment(words, out.progress))(target);
  const { launcher, use } = contained;
  for (const note of contained.notes) out.line(`note: ${note}`);
  const file = words.text("record");
  if (file !== undefined && existsSync(file))
    throw new TrustError("CLI_BAD_VALUE", `--record: ${file} exists already`, {
      hint: "give a new file; recordings are never overwritten",
    });
  const recorder =
    file === undefined
      ? undefined
      : recordToFile(file, { secrets: target.secrets, about: { target: target.label } });
  const {
    session,
    surface,
    lists,
    unread,
    findings: all,
  } = await capture(contained.target, defined({ recorder, launcher, onProgress: out.progress })).finally(() =>
    recorder?.close(),
  );
  const suppression = suppress([...all, ...contained.findings()], ignores, dayOf(now));
  const { kept: findings, suppressed } = suppression;
  const { face, era, transport } = session;
  const { tools, resources, resourceTemplates, prompts } = surface;
  const items = { tools, resources, resourceTemplates, prompts };
  out.json({
    target: target.label,
    origin: target.origin,
    pinning: target.pinning,
    notes: [...target.notes, ...ownNotes(suppression, FAMILIES)],
    ...defined({ resolved: target.resolved }),
    transport,
    ...defined({ sandbox: use }),
    era,
    server: face,
    opening: session.opening.kind === "result" ? session.opening.result : undefined,
    ...items,
    lists: Object.fromEntries(
      Object.entries(lists).map(([method, { end, pages }]) => [method, { end, pages: pages.length }]),
    ),
    unread,
    findings,
    suppressed,
    stderrBytes: session.stderrTail().bytes,
    ...defined({ recording: file }),
  });
  const info = isRecord(face?.info) ? face.info : {};
  out.line(`${out.color.bold(out.text(info.name ?? target.label))} ${out.text(info.version ?? "")}`);
  out.line(`  ${transport}, ${era} era, protocol ${out.text(face?.version ?? "")}`);
  if (use) out.line(`  ${useText(use)}`);
  if (face?.instructions !== undefined) out.line(`  instructions: ${out.text(face.instructions)}`);
  for (const [kind, list] of Object.entries(items)) showItems(kind, list, out);
  out.line();
  for (const { method, how } of unread) out.line(`${out.color.red("not read")} ${method}: ${out.text(how)}`);
  const isWire = findings.every(({ rule }) => rule.startsWith("WIRE"));
  const summary =
    findings.length === 0
      ? "nothing unusual on the wire"
      : `${count(findings.length, "finding")}${isWire ? " on the wire" : ""}`;
  out.line(unread.length === 0 || findings.length > 0 ? summary : "the server was not read to its end");
  for (const { rule, message, evidence } of findings) {
    out.line(`  ${out.color.yellow(rule)} ${message}`);
    if (evidence) out.line(`    ${out.color.dim(evidence)}`);
  }
  showSuppressed(suppression, FAMILIES, out);
  if (file !== undefined) out.line(`recorded in ${file}`);
  // A list the server claims to have and does not give is no answer to what was asked.
  return unread.some(({ isDeclared }) => isDeclared) ? 4 : 0;
}

function showItems(kind: string, items: readonly unknown[], out: Output): void {
  if (items.length === 0) return;
  out.line();
  out.line(`${kind} (${items.length})`);
  for (const item of items) {
    const record = isRecord(item) ? item : {};
    const name = record.name ?? record.uri ?? record.uriTemplate ?? item;
    out.line(`  ${out.color.bold(out.text(name, 80))}  ${out.text(record.description ?? "", 100)}`);
    for (const [member, value] of unknownMembers(item))
      out.line(`    ${out.color.yellow("unknown member")} ${out.text(member, 80)}: ${out.text(value, 200)}`);
  }
}
