/** `attest sign --clearance` without evidence: an operator clears a server that was seen and not tested, as touchstone.lock holds it.
 *  Implements spec/gateway.md, GTW-76. */
import { seenMark, signSad } from "../../attest/index.ts";
import { count, didYouMean, type ExitCode, TrustError } from "../../core/index.ts";
import { LOCK_FILE, type LockedServer, readLock } from "../../surface/index.ts";
import { isRecord } from "../../wire/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { keysFrom, putFile } from "./keys.ts";

/** Words of a statement, which there is none of without a grade. */
const OF_STATEMENTS = ["days", "serial", "evidence-uri"] as const;

export async function runClear(words: Words, out: Output): Promise<ExitCode> {
  const level = words.text("clearance");
  const name = words.text("server");
  if (level === undefined || name === undefined)
    throw new TrustError(
      "CLI_MISSING_ARGUMENT",
      "sign needs --evidence DIR, or --clearance LEVEL --server NAME",
      {
        hint: "--evidence DIR signs a grade; --server NAME clears a server of touchstone.lock that was not graded",
      },
    );
  const wrong = OF_STATEMENTS.find((option) => words.text(option) !== undefined);
  if (wrong !== undefined)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `--${wrong}: is said of a grade, and there is none without --evidence`,
      {
        hint: `leave --${wrong} out: a clearance holds until its key ends or is revoked`,
      },
    );
  const [key, ...more] = keysFrom(words);
  if (key === undefined || more.length > 0)
    throw new TrustError("CLI_BAD_VALUE", "--key: a clearance has one signer");
  const server = await lockedServer(words.text("lock") ?? LOCK_FILE, name, out);
  const origins = originsFor(server, words.texts("origin"), out);
  const { surface, digest, tools } = server.surfaces.none;
  const { version } = isRecord(surface.info) ? surface.info : {};
  const signed = signSad(
    {
      v: "1.0",
      id: words.text("id") ?? name,
      publisher: words.text("publisher") ?? "unknown",
      // By its own word: nobody has looked into it.
      version: typeof version === "string" && version !== "" ? version : "unknown",
      clearance: level,
      capabilities: ["mcp-server"],
      verification: seenMark(digest),
      netAllowedHosts: origins,
    },
    key.privateKey,
    key.id,
  );
  if ("fault" in signed)
    throw new TrustError("ATT_UNUSABLE", `no assertion can say this: ${signed.fault.message}`);
  const file = words.text("out") ?? `${name}.sad.json`;
  putFile(file, signed.bytes);
  const names = tools.map(([tool]) => tool ?? "(without a name)");
  out.json({
    file,
    server: name,
    clearance: level,
    origins,
    surface: digest,
    signers: [key.id],
    tools: names,
  });
  out.line(`${file}: ${name} is cleared for ${out.text(level, 80)} at ${origins.join(", ")}`);
  out.line(`  signed by ${key.id}`);
  out.line(
    `  for ${count(tools.length, "tool")} as locked: ${names.map((tool) => out.text(tool, 80)).join(", ")}; none was tested`,
  );
  out.line(
    `  a gateway takes it by servers.${name}: clearance, require.clearance and locked: true in its file`,
  );
  return 0;
}

async function lockedServer(file: string, name: string, out: Output): Promise<LockedServer> {
  const lock = await readLock(file);
  if (!lock)
    throw new TrustError("CFG_NOT_FOUND", `${file}: no such file`, {
      hint: `look at the server first: touchstone lock; --lock FILE names another file`,
    });
  const found = lock.servers.find(({ id }) => id === name);
  if (found) return found;
  const known = lock.servers.map(({ id }) => id);
  throw new TrustError(
    "CLI_BAD_VALUE",
    `--server: ${file} has no "${out.text(name, 80)}"${didYouMean(name, known)}`,
    {
      hint: `look at it first: touchstone lock; locked so far: ${out.text(known.join(", "), 300) || "none"}`,
    },
  );
}

/** Where it was seen; more only by the operator's own word. A clearance that names no place would open any. */
function originsFor({ start, id }: LockedServer, given: readonly string[], out: Output): readonly string[] {
  if (start.kind !== "url")
    throw new TrustError("ATT_UNUSABLE", `${out.text(id, 80)} is started by a command`, {
      hint: "a clearance is for a server at a URL; one that is started here is let in by a grade, an exemption or ungraded: true",
    });
  const { origin } = new URL(start.url);
  if (given.length > 0 && !given.includes(origin))
    throw new TrustError("CLI_BAD_VALUE", `--origin: it was locked at ${origin}, which is not among them`, {
      hint: `add --origin ${origin}, or leave --origin out`,
    });
  return given.length > 0 ? given : [origin];
}
