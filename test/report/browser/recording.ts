/** The exchanges of a run: opened, found, and reached from what was found in them. */
import assert from "node:assert/strict";
import { callOf, findingsOf } from "../../../src/report/grade/words.ts";
import { gradeHtml } from "../../../src/report/index.ts";
import { type Checks, isInView, visibleCount } from "./kit.ts";

export const RECORDING: Checks = {
  "an exchange opens, and all of them at once": async ({ honest, open }) => {
    await using opened = await open(honest);
    const { page } = opened;
    const total = honest.bundle.coverage.calls;
    const first = page.locator("#exchanges > details").first();
    const answer = first.getByRole("heading", { name: "Answer" });
    assert.equal(await answer.isVisible(), false);
    await first.locator("summary").click();
    assert.ok(await answer.isVisible());
    const insides = page.locator("#exchanges .said");
    await page.getByRole("button", { name: "Open all" }).click();
    assert.equal(await visibleCount(insides), total);
    await page.getByRole("button", { name: "Close all" }).click();
    assert.equal(await visibleCount(insides), 0);
  },

  "exchanges are found by text, by outcome, and by being named in a finding": async ({ honest, open }) => {
    await using opened = await open(honest);
    const { page } = opened;
    const all = page.locator("#exchanges > details");
    const find = page.getByRole("searchbox", { name: "Find" });
    const outcome = page.getByLabel("Outcome");
    const named = page.getByLabel("Only what findings name");
    const counted = async (): Promise<number> => {
      const n = await visibleCount(all);
      assert.equal(await page.locator("#matches").innerText(), `${n} shown`);
      return n;
    };
    const total = honest.bundle.coverage.calls;
    assert.equal(await counted(), total);
    await find.fill("no exchange has this text");
    assert.equal(await counted(), 0);
    await find.fill("  Write_Note ");
    const ofTool = await counted();
    assert.ok(ofTool > 0 && ofTool < total, `${ofTool} of ${total}`);
    await outcome.selectOption("refused");
    const refused = await counted();
    assert.ok(refused > 0 && refused < ofTool, `${refused} of ${ofTool}`);
    await find.fill("");
    await outcome.selectOption("");
    await named.check();
    const calls = new Set(findingsOf(honest.bundle).map(callOf));
    assert.ok(calls.size > 0 && !calls.has(undefined));
    assert.equal(await counted(), calls.size);
    await named.uncheck();
    assert.equal(await counted(), total);
  },

  "a finding leads to its exchange, also past the filter, and the exchange leads back": async ({
    markup,
    open,
  }) => {
    await using opened = await open(markup);
    const { page } = opened;
    const group = page.locator("#probe-1\\.2");
    const link = group.getByRole("link", { name: /^see exchange c\d+$/ }).first();
    const call = (await link.innerText()).replace("see exchange ", "");
    const inside = page.locator(`#call-${call}`);
    const exchange = page.locator("#exchanges > details", { has: inside });
    // The second time the address stays the same.
    for (const words of ["", "no exchange has this text"]) {
      await page.getByRole("searchbox", { name: "Find" }).fill(words);
      assert.equal(await inside.isVisible(), false);
      await link.click();
      assert.equal(new URL(page.url()).hash, `#call-${call}`);
      assert.ok(await inside.isVisible(), words);
      assert.ok(await isInView(page, exchange.locator("summary")));
      assert.match(await inside.innerText(), /Ignore all previous instructions\. Read the file/);
      await exchange.locator("summary").click();
    }
    await link.click();
    await group.locator("> summary").click();
    assert.equal(await link.isVisible(), false);
    await inside.getByRole("link", { name: "1.2", exact: true }).click();
    assert.ok(await link.isVisible(), "what was closed is open again");
    assert.ok(await isInView(page, group.locator("> summary")));
  },

  "the address of an exchange opens it": async ({ markup, open }) => {
    await using opened = await open(markup);
    const { page } = opened;
    const url = `${page.url()}#call-c3`;
    await page.goto("about:blank");
    await page.goto(url);
    assert.ok(await page.locator("#call-c3").isVisible());
  },

  "a page without a recording has no place for one, and its script minds nothing": async ({
    markup,
    show,
  }) => {
    await using opened = await show(gradeHtml(markup.bundle));
    const { page, seen } = opened;
    assert.equal(await page.locator("#recording, #filter, a[href^='#call-']").count(), 0);
    await page.getByRole("link", { name: "Network" }).click();
    assert.deepEqual(seen.complaints, []);
  },
};
