/** What of a launch must never be printed or recorded: values the operator gives a server, in every part they come in. */
import type { Launch } from "../wire/index.ts";

/** Names of options and query members whose value is a credential. */
const SECRET_NAME =
  /(token|secret|passw|api[-_]?key|apikey|access[-_]?key|auth|credential|signature|\bsig\b|\bkey\b)/i;

export function secretsOf(launch: Launch): string[] {
  if (launch.kind === "http")
    return [...Object.values(launch.headers ?? {}).flatMap(headerParts), ...queryParts(launch.url)];
  return [...Object.values(launch.env ?? {}), ...argumentParts(launch.args)];
}

/** A header whole, without its scheme, decoded where it is Basic, and by its pairs where it is a cookie. */
function headerParts(value: string): string[] {
  const bare = value.replace(/^\w+ /, "");
  const basic = /^basic /i.test(value) ? Buffer.from(bare, "base64").toString("utf8") : "";
  const pairs = value.split(";").map((pair) => pair.split("=").slice(1).join("=").trim());
  return [value, bare, basic, basic.split(":").slice(1).join(":"), ...pairs].filter((part) => part !== "");
}

function queryParts(url: URL): string[] {
  return [...url.searchParams]
    .filter(([name]) => SECRET_NAME.test(name))
    .flatMap(([, value]) => [value, encodeURIComponent(value)]);
}

/** `--token X`, `--token=X`: values behind options that are named like credentials. */
function argumentParts(args: readonly string[]): string[] {
  return args.flatMap((word, index) => {
    const [, name = "", value] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (!SECRET_NAME.test(name)) return [];
    const next = args[index + 1];
    return value !== undefined ? [value] : next !== undefined && !next.startsWith("-") ? [next] : [];
  });
}
