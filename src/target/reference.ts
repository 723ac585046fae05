/** What a user may write to name a server. */
import { TrustError } from "../core/index.ts";

export type Reference =
  | { readonly kind: "command"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "url"; readonly url: URL }
  | { readonly kind: "named"; readonly name: string };

/** Reads `URL`, `NAME`, or the words after `--`. */
export function readReference(
  positionals: readonly string[],
  command: readonly string[] | undefined,
): Reference {
  const [word, extra] = positionals;
  if (command !== undefined) {
    const [file, ...args] = command;
    if (word !== undefined)
      throw new TrustError("TGT_BAD_REFERENCE", `both "${word}" and a command after -- were given`);
    if (file === undefined) throw new TrustError("TGT_BAD_REFERENCE", "no command after --");
    return { kind: "command", command: file, args };
  }
  if (word === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", "no target given");
  if (extra !== undefined)
    throw new TrustError("TGT_BAD_REFERENCE", `one target at a time, not also "${extra}"`);
  if (/^https?:\/\//i.test(word)) {
    if (!URL.canParse(word)) throw new TrustError("TGT_BAD_REFERENCE", `not a URL: ${word}`);
    const url = new URL(word);
    if (url.username || url.password)
      throw new TrustError("TGT_BAD_REFERENCE", "the URL holds a user name or password", {
        hint: "pass credentials with --bearer-env NAME or --header",
      });
    return { kind: "url", url };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(word)?.[1];
  if (scheme) throw new TrustError("TGT_BAD_REFERENCE", `cannot use a ${scheme}: target`);
  if (/[/\\]/.test(word))
    throw new TrustError("TGT_BAD_REFERENCE", `"${word}" looks like a file`, {
      hint: `to start it, write: -- node ${word}`,
    });
  return { kind: "named", name: word };
}
