/** What each code of a refusal means, and the way out. */
import { explainDenial } from "./codes.ts";
import { EXEMPTION_REASONS } from "./exemption/reasons.ts";
import { KEY_REASONS } from "./keys/key-file.ts";
import { ROOT_REASONS } from "./root/reasons.ts";
import { STATEMENT_REASONS, type StatementReason } from "./statement/reasons.ts";

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

/** Those that speak of the file itself, before anything in it is looked at. */
const OF_THE_FILE: Readonly<Partial<Record<StatementReason, Omit<Explained, "reason">>>> = {
  malformed: {
    title: "the file is no signed envelope, or what it holds is no grade statement",
    hint: "get it again from whoever signed it; `touchstone attest inspect FILE` shows what it holds",
  },
  "wrong-payload-type": {
    title: "it is a signed envelope around something else than a grade statement",
    hint: "give the statement.json that `touchstone attest sign` wrote; a trust root goes with --root",
  },
  "root-expired": {
    title: "the trust root has expired, and nothing is accepted under it",
    hint: "get its next version; whoever holds its keys makes one with `touchstone attest root rotate`",
  },
  "bad-signature": {
    title:
      "a signature under a key of the trust root does not fit: the bytes were changed, or another key made it",
    hint: "do not use this file; get the statement again from whoever signed it",
  },
  "no-trusted-signature": {
    title: "no key of the trust root has signed it",
    hint: "see who did with `touchstone attest inspect FILE`; `touchstone attest root add` trusts that key, if you do",
  },
  "too-few-signatures": {
    title: "fewer keys that count have signed it than are asked for",
    hint: "have others sign it with `touchstone attest cosign`, or ask for fewer with --threshold",
  },
};

export function explainCode(code: number): Explained | undefined {
  const denial = explainDenial(code);
  if (denial) return denial;
  for (const { reasons, about, hint } of FAMILIES)
    for (const [reason, number] of Object.entries(reasons))
      if (number === code)
        return {
          reason,
          title: `${about}: ${reason.replaceAll("-", " ")}`,
          hint,
          ...(reasons === STATEMENT_REASONS ? OF_THE_FILE[reason as StatementReason] : {}),
        };
  return undefined;
}
