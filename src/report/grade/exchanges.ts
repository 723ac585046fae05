/** The exchanges of a recording, for people who want to see for themselves. Bounded: a recording can be very long. */
import { createHash } from "node:crypto";
import { asText, bounded, count } from "../../core/index.ts";
import type { Bundle } from "../../grade/index.ts";
import { type Exchange, readRun } from "../../probes/index.ts";
import { clipped, type Html, html, NOTHING } from "./html.ts";
import { callOf, findingsOf, own } from "./words.ts";

const MAX_EXCHANGES = 400;
const MAX_BYTES = 4096;
const MAX_TEXTS = 40;

export interface Seen {
  readonly exchanges: readonly Exchange[];
  readonly leftOut: number;
  /** Why nothing can be shown. */
  readonly fault?: string;
}

/** The exchanges that are shown: those that findings name, then the first ones; all in the order they were made. */
export function exchangesOf(bundle: Bundle, recording: string): Seen {
  const none = (fault: string): Seen => ({ exchanges: [], leftOut: 0, fault });
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
  const named = new Set(findingsOf(bundle).map(callOf));
  const first = all.filter(({ id }) => named.has(id)).slice(0, MAX_EXCHANGES);
  const room = MAX_EXCHANGES - first.length;
  const rest = all.filter(({ id }) => !named.has(id)).slice(0, room);
  const kept = new Set([...first, ...rest]);
  return { exchanges: all.filter((one) => kept.has(one)), leftOut: all.length - kept.size };
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

export function exchangeList({ exchanges, leftOut, fault }: Seen): Html {
  if (fault !== undefined) return html`<p class="note">Not shown: ${fault}.</p>`;
  const total = exchanges.length + leftOut;
  const note =
    leftOut === 0
      ? `${count(total, "exchange")}`
      : `${exchanges.length} of ${count(total, "exchange")}: those that findings name, and the first others; ${leftOut} left out`;
  return html`<p>${note}. Of arguments and of answers, up to ${MAX_BYTES / 1024} KiB each are shown. Secrets in them were planted for this run.</p>
<form class="filter" id="filter" hidden>
<label>Find <input type="search" id="find" placeholder="tool, purpose or text" autocomplete="off" spellcheck="false"></label>
<label>Outcome <select id="outcome"><option value="">any</option>${Object.keys(OUTCOMES).map((one) => html`<option>${one}</option>`)}</select></label>
<button type="button" id="toggle">Open all</button>
<output id="matches" for="find outcome"></output>
</form>
<div class="exchanges" id="exchanges">
${exchanges.map(exchange)}</div>`;
}

function exchange({ id, tool, purposes, outcome, ms, args, texts }: Exchange): Html {
  const purpose = purposes.map(({ probe, note }) => `${probe} ${note}`).join(", ");
  return html`<details id="${anchorOf(id)}" data-outcome="${outcome}"><summary>
<span class="num">${id}</span> <code dir="ltr" class="tool">${tool}</code> <span class="for">${purpose}</span>
<span class="chip ${own(OUTCOMES, outcome) ?? "unexercised"}">${outcome}</span> <span class="num ms">${ms} ms</span>
</summary>
<div class="said"><h4>Arguments</h4>${args === undefined ? html`<p class="quiet">none</p>` : block(argumentsText(args))}
<h4>Answer</h4>${texts.length === 0 ? html`<p class="quiet">no text</p>` : answers(texts)}</div>
</details>
`;
}

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
