/** Matchers in words. */
import { shown } from "../../core/index.ts";
import type { Matcher } from "../model.ts";
import { show } from "./show.ts";

/** What a matcher asks for, in words that follow "expected". */
export function describe(matcher: Matcher): string {
  switch (matcher.is) {
    case "exact":
      return show(matcher.value);
    case "contains":
      return `something that contains ${show(matcher.value)}`;
    case "subset":
      return `at least ${show(matcher.value)}`;
    case "contains-all":
      return `something that contains all of ${show(matcher.value)}`;
    case "contains-any":
      return `something that contains one of ${show(matcher.value)}`;
    case "icontains":
      return `text that contains ${show(matcher.value)} in any case`;
    case "starts-with":
      return `text that starts with ${show(matcher.value)}`;
    case "regex":
      return `text that matches ${show(matcher.value)}`;
    case "levenshtein":
      return `text at most ${matcher.max} edits from ${show(matcher.value)}`;
    case "schema":
      return `a value of the schema ${show(matcher.value)}`;
    case "is-json":
      return "text that is JSON";
    case "is-valid-tools-call":
      return "a valid tools/call";
    case "is-xml":
      return matcher.root === undefined
        ? "well-formed XML"
        : `well-formed XML with the root <${shown(matcher.root, 60)}>`;
    case "is-sql":
      return "one SQL statement";
    case "snapshot":
      return "what was stored";
    case "not":
      return `not ${describe(matcher.matcher)}`;
    default:
      return `${{ oneOf: "exactly one", anyOf: "one", allOf: "all" }[matcher.is]} of ${matcher.matchers.length} matchers to hold`;
  }
}
