/** Takes a node apart: references followed, `allOf` laid flat, and what is left to choose listed as forks. */
import { refStandsAlone } from "../dialect.ts";
import { dynamicAnchor, resolveRef, resourceAt } from "../document.ts";
import type { Scope } from "../run.ts";
import { isObject, type JsonObject, own } from "../values.ts";
import { type Fork, forksOf } from "./fork.ts";
import { type Conjunct, type Node, OBJECT, type Work } from "./work.ts";

/** A schema object of which every keyword counts. */
export interface Part {
  readonly schema: JsonObject;
  readonly scope: Scope;
}

export interface Expansion {
  readonly parts: readonly Part[];
  readonly forks: readonly Fork[];
  /** The same for two nodes that ask the same. */
  readonly key: string;
}

/** Foreign lists may be long: what is beyond these is left to the check at the end. */
const MAX_PARTS = 2000;
const MAX_FORKS = 60;

/** A schema with nothing but these asks nothing itself. */
const SILENT: ReadonlySet<string> = new Set([
  ...["$ref", "$dynamicRef", "$recursiveRef", "allOf", "title", "description", "deprecated"],
  ...["$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "definitions"],
]);

/** All that a node asks, added to what is known already; `undefined` when nothing can hold. */
export function expand(work: Work, node: Node, onto?: Expansion): Expansion | undefined {
  const parts: Part[] = [...(onto?.parts ?? [])];
  const forks: Fork[] = [...(onto?.forks ?? [])];
  const seen = new Set<unknown>(parts.map(({ schema }) => schema));
  const open: Conjunct[] = [...node].reverse();
  if (!work.spend(1 + parts.length)) return undefined;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!work.spend(1) || next.schema === false) return undefined;
    if (!isObject(next.schema) || seen.has(next.schema) || parts.length >= MAX_PARTS) continue;
    seen.add(next.schema);
    const part = { schema: next.schema, scope: scopeAt(work, next.schema, next.scope) };
    const target = referred(work, part);
    if (target !== undefined) open.push(target);
    const isAlone =
      refStandsAlone(part.scope.resource.edition) && typeof own(part.schema, "$ref") === "string";
    if (isAlone) continue;
    parts.push(part);
    const all = own(part.schema, "allOf");
    if (Array.isArray(all)) {
      const schemas = all.slice(0, MAX_PARTS).reverse();
      for (const schema of schemas) open.push({ schema, scope: part.scope });
    }
    forks.push(...forksOf(part).slice(0, MAX_FORKS - forks.length));
  }
  return { parts, forks, key: keyOf(work, parts) };
}

function keyOf(work: Work, parts: readonly Part[]): string {
  const numbers = parts
    .filter(({ schema }) => schema !== OBJECT && Object.keys(schema).some((name) => !SILENT.has(name)))
    .map(({ schema }) => {
      const id = work.ids.get(schema) ?? work.ids.size;
      work.ids.set(schema, id);
      return id;
    });
  return numbers.sort((a, b) => a - b).join();
}

function scopeAt(work: Work, schema: JsonObject, scope: Scope): Scope {
  const resource = resourceAt(work.run.document, schema, scope.resource, work.spend);
  return resource === scope.resource ? scope : { resource, outer: scope };
}

/** What a schema refers to, in the scope it is found in. One that cannot be found is left to the check. */
function referred(work: Work, { schema, scope }: Part): Conjunct | undefined {
  const { document } = work.run;
  if (own(schema, "$recursiveRef") === "#") return { schema: scope.resource.schema, scope };
  const dynamic = own(schema, "$dynamicRef");
  const reference = own(schema, "$ref") ?? dynamic;
  if (typeof reference !== "string" || !work.spend(4 + (reference.length >> 4))) return undefined;
  const found = resolveRef(document, reference, scope.resource, work.spend);
  if (typeof found === "string") return undefined;
  let best: { readonly schema: unknown; readonly resource: Scope["resource"] } = found;
  const name = reference === dynamic ? found.dynamicAnchor : undefined;
  for (let at: Scope | undefined = scope; name !== undefined && at !== undefined; at = at.outer) {
    const outer = work.spend(1) ? dynamicAnchor(document, name, at.resource, work.spend) : undefined;
    if (outer !== undefined) best = { schema: outer.schema, resource: at.resource };
  }
  const isSame = best.resource === scope.resource;
  return { schema: best.schema, scope: isSame ? scope : { resource: best.resource, outer: scope } };
}
