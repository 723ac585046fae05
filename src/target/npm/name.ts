/** `npm:name[@version|@tag][#bin]`, read strictly: nothing here can become an option, a path, a URL or a git address. */
import { TrustError } from "../../core/index.ts";
import { isExactVersion } from "../version.ts";

export interface NpmReference {
  readonly name: string;
  /** An exact version or a tag; undefined stands for the tag `latest`. */
  readonly wanted?: string;
  readonly bin?: string;
}

const PART = "[a-z0-9][a-z0-9._~-]*";
const NAME = new RegExp(`^(?:@${PART}/)?${PART}$`);
const TAG = /^[A-Za-z][A-Za-z0-9._-]*$/;
const BIN = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const MAX_CHARS = 214;

export function readNpmReference(word: string): NpmReference {
  const [, name = "", wanted, bin] = /^(@?[^@#]*)(?:@([^#]*))?(?:#(.*))?$/s.exec(word) ?? [];
  const refuse = (message: string, hint: string): TrustError =>
    new TrustError("TGT_BAD_REFERENCE", `npm:${word}: ${message}`, { hint });
  if (name.length > MAX_CHARS || !NAME.test(name) || /(^|\/)node_modules$/.test(name))
    throw refuse(
      "not the name of a package",
      "write npm:name or npm:@scope/name; for a folder or file give its path, for other sources install it yourself",
    );
  if (wanted !== undefined && !isExactVersion(wanted) && !(TAG.test(wanted) && !/^[vx]\d/i.test(wanted)))
    throw refuse(
      `"${wanted}" is neither an exact version nor a tag`,
      `write npm:${name}@1.2.3 or npm:${name}@latest; ranges are not taken, since they name no one version`,
    );
  if (bin !== undefined && !BIN.test(bin))
    throw refuse(`"${bin}" is not the name of a program`, `write npm:${name}#program`);
  return { name, ...(wanted === undefined ? {} : { wanted }), ...(bin === undefined ? {} : { bin }) };
}
