/** How a server is named to a person: by its name, and beside that by what people call it. Implements spec/gateway.md, GTW-74. */
import { shown } from "../core/index.ts";

const LABEL_CHARS = 80;

/** What people call it, on one line and bounded: nothing in it acts on a terminal, or is there and not seen. */
export const labelText = (label: string): string => shown(label, LABEL_CHARS);

/** `files ("Team files")`: in quotes that it cannot end by itself. */
export const serverNamed = (name: string, label: string | null | undefined): string =>
  label ? `${name} (${JSON.stringify(labelText(label))})` : name;
