/** What a server may do, as far as it is known: how it is admitted, and how its tools stand. Implements spec/policy.md, POL-20. */
import type { Mode } from "./decide.ts";
import type { McpServerPolicy } from "./server.ts";

export interface Standing {
  readonly name: string;
  /** As it counts: an admission is in it already. */
  readonly policy: McpServerPolicy;
  readonly admission:
    | {
        readonly status: "admitted";
        readonly grade: Grade | null;
        /** The level that somebody it is believed to has cleared it for. */
        readonly clearance?: string;
        /** Why an exemption that was to let it in does not count. */
        readonly lapsed?: string;
      }
    | { readonly status: "exempted"; readonly by: Waiver }
    /** No grade is wanted of it: it is taken as it was locked. */
    | { readonly status: "locked" }
    /** Nothing is asked of it, and with policy `spec` nothing has to be. */
    | { readonly status: "unasked" }
    | { readonly status: "refused"; readonly reason: string };
  /** What is known of its tools, by their exact names. */
  readonly tools: ReadonlyMap<string, ToolStanding>;
  /** What its resources say to the agent that no honest one says, by address; empty where they do not. */
  readonly resources?: ReadonlyMap<string, string>;
  /** The same of its templates for resources. */
  readonly templates?: ReadonlyMap<string, string>;
  /** The same of its prompts, by their names. */
  readonly prompts?: ReadonlyMap<string, string>;
}

/** An exception of the operator's: what a server lacks, and who lets it in all the same. */
export interface Waiver {
  readonly waived: readonly string[];
  /** What it would be refused for without it. */
  readonly lacks: string;
  readonly reason: string;
  /** Its end, as it is written. */
  readonly expires: string;
  readonly signers: readonly string[];
  /** Of the signed exemption. */
  readonly digest: string;
}

export type Grade = "A" | "B" | "C" | "D" | "F";

export interface ToolStanding {
  /** It is the one that was attested or locked. */
  readonly isPinned: boolean;
  /** It was pinned, and is another one now. */
  readonly hasDrifted: boolean;
  /** Others of its server were attested or locked, and it was not. */
  readonly isStranger?: boolean;
  /** The server lists this name more than once: which of them would be called is for the server to say. */
  readonly isTwice?: boolean;
  /** It can only be called as a task, and tasks are not passed on. */
  readonly isTaskOnly?: boolean;
  /** It says so itself, as it was when somebody looked; what a grade has found otherwise is in its grade. */
  readonly isReadOnly: boolean;
  /** What its definition says to the agent that no honest one says. */
  readonly flaw?: string;
}

/** What of a grade is lacking for a server to be let in, and why what was to help does not. */
export function lackingIn(admission: Standing["admission"]): string | undefined {
  if (admission.status !== "admitted") return undefined;
  const { grade, clearance, lapsed } = admission;
  const isCleared = grade === null && clearance !== undefined;
  if (grade === "A" || grade === "B" || grade === "C" || isCleared) return undefined;
  const lacking = grade === null ? "no grade" : `grade ${grade}`;
  return lapsed === undefined ? lacking : `${lacking}; ${lapsed}`;
}

/** What a server is refused for, where admission is enforced. */
export function faultOf(admission: Standing["admission"]): string | undefined {
  if (admission.status === "refused") return admission.reason;
  const lacking = lackingIn(admission);
  return lacking === undefined ? undefined : `it has ${lacking}`;
}

/** How a server is let in, or that it is not: the word for it in the log, in JSON and for people. */
export type AdmissionWord = Standing["admission"]["status"] | "unverified";

export function admissionWord(admission: Standing["admission"], mode: Mode): AdmissionWord {
  if (faultOf(admission) === undefined) return admission.status;
  return mode === "enforce" ? "refused" : "unverified";
}

/** The same with what the mode has to do with it. */
export const admissionText = (word: AdmissionWord, mode: Mode): string =>
  word === "unverified" ? `let in unverified (modes.admission: ${mode})` : word;
