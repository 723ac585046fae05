/** `touchstone attest VERB`: keys, signed grades, exemptions, trust roots, and whether they hold. Words only: the work is loaded when it runs. */
import type { Command, Option } from "../command.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";
import { TARGET_HELP, TARGET_OPTIONS } from "../target-words.ts";

export const PASSPHRASE: Readonly<Record<string, Option>> = {
  "passphrase-file": {
    type: "string",
    value: "FILE",
    help: "the first line of this file opens the key; else TOUCHSTONE_PASSPHRASE",
  },
  plain: { type: "boolean", help: "the key file is not encrypted" },
};
const KEY: Option = {
  type: "string",
  multiple: true,
  value: "FILE",
  help: "a private key, as keygen wrote it",
};
export const PASSPHRASE_HELP =
  "A passphrase is read from --passphrase-file or from the variable TOUCHSTONE_PASSPHRASE, never from the command line.";

const keygen: Command = {
  name: "attest keygen",
  summary: "make a key to sign with",
  usage: "[options] FILE",
  about: `Makes an Ed25519 key. FILE gets the private key, encrypted with a passphrase and readable by its owner only; FILE.pub gets
the public half, which goes into a trust root.
${PASSPHRASE_HELP}

exit code  0  made      2  a file exists already, or there is no passphrase`,
  options: { ...PASSPHRASE },
  examples: [["touchstone attest keygen grader.key", "grader.key and grader.key.pub"]],
  run: async (words, out) => (await import("../attest/keys.ts")).runKeygen(words, out),
};

const sign: Command = {
  name: "attest sign",
  summary: "sign a grade, a clearance with it, or a clearance of a server that was seen and not graded",
  usage: "--key FILE --evidence DIR | --server NAME --clearance LEVEL [options]",
  about: `Judges the evidence of \`grade --out DIR\` again, and only if it is the same makes a statement of it: an in-toto statement in a
DSSE envelope, about exactly the tools that were seen. With --clearance it also makes a clearance assertion (the document
at /.well-known/mcp-attestation) and binds the statement to it. Writes statement.json and attestation.json.

For a server that was not graded and publishes nothing: --server NAME --clearance LEVEL signs a clearance of the server as
touchstone.lock holds it, bound to the origin that it was locked at. It claims no grade, and no test. Writes NAME.sad.json.
${PASSPHRASE_HELP}

exit code  0  signed      2  the evidence gives something else when it is judged again, or a key, a file or a word is wrong`,
  options: {
    key: KEY,
    ...PASSPHRASE,
    evidence: { type: "string", value: "DIR", help: "what grade --out has written" },
    server: {
      type: "string",
      value: "NAME",
      help: "a server of the lock file, to be cleared as it was locked",
    },
    lock: { type: "string", value: "FILE", help: "the lock file, default touchstone.lock" },
    out: {
      type: "string",
      value: "DIR",
      help: "where to write, default the folder of the evidence; with --server a file, default NAME.sad.json",
    },
    origin: {
      type: "string",
      multiple: true,
      value: "URL",
      help: "where the server is reached: https://host[:port]",
    },
    days: { type: "string", value: "N", help: "how long it holds, default 30" },
    serial: { type: "string", value: "N", help: "higher than any before, default the seconds since 1970" },
    "evidence-uri": { type: "string", value: "URL", help: "where the evidence can be had" },
    clearance: { type: "string", value: "LEVEL", help: "also assert this clearance" },
    id: { type: "string", value: "ID", help: "the server's lasting name in the assertion" },
    publisher: { type: "string", value: "NAME", help: "who publishes it" },
  },
  examples: [
    [
      "touchstone attest sign --key grader.key --evidence evidence --origin https://api.example.com",
      "a grade",
    ],
    [
      "touchstone attest sign --key operator.key --server weather --clearance internal",
      "a clearance of a server that publishes nothing, as it was locked",
    ],
  ],
  run: async (words, out) => (await import("../attest/sign.ts")).runSign(words, out),
};

