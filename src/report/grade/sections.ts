/** The parts of the page of a grade, one function each. All text of a bundle goes through the escaping template. */
import { count, type Finding, ruleTable, shown } from "../../core/index.ts";
import type { Bundle, JudgedCategory, JudgedProbe } from "../../grade/index.ts";
import { anchorOf } from "./exchanges.ts";
import { type Html, html, NOTHING, said } from "./html.ts";
import {
  callOf,
  categoryTitle,
  dateOf,
  egressRows,
  findingsOf,
  findingsText,
  leftOut,
  lookOf,
  otherGrades,
  own,
  probesOf,
  STATUSES,
  sandboxOf,
  statusOf,
} from "./words.ts";

const MAX_ROWS = 200;
const MAX_FINDINGS_A_PROBE = 20;
/** The others of a probe are one click away: a server with much to find must not hide what its other probes found. */
const FIRST_FINDINGS = 4;

const chip = (status: string): Html =>
  html`<span class="chip ${statusOf(status)}">${statusOf(status)}</span>`;

export function hero(bundle: Bundle): Html {
  const { letter, meaning } = lookOf(bundle.grade);
  const isLetter = letter.length === 1;
  const why = reasonsOf(bundle, meaning);
  return html`<section class="hero" aria-labelledby="target">
<p class="letter ${isLetter ? `grade-${letter}` : "grade-none"}" role="img" aria-label="Grade: ${letter}"><span aria-hidden="true">${isLetter ? letter : "?"}</span></p>
<div>
<h1 id="target"><bdi>${shown(bundle.target.label, 160)}</bdi></h1>
<p class="meaning">${isLetter ? meaning : `Not graded: ${meaning.toLowerCase()}`}.</p>
</div>
<dl class="facts">
<div><dt>Date</dt><dd><time datetime="${bundle.ranAt}">${dateOf(bundle)}</time></dd></div>
${[[bundle.methodologyVersion, letter] as const, ...otherGrades(bundle)].map(
  ([method, other]) => html`<div><dt>By ${method}</dt><dd>${small(other)}</dd></div>
`,
)}<div><dt>Ran</dt><dd>${sandboxOf(bundle)}, over ${bundle.target.kind}</dd></div>
</dl>
${
  why === ""
    ? NOTHING
    : html`<div class="why"><h2>Why</h2><p>${shown(why, 1500)}</p></div>
`
}</section>`;
}

/** The reasons, without the sentence that stands above them already. */
function reasonsOf({ rationale }: Bundle, meaning: string): string {
  const isSaid = rationale.toLowerCase().startsWith(meaning.toLowerCase());
  return isSaid ? rationale.slice(meaning.length).replace(/^: /, "") : rationale;
}

const small = (letter: string): Html =>
  letter.length === 1 ? html`<span class="letter small grade-${letter}">${letter}</span>` : html`${letter}`;

export function stats(bundle: Bundle): Html {
  const probes = probesOf(bundle);
  const { coverage, egress } = bundle;
  const findings = findingsOf(bundle).filter(({ severity }) => severity !== "info");
  const passed = probes.filter(({ status }) => status === "pass").length;
  const tile = (value: string, words: string): Html => html`<li><b>${value}</b> ${words}</li>
`;
  return html`<ul class="stats">
${tile(`${passed} of ${probes.length}`, "probes passed")}${tile(String(findings.length), findings.length === 1 ? "finding" : "findings")}${tile(
  `${coverage.succeeded} of ${coverage.advertised}`,
  "tools succeeded",
)}${tile(String(coverage.calls), coverage.calls === 1 ? "call made" : "calls made")}${tile(
  String(egress.attempts.length),
  egress.attempts.length === 1 ? "connection tried" : "connections tried",
)}</ul>`;
}

export function categoryCards({ categories }: Bundle): Html {
  return html`<div class="cards">
${categories.map(card)}</div>
<p class="legend">${STATUSES.map(
    (status) => html`<span>${chip(status)} ${LEGEND[status]}</span>
`,
  )}</p>`;
}

const LEGEND = {
  pass: "looked at, nothing found",
  fail: "something was found",
  partial: "looked at as far as possible",
  skipped: "not assessed",
  unexercised: "nothing to look at",
} as const;

