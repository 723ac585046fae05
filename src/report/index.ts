/** Findings as text, JSON, SARIF and Markdown. Pure: a report goes in, a text comes out; what servers and files say is
 *  made fit to print here, so that no format can forget it. */
import { fit, type Hide } from "./fit.ts";
import { jsonValue } from "./json.ts";
import { markdown } from "./markdown.ts";
import type { Report } from "./report.ts";
import { sarifValue } from "./sarif.ts";
import { type Paint, text } from "./text.ts";

export { gradeBadge } from "./grade/badge.ts";
export { gradeJunit } from "./grade/junit.ts";
export { gradeMarkdown } from "./grade/markdown.ts";
export { type GradeHtmlOptions, gradeHtml } from "./grade/page.ts";
export { gradeSarif } from "./grade/sarif.ts";
export {
  GATES,
  type Gate,
  isOver,
  type Place,
  type Report,
  type Sighting,
  type Subject,
  type Summary,
  skippedText,
  summaryOf,
} from "./report.ts";
export { STORY_MARK, storyHtml } from "./story/page.ts";
export type { Exhibit, Story, StoryLine } from "./story/story.ts";
export { renderSuite, SUITE_FORMATS, type SuiteFormat, suiteJson } from "./suite/index.ts";
export type { Paint };

/** One line a format. */
const RENDERERS = {
  text: (report: Report, paint?: Paint) => `${text(report, paint)}\n`,
  json: (report: Report) => `${JSON.stringify(jsonValue(report), null, 2)}\n`,
  sarif: (report: Report) => `${JSON.stringify(sarifValue(report), null, 2)}\n`,
  markdown: (report: Report) => markdown(report),
} as const;

export type Format = keyof typeof RENDERERS;
export const FORMATS = Object.keys(RENDERERS) as readonly Format[];

export interface RenderOptions {
  /** Replaces secrets; done before a text is cut, so that no half of one stays. */
  readonly hide?: Hide;
  /** Colours of a terminal, for text only. */
  readonly paint?: Paint;
}

/** The report as one document that ends with a newline. */
export function render(report: Report, format: Format, { hide, paint }: RenderOptions = {}): string {
  return RENDERERS[format](fit(report, hide), paint);
}
