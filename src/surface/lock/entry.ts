/** From a captured server to what the lock file holds of it. Pure. Nothing of the operator's secrets goes in.
 *  Implements spec/surface.md, SUR-15 and SUR-17. */
import { byUnits, TrustError } from "../../core/index.ts";
import type { ResolvedTarget } from "../../target/index.ts";
import { redactor } from "../../wire/index.ts";
import type { BothCaptures } from "../capture-both.ts";
import { surfaceDigest } from "../digest.ts";
import type { Surface } from "../surface.ts";
import { type LockedServer, lockedSurface, type Start } from "./format.ts";
import { hider } from "./hide.ts";
import { type Places, wordsDigest } from "./words.ts";

export interface ServerName {
  readonly id: string;
  readonly name: string;
  readonly source: string;
}

/** What is locked is the whole surface or nothing: a list that was not read is an error. */
export function lockEntry(
  name: ServerName,
  target: ResolvedTarget,
  both: BothCaptures,
  places: Places,
): LockedServer {
  const { none, everything, failure } = both;
  if (!everything) throw failure ?? new TrustError("WIRE_NO_MCP", `${target.label} opened only once`);
  for (const { unread } of [none, everything])
    for (const { method, how } of unread)
      throw new TrustError("WIRE_NO_MCP", `${target.label}: ${method} was not read: ${how}`);
  const secrets = allSecrets(target);
  const clean = (surface: Surface): Surface => withoutSecrets(surface, secrets);
  return {
    ...name,
    start: startOf(target, places),
    surfaces: {
      none: lockedSurface(clean(none.surface)),
      everything: lockedSurface(clean(everything.surface)),
    },
  };
}

/** The words that name the code; of the arguments, any of which may be a secret, a digest. */
export function startOf(target: ResolvedTarget, places: Places): Start {
  const { launch, pinning } = target;
  const hide = hider(allSecrets(target));
  if (launch.kind === "http") return { kind: "url", url: hide(placeOf(launch.url)) };
  const program = (launch.command.split(/[/\\]/).at(-1) ?? "").replace(/\.(cmd|exe|bat|ps1)$/i, "");
  return {
    kind: "command",
    program: hide(program),
    pinning: { status: pinning.status, why: hide(pinning.why) },
    words: wordsDigest(launch, allSecrets(target), places),
    variables: Object.keys(launch.env ?? {}).sort(byUnits),
  };
}

/** The operator's secrets, and what a launch holds beside them that must not be shared: keys in the path of a URL, and
 *  passwords in a URL that is an argument. */
function allSecrets({ launch, secrets }: ResolvedTarget): string[] {
  const own =
    launch.kind === "http"
      ? launch.url.pathname.split("/").filter(looksLikeKey)
      : launch.args.flatMap((word) => /:\/\/[^/@\s]*:([^/@\s]+)@/.exec(word)?.[1] ?? []);
  return [...new Set([...secrets, ...own])];
}

/** Origin and path. Some services put the key into the path: a part that looks like one is left out. */
function placeOf(url: URL): string {
  const parts = url.pathname.split("/").map((part) => (looksLikeKey(part) ? "[hidden]" : part));
  return url.origin + parts.join("/");
}

const looksLikeKey = (part: string): boolean =>
  part.length >= 16 && /\d/.test(part) && /[a-z]/i.test(part) && !/^[a-z-]+(-v?\d+)?$/i.test(part);

/** Tools of this target as its lock file holds them; undefined where that is how it shows them. */
export function lockedForm(target: ResolvedTarget): ((tool: unknown) => unknown) | undefined {
  const secrets = allSecrets(target);
  if (!redactor(secrets)) return undefined;
  const empty = { resources: [], resourceTemplates: [], prompts: [] };
  const rest = { era: "legacy", claims: "none", protocolVersion: "", ...empty } as const;
  return (tool) => withoutSecrets({ ...rest, tools: [tool] } as unknown as Surface, secrets).tools[0];
}

/** The surface with the operator's values replaced where a server repeats them. */
export function withoutSecrets(surface: Surface, secrets: readonly string[]): Surface {
  const redact = redactor(secrets);
  if (!redact) return surface;
  // The digest refuses what is too deep to walk through.
  surfaceDigest(surface);
  const hide = hider(secrets);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return hide(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [hide(key), walk(member)]));
  };
  const { era, claims } = surface;
  return { ...(walk(redact.value(surface)) as Surface), era, claims };
}
