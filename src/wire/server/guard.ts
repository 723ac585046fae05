/** What a local HTTP server lets in: its own Host, no foreign Origin. Stops DNS rebinding. Implements spec/wire.md, WIR-27. */

export interface Guard {
  /** Host names, without port, the server answers to. */
  readonly hosts: readonly string[];
  /** Origins of pages that may call it, besides those on its own hosts. */
  readonly origins: readonly string[];
}

export const LOOPBACK: Guard = { hosts: ["localhost", "127.0.0.1", "[::1]"], origins: [] };

/** Why the request is refused; undefined when it may pass. */
export function refusal(
  headers: { host?: string | undefined; origin?: string | undefined },
  guard: Guard,
): string | undefined {
  const host = hostName(`http://${headers.host ?? ""}`);
  if (host === undefined || !guard.hosts.includes(host)) return "Host not allowed";
  if (headers.origin === undefined) return undefined;
  const origin = hostName(headers.origin);
  const isOwn = origin !== undefined && guard.hosts.includes(origin);
  return isOwn || guard.origins.includes(headers.origin) ? undefined : "Origin not allowed";
}

/** The same few come again and again, and reading one costs as much as deciding a call. */
const names = new Map<string, string | undefined>();
const MAX_NAMES = 100;

function hostName(url: string): string | undefined {
  if (names.has(url)) return names.get(url);
  const name = URL.canParse(url) ? new URL(url).hostname : undefined;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(url, name);
  return name;
}

/** A header that stands twice, and of which the library takes the first in silence: others may take the last. */
export function saidTwice(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return ONCE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
}
const ONCE = ["host", "authorization", "content-type", "content-length"] as const;
