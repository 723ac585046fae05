/** The lock file as a value and as text. Pure. Reading takes only what writing gives: any edit is refused.
 *  Implements spec/surface.md, SUR-14 and SUR-16. */
import * as v from "valibot";
import { byUnits, shown, TrustError } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";
import { canonical, plain, surfaceDigest, toolDigest } from "../digest.ts";
import { fingerprint } from "../fingerprint.ts";
import { type ClaimSet, identityOf, type Surface } from "../surface.ts";
import { prettyJson } from "./pretty.ts";

export const LOCK_FORMAT = "touchstone-lock/2";
/** Formats of earlier versions, which lack what is compared now. */
const OLD_FORMATS: readonly unknown[] = ["touchstone-lock/1"];

/** How a server is started or reached, in words that hold no secret: no arguments, no values, no query. */
export type Start =
  | {
      readonly kind: "command";
      readonly program: string;
      readonly pinning: { readonly status: string; readonly why: string };
      /** The digest of all words, see `wordsDigest`. */
      readonly words: string;
      /** The names of the variables it is given, sorted. */
      readonly variables: readonly string[];
    }
  | { readonly kind: "url"; readonly url: string };

export interface LockedSurface {
  readonly digest: string;
  /** The litmus-v5 value; null where these tools have none. */
  readonly fingerprint: string | null;
  /** Name and digest of each tool, in the order of the surface. */
  readonly tools: readonly (readonly [name: string | null, digest: string])[];
  readonly surface: Surface;
}

export interface LockedServer {
  /** What people call it on the command line: the name, with the client before it where one has it. */
  readonly id: string;
  readonly name: string;
  /** Whose config names it: `touchstone.yml` or a client. */
  readonly source: string;
  readonly start: Start;
  readonly surfaces: Readonly<Record<ClaimSet, LockedSurface>>;
}

export interface Lock {
  readonly format: typeof LOCK_FORMAT;
  /** By id, each once. */
  readonly servers: readonly LockedServer[];
}

/** A surface with all that is computed from it. */
export function lockedSurface(surface: Surface): LockedSurface {
  const whole = plain(surface) as unknown as Surface;
  const print = fingerprint(whole.tools);
  return {
    digest: surfaceDigest(whole),
    fingerprint: print.kind === "value" ? print.value : null,
    tools: whole.tools.map((tool) => [identityOf("tools", tool) ?? null, toolDigest(tool)] as const),
    surface: whole,
  };
}

/** The second surface is written once where it differs from the first in nothing but the claims. */
const AS_NONE = "as none";

export function lockText(lock: Lock): string {
  const servers = [...lock.servers].sort((a, b) => byUnits(a.id, b.id));
  return `${prettyJson({ format: LOCK_FORMAT, servers: servers.map(writtenServer) })}\n`;
}

function writtenServer({ surfaces, ...server }: LockedServer): unknown {
  const { none, everything } = surfaces;
  const isSame = bare(none.surface) === bare(everything.surface);
  return {
    ...server,
    surfaces: { none, everything: isSame ? { ...everything, surface: AS_NONE } : everything },
  };
}

const bare = (surface: Surface): string => canonical(plain({ ...surface, claims: "none" }));

const list = v.array(v.unknown());
const surfaceSchema = v.strictObject({
  era: v.picklist(["legacy", "modern"]),
  protocolVersion: v.string(),
  claims: v.picklist(["none", "everything"]),
  info: v.optional(v.unknown()),
  capabilities: v.optional(v.unknown()),
  instructions: v.optional(v.unknown()),
  tools: list,
  resources: list,
  resourceTemplates: list,
  prompts: list,
});
const digest = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/, "want sha256: and 64 digits"));
const lockedSchema = <Of extends v.GenericSchema>(surface: Of) =>
  v.strictObject({
    digest,
    fingerprint: v.nullable(v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/, "want 0x and 64 digits"))),
    tools: v.array(v.strictTuple([v.nullable(v.string()), digest])),
    surface,
  });
