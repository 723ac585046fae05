/** The text of a request, and what of a server's own words may go into a header of ours. */
import { isRecord, LEGACY_VERSION } from "../era.ts";
import type { Id } from "../frame/message.ts";
import { oneLine } from "../frame/one-line.ts";
import type { Params } from "./settings.ts";

/** What others wrote goes into it as they wrote it, in one line. */
export function paramsText(params: Params, verbatim: Readonly<Record<string, string>> = {}): string {
  const given = Object.keys(verbatim);
  if (given.length === 0) return JSON.stringify(params);
  let text = "";
  for (const name of Object.keys(params))
    if (params[name] !== undefined && !Object.hasOwn(verbatim, name))
      text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(params[name])}`;
  for (const name of given)
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${oneLine(verbatim[name] ?? "")}`;
  return `{${text}}`;
}

export function withProgressToken(params: Params, id: Id): Params {
  const meta = isRecord(params._meta) ? params._meta : {};
  return { ...params, _meta: { progressToken: id, ...meta } };
}

/** The version a server names is foreign text: sent back as a header only when it can be one. */
export const headerSafe = (version: string): string =>
  /^[\x21-\x7e]{1,64}$/.test(version) ? version : LEGACY_VERSION;
