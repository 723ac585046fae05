/** A text as it is compared with what was sent, with the way back. */
import { composed, unescapeOnce } from "../search/unescape.ts";

export interface Folded {
  readonly text: string;
  rawStart(index: number): number;
  rawEnd(index: number): number;
}

/** What an honest way through JSON, HTML, a URL or a wrapped line may change is taken away: escapes, case, white space.
 *  Markup and characters nobody sees stay, so that an echo ends where a server puts some of its own into it. */
export function folded(raw: string): Folded {
  const once = unescapeOnce(raw, { markup: "kept" });
  const again = once === undefined ? undefined : unescapeOnce(once.text, { markup: "kept" });
  const view = once !== undefined && again !== undefined ? composed(once, again) : once;
  const source = lowered(view?.text ?? raw);
  // Runs of what is kept: from `news[k]` on, the folded text is a copy of the source from `olds[k]` on.
  const [news, olds]: [number[], number[]] = [[], []];
  let text = "";
  for (const { 0: run, index } of source.matchAll(/[^ \t\r\n\f\v\u00a0\\]+/g)) {
    news.push(text.length);
    olds.push(index);
    text += run;
  }
  const place = (index: number): number => {
    let [low, high] = [0, news.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((news[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return (olds[low] ?? 0) + index - (news[low] ?? 0);
  };
  return {
    text,
    rawStart: (index) => view?.rawStart(place(index)) ?? place(index),
    rawEnd: (index) => {
      if (index === 0) return 0;
      const end = place(index - 1) + 1;
      return view?.rawEnd(end) ?? end;
    },
  };
}

/** Lower case that keeps every character where it is. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
