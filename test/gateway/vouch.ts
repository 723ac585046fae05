/** Statements about a server of a test, good ones and bad ones, in a folder with the root that says who may sign. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addKey, draftRoot, generateKey, type SigningKey, signStatement } from "../../src/attest/index.ts";
import { rootPayload, signRoot } from "../../src/attest/root/edit.ts";
import { buildStatement, type StatementInput } from "../../src/attest/statement/build.ts";
import { toolDigest } from "../../src/surface/index.ts";
import { sampleInput } from "../kit/attest.ts";
import type { Servers, ToolState } from "./kit.ts";

export const DAY = 86_400_000;
const [ROOT, GRADER] = [generateKey(), generateKey()];

export interface Vouched {
  readonly grade?: "A" | "B" | "C" | "D" | "F" | null;
  readonly signer?: SigningKey;
  readonly method?: string;
  readonly input?: Partial<StatementInput>;
  readonly ranAtMs?: number;
}

const shownOf = ({ answer: _answer, raw: _raw, ending: _ending, ...tool }: ToolState): object => tool;

/** Who may sign, in root.json. */
export function writeRoot(folder: string): void {
  const now = Date.now();
  let draft = draftRoot(1, { name: "example", levels: [{ name: "public", rank: 0 }] });
  draft = addKey(draft, { key: ROOT, roles: ["root"] });
  draft = addKey(draft, { key: GRADER, roles: ["grade"] });
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
