/** The common formats, checked without backtracking: each text is read once, left to right. */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0));
}

/** RFC 3339 with its leap second, which is always the last second of a day in UTC. */
function isTime(text: string): boolean {
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|([+-])(\d{2}):(\d{2}))$/.exec(text);
  if (parts === null) return false;
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number);
  const [offsetHour = 0, offsetMinute = 0] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === "-" ? -1 : 1);
  const utc = (hour * 60 + minute - offset + 2 * 1440) % 1440;
  return second < 60 || utc === 1439;
}

function isDateTime(text: string): boolean {
  return /^[tT]$/.test(text[10] ?? "") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split(".").every((label) => /^(?!-)[A-Za-z0-9-]{1,63}$/.test(label) && !label.endsWith("-"));
}

const isIpv4 = (text: string): boolean =>
  /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text) &&
  text.split(".").every((part) => Number(part) <= 255 && String(Number(part)) === part);

function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  const hasIpv4 = last?.includes(".") === true && !text.endsWith(":");
  if (hasIpv4 && !isIpv4(last)) return false;
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = plain.length + (hasIpv4 ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}

const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;

/** RFC 5321 mailboxes: dotted atoms or a quoted string, then a host name or an address literal. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > 64) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (!/^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(local) && !local.split(".").every((part) => ATOM.test(part)))
    return false;
  if (!domain.startsWith("[")) return isHostname(domain);
  const address = /^\[(.*)\]$/.exec(domain)?.[1] ?? "";
  return address.startsWith("IPv6:") ? isIpv6(address.slice(5)) : isIpv4(address);
}

const URI = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;
const URI_CHARACTERS = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-fA-F]{2})*$/;

function isUriReference(text: string): boolean {
  const parts = URI.exec(text);
  if (parts === null) return false;
  const [, scheme, authority, path = "", query = "", fragment = ""] = parts;
  if (scheme !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority)) return false;
  return [path, query, fragment].every((part) => URI_CHARACTERS.test(part));
}

function isAuthority(text: string): boolean {
  const at = text.indexOf("@");
  const [user, server] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  const [, literal, name = ""] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d*)?$/.exec(server) ?? [
    undefined,
    undefined,
    "[",
  ];
  if (!URI_CHARACTERS.test(user) || !URI_CHARACTERS.test(name) || name.includes("@")) return false;
  return (
    literal === undefined ||
    isIpv6(literal) ||
    /^[vV][0-9a-fA-F]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/.test(literal)
  );
}

const isUri = (text: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) && isUriReference(text);

const isUuid = (text: string): boolean =>
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/.test(text);

const isJsonPointer = (text: string): boolean =>
  (text === "" || text.startsWith("/")) && !/~(?![01])/.test(text);

/** Read as a pattern by the engine, never run. */
function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

const FORMATS = {
  "date-time": isDateTime,
  date: isDate,
  time: isTime,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  "uri-reference": isUriReference,
  uuid: isUuid,
  "json-pointer": isJsonPointer,
  regex: isRegex,
} as const;

export type FormatName = keyof typeof FORMATS;

export const isFormat = (name: string): name is FormatName => Object.hasOwn(FORMATS, name);

/** Whether a text is of a format; `undefined` for a format that is not known here. */
export function matchesFormat(name: string, text: string): boolean | undefined {
  return isFormat(name) ? FORMATS[name](text) : undefined;
}
