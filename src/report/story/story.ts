/** A story in steps, as a page shows it. What servers said is in it as text and nothing else. */
import type { Bundle } from "../../grade/index.ts";

/** `good` for what is as it should be, `bad` for what was found or turned away. */
export type Tone = "good" | "bad" | "plain";

/** One line: a word that stands out, whom it is about, and the rest. */
export interface StoryLine {
  readonly word: string;
  readonly tone: Tone;
  readonly what: string;
  readonly text: string;
}

/** Something to look at below the lines. */
export type Exhibit =
  | { readonly kind: "grade"; readonly name: string; readonly bundle: Bundle }
  | {
      readonly kind: "table";
      readonly name: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "text"; readonly name: string; readonly text: string };

export interface StoryStep {
  readonly id: string;
  readonly title: string;
  readonly ok: boolean;
  readonly assessed: boolean;
  /** Why not all of it was assessed. */
  readonly why?: string;
  readonly claims: readonly { readonly claim: string; readonly holds: boolean }[];
  readonly shows: readonly StoryLine[];
  readonly exhibits?: readonly Exhibit[];
  readonly seconds: number;
}

export interface Story {
  readonly title: string;
  readonly about: string;
  readonly ranAt: string;
  readonly steps: readonly StoryStep[];
  readonly next: readonly (readonly [line: string, purpose: string])[];
}
