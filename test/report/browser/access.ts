/** Small windows, both schemes, paper, the keyboard, no script: the page is there for everyone. */
import assert from "node:assert/strict";
import { probesOf } from "../../../src/report/grade/words.ts";
import { FOCUS, type Focus, OPEN_ALL, READING, type Reading, SHAPE, type Shape, WIDTH } from "./in-page.ts";
import { type Checks, isInView, MAX_LISTED, visibleCount } from "./kit.ts";

/** What the keyboard meets on its way down, in this order. */
const STOPS = [
  /^a Skip to the content/,
  /^a Findings/,
  /^summary C-01\/1\.1/,
  /^summary \d+ more/,
  /^a see exchange c\d/,
  /^a \d+ findings/,
  /^div Connections/,
  /^div Tools/,
  /^summary How it was run/,
  /^input#find/,
  /^select#outcome/,
  /^input#found/,
  /^button#toggle/,
  /^summary c1 /,
  /^summary c2 /,
];

export const ACCESS: Checks = {
  "at 360 px nothing scrolls sideways, and the letter is in view": async (reports) => {
    for (const report of [reports.markup, reports.worst]) {
      await using opened = await reports.open(report, { viewport: { width: 360, height: 740 } });
      const { page } = opened;
      assert.equal(await page.evaluate<number>(WIDTH), 360);
      await page.evaluate(OPEN_ALL);
      assert.equal(await page.evaluate<number>(WIDTH), 360);
      assert.ok(await isInView(page, page.getByRole("img", { name: /^Grade/ })));
    }
  },

  "all text can be read in both schemes, and on paper": async ({ markup, worst, open }) => {
    for (const report of [markup, worst]) {
      await using opened = await open(report);
      const { page } = opened;
      await page.evaluate(OPEN_ALL);
      for (const [media, colorScheme, ground] of [
        ["screen", "light", "rgb(246, 247, 249)"],
        ["screen", "dark", "rgb(15, 19, 24)"],
        ["print", "dark", "rgb(255, 255, 255)"],
      ] as const) {
        await page.emulateMedia({ media, colorScheme });
        assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), ground);
        const { texts, faint } = await page.evaluate<Reading>(READING);
        assert.deepEqual(faint, [], `${media}, ${colorScheme}`);
        assert.ok(texts > 100, `${texts} texts`);
      }
    }
  },

  "text that is hard to read is noticed": async ({ worst, open }) => {
    await using opened = await open(worst);
    await opened.page.evaluate("document.querySelector('.meaning').style.color = '#888'");
    const { faint } = await opened.page.evaluate<Reading>(READING);
    assert.deepEqual(faint, ["3.5 P.meaning It speaks to the agent or lets data out."]);
  },

  "the keyboard reaches and opens everything, and one sees where it is": async ({ markup, open }) => {
    await using opened = await open(markup);
    const { page } = opened;
    const met: string[] = [];
    const wanted = [...STOPS];
    while (wanted.length > 0 && met.length < 150) {
      await page.keyboard.press("Tab");
      const { what, isShown } = await page.evaluate<Focus>(FOCUS);
      assert.ok(isShown, `${what} is seen`);
      met.push(what);
      if (wanted[0]?.test(what)) wanted.shift();
    }
    assert.deepEqual(wanted, [], met.join("\n"));
    const inside = page.locator("#call-c2");
    assert.equal(await inside.isVisible(), false);
    await page.keyboard.press("Enter");
    assert.ok(await inside.isVisible());
    await page.keyboard.press("Space");
    assert.equal(await inside.isVisible(), false);
  },

  "without JavaScript every finding and exchange is there and opens": async ({ markup, open }) => {
    await using opened = await open(markup, { javaScriptEnabled: false });
    const { page } = opened;
    assert.ok(await page.getByRole("img", { name: "Grade: F" }).isVisible());
    assert.equal(await page.locator("#filter").isVisible(), false, "a filter that does nothing");
    const counts = probesOf(markup.bundle).map(({ findings }) => Math.min(MAX_LISTED, findings.length));
    const listed = counts.reduce((sum, one) => sum + one, 0);
    for (const more of await page.locator(".group > .more > summary").all()) await more.click();
    assert.equal(await visibleCount(page.locator(".findings > li")), listed);
    const link = page.getByRole("link", { name: /^see exchange/ }).last();
    const inside = page.locator(`#call-${(await link.innerText()).replace("see exchange ", "")}`);
    assert.equal(await inside.isVisible(), false);
    await link.click();
    assert.ok(await inside.isVisible(), "opened by the browser");
    const first = page.locator("#exchanges > details").first();
    await first.locator("summary").click();
    assert.ok(await first.getByRole("heading", { name: "Answer" }).isVisible());
  },

  "on paper are the letter, every listed finding, and the exchanges that were open": async ({
    markup,
    open,
  }) => {
    await using opened = await open(markup);
    const { page } = opened;
    await page.locator("#probe-1\\.1 > summary").click();
    await page.locator("#exchanges summary").nth(1).click();
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 1000 });
    const items = page.locator(".findings > li");
    assert.equal(await visibleCount(items), await items.count(), "also where it is closed on the screen");
    assert.ok(await page.getByRole("img", { name: "Grade: F" }).isVisible());
    for (const gone of ["nav", "#filter", ".skip"])
      assert.equal(await page.locator(gone).isVisible(), false, gone);
    assert.equal(await visibleCount(page.locator("#exchanges > details")), 1);
    assert.ok(await page.locator("#call-c2").isVisible());
    assert.ok(await page.getByText("On paper only the exchanges that were open are shown.").isVisible());
    assert.equal(await page.evaluate<number>(WIDTH), 700);
    assert.equal((await page.pdf()).subarray(0, 5).toString(), "%PDF-");
  },

  "the document has a language, a title, landmarks, and headings in order": async ({ markup, open }) => {
    await using opened = await open(markup);
    const { page } = opened;
    const { levels, lang, title, ...faults } = await page.evaluate<Shape>(SHAPE);
    assert.deepEqual([lang, title], ["en", "F: markup, a touchstone grade"]);
    assert.deepEqual(faults, { doubleIds: [], lostReferences: [], unnamed: [] });
    assert.equal(levels.filter((level) => level === 1).length, 1);
    for (const [index, level] of levels.entries())
      assert.ok(level <= (levels[index - 1] ?? 0) + 1, `heading ${index} skips a level`);
    for (const role of ["banner", "navigation", "main", "contentinfo"] as const)
      assert.equal(await page.getByRole(role).count(), 1, role);
    for (const name of ["markup", "Findings", "Categories", "Network", "Coverage", "Recording"])
      assert.equal(await page.getByRole("region", { name, exact: true }).count(), 1, name);
  },
};
