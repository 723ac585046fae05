/** What each code of a refusal means, and the way out. */
import { explainDenial } from "./codes.ts";
import { EXEMPTION_REASONS } from "./exemption/reasons.ts";
import { KEY_REASONS } from "./keys/key-file.ts";
import { ROOT_REASONS } from "./root/reasons.ts";
import { STATEMENT_REASONS } from "./statement/reasons.ts";

export interface Explained {
  readonly reason: string;
  readonly title: string;
  readonly hint: string;
}

/** Families of reasons beside those of the assertion: their names say what happened. */
const FAMILIES: readonly {
  readonly reasons: Readonly<Record<string, number>>;
  readonly about: string;
  readonly hint: string;
}[] = [
  {
    reasons: STATEMENT_REASONS,
    about: "a grade statement was refused",
    hint: "spec/statement.md has the check; ask for a statement that was issued for this server, these tools and this time",
  },
  {
    reasons: ROOT_REASONS,
    about: "a trust root was not taken",
    hint: "spec/trust-root.md has the check; make the next version from the last one that was taken",
  },
  {
    reasons: KEY_REASONS,
    about: "a key file cannot be used",
    hint: "spec/trust-root.md has the form of key files",
  },
  {
    reasons: EXEMPTION_REASONS,
    about: "an exemption was refused",
    hint: "spec/exemption.md has the check; have it made again for this server as it is now, by a key with the role exemption",
  },
];

export function explainCode(code: number): Explained | undefined {
  const denial = explainDenial(code);
  if (denial) return denial;
  for (const { reasons, about, hint } of FAMILIES)
    for (const [reason, number] of Object.entries(reasons))
      if (number === code) return { reason, title: `${about}: ${reason.replaceAll("-", " ")}`, hint };
  return undefined;
}
