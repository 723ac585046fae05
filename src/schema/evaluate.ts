/** Applies one schema to one value: the only way down, so the only place that counts depth. */
import { refStandsAlone } from "./dialect.ts";
import { resourceAt } from "./document.ts";
import { KEYWORDS, MARKED } from "./keywords/table.ts";
import { type Marks, noMarks } from "./marks.ts";
import {
  blind,
  doubt,
  type Entry,
  type Frame,
  fail,
  isSettled,
  type Keyword,
  type Plan,
  type Scope,
} from "./run.ts";
import { and, type Truth } from "./truth.ts";
import { isObject, type JsonObject, kindOf } from "./values.ts";

export function evaluate(entry: Entry): Truth {
  const { run, schema } = entry;
  if (!run.spend(1)) return blind(entry, "budget");
  if (schema === true) return true;
  if (schema === false) return fail(entry, undefined, "is not allowed here");
  if (!isObject(schema)) return blind(entry, "invalid-schema");
  if (entry.depth > run.maxDepth) return blind(entry, "too-deep");

  const scope = scopeAt(entry, schema);
  const plan = planOf(entry, schema, scope);
  if (!run.spend(0)) return blind(entry, "budget");
  const marks = entry.marks ?? (plan.needsMarks ? noMarks() : undefined);
  const frame = frameOf(entry, schema, scope, marks);
  const kind = kindOf(entry.value);
  let truth: Truth = true;
  for (const keyword of plan.keywords) {
    if (keyword.kind !== undefined && keyword.kind !== kind) continue;
    if (!run.spend(1)) return and(truth, doubt(entry, "budget"));
    // A keyword is asked only about the kind of value it names.
    truth = and(truth, keyword.check(entry.value as never, schema[keyword.name], frame));
    if (isSettled(entry, truth)) break;
  }
  return truth;
}

/** Most schemas open no resource and need no marks: then the entry is the frame already. */
function frameOf(entry: Entry, schema: JsonObject, scope: Scope, marks: Marks | undefined): Frame {
  return scope === entry.scope && marks === entry.marks
    ? (entry as Frame)
    : { ...entry, schema, scope, marks };
}

function scopeAt({ run, scope }: Entry, schema: JsonObject): Scope {
  const resource = resourceAt(run.document, schema, scope.resource, run.spend);
  return resource === scope.resource ? scope : { resource, outer: scope };
}

/** The keywords that a schema has, worked out once. A schema full of unknown names costs only that once. */
function planOf({ run }: Entry, schema: JsonObject, { resource: { edition } }: Scope): Plan {
  const known = run.plans.get(schema);
  if (known?.edition === edition) return known;
  const names = Object.keys(schema);
  run.spend(names.length);
  const isAlone = refStandsAlone(edition) && Object.hasOwn(schema, "$ref");
  const ranked: { readonly keyword: Keyword; readonly rank: number }[] = [];
  for (const name of isAlone ? ["$ref"] : names) {
    const row = KEYWORDS.get(name);
    if (row !== undefined && edition >= row.keyword.since && edition <= row.keyword.until) ranked.push(row);
  }
  if (ranked.length > 1) ranked.sort((a, b) => a.rank - b.rank);
  const keywords = ranked.map(({ keyword }) => keyword);
  const plan: Plan = { edition, keywords, needsMarks: keywords.some(({ name }) => MARKED.has(name)) };
  run.plans.set(schema, plan);
  return plan;
}
