/** A real browser: Chromium of the machine with an empty profile, and all that a page does besides showing itself. */
import { createRequire } from "node:module";
import { join } from "node:path";
import type {
  Browser,
  BrowserContextOptions,
  BrowserType,
  Page,
} from "../peers/node_modules/playwright-core/index.js";
import { peers, temporaryFolder } from "./paths.ts";

export type { Locator, Page } from "../peers/node_modules/playwright-core/index.js";

const load = createRequire(join(peers, "package.json"));
const { chromium } = load("playwright-core") as { readonly chromium: BrowserType };

const ARGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Chromium extends AsyncDisposable {
  open(url: string, options?: BrowserContextOptions): Promise<Opened>;
}

export interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly seen: Deeds;
}

/** What a page of ours never does, but for the one request. */
export interface Deeds {
  readonly requests: string[];
  /** Complaints of the console, policy violations among them, and errors nobody caught. */
  readonly complaints: string[];
  readonly dialogs: string[];
}

/** The profile is made anew by each launch and goes away with it; what else Chromium writes goes into a folder of ours. */
export async function startChromium(): Promise<Chromium> {
  const folder = temporaryFolder();
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ARGS,
    env: { PATH: process.env.PATH ?? "", HOME: folder.path },
  });
  return {
    open: (url, options = {}) => open(browser, url, options),
    async [Symbol.asyncDispose]() {
      await browser.close();
      folder[Symbol.dispose]();
    },
  };
}

async function open(browser: Browser, url: string, options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  context.setDefaultTimeout(5_000);
  const page = await context.newPage();
  const seen: Deeds = { requests: [], complaints: [], dialogs: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("console", (message) => seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, seen, [Symbol.asyncDispose]: () => context.close() };
}
