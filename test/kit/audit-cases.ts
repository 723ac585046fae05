/** Builds spec/vectors/audit: whole logs, logs that somebody has changed, and proofs. One line says what was done to each. */

import { keyFromSeed, type SigningKey } from "../../src/attest/keys/ed25519.ts";
import { signCheckpoint } from "../../src/audit/checkpoint.ts";
import { type AuditEvent, ENTRY_TYPES, FIRST_PREV, OUTCOMES, sha256 } from "../../src/audit/entry.ts";
import { verifierKey } from "../../src/audit/note.ts";
import { leavesOf, proveEntry, proveGrowth } from "../../src/audit/proof.ts";
import { Frontier, leafHash } from "../../src/audit/tree.ts";
import { hashesName, type LogFiles, restFrom, segmentName } from "../../src/audit/verify.ts";
import { entryLine } from "../../src/audit/write-entry.ts";

export interface LogCase {
  readonly about: string;
  readonly key: string;
  readonly chainOnly?: true;
  readonly anchors?: readonly string[];
  readonly files: Readonly<Record<string, string | { readonly base64: string }>>;
  readonly expect:
    | { readonly status: "whole"; readonly entries: number; readonly signed: number }
    | {
        readonly status: "problem";
        readonly problem: string;
        readonly file: string;
        readonly line: number;
        readonly n: number;
      };
}
export interface ProofCase {
  readonly about: string;
  readonly key: string;
  readonly proof: string;
  readonly expect: { readonly status: "holds" } | { readonly status: "refused" };
}

export const ORIGIN = "log.example/gateway-1";
const seeded = (byte: number): SigningKey => keyFromSeed(Buffer.alloc(32, byte)) as SigningKey;
const KEY = seeded(0x51);
const OTHER = seeded(0x52);
export const VKEY = verifierKey(ORIGIN, KEY.publicKey).text;
const BEGAN = Date.parse("2026-11-15T10:00:00.000Z");

/** A log while it is made: names and bytes of files. */
class Made {
  readonly files = new Map<string, Buffer>();
  readonly key: SigningKey;
  readonly origin: string;
  #head = FIRST_PREV;
  #tree = new Frontier();
  #first = 0;
  #hashes: Buffer[] = [];

  constructor(key = KEY, origin = ORIGIN) {
    this.key = key;
    this.origin = origin;
    const data = {
      event: "created",
      format: "touchstone/audit/1",
      key: verifierKey(origin, key.publicKey).text,
      origin,
    };
    this.add({ type: "log", data });
  }

  get size(): number {
    return this.#tree.size;
  }

  add(event: AuditEvent): this {
    const n = this.size;
    const line = entryLine(event, {
      n,
      prev: this.#head,
      now: BEGAN + n * 1000,
      id: `e-${String(n).padStart(8, "0")}`,
      redact: (text) => text,
    });
    return this.addLine(line);
  }

  addLine(line: string): this {
    this.#head = leafHash(line);
    this.#tree.push(this.#head);
    this.#hashes.push(Buffer.from(this.#head, "hex"));
    this.append(`${line}\n`);
    return this;
  }

