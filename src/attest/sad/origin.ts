/** Origins as the assertion names them: scheme, host and port, nothing else. Implements spec/sad.md, SAD-14 and SAD-25.
 *  Not by `new URL`: it reads `https://0x7f.1`, `https:/host` and `https://a@b/c` as something else than what is written. */

// Upper case is listed, not flagged: lower-casing comes after, when no other letter can turn into one of these.
const ORIGIN =
  /^([Hh][Tt][Tt][Pp][Ss]?):\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)(?::([1-9][0-9]{0,4}))?$/;
/** A last label that is a number makes a URL reader take the whole for an IPv4 address. */
const NUMERIC_END = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;
const DEFAULT_PORT: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** One text for all ways to write an origin, or nothing where the text is no bare origin. */
export function originKey(text: string): string | undefined {
  const parts = ORIGIN.exec(text);
  if (parts === null) return undefined;
  const scheme = (parts[1] ?? "").toLowerCase();
  const host = hostKey((parts[2] ?? "").toLowerCase());
  const port = parts[3] ?? DEFAULT_PORT[scheme];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return `${scheme}://${host}:${port}`;
}

function hostKey(host: string): string | undefined {
  if (!host.startsWith("[")) return NUMERIC_END.test(host) && !IPV4.test(host) ? undefined : host;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return undefined;
  }
}
