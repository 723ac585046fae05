/** Makes the cases of spec/vectors/exemption. Run alone, it writes them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildExemption, type ExemptionInput, signExemption } from "../../src/attest/exemption/build.ts";
import type { ExemptionQuestion } from "../../src/attest/exemption/checks.ts";
import { EXEMPTION_PAYLOAD_TYPE } from "../../src/attest/exemption/format.ts";
import { EXEMPTION_REASONS, type ExemptionReason } from "../../src/attest/exemption/reasons.ts";
import type { SigningKey } from "../../src/attest/keys/ed25519.ts";
import { readEnvelope, signEnvelope, writeEnvelope } from "../../src/attest/keys/envelope.ts";
import { addKey, type RootDraft, retireKey, revokeKey, revokeStatement } from "../../src/attest/root/edit.ts";
import { PAYLOAD_TYPE } from "../../src/attest/statement/format.ts";
import type { LiveSurface } from "../../src/attest/statement/policy.ts";
import { payloadDigest } from "../../src/attest/statement/read.ts";
import { at, COMMAND, digest, keys, NOW, ORIGIN, sampleDraft, signedRoot, TERM, testKey } from "./attest.ts";
import { root as folder } from "./paths.ts";

export const operator = testKey("1");
const [bound, late, past] = [testKey("2"), testKey("3"), testKey("0")];

export interface ExemptionCase {
  readonly about: string;
  /** `shape`: a schema can refuse it too; `text`: only a reader can. */
  readonly layer: "envelope" | "signer" | "shape" | "text" | "time" | "binding" | "live" | "none";
  readonly envelope: string;
  readonly root: string;
  readonly asked: ExemptionQuestion;
  readonly live: LiveSurface;
  readonly expect:
    | { readonly status: "accepted"; readonly signers: readonly string[] }
    | { readonly status: "refused"; readonly reason: ExemptionReason; readonly code: number };
}

type Json = Record<string, unknown>;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);

export function exemptionDraft(): RootDraft {
  let draft = addKey(sampleDraft(), { key: operator, id: "operator", roles: ["exemption"] });
  draft = addKey(draft, { key: bound, roles: ["exemption"], origins: ["https://other.example"] });
  draft = addKey(draft, { key: late, roles: ["exemption"], notBefore: "2026-11-14T00:00:00Z" });
  return addKey(draft, { key: past, roles: ["exemption"], notAfter: "2026-11-15T12:00:00Z" });
}

export const exemptionInput: ExemptionInput = {
  server: "weather",
  subject: { origin: ORIGIN },
  waives: ["grade"],
  reason: "its maker publishes nothing; read by Ada",
  issuedAtMs: at("2026-11-15T09:00:00Z"),
  expiresAtMs: at("2026-12-15T09:00:00Z"),
  surfaceDigest: digest("5"),
  fingerprint: `0x${"f".repeat(64)}`,
  tools: [
    ["forecast", digest("1")],
    ["alerts", digest("2")],
  ],
};
export const exemptionPayload = (change: Partial<ExemptionInput> = {}): Uint8Array =>
  buildExemption({ ...exemptionInput, ...change });
const made = (
  change: Partial<ExemptionInput> = {},
  signers: readonly SigningKey[] = [operator],
): Uint8Array => signExemption(exemptionPayload(change), signers);

export const asked: ExemptionQuestion = { nowMs: NOW, server: "weather", origin: ORIGIN };
const live: LiveSurface = {
  toolDigests: [
    ["forecast", digest("1")],
    ["alerts", digest("2")],
  ],
  surfaceDigest: digest("5"),
  fingerprint: `0x${"f".repeat(64)}`,
};

interface Change {
  readonly envelope?: Uint8Array;
  readonly draft?: (draft: RootDraft) => RootDraft;
  readonly term?: typeof TERM;
  readonly asked?: Partial<ExemptionQuestion>;
  readonly live?: LiveSurface;
  readonly signers?: readonly string[];
}