  append(bytes: string | Buffer): this {
    const name = segmentName(this.#first);
    this.files.set(name, Buffer.concat([this.files.get(name) ?? Buffer.alloc(0), Buffer.from(bytes)]));
    return this;
  }

  calls(times: number, word = "send"): this {
    for (const end = this.size + times; this.size < end; )
      this.add({
        type: "decision",
        outcome: this.size % 3 === 0 ? "denied" : "allowed",
        actor: "agent-7",
        server: "mail",
        tool: word,
        data: {
          arguments: { bytes: 40 + this.size, sha256: "ab".repeat(32) },
          rule: "allowed-tools",
          to: 'Ünïcode 🔒 \u2028 "quoted" \\ \t',
        },
      });
    return this;
  }

  rotate(): this {
    this.files.set(hashesName(this.#first), Buffer.concat(this.#hashes));
    this.#hashes = [];
    this.#first = this.size;
    return this;
  }

  note(key = this.key, origin = this.origin): string {
    const time = new Date(BEGAN + this.size * 1000).toISOString();
    return signCheckpoint({ origin, size: this.size, root: this.#tree.root(), head: this.#head, time }, key);
  }

  sign(): this {
    const before = this.text("checkpoints");
    this.files.set("checkpoints", Buffer.from(before === "" ? this.note() : `${before}\n${this.note()}`));
    return this;
  }

  text(name: string): string {
    return this.files.get(name)?.toString("utf8") ?? "";
  }

  lines(name = segmentName(0)): string[] {
    return this.text(name).slice(0, -1).split("\n");
  }

  /** With other lines in a segment. */
  relined(change: (lines: string[]) => readonly string[], name = segmentName(0)): this {
    this.files.set(
      name,
      Buffer.from(
        change(this.lines(name))
          .map((line) => `${line}\n`)
          .join(""),
      ),
    );
    return this;
  }

  with(name: string, change: (text: string) => string): this {
    this.files.set(name, Buffer.from(change(this.text(name))));
    return this;
  }

  without(...names: string[]): this {
    for (const name of names) this.files.delete(name);
    return this;
  }

  get logFiles(): LogFiles {
    return memoryFiles(this.files);
  }
}

export function memoryFiles(files: ReadonlyMap<string, Buffer>): LogFiles {
  return {
    names: () => [...files.keys()],
    read: (name) => files.get(name),
    *chunks(name, from = 0) {
      // In pieces that end within lines and within letters.
      const bytes = (files.get(name) ?? Buffer.alloc(0)).subarray(from);
      for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
    },
    stamp: (name) => sha256(files.get(name) ?? ""),
  };
}

/** Twelve entries, all signed at 5 and 12. */
const small = (): Made => new Made().calls(4).sign().calls(7).sign();
/** Entries 0 to 4, 5 to 9, 10 to 12, signed at 10 and 13. */
const three = (): Made => new Made().calls(4).rotate().calls(5).rotate().sign().calls(3).sign();
const [S0, S5, S10] = [0, 5, 10].map(segmentName) as [string, string, string];

/** Six entries and bytes of a seventh that never was one, sealed. */
function torn(bytes = '{"actor":null,"at":"2026-11-1', sealed = bytes): Made {
  const made = new Made().calls(5).sign().append(bytes);
  const { files } = made;
  const end = { bytes: Buffer.byteLength(sealed), sha256: restFrom([Buffer.from(sealed)], 1).sha256 };
  made.rotate();
  files.set(S0, files.get(S0) as Buffer);
  return made
    .add({ type: "log", data: { event: "recovered", segment: S0, torn: end } })
    .calls(2)
    .sign();
}

/** Entries 0 to 4 are known by their hashes alone. */
function pruned(before = 5): Made {
  const made = new Made().calls(4).rotate().calls(5).sign();
  if (before > 0) made.add({ type: "log", data: { before, event: "pruned" } });
  return made.sign().calls(1).without(S0);
}

const replaced = (at: number, change: (line: string) => string) => (lines: string[]) =>
  lines.map((line, index) => (index === at ? change(line) : line));
const removed =
  (...at: number[]) =>
  (lines: string[]) =>
    lines.filter((_, index) => !at.includes(index));

type Expect = LogCase["expect"];
const whole = (entries: number, signed = entries): Expect => ({ status: "whole", entries, signed });
const problem = (name: string, n: number, line = n + 1, file = S0): Expect => ({
  status: "problem",
  problem: name,
  file,
  line,
  n,
});

interface Options {
  readonly anchors?: readonly string[];
  readonly chainOnly?: true;
}

function log(about: string, made: Made, expect: Expect, options: Options = {}): LogCase {
  const files = Object.fromEntries(
    [...made.files]
      .sort()
      .map(([name, bytes]) => [
        name,
        Buffer.from(bytes.toString("utf8")).equals(bytes) && !name.endsWith(".hashes")
          ? bytes.toString("utf8")
          : { base64: bytes.toString("base64") },
      ]),
  );
  return { about, key: VKEY, ...options, files, expect };
}

/** Whatever an entry can be. */
function everyType(): Made {
  const made = new Made();
  for (const type of ENTRY_TYPES)
    for (const outcome of OUTCOMES) made.add({ type, outcome, data: { reason: "for this or that" } });
  return made.sign();
}

/** A log of the same length that says something else from an entry on. */
const fork = (from: number): Made => new Made().calls(from - 1).calls(12 - from, "delete");

export const logCases: Readonly<Record<string, LogCase>> = {
  "whole-small": log("twelve entries, all signed", small(), whole(12)),
  "whole-segments": log("three segments with their hashes", three(), whole(13)),
  "whole-without-hashes": log(
    "files of hashes can be made anew",
    three().without(hashesName(0), hashesName(5)),
    whole(13),
  ),
  "whole-unsigned-tail": log("three entries behind the last checkpoint", small().calls(3), whole(15, 12)),
  "whole-chain-only": log("nothing is signed, and nothing has to be", new Made().calls(3), whole(4, 0), {
    chainOnly: true,
  }),
  "whole-every-type": log("entries of every type and outcome", everyType(), whole(33)),
  "whole-anchor": log("a checkpoint kept elsewhere", small(), whole(12), {
    anchors: [new Made().calls(6).note()],
  }),
  "whole-recovered": log("a crash was recovered", torn(), whole(9)),
  "whole-recovered-lines": log(
    "a crash left whole lines that are no entries",
    torn("\u0000\u0000\n{}\n{"),
    whole(9),
  ),
  "whole-pruned": log("a pruned segment lives on in its hashes", pruned(), whole(12, 11)),
  "whole-witness": log(
    "a witness has signed too",
    small().with(
      "checkpoints",
      (text) => `${text}\u2014 witness.example ${Buffer.alloc(68, 7).toString("base64")}\n`,
    ),
    whole(12),
  ),
  "whole-empty-last": log(
    "a new segment without an entry yet",
    (() => {
      const made = three();
      made.files.set(segmentName(13), Buffer.alloc(0));
      return made;
    })(),
    whole(13),
  ),

  "edit-middle": log(
    "an outcome was changed",
    small().relined(replaced(5, (line) => line.replace('"allowed"', '"denied"'))),
    problem("chain-broken", 6),
  ),
  "edit-last": log(
    "the last entry was changed",
    small().relined(replaced(11, (line) => line.replace("agent-7", "agent-8"))),
    problem("root-differs", 12, 9, "checkpoints"),
  ),
  "edit-checkpointed": log(
    "the entry under the first checkpoint was changed",
    small().relined(replaced(4, (line) => line.replace("agent-7", "agent-8"))),
    problem("root-differs", 5, 1, "checkpoints"),
  ),
  "edit-time": log(
    "an hour was changed",
    small().relined(replaced(7, (line) => line.replace("T10:", "T11:"))),
    problem("chain-broken", 8),
  ),
  "edit-prev": log(
    "the link itself was changed",
    small().relined(
      replaced(6, (line) => line.replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${"0".repeat(64)}"`)),
    ),
    problem("chain-broken", 6),
  ),
  "edit-segment-end": log(
    "the last entry of a segment was changed",
    three()
      .without(hashesName(0))
      .relined(replaced(4, (line) => line.replace("agent-7", "agent-8"))),
    problem("chain-broken", 5, 1, S5),
  ),
  "edit-with-hashes": log(
    "an entry and its hash do not agree",
    three().relined(replaced(4, (line) => line.replace("agent-7", "agent-8"))),
    { status: "problem", problem: "hashes-differ", file: hashesName(0), line: 0, n: 4 },
  ),
  "remove-middle": log("an entry was removed", small().relined(removed(6)), problem("number-wrong", 6)),
  "remove-first": log("the first entry was removed", small().relined(removed(0)), problem("number-wrong", 0)),
  "remove-last": log(
    "the last entry was removed",
    small().relined(removed(11)),
    problem("truncated", 11, 9, "checkpoints"),
  ),
  "remove-many": log(
    "everything behind the first checkpoint was removed",
    small().relined((lines) => lines.slice(0, 5)),
    problem("truncated", 5, 9, "checkpoints"),
  ),
  "remove-tail-unsigned": log(
    "entries behind the last checkpoint can be cut: without an anchor nobody knows",
    small()
      .calls(3)
      .relined((lines) => lines.slice(0, 12)),
    whole(12),
  ),
  "remove-tail-anchored": log("with an anchor it is seen", small(), problem("truncated", 12, 1, "anchor 0"), {
    anchors: [small().calls(3).note()],
  }),
  "remove-checkpoint-and-tail": log(
    "the last checkpoint was cut away with what it covers; an anchor tells",
    new Made().calls(4).sign(),
    problem("truncated", 5, 1, "anchor 0"),
    { anchors: [small().note()] },
  ),
  "remove-segment": log(
    "a segment in the middle was removed",
    three().without(S5, hashesName(5)),
    problem("segment-missing", 5, 0, S10),
  ),
  "remove-segment-quietly": log(
    "a segment was removed and its hashes left, behind one that is there",
    three().without(S5),
    problem("segment-missing", 5, 0, hashesName(5)),
  ),
  "remove-first-segment": log(
    "the first segment was removed",
    three().without(S0, hashesName(0)),
    problem("segment-missing", 0, 0, S5),
  ),
  "remove-last-segment": log(
    "the last segment was removed",
    three().without(S10),
    problem("truncated", 10, 9, "checkpoints"),
  ),
  "prune-unannounced": log(
    "the first segment was removed as if it had been pruned",
    three().without(S0),
    problem("prune-unannounced", 5, 0, S5),
  ),
  "prune-too-few": log(
    "more was removed than was announced",
    pruned(4),
    problem("prune-unannounced", 5, 0, S5),
  ),
  "prune-unsigned": log(
    "the first segment was removed, and whoever did it has written that it was pruned",
    new Made()
      .calls(4)
      .rotate()
      .calls(5)
      .sign()
      .add({ type: "log", data: { before: 5, event: "pruned" } })
      .without(S0),
    problem("prune-unannounced", 5, 0, S5),
  ),
  "prune-unsigned-chain": log(
    "where nothing has to be signed, the word that it was pruned counts too",
    new Made()
      .calls(4)
      .rotate()
      .calls(5)
      .add({ type: "log", data: { before: 5, event: "pruned" } })
      .without(S0),
    whole(11, 0),
    { chainOnly: true },
  ),
  "insert-copy": log(
    "an entry stands twice",
    small().relined((lines) => [...lines.slice(0, 6), lines[5] as string, ...lines.slice(6)]),
    problem("number-wrong", 6),
  ),
  "insert-forged": log(
    "an entry was inserted, with number and link",
    small().relined((lines) => {
      const line = entryLine(
        { type: "approval", actor: "nobody" },
        {
          n: 6,
          prev: leafHash(lines[5] as string),
          now: BEGAN + 6_000,
          id: "e-forged00",
          redact: (text) => text,
        },
      );
      return [...lines.slice(0, 6), line, ...lines.slice(6)];
    }),
    problem("number-wrong", 7),
  ),
  "append-forged": log(
    "an entry was appended by somebody without the key: behind the checkpoint it is not signed",
    small().add({ type: "approval", actor: "nobody" }),
    whole(13, 12),
  ),
  swap: log(
    "two entries changed places",
    small().relined((lines) => [
      ...lines.slice(0, 3),
      lines[4] as string,
      lines[3] as string,
      ...lines.slice(5),
    ]),
    problem("number-wrong", 3),
  ),
  rewrite: log(
    "everything from entry 6 on was written anew, in a good chain",
    (() => {
      const made = fork(6);
      made.files.set("checkpoints", small().files.get("checkpoints") as Buffer);
      return made;
    })(),
    problem("root-differs", 12, 9, "checkpoints"),
  ),
  "rewrite-signed-by-other": log(
    "a whole log of the same name by another key",
    new Made(OTHER).calls(11).sign(),
    problem("checkpoint-foreign", 0, 1, "checkpoints"),
  ),
  "rewrite-first": log(
    "the log says it is of another key",
    (() => {
      const made = new Made(OTHER).calls(3);
      made.files.set("checkpoints", Buffer.from(made.note(KEY)));
      return made;
    })(),
    problem("first-wrong", 0),
  ),
  "rewrite-origin": log(
    "a log of the same key with another name",
    new Made(KEY, "log.example/gateway-2").calls(3).sign(),
    problem("checkpoint-foreign", 0, 1, "checkpoints"),
  ),
  "splice-other-log": log(
    "a segment of another log of the same key",
    (() => {
      const other = new Made().calls(4, "delete").rotate().calls(5).rotate().calls(3);
      const made = three().without(hashesName(0), hashesName(5));
      made.files.set(S5, other.files.get(S5) as Buffer);
      return made;
    })(),
    problem("chain-broken", 5, 1, S5),
  ),
  "anchor-of-fork": log(
    "the anchor is of a log that went another way",
    small(),
    problem("root-differs", 9, 1, "anchor 0"),
    { anchors: [new Made().calls(5).calls(3, "delete").note()] },
  ),
  "anchor-forged": log(
    "the anchor's signature does not fit",
    small(),
    problem("checkpoint-forged", 0, 1, "anchor 0"),
    { anchors: [small().note().replace("\n12\n", "\n11\n")] },
  ),

  "checkpoint-size-changed": log(
    "a checkpoint was made to count fewer",
    small().with("checkpoints", (text) => text.replace("\n12\n", "\n11\n")),
    problem("checkpoint-forged", 1, 9, "checkpoints"),
  ),
  "checkpoint-root-changed": log(
    "a checkpoint was given another root",
    small().with("checkpoints", (text) =>
      text.replace(/\n12\n.{44}/, `\n12\n${Buffer.alloc(32, 9).toString("base64")}`),
    ),
    problem("checkpoint-forged", 1, 9, "checkpoints"),
  ),
  "checkpoint-signature-short": log(
    "half of a signature",
    small().with("checkpoints", (text) =>
      text.replace(
        / (\S+)\n$/,
        (_, base64: string) => ` ${Buffer.from(base64, "base64").subarray(0, 36).toString("base64")}\n`,
      ),
    ),
    problem("checkpoint-forged", 1, 9, "checkpoints"),
  ),
  "checkpoint-unsigned": log(
    "only a witness has signed",
    small().with("checkpoints", (text) =>
      text.replace(/\u2014 .*\n$/, `\u2014 witness.example ${Buffer.alloc(68, 7).toString("base64")}\n`),
    ),
    problem("checkpoint-foreign", 1, 9, "checkpoints"),
  ),
  "checkpoint-twice": log(
    "a checkpoint stands twice",
    small().with("checkpoints", (text) => `${text}\n${small().note()}`),
    problem("checkpoint-order", 2, 17, "checkpoints"),
  ),
  "checkpoint-swapped": log(
    "two checkpoints changed places",
    small().with("checkpoints", () => `${small().note()}\n${new Made().calls(4).note()}`),
    problem("checkpoint-order", 1, 9, "checkpoints"),
  ),
  "checkpoint-leading-zero": log(
    "a size with a zero before it",
    small().with("checkpoints", (text) => text.replace("\n5\n", "\n05\n")),
    problem("checkpoint-malformed", 0, 1, "checkpoints"),
  ),
  "checkpoint-extra-line": log(
    "one line more than it has",
    small().with("checkpoints", (text) => text.replace("\n\n\u2014", "\nmore\n\n\u2014")),
    problem("checkpoint-malformed", 0, 1, "checkpoints"),
  ),
  "checkpoint-cut": log(
    "the file of checkpoints ends within a note",
    small().with("checkpoints", (text) => text.slice(0, -40)),
    problem("checkpoint-malformed", 1, 9, "checkpoints"),
  ),
  "checkpoints-gone": log(
    "no checkpoint is left",
    small().without("checkpoints"),
    problem("no-log", 0, 0, "checkpoints"),
  ),
  "all-gone": log("nothing is left but the key", new Made().without(S0), {
    status: "problem",
    problem: "no-log",
    file: "",
    line: 0,
    n: 0,
  }),

  "line-cut": log(
    "the file ends within a line",
    small().with(S0, (text) => text.slice(0, -20)),
    problem("line-torn", 11),
  ),
  "line-cut-middle": log(
    "a segment that is not the last ends within a line",
    three()
      .without(hashesName(0))
      .with(S0, (text) => text.slice(0, -20)),
    problem("line-torn", 4),
  ),
  "line-sealed-changed": log(
    "the bytes that a recovery speaks of were changed",
    torn().with(S0, (text) => text.replace(/2026-11-1$/, "2026-11-2")),
    problem("line-torn", 6),
  ),
  "line-sealed-more": log(
    "a recovery speaks of fewer bytes than there are",
    torn('{"actor":nul', '{"actor":nu'),
    problem("line-torn", 6),
  ),
  "recovery-in-the-middle": log(
    "an entry speaks of a recovery where there was none",
    small().add({
      type: "log",
      data: { event: "recovered", segment: S0, torn: { bytes: 1, sha256: "00".repeat(32) } },
    }),
    problem("recovery-wrong", 12),
  ),
  "recovery-of-whole": log(
    "a segment begins with a recovery of one that is whole",
    new Made()
      .calls(4)
      .sign()
      .rotate()
      .add({
        type: "log",
        data: { event: "recovered", segment: S0, torn: { bytes: 1, sha256: "00".repeat(32) } },
      }),
    problem("recovery-wrong", 5, 1, S5),
  ),
  "line-empty": log(
    "an empty line",
    small().relined((lines) => [...lines.slice(0, 4), "", ...lines.slice(4)]),
    problem("line-not-json", 4),
  ),
  "line-list": log(
    "a list in place of an entry",
    small().relined(replaced(4, (line) => `[${line}]`)),
    problem("line-not-json", 4),
  ),
  "line-not-utf8": log(
    "a byte that is not UTF-8",
    (() => {
      const made = small();
      const bytes = made.files.get(S0) as Buffer;
      bytes[bytes.indexOf("agent-7", bytes.indexOf('"n":3')) + 2] = 0xff;
      return made;
    })(),
    problem("line-not-utf8", 4),
  ),
  "line-too-long": log(
    "a line longer than any entry",
    small().relined(replaced(4, (line) => line.replace("agent-7", "a".repeat(70_000)))),
    problem("line-too-long", 4),
  ),
  "line-crlf": log(
    "lines that end as on another system",
    small().relined(replaced(4, (line) => `${line}\r`)),
    problem("not-canonical", 4),
  ),
  "name-twice": log(
    "a member stands twice",
    small().relined(replaced(4, (line) => line.replace('"outcome"', '"n":4,"outcome"'))),
    problem("name-twice", 4),
  ),
  "name-twice-escaped": log(
    "a member stands twice, once with an escape",
    small().relined(replaced(4, (line) => line.replace('{"actor"', '{"\\u0061ctor":null,"actor"'))),
    problem("name-twice", 4),
  ),
  "name-twice-within": log(
    "a member of the data stands twice",
    small().relined(replaced(4, (line) => line.replace('"rule"', '"rule":"x","rule"'))),
    problem("name-twice", 4),
  ),
  "not-canonical-space": log(
    "a space",
    small().relined(replaced(4, (line) => line.replace('"n":', '"n": '))),
    problem("not-canonical", 4),
  ),
  "not-canonical-order": log(
    "two members changed places",
    small().relined(
      replaced(4, (line) => line.replace(/"server":"mail","tool":"send"/, '"tool":"send","server":"mail"')),
    ),
    problem("not-canonical", 4),
  ),
  "not-canonical-number": log(
    "a number in another writing",
    small().relined(replaced(4, (line) => line.replace('"n":4,', '"n":4.0,'))),
    problem("not-canonical", 4),
  ),
  "not-canonical-large": log(
    "a number beyond the range",
    small().relined(replaced(4, (line) => line.replace('"bytes":44', '"bytes":9007199254740992'))),
    problem("not-canonical", 4),
  ),
  "not-canonical-escape": log(
    "a letter as an escape",
    small().relined(replaced(4, (line) => line.replace("agent-7", "agen\\u0074-7"))),
    problem("not-canonical", 4),
  ),
  "not-canonical-slash": log(
    "an escape that no writer of ours makes",
    small().relined(replaced(4, (line) => line.replace("allowed-tools", "allowed\\/tools"))),
    problem("not-canonical", 4),
  ),
  "not-canonical-half": log(
    "half of a pair",
    small().relined(replaced(4, (line) => line.replace("agent-7", "agent-\\ud83d"))),
    problem("not-canonical", 4),
  ),
  "member-unknown": log(
    "a member that entries do not have",
    small().relined(replaced(4, (line) => line.replace('"outcome"', '"note":"ok","outcome"'))),
    problem("member-unknown", 4),
  ),
  "member-proto": log(
    "a member that reaches into the language",
    small().relined(replaced(4, (line) => line.replace('{"actor"', '{"__proto__":null,"actor"'))),
    problem("member-unknown", 4),
  ),
  "member-missing": log(
    "a member is not there",
    small().relined(replaced(4, (line) => line.replace('"tool":"send",', ""))),
    problem("member-missing", 4),
  ),
  "member-outcome": log(
    "an outcome that there is not",
    small().relined(
      replaced(4, (line) => line.replace('"allowed"', '"granted"').replace('"denied"', '"granted"')),
    ),
    problem("member-malformed", 4),
  ),
  "member-number-text": log(
    "the number as a text",
    small().relined(replaced(4, (line) => line.replace('"n":4,', '"n":"4",'))),
    problem("member-malformed", 4),
  ),
  "member-date": log(
    "a day that there is not",
    small().relined(replaced(4, (line) => line.replace("2026-11-15T", "2026-02-30T"))),
    problem("member-malformed", 4),
  ),
  "member-data-name": log(
    "a name that data does not have",
    small().relined(replaced(4, (line) => line.replace('"rule"', '"rul e"'))),
    problem("member-malformed", 4),
  ),
  "member-data-deep": log(
    "data deeper than it may be",
    small().relined(
      replaced(4, (line) =>
        line.replace('"rule":"allowed-tools"', `"rule":${"[".repeat(8)}${"]".repeat(8)}`),
      ),
    ),
    problem("member-malformed", 4),
  ),
  "member-prev-capitals": log(
    "a hash in capitals",
    small().relined(
      replaced(4, (line) =>
        line.replace(/"prev":"[0-9a-f]{64}"/, (all) => `"prev":"${all.slice(8, -1).toUpperCase()}"`),
      ),
    ),
    problem("member-malformed", 4),
  ),
  "hashes-changed": log(
    "a hash was changed",
    (() => {
      const made = three();
      (made.files.get(hashesName(0)) as Buffer)[40] = 1;
      return made;
    })(),
    { status: "problem", problem: "hashes-differ", file: hashesName(0), line: 0, n: 1 },
  ),
  "hashes-short": log(
    "a hash is missing",
    (() => {
      const made = three();
      made.files.set(hashesName(5), (made.files.get(hashesName(5)) as Buffer).subarray(0, 128));
      return made;
    })(),
    { status: "problem", problem: "hashes-malformed", file: hashesName(5), line: 0, n: 5 },
  ),
  "hashes-beyond": log(
    "hashes of entries that are not there",
    (() => {
      const made = three();
      made.files.set(hashesName(40), Buffer.alloc(32));
      return made;
    })(),
    problem("segment-missing", 13, 0, hashesName(40)),
  ),
  "pruned-hash-changed": log(
    "a hash of a pruned entry was changed",
    (() => {
      const made = pruned();
      (made.files.get(hashesName(0)) as Buffer)[40] = 1;
      return made;
    })(),
    problem("root-differs", 10, 1, "checkpoints"),
  ),
  "pruned-last-hash-changed": log(
    "the hash before the first entry that is kept was changed",
    (() => {
      const made = pruned();
      (made.files.get(hashesName(0)) as Buffer)[4 * 32] = 1;
      return made;
    })(),
    problem("chain-broken", 5, 1, S5),
  ),
};

function proofOf(made: Made, n: number): string {
  const lines = [S0, S5, S10].flatMap((name) => (made.files.has(name) ? made.lines(name) : []));
  return proveEntry(leavesOf(made.logFiles), lines[n] as string, n, made.note(), made.size);
}
const grown = (from: number): string => {
  const old = new Made().calls(4).rotate().calls(5).rotate();
  const first = from === 10 ? old : new Made().calls(from - 1);
  return proveGrowth(
    leavesOf(three().logFiles),
    { note: first.note(), size: from },
    { note: three().note(), size: 13 },
  );
};
const proof = (about: string, text: string, status: "holds" | "refused"): ProofCase => ({
  about,
  key: VKEY,
  proof: text,
  expect: { status },
});
const hashLine = `${Buffer.alloc(32, 3).toString("base64")}\n`;

export const proofCases: Readonly<Record<string, ProofCase>> = {
  ...Object.fromEntries(
    [0, 4, 7, 8, 12].map((n) => [
      `proof-entry-${n}`,
      proof(`entry ${n} of thirteen`, proofOf(three(), n), "holds"),
    ]),
  ),
  "proof-single": proof("the only entry of a log", proofOf(new Made(), 0), "holds"),
  "proof-other-index": proof(
    "another number",
    proofOf(three(), 7).replace("\nindex 7\n", "\nindex 6\n"),
    "refused",
  ),
  "proof-other-entry": proof(
    "another entry under the same number",
    proofOf(three(), 7).replace(
      /extra .*/,
      (line) =>
        `extra ${Buffer.from(Buffer.from(line.slice(6), "base64").toString("utf8").replace("agent-7", "agent-8")).toString("base64")}`,
    ),
    "refused",
  ),
  "proof-hash-missing": proof(
    "a hash is missing",
    proofOf(three(), 7).replace(/(index 7\n).*\n/, "$1"),
    "refused",
  ),
  "proof-hash-more": proof(
    "a hash too many",
    proofOf(three(), 7).replace("index 7\n", `index 7\n${hashLine}`),
    "refused",
  ),
  "proof-hash-other": proof(
    "another hash",
    proofOf(three(), 7).replace(/(index 7\n).*\n/, `$1${hashLine}`),
    "refused",
  ),
  "proof-no-entry": proof(
    "what it is about is left out",
    proofOf(three(), 7).replace(/extra .*\n/, ""),
    "refused",
  ),
  "proof-not-an-entry": proof(
    "what it is about is no entry",
    proofOf(three(), 7).replace(/extra .*/, `extra ${Buffer.from("{}").toString("base64")}`),
    "refused",
  ),
  "proof-forged-head": proof(
    "the checkpoint was changed",
    proofOf(three(), 7).replace("\n13\n", "\n14\n"),
    "refused",
  ),
  "proof-other-key": proof(
    "a log of the same name by another key",
    proofOf(new Made(OTHER).calls(6), 3),
    "refused",
  ),
  ...Object.fromEntries(
    [1, 4, 8, 10, 13].map((from) => [
      `growth-from-${from}`,
      proof(`from ${from} to thirteen`, grown(from), "holds"),
    ]),
  ),
  "growth-of-fork": proof(
    "the older one went another way",
    proveGrowth(
      leavesOf(three().logFiles),
      { note: new Made().calls(3).calls(4, "delete").note(), size: 8 },
      { note: three().note(), size: 13 },
    ),
    "refused",
  ),
  "growth-backwards": proof(
    "the older one after the newer",
    (() => {
      const [head = "", old = "", sigs = "", now = "", more = ""] = grown(8).split("\n\n");
      return [head, now, more.trimEnd(), old, `${sigs}\n`].join("\n\n");
    })(),
    "refused",
  ),
  "growth-hash-other": proof(
    "another hash",
    grown(8).replace(/^(touchstone\/consistency\/1\n).*\n/, `$1${hashLine}`),
    "refused",
  ),
  "growth-unsigned": proof(
    "the newer one is signed by somebody else",
    grown(8).replace(/\u2014 \S+ \S+\n$/, `\u2014 ${ORIGIN} ${Buffer.alloc(68, 7).toString("base64")}\n`),
    "refused",
  ),
};
