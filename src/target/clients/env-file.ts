/** Files of variables that an entry names: `NAME=value` lines, quotes, comments, `export`. */

export function readEnvText(text: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const [, name, rest = ""] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$/s.exec(line) ?? [];
    if (name !== undefined) env[name] = unquoted(rest);
  }
  return env;
}

function unquoted(text: string): string {
  const [, quote, inner = ""] = /^(["'`])(.*?)\1\s*(?:#.*)?$/.exec(text) ?? [];
  if (quote === '"') return inner.replaceAll("\\n", "\n");
  if (quote !== undefined) return inner;
  const comment = text.search(/\s#/);
  return (comment < 0 ? text : text.slice(0, comment)).trim();
}
