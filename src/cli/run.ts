/** One run of the program: from words to an exit code. Nothing heavy is loaded before a command is known. */
import { asTrustError, didYouMean, type ExitCode, TrustError } from "../core/index.ts";
import type { Command } from "./command.ts";
import { createOutput, type Streams } from "./output.ts";
import { version } from "./version.ts";

type Entry = { readonly summary: string } & (
  | { readonly load: () => Promise<Command> }
  /** A family: the next word says which of them. */
  | { readonly verbs: () => Promise<Readonly<Record<string, Command>>> }
);

/** One line a command. The order is that of the help page. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  demo: {
    summary: "the whole road once: grade, sign, admit, stop an attack, audit; offline, in seconds",
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  inspect: {
    summary: "everything a server says, unfiltered; can record it",
    load: async () => (await import("./commands/inspect.ts")).inspect,
  },
  grade: {
    summary: "exercise a server in the sandbox and grade what it does, A to F, with evidence",
    load: async () => (await import("./commands/grade.ts")).grade,
  },
  regrade: {
    summary: "judge the evidence of a grade again, without the server",
    load: async () => (await import("./commands/regrade.ts")).regrade,
  },
  test: {
    summary: "run suites, or send a server bad requests and see whether it rejects them",
    load: async () => (await import("./commands/test.ts")).test,
  },
  init: {
    summary: "write a first suite from what a server advertises",
    load: async () => (await import("./commands/init.ts")).init,
  },
  record: {
    summary: "stand between a client and a server, change nothing, and record what they say",
    load: async () => (await import("./commands/record.ts")).record,
  },
  check: {
    summary: "look for flows between servers, widened claims and hostile texts in recordings",
    load: async () => (await import("./commands/check.ts")).check,
  },
  attest: {
    summary: "keys, signed grades, trust roots, and whether they hold",
    verbs: async () => (await import("./commands/attest.ts")).ATTEST_VERBS,
  },
  gateway: {
    summary: "stand between clients and servers: admit, label, decide, and log every call",
    load: async () => (await import("./commands/gateway.ts")).gateway,
  },
  wrap: {
    summary: "put the gateway in front of all servers of a client",
    load: async () => (await import("./commands/wrap.ts")).wrap,
  },
  unwrap: {
    summary: "take the gateway away again: the config as it was",
    load: async () => (await import("./commands/wrap.ts")).unwrap,
  },
  policy: {
    summary: "what touchstone.yml comes to, before anything is started",
    verbs: async () => (await import("./commands/policy.ts")).POLICY_VERBS,
  },
  approve: {
    summary: "see which calls wait at the gateway for a person, and let one through",
    load: async () => (await import("./commands/approve.ts")).approve,
  },
  why: {
    summary: "why the gateway decided as it did, made again from the log",
    load: async () => (await import("./commands/why.ts")).why,
  },
  audit: {
    summary: "the log of decisions: prove it whole, read it, prove an entry of it",
    verbs: async () => (await import("./commands/audit.ts")).AUDIT_VERBS,
  },
  sandbox: {
    summary: "run a command with no way out, and see everything it tries",
    load: async () => (await import("./commands/sandbox.ts")).sandbox,
  },
  scan: {
    summary: "what is installed on this machine, or these servers, and what is wrong with it",
    load: async () => (await import("./commands/scan.ts")).scan,
  },
  lock: {
    summary: "keep what each server shows in a file, and tell when that changes",
    load: async () => (await import("./commands/lock.ts")).lock,
  },
  login: {
    summary: "log in to a remote server that wants authentication",
    load: async () => (await import("./commands/login.ts")).login,
  },
  mock: {
    summary: "a server from a YAML file, honest or hostile",
    load: async () => (await import("./commands/mock.ts")).mock,
  },
  mcp: {
    summary: "scan, grade and regrade as tools for an agent, over stdio",
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  doctor: {
    summary: "what works on this machine, and how to get the rest",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
};

export async function run(
  argv: readonly string[],
  streams: Streams = { stdout: process.stdout, stderr: process.stderr, env: process.env },
): Promise<ExitCode> {
  const dashes = argv.indexOf("--");
  const isJson = (dashes < 0 ? argv : argv.slice(0, dashes)).includes("--json");
  const out = createOutput(isJson, streams);
  try {
    const [first, ...rest] = argv;
    if (first === undefined) {
      streams.stderr.write(await overview());
      return 2;
    }
    if (first === "--version" || first === "-v") {
      streams.stdout.write(`${await version()}\n`);
      return 0;
    }
    if (first === "--help" || first === "-h" || (first === "help" && rest.length === 0)) {
      streams.stdout.write(await overview());
      return 0;
    }
    const [name = "", ...given] = first === "help" ? [...rest, "--help"] : argv;
    // Whoever watches with a gateway looks for it there.
    const isSuggest = name === "gateway" && given[0] === "suggest";
    const found = await load(isSuggest ? "policy" : name, given);
    if ("overview" in found) {
      streams[found.isAsked ? "stdout" : "stderr"].write(found.overview);
      return found.isAsked ? 0 : 2;
    }
    const { command } = found;
    const { readWords } = await import("./command.ts");
    const words = readWords(command, found.rest);
    if (words.flag("help")) {
      const { commandHelp } = await import("./help.ts");
      streams.stdout.write(commandHelp(command));
      return 0;
    }
    const [unwanted] = words.positionals;
    if (command.takesNothing && unwanted !== undefined)
      throw new TrustError("CLI_BAD_VALUE", `${command.name} takes no arguments, not "${unwanted}"`);
    return await command.run(words, out);
  } catch (thrown) {
    const error = asTrustError(thrown);
    out.fail(error);
    if (error.code === "INTERNAL" && streams.env.TOUCHSTONE_DEBUG)
      streams.stderr.write(`${(thrown as Error).stack}\n`);
    return error.exit;
  }
}

type Found =
  | { readonly command: Command; readonly rest: readonly string[] }
  /** A family without one of its verbs: what there is to choose from. */
  | { readonly overview: string; readonly isAsked: boolean };

async function load(name: string, rest: readonly string[]): Promise<Found> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) {
    const kind = name.startsWith("-") ? "option" : "command";
    throw unknown(`no ${kind} "${name}"`, name, Object.keys(COMMANDS));
  }
  if ("load" in entry) return { command: await entry.load(), rest };
  const verbs = await entry.verbs();
  const [verb, ...more] = rest;
  const isAsked = verb === "--help" || verb === "-h";
  if (verb === undefined || isAsked) {
    const { familyHelp } = await import("./help.ts");
    return { overview: familyHelp(name, entry.summary, Object.values(verbs)), isAsked };
  }
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  const told = verb.startsWith("-") ? `a verb comes first, not "${verb}"` : `no "${verb}"`;
  if (!command) throw unknown(`${name}: ${told}`, verb, Object.keys(verbs), name);
  return { command, rest: more };
}

const unknown = (message: string, word: string, known: readonly string[], family?: string): TrustError =>
  new TrustError(
    "CLI_UNKNOWN_COMMAND",
    `${message}${didYouMean(word, known)}`,
    family === undefined ? {} : { hint: `run \`touchstone ${family} --help\` for what it does` },
  );

async function overview(): Promise<string> {
  const { overviewHelp } = await import("./help.ts");
  return overviewHelp(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]));
}
