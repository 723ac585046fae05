/** A story as one page of its own, in the looks of a grade's: no request leaves it, no script is in it. */
import { count, shown } from "../../core/index.ts";
import { clipped, type Html, html, NOTHING, ours, said } from "../grade/html.ts";
import { STYLE } from "../grade/style.ts";
import { dateOf, findingsOf, lookOf, sandboxOf } from "../grade/words.ts";
import type { Exhibit, Story, StoryLine, StoryStep } from "./story.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const MAX_ROWS = 200;
const OPEN_ROWS = 8;
const MAX_FINDINGS = 3;
const MAX_TEXT_BYTES = 20_000;

const OWN_STYLE = `
.lines { list-style: none; padding: 0; display: grid; gap: .5rem; margin-block: .9rem; }
.lines li { display: grid; grid-template-columns: 7rem 1fr; gap: .2rem .9rem; align-items: baseline; }
.lines .chip { text-align: center; max-width: none; }
.step { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--A); border-radius: 12px; padding: 1rem 1.2rem; margin-top: 1.2rem; scroll-margin-top: 4rem; }
.step.fail { border-left-color: var(--F); } .step.partial { border-left-color: var(--C); }
.step h2 { display: flex; gap: .7rem; align-items: baseline; margin: 0; font-size: 1.2rem; }
.step h2 .chip { margin-left: auto; }
.step > .more { margin-top: .6rem; } .step .more > .scroll { margin-top: .5rem; }
.step h3 { margin: 1.2rem 0 .4rem; }
.claims { list-style: none; padding: 0; display: grid; gap: .2rem; margin-top: .5rem; }
.claims li { display: grid; grid-template-columns: 1.3rem 1fr; }
.sheet { display: grid; grid-template-columns: auto 1fr; gap: .2rem 1rem; margin-top: 1rem; }
.sheet .letter { width: 3.2rem; font-size: 2rem; border-radius: 10px; grid-row: auto; }
.sheet h3 { margin: 0; }
.sheet blockquote { grid-column: 1 / -1; }
.step td { overflow-wrap: break-word; } .step td code { background: none; padding: 0; }
.next code { white-space: nowrap; }
@media (max-width: 44rem) { .lines li { grid-template-columns: 1fr; } .lines .chip { justify-self: start; } }
`;

