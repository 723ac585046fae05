/** A schema document: the resources in it (`$id`), their anchors, and what a `$ref` points at. Never leaves it. */
import { declaredEdition, type Edition, refStandsAlone } from "./dialect.ts";
import { below, pointerTokens, type Trail } from "./trail.ts";
import type { UnknownReason } from "./truth.ts";
import { decoded, resolveUri, splitFragment } from "./uri.ts";
import { isObject, type JsonObject, own, type Spend } from "./values.ts";

/** A schema, and where in the document it stands. */
export interface Spot {
  readonly schema: unknown;
  readonly place: Trail;
}

export interface Resource extends Spot {
  readonly uri: string;
  readonly edition: Edition;
  readonly anchors: Map<string, Anchor>;
}

/** Two anchors of one name: other validators may take the other one, so neither is taken. */
type Anchor = (Spot & { readonly isDynamic: boolean }) | "ambiguous";

export interface Document {
  readonly root: Resource;
  readonly byUri: Map<string, Resource | "ambiguous">;
  readonly bySchema: Map<unknown, Resource>;
  isIndexed: boolean;
}

export type Found =
  | (Spot & { readonly resource: Resource; readonly dynamicAnchor: string | undefined })
  | Extract<UnknownReason, "remote-ref" | "unresolved-ref">;

export function openDocument(schema: unknown, edition: Edition): Document {
  const id = isObject(schema) ? idOf(schema, edition) : undefined;
  const uri = id === undefined ? "" : resolveUri(splitFragment(id).uri, "");
  const root: Resource = { schema, place: undefined, uri, edition, anchors: new Map() };
  return { root, byUri: new Map([[uri, root]]), bySchema: new Map([[schema, root]]), isIndexed: false };
}

/** The resource that a schema opens: its own when it has an `$id`, else the one it stands in. */
export function resourceAt(
  document: Document,
  schema: JsonObject,
  current: Resource,
  spend: Spend,
): Resource {
  if (idOf(schema, current.edition) === undefined) return current;
  index(document, spend);
  return document.bySchema.get(schema) ?? current;
}

/** What a reference means when it stands in `from`. */
export function resolveRef(document: Document, reference: string, from: Resource, spend: Spend): Found {
  const { uri, fragment } = splitFragment(reference);
  const target = uri === "" ? from : resourceOf(document, resolveUri(uri, from.uri), from, spend);
  if (target === undefined) return "remote-ref";
  if (target === "ambiguous") return "unresolved-ref";
  const name = decoded(fragment);
  if (name === undefined) return "unresolved-ref";
  if (name === "" || name.startsWith("/")) return atPointer(document, name, target, spend);
  index(document, spend);
  const anchor = target.anchors.get(name);
  if (anchor === undefined || anchor === "ambiguous") return "unresolved-ref";
  return { ...anchor, resource: target, dynamicAnchor: anchor.isDynamic ? name : undefined };
}

/** The dynamic anchor of this name in a resource, if it has one. */
export function dynamicAnchor(
  document: Document,
  name: string,
  of: Resource,
  spend: Spend,
): Spot | undefined {
  index(document, spend);
  const anchor = of.anchors.get(name);
  return anchor !== undefined && anchor !== "ambiguous" && anchor.isDynamic ? anchor : undefined;
}

function resourceOf(document: Document, uri: string, from: Resource, spend: Spend) {
  if (uri === from.uri) return from;
  index(document, spend);
  return document.byUri.get(uri);
}

function atPointer(document: Document, text: string, target: Resource, spend: Spend): Found {
  const tokens = pointerTokens(text);
  if (tokens === undefined || !spend(tokens.length >> 2)) return "unresolved-ref";
  let { schema, place } = target;
  let resource = target;
  for (const token of tokens) {
    if (Array.isArray(schema)) {
      if (!/^(?:0|[1-9]\d{0,9})$/.test(token) || Number(token) >= schema.length) return "unresolved-ref";
      schema = schema[Number(token)];
    } else if (isObject(schema) && Object.hasOwn(schema, token)) schema = schema[token];
    else return "unresolved-ref";
    place = below(place, token);
    if (isObject(schema)) resource = resourceAt(document, schema, resource, spend);
  }
  return { schema, place, resource, dynamicAnchor: undefined };
}

/** The `$id` that counts: a string, and before 2019-09 not one beside a `$ref`. */
function idOf(schema: JsonObject, edition: Edition): string | undefined {
  if (refStandsAlone(edition) && typeof own(schema, "$ref") === "string") return undefined;
  const id = own(schema, edition === 4 ? "id" : "$id");
  return typeof id === "string" ? id : undefined;
}

type Shape = "one" | "list" | "map" | "one-or-list";

/** Where schemas stand inside a schema. An `$id` anywhere else, say in an `enum`, is only data. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["additionalItems", "one"],
  ["additionalProperties", "one"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["contains", "one"],
  ["contentSchema", "one"],
  ["definitions", "map"],
  ["$defs", "map"],
  ["dependencies", "map"],
  ["dependentSchemas", "map"],
  ["else", "one"],
  ["if", "one"],
  ["items", "one-or-list"],
  ["not", "one"],
  ["oneOf", "list"],
  ["patternProperties", "map"],
  ["prefixItems", "list"],
  ["properties", "map"],
  ["propertyNames", "one"],
  ["then", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
]);

/** Finds every resource and anchor, once, and only when some reference needs it. No recursion: depth is foreign. */
function index(document: Document, spend: Spend): void {
  if (document.isIndexed) return;
  document.isIndexed = true;
  const seen = new Set<unknown>();
  const open: { spot: Spot; resource: Resource }[] = [{ spot: document.root, resource: document.root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema, place } = next.spot;
    if (!spend(1)) return;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const names = Object.keys(schema);
    if (!spend(names.length >> 3)) return;
    const resource = enter(document, schema, place, next.resource);
    for (const name of names) {
      for (const spot of inside(schema[name], SHAPES.get(name), below(place, name)))
        open.push({ spot, resource });
    }
  }
}

function enter(document: Document, schema: JsonObject, place: Trail, parent: Resource): Resource {
  const id = splitFragment(idOf(schema, parent.edition) ?? "");
  let resource = parent;
  if (id.uri !== "" && schema !== document.root.schema) {
    const uri = resolveUri(id.uri, parent.uri);
    const edition = declaredEdition(own(schema, "$schema")) ?? parent.edition;
    resource = { schema, place, uri, edition, anchors: new Map() };
    document.byUri.set(uri, document.byUri.has(uri) ? "ambiguous" : resource);
    document.bySchema.set(schema, resource);
  }
  const add = (name: unknown, isDynamic: boolean): void => {
    if (typeof name !== "string" || name === "") return;
    resource.anchors.set(name, resource.anchors.has(name) ? "ambiguous" : { schema, place, isDynamic });
  };
  if (resource.edition <= 7) add(id.fragment, false);
  else add(own(schema, "$anchor"), false);
  if (resource.edition === 2020) add(own(schema, "$dynamicAnchor"), true);
  return resource;
}

function* inside(value: unknown, shape: Shape | undefined, place: Trail): Generator<Spot> {
  if (shape === undefined || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    if (shape !== "list" && shape !== "one-or-list") return;
    for (const [at, schema] of value.entries()) yield { schema, place: below(place, at) };
  } else if (shape === "map") {
    for (const [name, schema] of Object.entries(value)) yield { schema, place: below(place, name) };
  } else if (shape !== "list") yield { schema: value, place };
}
