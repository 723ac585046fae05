/** Programs in a page. They compare, forbid and make addresses; none of them is there to be followed. */

/** Whether an index of a text lies between the tags of a script. */
export function inProgram(text: string): (index: number) => boolean {
  let spans: readonly (readonly [number, number])[] | undefined;
  return (index) => {
    spans ??= scriptSpans(text);
    return spans.some(([start, end]) => index >= start && index < end);
  };
}

function scriptSpans(text: string): (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  let open: number | undefined;
  for (const { index, 1: slash } of text.matchAll(/<(\/?)script\b/gi)) {
    if (slash === "") open ??= index;
    else if (open !== undefined) {
      spans.push([open, index]);
      open = undefined;
    }
  }
  return spans;
}