const lockSchema = v.strictObject({
  format: v.literal(LOCK_FORMAT),
  servers: v.array(
    v.strictObject({
      id: v.pipe(v.string(), v.nonEmpty()),
      name: v.string(),
      source: v.string(),
      start: v.variant("kind", [
        v.strictObject({
          kind: v.literal("command"),
          program: v.string(),
          pinning: v.strictObject({ status: v.string(), why: v.string() }),
          words: digest,
          variables: v.array(v.string()),
        }),
        v.strictObject({ kind: v.literal("url"), url: v.string() }),
      ]),
      surfaces: v.strictObject({
        none: lockedSchema(surfaceSchema),
        everything: lockedSchema(v.union([v.literal(AS_NONE), surfaceSchema])),
      }),
    }),
  ),
});

/** Text to a lock, or an error that says what is wrong with it. `file` only names the place in messages. */
export function parseLock(text: string, file: string): Lock {
  const refuse = (why: string, cause?: unknown): TrustError =>
    new TrustError("LOCK_UNREADABLE", `${file}: ${why}`, { cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words quote the file, and so would a cause.
    throw refuse("not valid JSON");
  }
  if (isRecord(value) && OLD_FORMATS.includes(value.format))
    throw new TrustError("LOCK_UNREADABLE", `${file}: written by an earlier version, want ${LOCK_FORMAT}`, {
      hint: "delete it and lock anew with `touchstone lock`; the old one is in version control to compare with",
    });
  const parsed = v.safeParse(lockSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw refuse(`${shown(v.getDotPath(issue) ?? "the file", 120)}: ${wanted(issue)}`);
  }
  const lock: Lock = {
    format: LOCK_FORMAT,
    servers: parsed.output.servers.map((server) => readServer(server as WrittenServer, refuse)),
  };
  const twice = lock.servers.find(({ id }, index) => lock.servers[index - 1]?.id === id);
  if (twice) throw refuse(`${twice.id} stands twice`);
  const differs = firstDifference(text.replaceAll("\r\n", "\n"), lockText(lock));
  if (differs > 0) throw refuse(`line ${differs} is not as touchstone wrote it: the file was edited`);
  return lock;
}

/** What should stand there, and not what does: that is the file's content. */
function wanted({ type, expected, message }: v.BaseIssue<unknown>): string {
  if (type === "regex") return message;
  return expected === "never" ? "an unknown member" : `want ${expected ?? "another value"}`;
}

type WrittenServer = Omit<LockedServer, "surfaces"> & {
  readonly surfaces: {
    readonly none: LockedSurface;
    readonly everything: Omit<LockedSurface, "surface"> & { readonly surface: Surface | typeof AS_NONE };
  };
};

function readServer(
  server: WrittenServer,
  refuse: (why: string, cause?: unknown) => TrustError,
): LockedServer {
  const { none, everything } = server.surfaces;
  const second = everything.surface === AS_NONE ? none.surface : everything.surface;
  const given = {
    none: { ...none, surface: { ...none.surface, claims: "none" as const } },
    everything: { ...everything, surface: { ...second, claims: "everything" as const } },
  };
  for (const [claims, locked] of Object.entries(given)) {
    let computed: LockedSurface;
    try {
      computed = lockedSurface(locked.surface);
    } catch (cause) {
      throw refuse(`${server.id}: ${(cause as Error).message}`, cause);
    }
    const { surface: _mine, ...own } = computed;
    const { surface: _given, ...recorded } = locked;
    if (canonical(own) !== canonical(recorded))
      throw refuse(`${server.id}: the digests for clients that claim ${claims} do not belong to the surface`);
  }
  return { ...server, surfaces: given };
}

/** The number of the first line that differs; 0 when none does. */
function firstDifference(text: string, wanted: string): number {
  if (text === wanted) return 0;
  const [lines, wantedLines] = [text.split("\n"), wanted.split("\n")];
  return lines.findIndex((line, index) => line !== wantedLines[index]) + 1 || lines.length;
}
