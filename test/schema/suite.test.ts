/** The official JSON Schema test suite as referee. What we do not answer is in a table with its reason;
 *  an entry that has become answerable fails as stale. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Dialect, isFormat, type UnknownReason, validate } from "../../src/schema/index.ts";
import { peers } from "../kit/paths.ts";

// An early release of ajv-formats carries the suite for drafts 4 to 2019-09 as plain files.
const SUITE = join(peers, "node_modules/json-schema-suite/tests/JSON-Schema-Test-Suite/tests");

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

type Answer = "valid" | "invalid" | UnknownReason;

/** Groups that are answered otherwise than the suite wants: `file: group`, the answer given instead, and why. */
interface Exception {
  readonly group: string;
  readonly answer: Answer;
  readonly why: string;
}

const remote = (group: string): Exception => ({ group, answer: "remote-ref", why: "nothing is fetched" });
const meta = (group: string): Exception => ({
  group,
  answer: "remote-ref",
  why: "the meta-schema is a remote document too",
});

const REMOTE: readonly Exception[] = [
  remote("refRemote.json: remote ref"),
  remote("refRemote.json: fragment within remote ref"),
  remote("refRemote.json: ref within remote ref"),
  remote("refRemote.json: base URI change"),
  remote("refRemote.json: base URI change - change folder"),
  remote("refRemote.json: base URI change - change folder in subschema"),
  remote("refRemote.json: root ref in remote ref"),
  meta("ref.json: remote ref, containing refs itself"),
];
const BEFORE_2019: readonly Exception[] = [
  ...REMOTE,
  meta("definitions.json: valid definition"),
  meta("definitions.json: invalid definition"),
];
const SINCE_2019: readonly Exception[] = [
  ...REMOTE,
  meta("defs.json: valid definition"),
  meta("defs.json: invalid definition"),
  meta("id.json: Invalid use of fragments in location-independent $id"),
  meta("id.json: Valid use of empty fragments in location-independent $id"),
  meta("id.json: Unnormalized $ids are allowed but discouraged"),
];

interface Draft {
  readonly folder: string;
  readonly dialect: Dialect;
  readonly exceptions: readonly Exception[];
  readonly cases: number;
  readonly migrate?: (schema: unknown) => unknown;
}

const drafts: readonly Draft[] = [
  { folder: "draft4", dialect: "draft-04", exceptions: BEFORE_2019, cases: 538 },
  { folder: "draft6", dialect: "draft-06", exceptions: BEFORE_2019, cases: 687 },
  { folder: "draft7", dialect: "draft-07", exceptions: BEFORE_2019, cases: 757 },
  { folder: "draft2019-09", dialect: "2019-09", exceptions: SINCE_2019, cases: 899 },
  { folder: "draft2019-09", dialect: "2020-12", exceptions: SINCE_2019, cases: 899, migrate: to2020 },
];

/** The 2019-09 suite in the words of 2020-12: lists of items have a keyword of their own. */
function to2020(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(to2020);
  if (typeof schema !== "object" || schema === null) return schema;
  const { items, additionalItems, ...rest } = schema as Record<string, unknown>;
  const members = Object.entries(rest).map(([name, member]) => [name, to2020(member)]);
  if (rest.$ref === "#/items/0") members.push(["$ref", "#/prefixItems/0"]);
  if (Array.isArray(items)) members.push(["prefixItems", to2020(items)]);
  const after = Array.isArray(items) ? additionalItems : items;
  if (after !== undefined) members.push(["items", to2020(after)]);
  return Object.fromEntries(members);
}

function groups(folder: string): { readonly name: string; readonly group: Group }[] {
  return readdirSync(join(SUITE, folder))
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(SUITE, folder, file), "utf8")) as Group[]).map((group) => ({
        name: `${file}: ${group.description}`,
        group,
      })),
    );
}

function answer(schema: unknown, value: unknown, dialect: Dialect, assertFormats = false): Answer {
  const found = validate(schema, value, { dialect, assertFormats });
  return found.verdict === "unknown" ? found.reason : found.verdict;
}

for (const { folder, dialect, exceptions, cases, migrate = (schema: unknown) => schema } of drafts) {
  test(`${folder} of the official suite, read as ${dialect}, is answered right but for the listed groups`, () => {
    const table = new Map(exceptions.map((exception) => [exception.group, exception]));
    const wrong: string[] = [];
    let seen = 0;
    for (const { name, group } of groups(folder)) {
      const exception = table.get(name);
      for (const { description, data, valid } of group.tests) {
        seen++;
        const want = exception?.answer ?? (valid ? "valid" : "invalid");
        const got = answer(migrate(group.schema), data, dialect);
        if (got !== want) wrong.push(`${name}: ${description}: want ${want}, got ${got}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.equal(seen, cases);
    const known = new Set(groups(folder).map(({ name }) => name));
    assert.deepEqual(
      exceptions.map(({ group }) => group).filter((name) => !known.has(name)),
      [],
      "exceptions that name no group of the suite",
    );
  });
}

/** Optional cases that are answered differently on purpose: `file: case`, and why. */
const OPTIONAL: readonly { readonly dialect: Dialect; readonly case: string; readonly why: string }[] = [
  {
    dialect: "draft-04",
    case: "zeroTerminatedFloats.json: a float is not an integer even without fractional part",
    why: "1.0 and 1 are one value once parsed, as later drafts say",
  },
  ...(["draft-07", "2019-09"] as const).flatMap((dialect) =>
    [
      "content.json: an invalid JSON document",
      "content.json: an invalid base64 string (% is not a valid character)",
      "content.json: a validly-encoded invalid JSON document",
      "content.json: an invalid base64 string that is valid JSON",
    ].map((name) => ({ dialect, case: name, why: "content keywords are annotations" })),
  ),
];

for (const { folder, dialect, migrate } of drafts) {
  if (migrate !== undefined) continue;
  test(`the optional part of ${folder} is answered right but for the listed cases`, () => {
    const wrong = groups(`${folder}/optional`).flatMap(({ name, group }) =>
      group.tests
        .filter(
          ({ data, valid }) => answer(group.schema, data, dialect, true) !== (valid ? "valid" : "invalid"),
        )
        .map(({ description }) => `${name.split(":")[0]}: ${description}`),
    );
    const listed = OPTIONAL.filter((entry) => entry.dialect === dialect).map((entry) => entry.case);
    assert.deepEqual(wrong.sort(), listed.sort());
  });

  test(`the formats we know agree with ${folder}`, () => {
    const wrong = groups(`${folder}/optional/format`).flatMap(({ group }) => {
      const { format } = group.schema as { readonly format: string };
      if (!isFormat(format)) return [];
      return group.tests
        .filter(
          ({ data, valid }) => answer(group.schema, data, dialect, true) !== (valid ? "valid" : "invalid"),
        )
        .map(({ description }) => `${format}: ${description}`);
    });
    assert.deepEqual(wrong, []);
  });
}
