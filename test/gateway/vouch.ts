/** Statements and exemptions about a server of a test, good ones and bad ones, in a folder with the root that says who may sign. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  addKey,
  buildExemption,
  draftRoot,
  generateKey,
  type SigningKey,
  signExemption,
  signStatement,
} from "../../src/attest/index.ts";
import { rootPayload, signRoot } from "../../src/attest/root/edit.ts";
import { buildStatement, type StatementInput } from "../../src/attest/statement/build.ts";
import { toolDigest } from "../../src/surface/index.ts";
import { sampleInput } from "../kit/attest.ts";
import type { Servers, ToolState } from "./kit.ts";

export const DAY = 86_400_000;
const [ROOT, OPERATOR, PUBLISHER] = [generateKey(), generateKey(), generateKey()];
export const GRADER = generateKey();
export { OPERATOR, PUBLISHER };

export interface Vouched {
  readonly grade?: "A" | "B" | "C" | "D" | "F" | null;
  readonly signer?: SigningKey;
  readonly method?: string;
  readonly input?: Partial<StatementInput>;
  readonly ranAtMs?: number;
}

const shownOf = ({ answer: _answer, raw: _raw, ending: _ending, ...tool }: ToolState): object => tool;

/** Who may sign, in root.json. */
export function writeRoot(folder: string, revoked: readonly string[] = []): void {
  const now = Date.now();
  let draft = draftRoot(1, {
    name: "example",
    levels: [
      { name: "public", rank: 0 },
      { name: "internal", rank: 1 },
    ],
  });
  draft = addKey(draft, { key: ROOT, roles: ["root"] });
  draft = addKey(draft, { key: GRADER, roles: ["grade"] });
  draft = addKey(draft, { key: OPERATOR, id: "operator", roles: ["exemption"] });
  draft = addKey(draft, { key: PUBLISHER, roles: ["clearance"], approvedClearances: ["internal"] });
  draft = { ...draft, revokedStatements: revoked };
  const term = { issuedAtMs: now - DAY, expiresAtMs: now + 30 * DAY };
  writeFileSync(join(folder, "root.json"), signRoot(rootPayload(draft, 1, term), [ROOT]));
}

/** Writes NAME.grade.json, which says that the server has these tools and this grade; returns its entry for `servers`. */
export function vouch(
  servers: Servers,
  name: string,
  tools: readonly ToolState[],
  given: Vouched = {},
): Record<string, unknown> {
  const { grade = "A", signer = GRADER, method = "touchstone-1", input, ranAtMs } = given;
  const entry = servers.entry(name);
  const now = Date.now();
  const { serverJson: _json, clearance: _clearance, ...sample } = sampleInput;
  const payload = buildStatement({
    ...sample,
    bundle: {
      ...sample.bundle,
      target: {},
      methodologyVersion: method,
      grades: { [method]: { grade } },
      ranAt: new Date(ranAtMs ?? now - 60_000).toISOString(),
    },
    origins: [],
    command: [String(entry.command), ...(entry.args as string[])],
    tools: tools.map((tool) => [tool.name, toolDigest(shownOf(tool))] as const),
    issuedAtMs: now - 30_000,
    ...input,
  });
  const statement = `${name}.grade.json`;
  writeFileSync(join(servers.folder, statement), signStatement(payload, [signer]));
  return { ...entry, statement };
}

export type Exempted = Partial<Parameters<typeof buildExemption>[0]> & { readonly signer?: SigningKey };

/** Writes NAME.exemption.json for these tools; returns its payload. */
export function exempt(
  servers: Servers,
  name: string,
  tools: readonly ToolState[],
  { signer = OPERATOR, ...given }: Exempted = {},
): Uint8Array {
  const { command, args } = servers.entry(name);
  const issuedAtMs = Date.now() - 30_000;
  const payload = buildExemption({
    server: name,
    subject: { command: [String(command), ...(args as string[])] },
    waives: ["grade"],
    reason: "its maker publishes nothing; read by Ada",
    issuedAtMs,
    expiresAtMs: issuedAtMs + 30 * DAY,
    surfaceDigest: `sha256:${"5".repeat(64)}`,
    fingerprint: null,
    tools: tools.map((tool) => [tool.name, toolDigest(shownOf(tool))] as const),
    ...given,
  });
  writeFileSync(join(servers.folder, `${name}.exemption.json`), signExemption(payload, [signer]));
  return payload;
}
