/** The demo on a terminal: a step as its number, its name and a few lines. */
import type { StoryLine } from "../../report/index.ts";
import type { Output } from "../output.ts";
import { CAST } from "./cast.ts";
import { STEPS, type Step } from "./story.ts";

const WIDEST = Math.max(...Object.keys(STEPS).map((id) => id.length));
const INDENT = " ".repeat(4);

export function printStart(out: Output): void {
  out.line(out.color.bold("May my agent trust this MCP server?"));
  out.line(
    out.color.dim(
      `${CAST.notes} does what it says, ${CAST.weather} does not, ${CAST.board} does for a while; all of it offline`,
    ),
  );
}

export function printStep(
  { id, title, ok, assessed, why, claims, shows }: Step,
  number: number,
  out: Output,
): void {
  const { color } = out;
  const mark = ok ? (assessed ? color.green("✓") : color.yellow("◐")) : color.red("✕");
  out.line();
  out.line(`${mark} ${color.bold(`${number} ${id.padEnd(WIDEST)}`)}  ${title}`);
  const [words, whats] = [widest(shows, "word"), widest(shows, "what")];
  for (const { word, tone, what, text } of shows) {
    const paint = tone === "good" ? color.green : tone === "bad" ? color.red : color.dim;
    out.line(`${INDENT}${paint(word.padEnd(words))}  ${what.padEnd(whats)}  ${text}`.trimEnd());
  }
  for (const { claim, holds } of claims)
    if (!holds) out.line(`${INDENT}${color.red("does not hold:")} ${out.text(claim, 300)}`);
  if (why !== undefined) out.line(`${INDENT}${color.yellow("not assessed:")} ${out.text(why, 500)}`);
}

const widest = (lines: readonly StoryLine[], member: "word" | "what"): number =>
  Math.max(0, ...lines.map((line) => line[member].length));

export function printEnd(
  ending: string,
  isOk: boolean,
  next: readonly (readonly [line: string, purpose: string])[],
  kept: string | undefined,
  out: Output,
): void {
  out.line();
  out.line(isOk ? out.color.green(out.text(ending, 500)) : out.color.red(out.text(ending, 500)));
  if (kept !== undefined) out.line(`kept: ${out.text(kept, 300)}`);
  const width = Math.max(...next.map(([line]) => line.length));
  for (const [at, [line, purpose]] of next.entries())
    out.line(`${at === 0 ? "next:" : "     "} ${out.color.bold(line.padEnd(width))}  ${purpose}`);
}
