/** `attest exempt`: an operator lets a server in that lacks what is asked of it, as it shows itself now. */
import { buildExemption, MAX_LIFE_DAYS, signExemption, WAIVABLE, type Waivable } from "../../attest/index.ts";
import { count, defined, type ExitCode, TrustError } from "../../core/index.ts";
import { capture, fingerprint, type Surface, surfaceDigest, toolDigest } from "../../surface/index.ts";
import { CONFIG_FILE, type ResolvedTarget, resolveTarget, startable } from "../../target/index.ts";
import { isRecord, redactor } from "../../wire/index.ts";
import type { Words } from "../command.ts";
import { containment } from "../contain.ts";
import type { Output } from "../output.ts";
import { keysFrom, putFile } from "./keys.ts";

const DAY_MS = 86_400_000;

export async function runExempt(words: Words, out: Output): Promise<ExitCode> {
  const [server, ...more] = words.positionals;
  if (server === undefined || more.length > 0 || words.rest !== undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", "exempt needs the name of one server in the gateway's file");
  // To the second, as people read it.
  const issuedAtMs = Math.floor(Date.now() / 1000) * 1000;
  const terms = {
    waives: waivedBy(words),
    reason: needed(words, "reason", "exempt needs --reason TEXT: why it may be let in"),
    issuedAtMs,
    expiresAtMs: endFrom(needed(words, "expires", "exempt needs --expires DAY or DAYS"), issuedAtMs),
  };
  const keys = keysFrom(words);
  const configFile = words.text("config") ?? CONFIG_FILE;
  const target = startable(await resolveTarget({ kind: "named", name: server, args: [] }, { configFile }));
  out.hide(redactor(target.secrets));
  const surface = await surfaceOf(target, words, out);
  const print = fingerprint(surface.tools);
  const tools = surface.tools.flatMap((tool) =>
    isRecord(tool) && typeof tool.name === "string" ? [[tool.name, toolDigest(tool)] as const] : [],
  );
  const file = words.text("out") ?? `${server}.exemption.json`;
  const { launch } = target;
  const payload = payloadOf({
    ...terms,
    server,
    subject:
      launch.kind === "stdio" ? { command: [launch.command, ...launch.args] } : { origin: launch.url.origin },
    surfaceDigest: surfaceDigest(surface),
    fingerprint: print.kind === "value" ? print.value : null,
    tools,
  });
  putFile(file, signExemption(payload, keys));
  const { waives, expiresAtMs } = terms;
  const expires = new Date(expiresAtMs).toISOString().replace(".000Z", "Z");
  const signers = keys.map(({ id }) => id);
  out.json({ file, server, waives, expires, signers, tools: tools.map(([name]) => name) });
  out.line(`${file}: no ${waives.join(" and no ")} is asked of ${server} until ${expires}`);
  out.line(`  signed by ${signers.join(", ")}`);
  out.line(
    `  for ${count(tools.length, "tool")} as now: ${tools.map(([name]) => out.text(name, 80)).join(", ")}`,
  );
  out.line(`  a gateway takes it by servers.${server}.exemption in its file`);
  return 0;
}

function payloadOf(input: Parameters<typeof buildExemption>[0]): Uint8Array {
  try {
    return buildExemption(input);
  } catch (cause) {
    throw new TrustError("ATT_UNUSABLE", (cause as Error).message, { cause });
  }
}

function needed(words: Words, option: string, message: string): string {
  const text = words.text(option);
  if (text === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", message);
  return text;
}

function waivedBy(words: Words): Waivable[] {
  const given = words.texts("waive").flatMap((text) => text.split(","));
  const wrong = given.find((word) => !(WAIVABLE as readonly string[]).includes(word));
  if (wrong !== undefined)
    throw new TrustError("CLI_BAD_VALUE", `--waive: want ${WAIVABLE.join(" or ")}, not "${wrong}"`);
  const isGiven = (part: Waivable): boolean => (given.length === 0 ? part === "grade" : given.includes(part));
  return WAIVABLE.filter(isGiven);
}

/** So many days from now, through the end of a day in UTC, or a moment. */
export function endFrom(text: string, nowMs: number): number {
  const wrong = (why: string): TrustError => new TrustError("CLI_BAD_VALUE", `--expires: ${why}`);
  const end = /^\d{1,4}$/.test(text) ? nowMs + Number(text) * DAY_MS : momentOf(text);
  if (end === undefined)
    throw wrong(`want days such as 30, a day such as 2026-12-31, or a moment, not "${text}"`);
  if (end <= nowMs) throw wrong(`${text} is over`);
  if (end - nowMs > MAX_LIFE_DAYS * DAY_MS)
    throw wrong(`${text} is too long: an exemption ends within ${MAX_LIFE_DAYS} days`);
  return end;
}

function momentOf(text: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isDay && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return undefined;
  const ms = Date.parse(text);
  // Engines read the 30th of February as a day in March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.replace("Z", ""))) return undefined;
  return isDay ? ms + DAY_MS : ms;
}

/** What was not read to its end was not seen, and nobody is let in with it. */
async function surfaceOf(target: ResolvedTarget, words: Words, out: Output): Promise<Surface> {
  const contained = await (await containment(words, out.progress))(target);
  for (const note of contained.notes) out.line(`note: ${note}`);
  const { launcher } = contained;
  const { surface, unread } = await capture(contained.target, {
    ...defined({ launcher }),
    onProgress: out.progress,
  });
  const missing = unread.find(({ method }) => method === "tools/list");
  if (missing)
    throw new TrustError(
      "ATT_UNUSABLE",
      `${target.label}: its tools could not be read: ${out.text(missing.how, 200)}`,
    );
  return surface;
}
