/** One run of `lock`: its words, its yes, and what it says. */
import { dayOf, defined, type ExitCode, type Finding, suppress, TrustError } from "../core/index.ts";
import { type LockRequest, type LockResult, launchKey, type Resolved, runLock } from "../surface/index.ts";
import { type Words, wholeNumber } from "./command.ts";
import { wordSecrets } from "./command-line.ts";
import { commandLine, consentError, mayStart, type Starter, startNotes } from "./consent.ts";
import { containment, type SandboxUse } from "./contain.ts";
import { ignoresFrom } from "./ignores.ts";
import { showLock } from "./lock-text.ts";
import type { Output } from "./output.ts";
import { plainRedactor } from "./redact.ts";

export async function runLockCommand(words: Words, out: Output): Promise<ExitCode> {
  const now = new Date();
  const ignores = await ignoresFrom(words, now);
  const contain = await containment(words, (text) => out.progress(text));
  const uses = new Map<string, SandboxUse>();
  const result = await runLock({
    ...readRequest(words),
    onProgress: (text) => out.progress(text),
    async contain(target) {
      const contained = await contain(target);
      if (contained.use) uses.set(target.label, contained.use);
      return contained;
    },
    mayStart: (resolved) => consent(resolved, words.flag("yes"), out),
  });
  const suppression = suppress(result.findings, ignores, dayOf(now));
  const judged = { ...result, findings: suppression.kept, exit: exitAfter(result, suppression.kept) };
  showLock(judged, suppression, uses, words.texts("accept").length > 0, out);
  return judged.exit;
}

/** A change that was set aside with a reason does not fail the run; what was not assessed still does. */
function exitAfter({ exit, standings }: LockResult, kept: readonly Finding[]): LockResult["exit"] {
  if (exit !== 1 || kept.some(({ rule }) => rule === "LOCK-01" || rule === "LOCK-02")) return exit;
  return standings.some(({ status }) => status === "not-assessed") ? 4 : 0;
}

function readRequest(words: Words): Omit<LockRequest, "mayStart" | "onProgress"> {
  const accepted = words.texts("accept");
  const isChecking = words.flag("check");
  if (words.rest !== undefined)
    throw new TrustError("CLI_BAD_VALUE", "lock takes names of servers in a config, not a command");
  if (accepted.length > 0 && isChecking)
    throw new TrustError("CLI_BAD_VALUE", "--check never writes, --accept does: give one of them");
  if (accepted.length > 0 && words.positionals.length > 0)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `--accept is about the servers it names, not "${words.positionals[0]}"`,
      {
        hint: "write --accept before each name",
      },
    );
  if (words.flag("user") && words.text("config") !== undefined)
    throw new TrustError("CLI_BAD_VALUE", "--user reads no touchstone.yml: give --user or --config");
  const seconds = wholeNumber(words, "timeout");
  return {
    mode: accepted.length > 0 ? "accept" : isChecking ? "check" : "lock",
    names: accepted.length > 0 ? accepted : words.positionals,
    level: words.flag("user") ? "user" : "project",
    ...defined({
      configFile: words.text("config"),
      timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    }),
  };
}

/** Each command once, under all names it has. From here on the secrets of all of them are kept out of what is printed. */
async function consent(resolved: readonly Resolved[], yes: boolean, out: Output): Promise<boolean> {
  out.hide(
    plainRedactor(resolved.flatMap(({ target }) => [...target.secrets, ...wordSecrets(target.launch)])),
  );
  const starters = new Map<string, Starter>();
  for (const { server, target } of resolved) {
    const key = launchKey(target);
    const same = starters.get(key);
    starters.set(key, {
      name: same ? `${same.name}, ${server.id}` : server.id,
      command: commandLine(target),
      where: same ? `${same.where}, ${server.where}` : server.where,
      notes: [...startNotes(target.launch), ...target.notes.filter((note) => note.startsWith("it takes"))],
    });
  }
  const all = [...starters.values()];
  const answer = await mayStart(all, { yes, out });
  if (answer === "no-terminal") throw consentError(all);
  return answer === "yes";
}
