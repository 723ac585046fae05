/** The line of a field inside an entry. The entry's own text is parsed again; where it is not one piece of text, the place of
 *  the entry itself is the answer. */
import { parseDocument } from "./clients/document.ts";
import type { ClientEntry } from "./clients/read.ts";
import { clientById } from "./clients/table.ts";
import type { Path } from "./clients/values.ts";

export interface AuditPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export async function placesOf(entry: ClientEntry): Promise<(path: Path) => AuditPlace> {
  const { file, line, column, raw, client, path: root } = entry;
  const own = { file, line, column };
  if (raw === undefined) return () => own;
  const { format } = clientById(client);
  const parsed = await parseDocument(raw, format);
  if (parsed.kind === "flaw") return () => own;
  const { document } = parsed;
  // A TOML entry of tables is a document with the whole path in it; a JSON value begins at the entry.
  const prefix = format === "toml" ? root : [];
  return (path) => {
    const offset = document.keyOffset([...prefix, ...path]);
    if (offset === undefined) return own;
    const place = document.placeOf(offset);
    if (place.line === 1) return own;
    return { file, line: line + place.line - 1, column: place.column };
  };
}
