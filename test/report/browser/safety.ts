/** Whatever a server says, it stands on the page as text; and the watch that says so sees it when it does not. */
import assert from "node:assert/strict";
import { gradeHtml } from "../../../src/report/index.ts";
import { OPEN_ALL, TRACES, type Traces } from "./in-page.ts";
import type { Checks } from "./kit.ts";

/** Of the elements that act or load, those that are our own. */
const OWN = ["button", "form", "input", "input", ...Array(8).fill("option"), "script", "select", "style"];

export const SAFETY: Checks = {
  "nothing of a server acts: no script, element, request, dialog or complaint": async (reports) => {
    for (const report of [reports.markup, reports.worst, reports.honest]) {
      await using opened = await reports.open(report);
      const { page, seen } = opened;
      const start = page.url();
      await page.evaluate(OPEN_ALL);
      await page.keyboard.press("Tab");
      assert.deepEqual(await page.evaluate<Traces>(TRACES), {
        acted: false,
        url: start,
        elements: OWN,
        attributes: [],
        unseen: [],
      });
      assert.deepEqual(seen, { requests: [start], complaints: [], dialogs: [] });
    }
  },

  "markup of a server is shown letter by letter, and what cannot be seen stands out": async ({
    markup,
    open,
  }) => {
    await using opened = await open(markup);
    const { page } = opened;
    await page.locator("#exchanges summary").first().click();
    const answer = page.locator("#call-c1 pre").last();
    const text = await answer.innerText();
    for (const part of [
      "</script><script>globalThis.acted=1;alert(1)</script>",
      `"><img src=x onerror='globalThis.acted=1;alert(1)'>`,
      `<a href="javascript:globalThis.acted=1;alert(1)">`,
      "&lt;b&gt; &#60;script&#62;",
      "\\u{202e}txet desrever\\u{202c}",
      "\\u{200b}\\u{1b}[2J\\u{0}<!-- --!> ]]>",
    ])
      assert.ok(text.includes(part), part);
    const marks = ["\\u{202e}", "\\u{202c}", "\\u{2066}", "\\u{2069}", "\\u{200b}\\u{1b}", "\\u{0}"];
    assert.deepEqual(await answer.locator("mark").allInnerTexts(), marks);
  },

  "the watch sees markup that acts, and the policy of the page stops it": async ({ honest, show }) => {
    const act = "<img src=x onerror='globalThis.acted=1'><script>globalThis.acted=1;alert(1)</script>";
    const broken = gradeHtml(honest.bundle).replace("</main>", () => `${act}\u202e</main>`);
    await using stopped = await show(broken);
    const traces = await stopped.page.evaluate<Traces>(TRACES);
    assert.deepEqual([traces.acted, traces.unseen], [false, ["202e"]]);
    assert.deepEqual(traces.attributes, ["src=x", "onerror=globalThis.acted=1"]);
    assert.deepEqual(traces.elements, ["img", "script", "script", "style"]);
    assert.match(stopped.seen.complaints.join("\n"), /Content Security Policy/);
    await using free = await show(broken.replace(/<meta http-equiv[^>]*>/, ""));
    assert.equal((await free.page.evaluate<Traces>(TRACES)).acted, true);
    assert.deepEqual(free.seen.dialogs, ["1"]);
    assert.equal(free.seen.requests.length, 2);
  },
};
