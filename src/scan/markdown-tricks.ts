/** Links and markup that hide where they lead, run something, or carry data out. Addresses are taken apart, never
 *  matched as a whole: scheme, host, then each value by name, length, look and interpolation. */
import type { Severity } from "../core/index.ts";
import type { Hit } from "./hit.ts";
import { judgeAddress } from "./links/address.ts";
import { findLinks, type Link } from "./links/find.ts";
import { inProgram } from "./links/programs.ts";
import { type Reading, read } from "./reading.ts";
import type { Kind } from "./signals/seen.ts";
import { rawIndex } from "./views/view.ts";
import { URL_TOKEN } from "./words/lexicon.ts";
import type { Tokens } from "./words/tokens.ts";
import { Worst } from "./worst.ts";

/** The same link is seen in several views; so many are remembered. */
const MAX_SEEN = 10_000;

export function markdownTricks(text: string | Reading, kind: Kind = "description"): Hit[] {
  const reading = read(text);
  if (reading.views.every(({ tokens }) => tokens.hints.links === 0)) return [];
  const worst = new Worst("SCAN-04", reading.raw);
  const seen = new Set<string>();
  // Asked of the whole text: views are of pieces of it.
  const isProgram = inProgram(reading.raw);
  for (const { view, tokens } of reading.views) {
    if (tokens.hints.links === 0) continue;
    const hasOdd = /script:|data:|file:/i.test(view.text);
    for (const link of findLinks(view.text, addressesIn(tokens), hasOdd)) {
      const trick = judge(link, kind);
      if (!trick) continue;
      const [start, end] = [rawIndex(view, link.start), rawIndex(view, link.end)];
      if (link.form === "bare" && isProgram(start)) continue;
      const key = `${start}:${trick.message}`;
      if (seen.has(key)) continue;
      if (seen.size < MAX_SEEN) seen.add(key);
      const evidence = view.text.slice(link.start, link.end);
      worst.add({ start, end, ...trick, evidence, views: view.how });
    }
  }
  return worst.hits();
}

function* addressesIn(tokens: Tokens): Iterable<[number, number]> {
  for (let i = 0; i < tokens.count; i++)
    if (tokens.classAt(i) === URL_TOKEN) yield [tokens.startAt(i), tokens.endAt(i)];
}

interface Trick {
  readonly severity: Severity;
  readonly message: string;
}

function judge(link: Link, kind: Kind): Trick | undefined {
  const { form, target, label } = link;
  const address = judgeAddress(target);
  if (address.scheme === "script")
    return { severity: "fail", message: `a link that runs code: ${address.reason}` };
  if (address.scheme === "data")
    // A bare picture is an icon.
    return form === "bare" && /^data:image\//i.test(target)
      ? undefined
      : {
          severity: form === "bare" ? "warn" : "fail",
          message: `a link that carries its own page: ${address.reason}`,
        };
  if (address.scheme === "file" && form !== "bare")
    return { severity: "warn", message: "a link to a local file" };
  if (label !== undefined && form === "link") {
    const named = hostIn(label);
    if (named !== undefined && address.host !== undefined && !isSameSite(named, address.host))
      return {
        severity: "fail",
        message: `a link whose text names ${named} and that leads to ${address.host}`,
      };
  }
  const leak = address.leak;
  if (!leak) return undefined;
  // What is fetched without a click, or is written to be clicked, is meant; a bare address may be documentation.
  const isFetched = form === "image";
  const severity: Severity =
    isFetched || (kind === "description" && form === "link" && leak.isStrong) ? "fail" : "warn";
  if (form === "bare" && !leak.isStrong) return undefined;
  return {
    severity,
    message: `${isFetched ? "an image" : "an address"} that carries data out: ${leak.words}`,
  };
}

/** The host a label shows: `https://bank.example/login` or `bank.example`. */
function hostIn(label: string): string | undefined {
  const match = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12})(?:[/:?#]|$)/i.exec(label.trim());
  const host = match?.[1]?.toLowerCase();
  // `index.js`, `README.md`: a file name looks like a host.
  return host !== undefined &&
    (label.includes("://") ||
      /^www\.|\.(?:com|org|net|io|dev|app|gov|edu|co|ai|bank|example)(?:$|\.)/.test(host))
    ? host
    : undefined;
}

/** Same name up to the part that can be registered; an approximation without a list: the last two labels. */
function isSameSite(a: string, b: string): boolean {
  const site = (host: string): string => host.toLowerCase().split(".").slice(-2).join(".");
  return site(a) === site(b);
}