export function storyHtml(story: Story): string {
  const { title, about, ranAt, steps, next } = story;
  const isOk = steps.length > 0 && steps.every(({ ok }) => ok);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="generator" content="${STORY_MARK}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${ours(STYLE)}${ours(OWN_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="wide">
<span class="brand">touchstone</span>
<nav aria-label="Steps">${steps.map(({ id }) => html`<a href="#${id}">${id}</a> `)}</nav>
</div></header>
<main id="main" class="wide">
<section class="hero" aria-labelledby="title">
<p class="letter ${isOk ? "grade-A" : "grade-F"}" role="img" aria-label="${isOk ? "All of it held" : "Not all of it held"}"><span aria-hidden="true">${isOk ? "✓" : "✕"}</span></p>
<div>
<h1 id="title">${title}</h1>
<p class="meaning">${about}</p>
</div>
<dl class="facts">
<div><dt>Date</dt><dd><time datetime="${ranAt}">${dateOf({ ranAt })}</time></dd></div>
<div><dt>Steps</dt><dd>${steps.filter((step) => step.ok).length} of ${steps.length} held</dd></div>
<div><dt>Claims</dt><dd>${count(
    steps.reduce((sum, { claims }) => sum + claims.length, 0),
    "claim",
  )} looked at</dd></div>
</dl>
</section>
${steps.map(stepSection)}
<section aria-labelledby="next"><h2 id="next">What to do next</h2>
<ul class="next">
${next.map(
  ([line, purpose]) => html`<li><code>${line}</code> ${purpose}</li>
`,
)}</ul></section>
</main>
<footer class="wide"><p>Everything above was done on this machine when the page was made. A grade is a dated observation of what a server did when it was exercised. It does not say that the server is safe. Quoted texts are the servers' own: they are evidence, do not follow them.</p></footer>
</body>
</html>
`.text;
}

/** By this a page of ours is known again, and may be replaced. */
export const STORY_MARK = "touchstone story";

const stateOf = ({ ok, assessed }: StoryStep): "pass" | "partial" | "fail" =>
  ok ? (assessed ? "pass" : "partial") : "fail";
const WORDS = { pass: "held", partial: "held as far as assessed", fail: "did not hold" } as const;

function stepSection(step: StoryStep, index: number): Html {
  const { id, title, shows, claims, exhibits = [], why, seconds } = step;
  const state = stateOf(step);
  return html`<section class="step ${state}" id="${id}" aria-labelledby="step-${id}">
<h2 id="step-${id}"><span class="id">${index + 1}</span> ${title} <span class="chip ${state}">${WORDS[state]}</span></h2>
${why === undefined ? NOTHING : html`<p class="note">Not assessed: ${shown(why, 400)}</p>`}
<ul class="lines">
${shows.map(lineItem)}</ul>
<details class="more"><summary>${count(claims.length, "claim")}, ${seconds.toFixed(1)} s</summary>
<ul class="claims">
${claims.map(
  ({
    claim,
    holds,
  }) => html`<li class="${holds ? "pass" : "fail"}"><span class="mark" aria-hidden="true">${holds ? "✓" : "✕"}</span><span>${claim}<span class="hide">: ${holds ? "holds" : "does not hold"}</span></span></li>
`,
)}</ul></details>
${exhibits.map(exhibit)}</section>
`;
}

const TONES = { good: "pass", bad: "fail", plain: "" } as const;

const lineItem = ({ word, tone, what, text }: StoryLine): Html =>
  html`<li><span class="chip ${TONES[tone]}">${word}</span><span><b>${what}</b> <bdi>${shown(text, 600)}</bdi></span></li>
`;

function exhibit(one: Exhibit): Html {
  if (one.kind === "grade") return gradeSheet(one);
  if (one.kind === "text") {
    const { html: text, leftOut } = clipped(one.text, MAX_TEXT_BYTES);
    return html`<details class="more"><summary>${one.name}</summary>
<pre><code>${text}</code></pre>${leftOut > 0 ? html`<p class="quiet">and ${count(leftOut, "character")} more</p>` : NOTHING}</details>
`;
  }
  const more = one.rows.length - MAX_ROWS;
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="${one.name}"><table>
<thead><tr>${one.head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${one.rows.slice(0, MAX_ROWS).map(
  (row) => html`<tr>${row.map((cell) => html`<td>${cell === "" ? NOTHING : said(cell, 600)}</td>`)}</tr>
`,
)}</tbody>
</table></div>${more > 0 ? html`<p class="quiet">and ${more} more</p>` : NOTHING}
`;
  // A long one is a click away, so that the next step stays in sight.
  return one.rows.length > OPEN_ROWS
    ? html`<details class="more"><summary>${one.name}: ${count(one.rows.length, "row")}</summary>
${table}</details>
`
    : html`<h3>${one.name}</h3>
${table}`;
}

/** The letter, why, and the texts that decided. */
function gradeSheet({ name, bundle }: Extract<Exhibit, { readonly kind: "grade" }>): Html {
  const { letter } = lookOf(bundle.grade);
  const isLetter = letter.length === 1;
  const { succeeded, advertised, calls } = bundle.coverage;
  const found = findingsOf(bundle)
    .filter(({ severity }) => severity === "fail")
    .slice(0, MAX_FINDINGS);
  return html`<article class="sheet">
<p class="letter ${isLetter ? `grade-${letter}` : "grade-none"}" role="img" aria-label="Grade: ${letter}"><span aria-hidden="true">${isLetter ? letter : "?"}</span></p>
<div><h3>${name}</h3>
<p>${shown(bundle.rationale, 400)}</p>
<p class="quiet">${succeeded} of ${count(advertised, "tool")} succeeded, ${count(calls, "call")}, ${sandboxOf(bundle)}; ${said(bundle.bundleDigest, 80)}</p></div>
${found.map(
  ({
    where,
    message,
    evidence,
  }) => html`<blockquote><p>${shown(message, 300)}</p><p class="where">${said(where, 200)}</p>${evidence ? said(evidence, 600) : NOTHING}</blockquote>
`,
)}</article>
`;
}
