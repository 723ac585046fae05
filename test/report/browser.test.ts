/** The page of a grade in a real browser, as its readers meet it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gradeHtml } from "../../src/report/index.ts";
import { exampleWords, gradeWords } from "../grade/kit.ts";
import { startChromium } from "../kit/browser.ts";
import { root, temporaryFolder } from "../kit/paths.ts";
import { ACCESS } from "./browser/access.ts";
import type { Graded, Reports } from "./browser/kit.ts";
import { READING } from "./browser/reading.ts";
import { RECORDING } from "./browser/recording.ts";
import { SAFETY } from "./browser/safety.ts";
import { bundle, recording } from "./grade-sample.ts";

const timeout = 120_000;

test("the page of a grade in a browser", { timeout }, async (t) => {
  using folder = temporaryFolder();
  await using browser = await startChromium();
  const [honest, hostile, markup] = await Promise.all([
    gradeWords("honest-notes", exampleWords("honest-notes")),
    gradeWords("hostile-weather", exampleWords("hostile-weather")),
    gradeWords("markup", [join(root, "test/fixtures/markup-server.mjs")]),
  ]);
  const urls = new Map<string | Graded, string>();
  const urlOf = (key: string | Graded, text: () => string): string => {
    const file = join(folder.path, `${urls.size}.html`);
    const url = urls.get(key) ?? pathToFileURL(file).href;
    if (!urls.has(key)) writeFileSync(file, text());
    urls.set(key, url);
    return url;
  };
  const reports: Reports = {
    honest,
    hostile,
    markup,
    worst: { bundle, recording },
    open: (report, options) =>
      browser.open(
        urlOf(report, () => gradeHtml(report.bundle, report)),
        options,
      ),
    show: (text, options) =>
      browser.open(
        urlOf(text, () => text),
        options,
      ),
  };
  const checks = { ...READING, ...RECORDING, ...SAFETY, ...ACCESS };
  for (const [name, check] of Object.entries(checks)) await t.test(name, { timeout }, () => check(reports));
});