const exempt: Command = {
  name: "attest exempt",
  summary: "let a server in that lacks what is asked of it: signed, with a reason and an end",
  usage: "NAME --key FILE --reason TEXT --expires DAYS|DAY [options]",
  about: `For a server in the gateway's file that has no grade, a bad one, or not the clearance that is wanted. It is started or reached,
and the exemption is for exactly the tools that it shows now. The key has the role \`exemption\` in the trust root, and no role that
vouches for servers. An exempted server is never believed for it: tools that only read are called, others are asked about,
and the log says \`exempted\`, with reason, signer and end. It ends within 90 days; \`attest root revoke --statement DIGEST\` ends
it at once, with the digest that \`attest inspect\` shows.
${PASSPHRASE_HELP}

exit code  0  written      2  a word or file is wrong      4  the server cannot be reached`,
  options: {
    key: KEY,
    ...PASSPHRASE,
    reason: { type: "string", value: "TEXT", help: "why, for whoever reads the log; at most 500 characters" },
    expires: {
      type: "string",
      value: "DAYS|DAY",
      help: "30 for days from now, 2026-12-31 for through that day in UTC, or a moment in UTC",
    },
    waive: {
      type: "string",
      multiple: true,
      value: "PART",
      help: "grade, clearance, or grade,clearance; default grade",
    },
    out: { type: "string", value: "FILE", help: "where to write, default NAME.exemption.json" },
    ...SANDBOX_OPTIONS,
    config: TARGET_OPTIONS.config as Option,
  },
  examples: [
    [
      "touchstone attest exempt weather --key operator.key --reason 'its maker publishes nothing' --expires 30",
      "for 30 days",
    ],
  ],
  run: async (words, out) => (await import("../attest/exempt.ts")).runExempt(words, out),
};

const cosign: Command = {
  name: "attest cosign",
  summary: "add a signature to a statement, an exemption or a trust root",
  usage: "--key FILE FILE",
  about: `Adds one's own signature to a signed document, over the same bytes.
${PASSPHRASE_HELP}`,
  options: { key: KEY, ...PASSPHRASE, out: { type: "string", value: "FILE", help: "default: in place" } },
  examples: [["touchstone attest cosign --key second.key statement.json", "for policies that want two"]],
  run: async (words, out) => (await import("../attest/sign.ts")).runCosign(words, out),
};

const verify: Command = {
  name: "attest verify",
  summary: "say whether a statement, an assertion or an exemption holds, offline",
  usage: "FILE|URL --root ROOT [options]",
  about: `Verifies a grade statement, a clearance assertion or an exemption with nothing but a trust root. For a URL the documents
are fetched from /.well-known at the root of its origin: https only, no redirects, bounded, private addresses refused. With --live
TARGET, or a command after --, the server is started or reached: what it is and every tool is compared with what was attested.

Prints holds (a statement), admitted (an assertion, for the level that is required), exempted, or the reason and its code;
\`touchstone attest explain CODE\` says more. Whether a server is let in is for a gateway to say.

exit code  0  it holds      1  it does not      2  a file is wrong      4  nothing could be fetched

${TARGET_HELP}`,
  options: {
    root: { type: "string", value: "FILE", help: "the trust root" },
    origin: { type: "string", value: "URL", help: "where the server is reached" },
    server: { type: "string", value: "NAME", help: "its name in the gateway's file, for an exemption" },
    require: { type: "string", value: "LEVEL", help: "the clearance that is needed, for an assertion" },
    "min-grade": {
      type: "string",
      value: "LETTER",
      choices: ["A", "B", "C", "D"],
      help: "refuse lower letters",
    },
    method: {
      type: "string",
      multiple: true,
      value: "METHOD",
      help: "methods that are accepted, default touchstone-1 and litmus-v5",
    },
    threshold: { type: "string", value: "N", help: "how many signers are needed, default 1" },
    "max-age": { type: "string", value: "DAYS", help: "refuse statements that were issued earlier" },
    sad: { type: "string", value: "FILE", help: "the assertion that the statement must be bound to" },
    now: { type: "string", value: "TIME", help: "judge as of this moment" },
    live: { type: "string", value: "TARGET", help: "compare with what this server shows now" },
    "allow-loopback": { type: "boolean", help: "documents may come from this machine" },
    "private-host": {
      type: "string",
      multiple: true,
      value: "HOST",
      help: "documents of this host may come from a private address",
    },
    "allow-test-keys": { type: "boolean", help: "take roots with published test keys" },
    ...SANDBOX_OPTIONS,
    config: TARGET_OPTIONS.config as Option,
  },
  examples: [
    [
      "touchstone attest verify statement.json --root root.json --origin https://api.example.com",
      "from a file",
    ],
    [
      "touchstone attest verify https://api.example.com/mcp --root root.json --require internal",
      "as published",
    ],
  ],
  run: async (words, out) => (await import("../attest/verify.ts")).runVerify(words, out),
};

