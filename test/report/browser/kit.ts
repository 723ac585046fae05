/** What the checks of the page share: the runs that it shows, ways to open it, and questions about what is seen. */
import type { Bundle, GradeResult } from "../../../src/grade/index.ts";
import { probesOf } from "../../../src/report/grade/words.ts";
import type { Chromium, Locator, Opened, Page } from "../../kit/browser.ts";

export type Graded = Pick<GradeResult, "bundle" | "recording">;
type Options = Parameters<Chromium["open"]>[1];

export interface Reports {
  /** Real runs: an honest server, one that hides an order, and one whose every text is markup. */
  readonly honest: Graded;
  readonly hostile: Graded;
  readonly markup: Graded;
  /** A bundle that no run makes: markup in every member, also in our own. */
  readonly worst: Graded;
  open(report: Graded, options?: Options): Promise<Opened>;
  /** Shows a text as a page of its own. */
  show(text: string, options?: Options): Promise<Opened>;
}

/** Each is named by the fact that it states. */
export type Checks = Readonly<Record<string, (reports: Reports) => Promise<void>>>;

/** How many of them take room on the page. */
export const visibleCount = (all: Locator): Promise<number> => all.filter({ visible: true }).count();

/** In the window, and not under the header. */
export async function isInView(page: Page, place: Locator): Promise<boolean> {
  const [box, top] = await Promise.all([place.boundingBox(), page.locator(".top").boundingBox()]);
  const { height = 0 } = page.viewportSize() ?? {};
  return box !== null && top !== null && box.y >= top.y + top.height - 1 && box.y + box.height <= height;
}

export const findingsOf = (bundle: Bundle, id: string) =>
  probesOf(bundle).find((probe) => probe.id === id)?.findings ?? [];

/** How many findings of a probe are on the page; the others are counted. */
export const MAX_LISTED = 20;
