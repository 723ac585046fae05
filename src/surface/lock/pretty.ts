/** JSON for people who read diffs: members in canonical order, one a line, short lists of plain values on one line. */
import { byUnits, canonicalJson } from "../../core/index.ts";

const MAX_LINE = 160;

export function prettyJson(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return plain(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    if (value.every(isPlain)) {
      const line = `[${value.map(plain).join(", ")}]`;
      if (line.length <= MAX_LINE) return line;
    }
    return `[\n${value.map((item) => deeper + prettyJson(item, deeper)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => byUnits(a, b));
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, member]) => `${deeper}${plain(key)}: ${prettyJson(member, deeper)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;
const plain = (value: unknown): string => canonicalJson(value, { isForeign: true });