const inspect: Command = {
  name: "attest inspect",
  summary: "show what a signed document says, without believing it",
  usage: "FILE",
  about:
    "Reads a statement, an exemption or a clearance assertion of any dialect and shows what it holds. Verifies nothing.",
  options: {},
  examples: [["touchstone attest inspect attestation.json", "which dialect, which fields are signed"]],
  run: async (words, out) => (await import("../attest/verify.ts")).runInspect(words, out),
};

const root: Command = {
  name: "attest root",
  summary: "make, change and show trust roots",
  usage: "init|add|revoke|rotate|show [options]",
  about: `init    a first root: its own keys (--key, repeated), the levels of its scheme, how many root signatures a change needs
add     a key that may sign grades, clearances or exemptions (--public FILE.pub --role grade|clearance|exemption)
revoke  a key (--key-id), or a statement or an exemption (--statement DIGEST)
rotate  a new version with the same content and a new term
show    what a root says

Each change makes the next version, signed by root keys of the old one and the new one. Where those are in several hands, --out
writes one that waits for the others: each adds a signature with \`attest cosign\`.
${PASSPHRASE_HELP}

exit code  0  done      2  a root, a key or a word is wrong, or the new root may not follow: nothing is written`,
  options: {
    root: { type: "string", value: "FILE", help: "the root that is changed or shown" },
    out: {
      type: "string",
      value: "FILE",
      help: "where the new one is written; init: root.json, else in place",
    },
    key: KEY,
    ...PASSPHRASE,
    threshold: { type: "string", value: "N", help: "init: root signatures that a change needs, default 1" },
    level: {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "init: levels from the lowest up, default public, internal, confidential",
    },
    public: {
      type: "string",
      multiple: true,
      value: "FILE",
      help: "add: a public key, as keygen wrote it; init: root keys that sign elsewhere",
    },
    after: { type: "string", value: "FILE", help: "show: refuse a root that may not follow this one" },
    role: {
      type: "string",
      multiple: true,
      value: "ROLE",
      choices: ["root", "grade", "clearance", "exemption"],
      help: "add: what for",
    },
    clearance: { type: "string", multiple: true, value: "LEVEL", help: "add: levels it may assert" },
    origin: {
      type: "string",
      multiple: true,
      value: "URL",
      help: "add: origins it may speak for, default any",
    },
    "key-id": { type: "string", value: "ID", help: "revoke: the key" },
    statement: { type: "string", value: "DIGEST", help: "revoke: a statement or an exemption" },
    days: { type: "string", value: "N", help: "how long the new root holds, default 365" },
  },
  examples: [
    ["touchstone attest root init --key root.key", "root.json"],
    [
      "touchstone attest root add --root root.json --key root.key --public grader.key.pub --role grade",
      "trust a grader",
    ],
  ],
  run: async (words, out) => (await import("../attest/root.ts")).runRoot(words, out),
};

const explain: Command = {
  name: "attest explain",
  summary: "what a code means, and the way out",
  usage: "CODE",
  about: "Says in words what a refusal means.",
  options: {},
  examples: [["touchstone attest explain 8", "host_not_bound"]],
  run: async (words, out) => (await import("../attest/verify.ts")).runExplain(words, out),
};

const serve: Command = {
  name: "attest serve",
  summary: "publish an assertion, a statement and evidence on this machine",
  usage: "DIR [options]",
  about: `Serves attestation.json at /.well-known/mcp-attestation, statement.json at /.well-known/touchstone-statement and bundle.json at
/.well-known/touchstone-evidence, for a reverse proxy in front of the server or for a test. It listens on loopback.`,
  options: {
    port: { type: "string", value: "N", help: "default any free port" },
    upstream: { type: "string", value: "URL", help: "everything else is passed on to this server" },
  },
  examples: [
    ["touchstone attest serve evidence --port 8090", "until Ctrl-C"],
    ["touchstone attest serve evidence --upstream http://127.0.0.1:3000/mcp", "in front of a server"],
  ],
  run: async (words, out) => (await import("../attest/serve.ts")).runServe(words, out),
};

/** One line a verb. */
export const ATTEST_VERBS: Readonly<Record<string, Command>> = {
  keygen,
  sign,
  exempt,
  cosign,
  verify,
  inspect,
  root,
  explain,
  serve,
};
