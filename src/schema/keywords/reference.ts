/** Keywords that point at other schemas of the same document. What lies outside is never fetched. */
import { dynamicAnchor, type Found, resolveRef, type Spot } from "../document.ts";
import { blind, type Frame, here, type Scope } from "../run.ts";
import type { Truth } from "../truth.ts";
import { isObject, own } from "../values.ts";
import { aboutAll, unreadable } from "./define.ts";

const ref = aboutAll("$ref", (_, reference, frame) => {
  if (typeof reference !== "string") return unreadable(frame, "$ref");
  const found = resolve(frame, reference);
  if (typeof found === "string") return blind(frame, found, "$ref");
  return follow(frame, "$ref", found, found.resource);
});

/** 2020-12: if the reference lands on a dynamic anchor, the outermost resource with that anchor takes over. */
const dynamicRef = aboutAll(
  "$dynamicRef",
  (_, reference, frame) => {
    if (typeof reference !== "string") return unreadable(frame, "$dynamicRef");
    const found = resolve(frame, reference);
    if (typeof found === "string") return blind(frame, found, "$dynamicRef");
    const { document, spend } = frame.run;
    const name = found.dynamicAnchor;
    if (name === undefined) return follow(frame, "$dynamicRef", found, found.resource);
    const outer = outermost(frame, ({ resource }) => dynamicAnchor(document, name, resource, spend));
    return follow(frame, "$dynamicRef", outer?.found ?? found, outer?.scope.resource ?? found.resource);
  },
  { since: 2020 },
);

/** 2019-09: the same idea with one nameless anchor at the root of a resource. */
const recursiveRef = aboutAll(
  "$recursiveRef",
  (_, reference, frame) => {
    if (reference !== "#") return unreadable(frame, "$recursiveRef");
    const { resource } = frame.scope;
    const isRecursive = (root: Spot): Spot | undefined =>
      isObject(root.schema) && own(root.schema, "$recursiveAnchor") === true ? root : undefined;
    const outer =
      isRecursive(resource) && outermost(frame, ({ resource: candidate }) => isRecursive(candidate));
    return follow(frame, "$recursiveRef", outer?.found ?? resource, outer?.scope.resource ?? resource);
  },
  { since: 2019, until: 2019 },
);

function resolve(frame: Frame, reference: string): Found | "budget" {
  const { document, spend } = frame.run;
  const found = resolveRef(document, reference, frame.scope.resource, spend);
  return spend(4 + (reference.length >> 4)) ? found : "budget";
}

/** The last hit on the way out through the dynamic scope. */
function outermost(frame: Frame, look: (scope: Scope) => Spot | undefined) {
  let best: { readonly found: Spot; readonly scope: Scope } | undefined;
  for (let scope: Scope | undefined = frame.scope; scope !== undefined; scope = scope.outer) {
    frame.run.spend(1);
    const found = look(scope);
    if (found !== undefined) best = { found, scope };
  }
  return best;
}

function follow(frame: Frame, keyword: string, { schema, place }: Spot, resource: Scope["resource"]): Truth {
  if (schema === frame.schema) return blind(frame, "too-deep", keyword);
  for (let at = frame.active; at !== undefined; at = at.outer) {
    // The same schema for the same value again: it would go round for ever.
    if (at.schema === schema && isObject(schema)) return blind(frame, "too-deep", keyword);
  }
  const scope = resource === frame.scope.resource ? frame.scope : { resource, outer: frame.scope };
  return here(frame, keyword, schema, place, { scope });
}

export const referenceKeywords = [ref, dynamicRef, recursiveRef];
