/** The exchanges of a recording, for people who want to see for themselves. Bounded: a recording can be very long. */
import { createHash } from "node:crypto";
import { asText, bounded, count } from "../../core/index.ts";
import type { Bundle } from "../../grade/index.ts";
import { type Exchange, readRun } from "../../probes/index.ts";
import { clipped, type Html, html, NOTHING, said } from "./html.ts";
import { callOf, own, probesOf } from "./words.ts";

const MAX_EXCHANGES = 400;
const MAX_BYTES = 4096;
const MAX_TEXTS = 40;

interface Found {
  readonly probes: Set<string>;
  /** Only worth a note. */
  isRemark: boolean;
}

export interface Seen {
  readonly exchanges: readonly Exchange[];
  readonly leftOut: number;
  /** What is found in a call, by its id. */
  readonly found: ReadonlyMap<string, Found>;
  /** Why nothing can be shown. */
  readonly fault?: string;
}

/** The exchanges that are shown: those that findings name, then the first ones; all in the order they were made. */
export function exchangesOf(bundle: Bundle, recording: string): Seen {
  const none = (fault: string): Seen => ({ exchanges: [], leftOut: 0, found: new Map(), fault });
  const digest = `sha256:${createHash("sha256").update(recording).digest("hex")}`;
  if (digest !== bundle.recording.sha256)
    return none(`this is not the recording of the grade: its digest is ${digest}`);
  let all: readonly Exchange[];
  try {
    const events = recording.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    all = readRun(events).exchanges;
  } catch {
    return none("the recording cannot be read");
  }
  const found = foundIn(bundle);
  const first = all.filter(({ id }) => found.has(id)).slice(0, MAX_EXCHANGES);
  const room = MAX_EXCHANGES - first.length;
  const rest = all.filter(({ id }) => !found.has(id)).slice(0, room);
  const kept = new Set([...first, ...rest]);
  return { exchanges: all.filter((one) => kept.has(one)), leftOut: all.length - kept.size, found };
}

function foundIn(bundle: Bundle): Seen["found"] {
  const found = new Map<string, Found>();
  for (const { id, findings } of probesOf(bundle))
    for (const one of findings) {
      const call = callOf(one);
      if (call === undefined) continue;
      const known = found.get(call) ?? { probes: new Set(), isRemark: true };
      known.probes.add(id);
      known.isRemark &&= one.severity === "info";
      found.set(call, known);
    }
  return found;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  done: "pass",
  refused: "skipped",
  error: "skipped",
  hung: "fail",
  crashed: "fail",
  malformed: "fail",
  "not-sent": "unexercised",
};

export const anchorOf = (call: string): string => `call-${call}`;

export function exchangeList({ exchanges, leftOut, found, fault }: Seen): Html {
  if (fault !== undefined) return html`<p class="note">Not shown: ${fault}.</p>`;
  if (exchanges.length === 0) return html`<p class="quiet">No tool was called.</p>`;
  const total = exchanges.length + leftOut;
  const note =
    leftOut === 0
      ? `${count(total, "exchange")}`
      : `${exchanges.length} of ${count(total, "exchange")}: those that findings name, and the first others; ${leftOut} left out`;
  return html`<p>${note}. Of arguments and of answers, up to ${MAX_BYTES / 1024} KiB each are shown. Secrets in them were planted for this run.</p>
<form class="filter" id="filter" hidden>
<label>Find <input type="search" id="find" placeholder="tool, purpose or text" autocomplete="off" spellcheck="false"></label>
<label>Outcome <select id="outcome"><option value="">any</option>${Object.keys(OUTCOMES).map((one) => html`<option>${one}</option>`)}</select></label>
<label><input type="checkbox" id="found"> Only what findings name</label>
<button type="button" id="toggle">Open all</button>
<output id="matches" for="find outcome found"></output>
</form>
<p class="paper">On paper only the exchanges that were open are shown.</p>
<div class="exchanges" id="exchanges">
${exchanges.map((one) => exchange(one, found.get(one.id)))}</div>`;
}

/** The place to go to is inside: a browser opens what it is in, also without a script. */
function exchange(
  { id, tool, purposes, outcome, ms, args, texts }: Exchange,
  found: Found | undefined,
): Html {
  const purpose = purposes.map(({ probe, note }) => `${probe} ${note}`).join(", ");
  return html`<details data-outcome="${outcome}"${found ? html` data-found="yes"` : NOTHING}><summary>
<span class="num">${id}</span> <span class="tool">${said(tool, 80)}</span> <span class="for">${purpose}</span>
<span class="chips">${found ? foundChip(found) : NOTHING}<span class="chip ${own(OUTCOMES, outcome) ?? "unexercised"}">${outcome}</span></span> <span class="num ms">${ms} ms</span>
</summary>
<div class="said" id="${anchorOf(id)}">${
    found
      ? html`<p class="quiet">Named under${[...found.probes].map((probe) => html` <a href="#probe-${probe}">${probe}</a>`)}</p>
`
      : NOTHING
  }<h3>Arguments</h3>${args === undefined ? html`<p class="quiet">none</p>` : block(argumentsText(args))}
<h3>Answer</h3>${texts.length === 0 ? html`<p class="quiet">no text</p>` : answers(texts)}</div>
</details>
`;
}

const foundChip = ({ isRemark }: Found): Html =>
  isRemark ? html`<span class="chip">remark</span> ` : html`<span class="chip fail">finding</span> `;

const argumentsText = (args: unknown): string =>
  typeof args === "string" ? args : (JSON.stringify(bounded(args), null, 2) ?? asText(args));

/** Words of the protocol, which stand beside every text. */
const KINDS = new Set(["text", "image", "audio", "resource", "resource_link"]);

function answers(all: readonly string[]): Html[] {
  const words = all.filter((text) => !KINDS.has(text));
  const texts = words.length > 0 ? words : all;
  const blocks: Html[] = [];
  let room = MAX_BYTES;
  for (const text of texts.slice(0, MAX_TEXTS)) {
    if (room <= 0) break;
    const part = clipped(text, room);
    room -= part.leftOut > 0 ? room : part.bytes;
    blocks.push(html`<pre dir="ltr"><code>${part.html}</code></pre>${cutNote(part.leftOut)}`);
  }
  const more = texts.length - blocks.length;
  return more > 0
    ? [...blocks, html`<p class="quiet">and ${count(more, "more text", "more texts")}</p>`]
    : blocks;
}

function block(text: string): Html {
  const part = clipped(text, MAX_BYTES);
  return html`<pre dir="ltr"><code>${part.html}</code></pre>${cutNote(part.leftOut)}`;
}

const cutNote = (leftOut: number): Html =>
  leftOut === 0
    ? NOTHING
    : html`<p class="quiet">and ${count(leftOut, "more character", "more characters")}</p>`;