export function exemptionCases(): Record<string, ExemptionCase> {
  const cases: Record<string, ExemptionCase> = {};
  const usualRoot = text(signedRoot(exemptionDraft()));
  const add = (
    name: string,
    layer: ExemptionCase["layer"],
    reason: ExemptionReason | undefined,
    about: string,
    change: Change = {},
  ): void => {
    const { draft, term = TERM, signers = ["operator"] } = change;
    const question = Object.fromEntries(
      Object.entries({ ...asked, ...change.asked }).filter(([, value]) => value !== undefined),
    ) as unknown as ExemptionQuestion;
    cases[name] = {
      about,
      layer,
      envelope: text(change.envelope ?? made()),
      root:
        draft || term !== TERM
          ? text(signedRoot((draft ?? ((each) => each))(exemptionDraft()), undefined, 1, term))
          : usualRoot,
      asked: question,
      live: change.live ?? live,
      expect:
        reason === undefined
          ? { status: "accepted", signers }
          : { status: "refused", reason, code: EXEMPTION_REASONS[reason] },
    };
  };
  const signed = (payload: string, type = EXEMPTION_PAYLOAD_TYPE): Uint8Array =>
    signEnvelope(type, bytesOf(payload), [operator]);
  const payloadText = text(exemptionPayload());
  const shape = (
    name: string,
    about: string,
    change: (content: Json & { surface: Json & { tools: Json[] } }) => unknown,
    layer: "shape" | "text" = "shape",
    reason: ExemptionReason = "exemption-malformed",
  ): void => {
    const content = JSON.parse(payloadText) as Json & { surface: Json & { tools: Json[] } };
    change(content);
    add(`shape-${name}`, layer, reason, about, { envelope: signed(JSON.stringify(content)) });
  };

  add("accepted", "none", undefined, "signed by a key for exemptions, for this server as it is");
  add("accepted-command", "none", undefined, "for a command line", {
    envelope: made({ subject: { command: COMMAND } }),
    asked: { origin: undefined as never, command: COMMAND },
  });
  add("accepted-both", "none", undefined, "it waives all there is", {
    envelope: made({ waives: ["grade", "clearance"] }),
  });
  add("accepted-ninety-days", "none", undefined, "the longest that there is", {
    envelope: made({ expiresAtMs: exemptionInput.issuedAtMs + 90 * 86_400_000 }),
  });
  add("accepted-no-fingerprint", "none", undefined, "tools that have no fingerprint", {
    envelope: made({ fingerprint: null }),
    live: { ...live, fingerprint: null },
  });
  add("accepted-second", "none", undefined, "a key that does not count has signed it too", {
    envelope: made({}, [keys.grader, operator]),
  });
  add("accepted-root-key", "none", undefined, "by a root key that is one for exemptions", {
    envelope: made({}, [keys.root]),
    draft: (draft) => ({
      ...draft,
      keys: draft.keys.map((key) =>
        key.id === keys.root.id ? { ...key, roles: ["root", "exemption"] as const } : key,
      ),
    }),
    signers: [keys.root.id],
  });

  add("envelope-not-json", "envelope", "exemption-malformed", "cut short", {
    envelope: made().slice(0, -30),
  });
  add("envelope-unknown-member", "envelope", "exemption-malformed", "a member that no signature covers", {
    envelope: bytesOf(text(made()).replace("{", '{"expires":"never",')),
  });
  add("envelope-type", "envelope", "exemption-wrong-type", "an exemption under the type of statements", {
    envelope: signed(payloadText, PAYLOAD_TYPE),
  });
  add("root-expired", "signer", "exemption-root-expired", "under a root that has expired", {
    term: { ...TERM, expiresAtMs: at("2026-11-15T11:59:59Z") },
  });
  add("edited", "signer", "exemption-bad-signature", "another end put in after it was signed", {
    envelope: swapped(made(), exemptionPayload({ expiresAtMs: at("2027-01-15T09:00:00Z") })),
  });
  add("stranger", "signer", "exemption-not-signed", "by a key that the root does not know", {
    envelope: made({}, [keys.stranger]),
  });
  add("stranger-revoked", "signer", "exemption-not-signed", "by such a key, and taken back", {
    envelope: made({}, [keys.stranger]),
    draft: (draft) => revokeStatement(draft, payloadDigest(exemptionPayload())),
  });
  add("revoked", "signer", "exemption-revoked", "taken back by the root", {
    draft: (draft) => revokeStatement(draft, payloadDigest(exemptionPayload())),
  });
  add("signer-revoked", "signer", "exemption-signer-revoked", "by a key that was revoked", {
    draft: (draft) => revokeKey(draft, "operator"),
  });
  add("signer-retired", "signer", "exemption-signer-retired", "by a key that is retired", {
    draft: (draft) => retireKey(draft, "operator"),
  });
  add("signer-expired", "signer", "exemption-signer-expired", "by a key that has reached its end", {
    envelope: made({}, [past]),
  });
  add("signer-not-yet", "signer", "exemption-signer-not-yet-valid", "by a key that is not valid yet", {
    envelope: made({}, [late]),
    asked: { nowMs: at("2026-11-13T12:00:00Z") },
  });
  add("signer-not-then", "signer", "exemption-signer-not-yet-valid", "issued before its key was valid", {
    envelope: made({ issuedAtMs: at("2026-11-13T00:00:00Z") }, [late]),
  });
  for (const [name, key] of [
    ["grader", keys.grader],
    ["publisher", keys.clearance],
    ["root", keys.root],
  ] as const)
    add(`signer-${name}`, "signer", "exemption-signer-not-operator", `by a key that is ${name}'s`, {
      envelope: made({}, [key]),
    });
  add("signer-origin", "signer", "exemption-signer-not-for-origin", "by a key for another origin", {
    envelope: made({}, [bound]),
  });
  add("signer-origin-command", "signer", "exemption-signer-not-for-origin", "by a key for origins only", {
    envelope: made({ subject: { command: COMMAND } }, [bound]),
    asked: { origin: undefined as never, command: COMMAND },
  });

  add("shape-not-json", "text", "exemption-malformed", "well signed, but no JSON", {
    envelope: signed(payloadText.slice(0, -1)),
  });
  add("shape-duplicate-key", "text", "exemption-malformed", "two ends", {
    envelope: signed(payloadText.replace('"expiresAt"', '"expiresAt":"2026-12-01T00:00:00Z","expiresAt"')),
  });
  add("shape-prototype-key", "text", "exemption-malformed", "a name that reaches into languages", {
    envelope: signed(payloadText.replace('"reason"', '"__proto__":{},"reason"')),
  });
  add("shape-too-deep", "text", "exemption-malformed", "nested deeper than any", {
    envelope: signed(payloadText.replace('"reason":', `"reason":${"[".repeat(9)}${"]".repeat(9)},"x":`)),
  });
  add("shape-list", "shape", "exemption-malformed", "a list", { envelope: signed(`[${payloadText}]`) });
  shape("format", "another format", (all) => (all.format = "touchstone/exemption/2"));
  shape("unknown-member", "a condition that this version does not know", (all) => (all.onlyOn = "Sundays"));
  shape("no-end", "no end", (all) => delete all.expiresAt, "shape", "exemption-without-end");
  shape("end-null", "an end that is nothing", (all) => (all.expiresAt = null));
  shape("end-number", "an end as a number", (all) => (all.expiresAt = 1797325200));
  shape("end-day", "an end that is a day", (all) => (all.expiresAt = "2026-12-15"));
  shape("no-such-day", "an end on no day", (all) => (all.expiresAt = "2026-11-31T00:00:00Z"), "text");
  shape("ends-before", "an end before its beginning", (all) => (all.expiresAt = all.issuedAt), "text");
  shape("no-server", "for any server", (all) => delete all.server);
  shape("server-name", "a name that no server has", (all) => (all.server = "a/b"));
  shape("no-subject", "for any place", (all) => delete all.subject);
  shape("subject-empty", "a subject that names nothing", (all) => (all.subject = {}));
  shape(
    "subject-both",
    "a place and a command",
    (all) => (all.subject = { origin: ORIGIN, command: { program: "npx", digest: digest("1") } }),
  );
  shape("subject-origin", "an origin with a path", (all) => (all.subject = { origin: `${ORIGIN}/mcp` }));
  shape("subject-words", "a command by its words", (all) => (all.subject = { command: COMMAND }));
  shape("waives-nothing", "nothing is waived", (all) => (all.waives = []));
  shape("waives-text", "one word in place of a list", (all) => (all.waives = "grade"));
  shape("waives-unknown", "drift is waived", (all) => (all.waives = ["drift"]));
  shape("waives-twice", "a word twice", (all) => (all.waives = ["grade", "grade"]));
  shape("no-reason", "no reason", (all) => delete all.reason);
  shape("reason-empty", "an empty reason", (all) => (all.reason = ""));
  shape("reason-blank", "white space for a reason", (all) => (all.reason = "   "));
  shape("reason-long", "a reason of 501 characters", (all) => (all.reason = "x".repeat(501)));
  shape("reason-control", "a reason that speaks to the terminal", (all) => (all.reason = "ok\u001b[2J"));
  shape("no-surface", "for whatever it shows", (all) => Reflect.deleteProperty(all, "surface"));
  shape("no-tools", "a surface without its tools", ({ surface }) => Reflect.deleteProperty(surface, "tools"));
  shape("tool-digest", "a tool whose digest is none", ({ surface: { tools } }) =>
    Object.assign(tools[0] ?? {}, { digest: "sha256:1" }),
  );
  shape("tool-unknown-member", "a tool with a member of its own", ({ surface: { tools } }) =>
    Object.assign(tools[0] ?? {}, { isFree: true }),
  );
  shape(
    "tool-twice",
    "a tool twice",
    ({ surface: { tools } }) => tools.push({ ...(tools[0] as Json), digest: digest("9") }),
    "text",
  );
  shape("fingerprint", "a fingerprint that is none", ({ surface }) => (surface.fingerprint = "0x0"));

  shape(
    "too-long",
    "for 90 days and a second",
    (all) => (all.expiresAt = "2027-02-13T09:00:01Z"),
    "text",
    "exemption-too-long",
  );
  add("not-yet", "time", "exemption-not-yet-valid", "issued in the future", {
    envelope: made({ issuedAtMs: at("2026-11-15T12:01:01Z") }),
  });
  add("accepted-skew", "none", undefined, "issued by a clock that is a minute ahead", {
    envelope: made({ issuedAtMs: at("2026-11-15T12:01:00Z") }),
  });
  add("expired", "time", "exemption-expired", "at its very end", {
    asked: { nowMs: exemptionInput.expiresAtMs },
  });
  add("accepted-last", "none", undefined, "a moment before its end", {
    asked: { nowMs: exemptionInput.expiresAtMs - 1 },
  });
  add("other-server", "binding", "exemption-wrong-server", "for another server of the file", {
    asked: { server: "maps" },
  });
  add("other-origin", "binding", "exemption-wrong-origin", "for another place", {
    asked: { origin: "https://tools.example:8443" },
  });
  add("command-for-origin", "binding", "exemption-wrong-origin", "for a command, shown for a place", {
    envelope: made({ subject: { command: COMMAND } }),
  });
  add("other-command", "binding", "exemption-wrong-command", "for another command line", {
    envelope: made({ subject: { command: COMMAND } }),
    asked: { origin: undefined as never, command: [...COMMAND, "--all"] },
  });
  add("origin-for-command", "binding", "exemption-wrong-command", "for a place, shown for a command", {
    asked: { origin: undefined as never, command: COMMAND },
  });
  add("tool-unknown", "live", "exemption-tool-unknown", "a tool that was not there", {
    live: { ...live, toolDigests: [...(live.toolDigests ?? []), ["delete", digest("7")]] },
  });
  add("tool-changed", "live", "exemption-tool-changed", "a tool that is another one", {
    live: { ...live, toolDigests: [["forecast", digest("7")]] },
  });
  add("fingerprint-differs", "live", "exemption-fingerprint-differs", "another fingerprint", {
    live: { fingerprint: null },
  });
  add("surface-differs", "live", "exemption-surface-differs", "another surface", {
    live: { surfaceDigest: digest("6") },
  });
  return cases;
}

/** The signatures of one envelope over the payload of another. */
function swapped(bytes: Uint8Array, payload: Uint8Array): Uint8Array {
  const read = readEnvelope(bytes);
  if (typeof read === "string") throw new Error(read);
  return writeEnvelope({ ...read, payload });
}

export const exemptionVectors = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(exemptionCases()).map(([file, each]) => [
      `${file}.json`,
      `${JSON.stringify(each, null, 2)}\n`,
    ]),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const place = join(folder, "spec/vectors/exemption");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const [file, content] of Object.entries(exemptionVectors())) writeFileSync(join(place, file), content);
}