function card({ id, status, probes }: JudgedCategory): Html {
  return html`<article class="card ${statusOf(status)}">
<h3><span class="id">${id}</span> ${categoryTitle(id)} ${chip(status)}</h3>
<ul>
${probes.map(probe)}</ul>
</article>
`;
}

const MARKS = { pass: "✓", fail: "✕", partial: "◐", skipped: "–", unexercised: "○" } as const;

function probe({ id, title, status, reason, findings }: JudgedProbe): Html {
  const known = statusOf(status);
  const isLinked = findings.length > 0 && /^[\w.-]{1,20}$/.test(id);
  return html`<li class="${known}"><span class="mark" aria-hidden="true">${MARKS[known]}</span><div>
<p><span class="id">${id}</span> ${title}<span class="hide">: ${known}</span></p>
<p class="quiet">${shown(reason, 240)}${isLinked ? html` <a href="#probe-${id}">${findingsText(findings)}</a>` : NOTHING}</p>
</div></li>
`;
}

export function findingList(bundle: Bundle, shownCalls: ReadonlySet<string>): Html {
  const rank = ({ findings }: JudgedProbe): number => LEVELS.indexOf(worstOf(findings));
  const probes = probesOf(bundle)
    .filter(({ findings }) => findings.length > 0)
    .sort((a, b) => rank(a) - rank(b));
  if (probes.length === 0) return html`<p class="quiet">None. That is what was seen, not a promise.</p>`;
  const isGrave = probes.some(({ findings }) => worstOf(findings) !== "info");
  return html`<p>${isGrave ? NOTHING : html`None; what follows is only worth a note. `}The quoted texts are the server's own. They are evidence: do not follow them. Characters that cannot be seen stand by number, like <mark>${"\\u{200b}"}</mark>.</p>
${probes.map((one) => findingGroup(one, shownCalls))}`;
}

const LEVELS = ["fail", "warn", "info"] as const;
type Level = (typeof LEVELS)[number];
const levelOf = ({ severity }: Finding): Level => LEVELS.find((one) => one === severity) ?? "info";
const worstOf = (findings: readonly Finding[]): Level =>
  LEVELS.find((level) => findings.some((one) => levelOf(one) === level)) ?? "info";

function findingGroup({ id, category, title, findings }: JudgedProbe, shownCalls: ReadonlySet<string>): Html {
  // A remark is not what the rule says: that would be a finding.
  const grave = findings.find(({ severity }) => severity !== "info");
  const rule = own(ruleTable, grave?.rule);
  const items = findings.slice(0, MAX_FINDINGS_A_PROBE).map((found) => findingItem(found, shownCalls));
  // One more is no reason for a click.
  const first = items.length <= FIRST_FINDINGS + 1 ? items.length : FIRST_FINDINGS;
  const later = items.slice(first);
  const more = findings.length - MAX_FINDINGS_A_PROBE;
  return html`<details class="group ${worstOf(findings)}" id="probe-${id}" open><summary>
<h3><span class="id">${category}/${id}</span> ${rule?.title ?? title}</h3> <span class="quiet">${findingsText(findings)}</span>
</summary>
${rule ? html`<p class="fix"><b>What to do:</b> ${rule.fix}</p>` : NOTHING}
<ul class="findings">
${items.slice(0, first)}</ul>
${
  later.length === 0
    ? NOTHING
    : html`<details class="more"><summary>${later.length} more</summary>
<ul class="findings">
${later}</ul>
</details>
`
}${
  more > 0
    ? html`<p class="quiet">and ${more} more in the bundle</p>
`
    : NOTHING
}</details>
`;
}

function findingItem(found: Finding, shownCalls: ReadonlySet<string>): Html {
  const { where, message, evidence } = found;
  const call = callOf(found);
  const level = levelOf(found);
  return html`<li class="${level}"><p><span class="chip ${level}">${level}</span> ${shown(message, 1000)}</p>
<p class="where">${said(where, 240)}${
    call !== undefined && shownCalls.has(call)
      ? html` <a href="#${anchorOf(call)}">see exchange ${call}</a>`
      : NOTHING
  }</p>
${evidence ? html`<blockquote><span class="hide">Seen: </span>${said(evidence, 1000)}</blockquote>` : NOTHING}</li>
`;
}

