/** Questions to a page that are answered inside it: expressions for `evaluate`, which give plain data. */

export interface Reading {
  readonly texts: number;
  /** Texts that are hard to read, with their contrast. */
  readonly faint: readonly string[];
}

/** The contrast of every text that is shown, with what is behind it (WCAG 2, 1.4.3). */
export const READING = `(() => {
  const parts = (color) => { const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, under) => Object.fromEntries(["r", "g", "b"].map((c) => [c, top[c] * top.a + under[c] * (1 - top.a)]));
  const behind = (element) => {
    if (!element) return { r: 255, g: 255, b: 255 };
    const own = parts(getComputedStyle(element).backgroundColor);
    return own.a === 1 ? own : over(own, behind(element.parentElement));
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const faint = new Set();
  let texts = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".hide, .skip")) continue;
    texts += 1;
    const under = behind(element);
    const [low, high] = [light(over(parts(getComputedStyle(element).color), under)), light(under)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) faint.add(ratio.toFixed(1) + " " + element.tagName + "." + element.className + " " + walk.currentNode.data.slice(0, 40));
  }
  return { texts, faint: [...faint].slice(0, 20) };
})()`;

export interface Shape {
  readonly lang: string;
  readonly title: string;
  readonly levels: readonly number[];
  readonly doubleIds: readonly string[];
  /** Of links and of labels. */
  readonly lostReferences: readonly string[];
  readonly unnamed: readonly string[];
}

export const SHAPE = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const ids = all("[id]").map(({ id }) => id);
  const wanted = [...all("a").map((one) => one.getAttribute("href").slice(1)), ...all("[aria-labelledby]").map((one) => one.getAttribute("aria-labelledby"))];
  return {
    lang: document.documentElement.lang,
    title: document.title,
    levels: all("h1, h2, h3, h4, h5, h6").map(({ tagName }) => Number(tagName[1])),
    doubleIds: ids.filter((id, index) => ids.indexOf(id) !== index),
    lostReferences: wanted.filter((id) => !ids.includes(id)),
    unnamed: all("input, select, button, summary, a").filter((one) => !(one.labels?.length || one.textContent.trim())).map(({ outerHTML }) => outerHTML),
  };
})()`;

export interface Traces {
  readonly acted: boolean;
  readonly url: string;
  /** Elements that act or load, by name. */
  readonly elements: readonly string[];
  /** Attributes that act or load, with their values. */
  readonly attributes: readonly string[];
  /** Characters that cannot be seen or turn text around, by number. */
  readonly unseen: readonly string[];
}

/** What foreign markup would leave behind. */
export const TRACES = `(() => {
  const everything = [...document.querySelectorAll("*")];
  const quiet = /^(html|head|meta|title|body|a|header|div|span|nav|main|section|p|h[1-3]|bdi|dl|dt|dd|time|ul|li|b|code|mark|blockquote|details|summary|article|table|thead|tbody|tr|th|td|pre|q|label|footer|output)$/;
  return {
    acted: "acted" in globalThis,
    url: location.href,
    elements: everything.map(({ localName }) => localName).filter((name) => !quiet.test(name)).sort(),
    attributes: everything.flatMap((one) => [...one.attributes].map(({ name, value }) => name + "=" + value))
      .filter((text) => /^(on|src|style|action|formaction|data=|srcdoc|autofocus|target|ping|xlink)/.test(text) || (text.startsWith("href=") && !text.startsWith("href=#")) || /^http-equiv=(?!Content-Security-Policy$)/.test(text)),
    unseen: [...new Set(document.documentElement.outerHTML.match(/[^\\P{C}\\n]|[\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]/gu) ?? [])].map((one) => one.codePointAt(0).toString(16)),
  };
})()`;

/** Where the keyboard is, and whether that can be seen. */
export interface Focus {
  readonly what: string;
  readonly isShown: boolean;
}

export const FOCUS = `(() => {
  const one = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  return {
    what: [one.localName, one.id && "#" + one.id, " ", (one.getAttribute("aria-label") ?? one.textContent).trim().replace(/\\s+/g, " ").slice(0, 60)].join(""),
    isShown: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && box.width > 1 && box.top >= 0 && box.bottom <= innerHeight + 1,
  };
})()`;

export const OPEN_ALL = `document.querySelectorAll("details").forEach((one) => { one.open = true; })`;
export const WIDTH = "document.documentElement.scrollWidth";
