/** References to other schemas as RFC 3986 reads them. Only text: nothing is ever fetched, nothing throws. */

interface Parts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

// Appendix B of RFC 3986; every class excludes what follows it, so it reads each character once.
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/;

function parts(uri: string): Parts {
  const [, scheme, authority, path = "", query] = PARTS.exec(uri) ?? [];
  return { scheme, authority, path, query };
}

/** A reference cut at its `#`. */
export function splitFragment(reference: string): { readonly uri: string; readonly fragment: string } {
  const hash = reference.indexOf("#");
  if (hash === -1) return { uri: reference, fragment: "" };
  return { uri: reference.slice(0, hash), fragment: reference.slice(hash + 1) };
}

/** The absolute form of a reference without fragment (RFC 3986, 5.2.2). A base may be empty. */
export function resolveUri(reference: string, base: string): string {
  if (reference === "") return base;
  const to = parts(reference);
  if (to.scheme !== undefined) return written({ ...to, path: withoutDots(to.path) });
  const from = parts(base);
  if (to.authority !== undefined) return written({ ...to, scheme: from.scheme, path: withoutDots(to.path) });
  const { scheme, authority } = from;
  if (to.path === "") return written({ ...from, query: to.query ?? from.query });
  const path = to.path.startsWith("/") ? to.path : merged(from, to.path);
  return written({ scheme, authority, path: withoutDots(path), query: to.query });
}

function merged(from: Parts, path: string): string {
  if (from.authority !== undefined && from.path === "") return `/${path}`;
  return from.path.slice(0, from.path.lastIndexOf("/") + 1) + path;
}

function withoutDots(path: string): string {
  if (!path.includes("./") && !path.endsWith(".")) return path;
  const kept: string[] = [];
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === ".." && kept.length > 1) kept.pop();
    if (segment !== "." && segment !== "..") kept.push(segment);
    else if (isLast) kept.push("");
  }
  return kept.join("/");
}

function written({ scheme, authority, path, query }: Parts): string {
  const start = scheme === undefined ? "" : `${scheme}:`;
  const host = authority === undefined ? "" : `//${authority}`;
  return `${start}${host}${path}${query === undefined ? "" : `?${query}`}`;
}

/** Percent-decoded text; `undefined` where the encoding is broken. */
export function decoded(fragment: string): string | undefined {
  if (!fragment.includes("%")) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
