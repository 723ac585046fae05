/** What a probe is: what it would call, and how it judges what came of it. */
import type { Finding } from "../core/index.ts";
import type { CategoryId } from "./categories.ts";
import type { Exchange, MethodId, Run } from "./run/model.ts";

/** `partial`: looked at as far as was possible. `unexercised`: there was nothing to look at. Only `pass` is a pass. */
export type ProbeStatus = "pass" | "fail" | "skipped" | "partial" | "unexercised";

export interface ProbeResult {
  readonly status: ProbeStatus;
  readonly reason: string;
  readonly findings: readonly Finding[];
}

/** A tool as it was advertised. */
export interface ToolSight {
  readonly name: string;
  readonly inputSchema: unknown;
  /** Everything the server said of it. */
  readonly raw: unknown;
}

/** A call that a probe wants made. */
export interface PlannedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly note: string;
  /** Secrets in the arguments, of this call alone. */
  readonly canaries?: readonly { readonly id: string; readonly value: string }[];
  /** Texts in the arguments whose echo is not the server's own speech. */
  readonly sent?: readonly { readonly text: string; readonly marker: string }[];
}

/** What scripts are made with. Everything it gives follows from the seed of the run. */
export interface ScriptKit {
  /** Valid arguments for a tool, the most useful first; none when none could be made. */
  samples(tool: ToolSight): readonly Readonly<Record<string, unknown>>[];
  /** Valid arguments with this text in the tool's first place for text; undefined when it takes none, or not this one. */
  withText(tool: ToolSight, text: string): Readonly<Record<string, unknown>> | undefined;
  /** Valid arguments with this path in a place for paths; undefined when there is none. */
  withPath(tool: ToolSight, path: string): Readonly<Record<string, unknown>> | undefined;
  /** Planted files that hold secrets, by paths that lead to them; none where nothing is planted. */
  secretFiles(): readonly string[];
  /** A word that nobody says by chance, another one each time. */
  marker(): string;
  /** Three secrets for the arguments of one call: a key, a person's address, a token. */
  secrets(): readonly { readonly id: string; readonly value: string }[];
}

export interface Probe {
  readonly id: string;
  readonly category: CategoryId;
  readonly title: string;
  /** Which methods ask it. */
  readonly methods: readonly MethodId[];
  /** The calls it wants of one tool. */
  script?(tool: ToolSight, kit: ScriptKit): Iterable<PlannedCall>;
  /** Further calls, made of the answers to the first. */
  chain?(answered: readonly Exchange[], tools: readonly ToolSight[], kit: ScriptKit): Iterable<PlannedCall>;
  /** Reads only the run. */
  judge(run: Run, method: MethodId): ProbeResult;
}

export const BOTH: readonly MethodId[] = ["litmus-v5", "touchstone-1"];
export const OURS: readonly MethodId[] = ["touchstone-1"];

export const passed = (reason: string, findings: readonly Finding[] = []): ProbeResult => ({
  status: "pass",
  reason,
  findings,
});

/** The result of a probe that needs the sandbox, where there was none. */
export function unobserved({ terms: { target, sandbox } }: Run): ProbeResult | undefined {
  if (target.kind === "http") return { status: "skipped", reason: "remote target", findings: [] };
  if (sandbox.status === "skipped") return { status: "skipped", reason: "no sandbox", findings: [] };
  return undefined;
}

/** Fails when a finding does; otherwise the other result with what was found added. */
export function judgedBy(findings: readonly Finding[], otherwise: ProbeResult): ProbeResult {
  const failures = findings.filter(({ severity }) => severity === "fail");
  if (failures.length === 0) return { ...otherwise, findings: [...otherwise.findings, ...findings] };
  const messages = new Set(failures.map(({ message }) => message));
  const [first] = messages;
  const more = messages.size > 1 ? `, and ${messages.size - 1} more` : "";
  return { status: "fail", reason: `${first ?? ""}${more}`, findings };
}