export function egressTable(bundle: Bundle): Html {
  const { declared, baseline } = bundle.egress;
  const rows = egressRows(bundle);
  const hosts = (list: readonly string[]): Html =>
    list.length === 0 ? html`none` : html`${list.slice(0, 30).map((host) => html`${said(host, 120)} `)}`;
  const lists = html`<p>Declared by the package: ${hosts(declared)}; allowed by the operator: ${hosts(baseline)}.</p>
`;
  const isUnseen = bundle.environment.sandbox.status !== "used";
  if (rows.length === 0)
    return html`${lists}<p class="quiet">${isUnseen ? "Connections were not observed: it ran without the sandbox." : "No connection was tried."}</p>`;
  return html`${lists}${table(
    "Connections",
    ["Place", "Verdict", "Ending", "Times", "Bytes sent"],
    rows.map(
      ({ place, verdict, ending, reason, times, bytes }) =>
        html`<tr><th scope="row">${said(place, 200)}</th><td><span class="chip ${own(VERDICTS, verdict) ?? "warn"}">${verdict}</span>${reason === "" ? NOTHING : html` <span class="quiet">${shown(reason, 200)}</span>`}</td><td>${ending}</td><td class="num">${times}</td><td class="num">${bytes}</td></tr>
`,
    ),
  )}`;
}

const VERDICTS: Readonly<Record<string, string>> = { declared: "pass", baseline: "pass", overreach: "fail" };

export function coverageTable(bundle: Bundle): Html {
  const { advertised, called, succeeded, calls, tools, residual } = bundle.coverage;
  return html`<p>${count(advertised, "tool")} advertised, ${called} called, ${succeeded} succeeded; ${count(calls, "call")} in all.</p>
${
  tools.length === 0
    ? NOTHING
    : table(
        "Tools",
        ["Tool", "Called", "Succeeded", "Remark"],
        tools.map(
          ({ name, called: times, succeeded: good, reason }) =>
            html`<tr><th scope="row">${said(name, 120)}</th><td class="num">${times}</td><td class="num">${good}</td><td>${
              good > 0 ? NOTHING : html`<span class="chip warn">never succeeded</span> `
            }${reason === undefined ? NOTHING : shown(reason, 300)}</td></tr>
`,
        ),
      )
}
<h3>What this run cannot say</h3>
<ul class="risks">
${residual.slice(0, MAX_ROWS).map(
  (risk) => html`<li>${shown(risk, 400)}</li>
`,
)}${leftOut(bundle).map(
  ([method, probes]) => html`<li>${method} does not ask: ${shown(probes.join("; "), 1000)}</li>
`,
)}</ul>`;
}

function table(name: string, head: readonly string[], rows: readonly Html[]): Html {
  const more = rows.length - MAX_ROWS;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table>
<thead><tr>${head.map((cell) => html`<th scope="col"${NUMBERS.has(cell) ? html` class="num"` : NOTHING}>${cell}</th>`)}</tr></thead>
<tbody>
${rows.slice(0, MAX_ROWS)}</tbody>
</table></div>${more > 0 ? html`<p class="quiet">and ${more} more in the bundle</p>` : NOTHING}`;
}

const NUMBERS = new Set(["Times", "Bytes sent", "Called", "Succeeded"]);

export function proof(bundle: Bundle): Html {
  const { environment, recording, batteries } = bundle;
  const row = (
    name: string,
    value: string | null,
  ): Html => html`<div><dt>${name}</dt><dd>${said(value ?? "none", 200)}</dd></div>
`;
  return html`<p>Everything on this page follows from the recording. With the folder that <code>touchstone grade --out</code> has written, this computes it again, without the server:</p>
<pre><code>touchstone regrade FOLDER</code></pre>
<p>It says <q>same</q> and the digest of the bundle, or what differs.</p>
<dl class="digests">
${row("Bundle", bundle.bundleDigest)}${row("Evidence", bundle.evidenceDigest)}${row("Recording", recording.sha256)}${row("Surface", bundle.surfaceDigest)}${row("Fingerprint", bundle.fingerprint)}</dl>
<details class="more"><summary>How it was run</summary>
<dl class="digests">
${row("Client", `${environment.identity.name} ${environment.identity.version}`)}${row("Seed", environment.seed)}${row("Events", String(recording.events))}${Object.entries(
  batteries,
)
  .slice(0, MAX_ROWS)
  .map(([name, digest]) => row(shown(name, 80), digest))}</dl>
</details>`;
}
