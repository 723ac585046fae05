/** Origins as signed documents write them: scheme, host, and the port only where it is not the usual one. One text an origin,
 *  so that two are the same exactly when their texts are. */

const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const ORIGIN = new RegExp(`^(https?)://(${LABEL}(?:\\.${LABEL})*|\\[[0-9a-f:]+\\])(?::([1-9][0-9]{0,4}))?$`);
const USUAL_PORT: Readonly<Record<string, string>> = { http: "80", https: "443" };
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Plain http only to this machine: anywhere else nobody knows who answers. */
export function isOrigin(text: string): boolean {
  const [, scheme = "", host = "", port] = ORIGIN.exec(text) ?? [];
  if (scheme === "" || text.length > 256) return false;
  if (port !== undefined && (port === USUAL_PORT[scheme] || Number(port) > 65_535)) return false;
  return scheme === "https" || LOOPBACK.has(host);
}
