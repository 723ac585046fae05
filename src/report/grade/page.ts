/** A grade as one page of its own: no request leaves it, its one script is named by digest, and it reads without it. */
import { createHash } from "node:crypto";
import { shown } from "../../core/index.ts";
import type { Bundle } from "../../grade/index.ts";
import { exchangeList, exchangesOf, type Seen } from "./exchanges.ts";
import { html, NOTHING, ours } from "./html.ts";
import { SCRIPT } from "./script.ts";
import { categoryCards, coverageTable, egressTable, findingList, hero, proof, stats } from "./sections.ts";
import { STYLE } from "./style.ts";
import { lookOf } from "./words.ts";

export interface GradeHtmlOptions {
  /** The lines of the recording; its exchanges are shown when it is the bundle's own. */
  readonly recording?: string;
}

export function gradeHtml(bundle: Bundle, { recording }: GradeHtmlOptions = {}): string {
  const seen: Seen | undefined = recording === undefined ? undefined : exchangesOf(bundle, recording);
  const digest = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  const shownCalls = new Set(seen?.exchanges.map(({ id }) => id));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${lookOf(bundle.grade).letter}: ${shown(bundle.target.label, 120)}, a touchstone grade</title>
<style>${ours(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="wide">
<span class="brand">touchstone</span>
<nav aria-label="Sections"><a href="#findings">Findings</a> <a href="#categories">Categories</a> <a href="#network">Network</a> <a href="#coverage">Coverage</a> <a href="#verify">Verify</a>${seen === undefined ? NOTHING : html` <a href="#recording">Recording</a>`}</nav>
</div></header>
<main id="main" class="wide">
${hero(bundle)}
${stats(bundle)}
<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${findingList(bundle, shownCalls)}</section>
<section aria-labelledby="categories"><h2 id="categories">Categories</h2>
${categoryCards(bundle)}</section>
<section aria-labelledby="network"><h2 id="network">Network</h2>
${egressTable(bundle)}</section>
<section aria-labelledby="coverage"><h2 id="coverage">Coverage</h2>
${coverageTable(bundle)}</section>
<section aria-labelledby="verify"><h2 id="verify">Verify it yourself</h2>
${proof(bundle)}</section>
${
  seen === undefined
    ? NOTHING
    : html`<section aria-labelledby="recording"><h2 id="recording">Recording</h2>
${exchangeList(seen)}</section>
`
}</main>
<footer class="wide"><p>${bundle.disclaimer}</p></footer>
<script>${ours(SCRIPT)}</script>
</body>
</html>
`.text;
}
