/** Which addresses the operator may name. Pure. Implements spec/gateway.md, GTW-2 and GTW-43. */

/** What leaves this machine is encrypted. */
export function isSafeUrl(url: string): boolean {
  // What is no URL was told of already.
  if (!URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopback(hostname);
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);

/** An address, and nothing that opens or asks for something. */
export const hasNoMore = ({ username, password, search, hash }: URL): boolean =>
  username === "" && password === "" && search === "" && hash === "";
