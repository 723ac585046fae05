/** Keeps the operator's secrets out of a file that is shared. Implements spec/surface.md, SUR-15. */
import { redactor } from "../../wire/index.ts";

/** Replaces secrets by a mark without a digest: the file differs in nothing from one user's secret to the next's. */
export function hider(secrets: readonly string[], mark = "[redacted]"): (text: string) => string {
  const redact = redactor(secrets);
  if (!redact) return (text) => text;
  const marks = new Set(secrets.map((secret) => redactor([secret])?.text(secret) ?? ""));
  marks.delete("");
  return (text) => [...marks].reduce((clean, each) => clean.replaceAll(each, mark), redact.text(text));
}
