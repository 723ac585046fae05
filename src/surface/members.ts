/** Members of listed items that no specification knows: clients drop them, whoever reads the raw list sees them. */
import { isRecord } from "../wire/index.ts";

const KNOWN_MEMBERS = new Set(
  "name title description inputSchema outputSchema annotations icons execution _meta uri uriTemplate mimeType size arguments".split(
    " ",
  ),
);

const KNOWN_ANNOTATIONS = new Set(
  "title readOnlyHint destructiveHint idempotentHint openWorldHint audience priority lastModified".split(" "),
);

export function unknownMembers(item: unknown): [string, unknown][] {
  if (!isRecord(item)) return [];
  const annotations = isRecord(item.annotations) ? Object.entries(item.annotations) : [];
  return [
    ...Object.entries(item).filter(([key]) => !KNOWN_MEMBERS.has(key)),
    ...annotations
      .filter(([key]) => !KNOWN_ANNOTATIONS.has(key))
      .map(([key, value]): [string, unknown] => [`annotations.${key}`, value]),
  ];
}
