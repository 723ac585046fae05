/** `touchstone login`: consent in the browser, tokens in a file only its user can read. */
import { spawn } from "node:child_process";
import { TrustError } from "../../core/index.ts";
import type { Command } from "../command.ts";

export const login: Command = {
  name: "login",
  summary: "log in to a remote server that wants authentication",
  usage: "[options] URL",
  about: `Asks the server where to log in, opens that page in your browser (OAuth with PKCE) and keeps the tokens for this URL in
your configuration folder, readable by you alone. Later commands use them by themselves, and for this URL only.
--logout forgets them. Nothing is printed of a token.

exit code  0  logged in, or forgotten      2  no https URL      3  it was not granted      4  the server cannot be reached`,
  options: {
    scope: {
      type: "string",
      value: "WORDS",
      help: "scopes to ask for; what the server suggests unless said",
    },
    "no-browser": { type: "boolean", help: "only print the address" },
    logout: { type: "boolean", help: "forget what is kept for this URL" },
  },
  examples: [
    ["touchstone login https://example.com/mcp", "log in once"],
    ["touchstone login https://example.com/mcp --logout", "undo it"],
  ],
  async run(words, out) {
    const [word, extra] = words.positionals;
    if (word === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", "no URL given");
    if (extra !== undefined) throw new TrustError("CLI_BAD_VALUE", `one URL at a time, not also "${extra}"`);
    const server = URL.canParse(word) ? new URL(word) : undefined;
    const isLocal =
      server?.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(server.hostname);
    if (!server || (server.protocol !== "https:" && !isLocal))
      throw new TrustError("TGT_BAD_REFERENCE", `want an https URL, not "${word}"`, {
        hint: "plain http is taken for loopback only",
      });
    const { credentialStore, login: logIn } = await import("../../target/index.ts");
    const store = credentialStore();
    const label = server.origin + server.pathname;
    if (words.flag("logout")) {
      await store.write(server, undefined);
      out.json({ server: label, loggedIn: false });
      out.line(`forgot what was kept for ${label}`);
      return 0;
    }
    const open = (url: URL): void => {
      process.stderr.write(`open this address to log in:\n  ${url.href}\n`);
      if (!words.flag("no-browser")) openBrowser(url);
    };
    const scope = words.text("scope");
    await logIn(server, store, { open, ...(scope === undefined ? {} : { scope }) });
    out.json({ server: label, loggedIn: true, file: store.file });
    out.line(`logged in to ${label}; tokens are in ${store.file}`);
    return 0;
  },
};

/** Opens the user's browser if there is one; the address stands on the screen in any case. */
function openBrowser(url: URL): void {
  if (url.protocol !== "https:" && url.protocol !== "http:") return;
  const [command, ...args] = process.platform === "darwin" ? ["open"] : ["xdg-open"];
  const child = spawn(command ?? "", [...args, url.href], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
