/** What a user may write to name a server. Words only: whether it exists is found out later. */
import { didYouMean, shown, TrustError } from "../core/index.ts";
import type { EntryReference } from "./clients/find.ts";
import { CLIENT_IDS, isClientId } from "./clients/table.ts";
import { type NpmReference, readNpmReference } from "./npm/name.ts";
import { isRunner, type Runner } from "./runner.ts";

type Words = { readonly args: readonly string[] };

export type Reference =
  | ({ readonly kind: "command"; readonly command: string } & Words)
  | { readonly kind: "url"; readonly url: URL }
  | ({ readonly kind: "file"; readonly path: string } & Words)
  | ({ readonly kind: "npm" } & NpmReference & Words)
  | ({ readonly kind: "config" } & EntryReference & Words)
  | ({ readonly kind: "runner"; readonly runner: Runner; readonly spec: string } & Words)
  | ({ readonly kind: "named"; readonly name: string } & Words);

/** Reads one word and what stands after `--`: arguments for the server, or without a word the command itself. */
export function readReference(
  positionals: readonly string[],
  rest: readonly string[] | undefined,
): Reference {
  const [word, extra] = positionals;
  if (word === undefined) {
    if (rest === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", "no target given");
    const [command, ...args] = rest;
    if (command === undefined) throw new TrustError("TGT_BAD_REFERENCE", "no command after --");
    return { kind: "command", command, args };
  }
  if (extra !== undefined)
    throw new TrustError("TGT_BAD_REFERENCE", `one target at a time, not also "${extra}"`);
  return readWord(word, rest ?? []);
}

function readWord(word: string, args: readonly string[]): Reference {
  if (/^https?:\/\//i.test(word)) return readUrl(word, args);
  // A drive letter is no scheme.
  if (/^[a-z]:[\\/]/i.test(word)) return { kind: "file", path: word, args };
  const [, scheme, body = ""] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(word) ?? [];
  if (scheme === "npm") return { kind: "npm", ...readNpmReference(body), args };
  if (scheme === "config") return { kind: "config", ...readEntryReference(body), args };
  if (scheme !== undefined && isRunner(scheme)) {
    if (!/^[^\s-]\S*$/.test(body))
      throw new TrustError("TGT_BAD_REFERENCE", `${shown(word)}: want a name after ${scheme}:`);
    return { kind: "runner", runner: scheme, spec: body, args };
  }
  if (scheme !== undefined && /^\d+(\/|$)/.test(body))
    throw new TrustError("TGT_BAD_REFERENCE", `"${shown(word)}" lacks its http:// or https://`);
  if (scheme !== undefined) throw new TrustError("TGT_BAD_REFERENCE", `cannot use a ${scheme}: target`);
  if (/[/\\]/.test(word) || /\.mcpb$|^server\.json$/i.test(word)) return { kind: "file", path: word, args };
  return { kind: "named", name: word, args };
}

function readUrl(word: string, args: readonly string[]): Reference {
  if (!URL.canParse(word)) throw new TrustError("TGT_BAD_REFERENCE", `not a URL: ${word}`);
  const url = new URL(word);
  if (url.username || url.password)
    throw new TrustError("TGT_BAD_REFERENCE", "the URL holds a user name or password", {
      hint: "pass credentials with --bearer-env NAME or --header",
    });
  if (args.length > 0)
    throw new TrustError("TGT_BAD_REFERENCE", `a server at a URL takes no arguments, not "${args[0]}"`, {
      hint: "leave out everything after --",
    });
  return { kind: "url", url };
}

/** `NAME`, `CLIENT/NAME` or `CLIENT@LEVEL/NAME`. A name may hold slashes: only a known client is taken for one. */
function readEntryReference(body: string): EntryReference {
  const [, head = "", level, name = ""] = /^([^/@]*)(?:@([^/]*))?\/(.*)$/s.exec(body) ?? [];
  if (isClientId(head) && name !== "") {
    if (level === undefined) return { client: head, name };
    if (level === "user" || level === "project") return { client: head, level, name };
    throw new TrustError(
      "TGT_BAD_REFERENCE",
      `config:${shown(body)}: want ${head}@user or ${head}@project, not "${shown(level)}"`,
    );
  }
  if (body === "" || isClientId(body) || (isClientId(head) && name === ""))
    throw new TrustError("TGT_BAD_REFERENCE", `config:${shown(body)}: want the name of a server`, {
      hint: `write config:NAME or config:CLIENT/NAME; clients: ${CLIENT_IDS.join(", ")}`,
    });
  if (didYouMean(head, CLIENT_IDS) !== "")
    throw new TrustError(
      "TGT_BAD_REFERENCE",
      `config:${shown(body)}: no client "${head}"${didYouMean(head, CLIENT_IDS)}`,
    );
  return { name: body };
}
