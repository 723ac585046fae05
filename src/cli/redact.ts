/** Secrets replaced by a mark without a digest: what is printed is passed on, and the digest of a weak secret is soon undone. */
import { type Redactor, redactor } from "../wire/index.ts";

const DIGEST = /\[redacted:sha256:[0-9a-f]{8}\]/g;

/** Takes the digest out of marks that were made on the way. */
export const withoutDigests = (text: string): string => text.replace(DIGEST, "[redacted]");

export function plainRedactor(secrets: readonly string[]): Redactor | undefined {
  const made = redactor(secrets);
  if (!made) return undefined;
  const plain = (value: unknown): unknown => {
    if (typeof value === "string") return withoutDigests(value);
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [withoutDigests(key), plain(member)]),
    );
  };
  return {
    text: (text) => withoutDigests(made.text(text)),
    value: (value) => plain(made.value(value)),
    frame: (bytes, isCut) => {
      const { bytes: clean, count } = made.frame(bytes, isCut);
      return { bytes: Buffer.from(withoutDigests(clean.toString("latin1")), "latin1"), count };
    },
  };
}
