/** Capability objects to paths, words to paths, and what is left of an object within what was agreed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { capabilityPaths, extrasOf, negotiatedPaths, withinAgreed } from "./capabilities.ts";

const ownProto = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {}}');

describe("a capabilities object as paths", () => {
  const cases = [
    { name: "nothing is claimed by an empty object [CLM-1]", of: {}, paths: [] },
    { name: "an empty object claims the capability itself [CLM-1]", of: { roots: {} }, paths: ["roots"] },
    {
      name: "a nested claim comes with what it is part of [CLM-1]",
      of: { sampling: { tools: {} } },
      paths: ["sampling", "sampling.tools"],
    },
    {
      name: "tasks of 2025-11-25 are four levels deep [CLM-1]",
      of: { tasks: { requests: { elicitation: { create: {} } } } },
      paths: ["tasks", "tasks.requests", "tasks.requests.elicitation", "tasks.requests.elicitation.create"],
    },
    {
      name: "true is a claim [CLM-2]",
      of: { roots: { listChanged: true } },
      paths: ["roots", "roots.listChanged"],
    },
    {
      name: "false, null and nothing are no claim [CLM-2]",
      of: { roots: { listChanged: false }, sampling: null, elicitation: undefined },
      paths: ["roots"],
    },
    {
      name: "values nobody foresaw are claims [CLM-2]",
      of: { a: 0, b: "", c: [], d: [{ e: {} }] },
      paths: ["a", "b", "c", "d"],
    },
    {
      name: "an empty elicitation means the form mode [CLM-3]",
      of: { elicitation: {} },
      paths: ["elicitation", "elicitation.form"],
    },
    {
      name: "the url mode does not bring the form mode [CLM-3]",
      of: { elicitation: { url: {} } },
      paths: ["elicitation", "elicitation.url"],
    },
    {
      name: "an elicitation that is no object names no mode either [CLM-3]",
      of: { elicitation: true },
      paths: ["elicitation", "elicitation.form"],
    },
    {
      name: "a form that is said no to is none [CLM-3]",
      of: { elicitation: { form: false } },
      paths: ["elicitation"],
    },
    {
      name: "identifiers of extensions are capabilities, their settings are not [CLM-4]",
      of: { extensions: { "com.example/x.y": { mime: ["a"] } }, experimental: { z: {} } },
      paths: ["extensions.com.example/x.y", "experimental.z"],
    },
    {
      name: "an empty map of extensions claims nothing [CLM-4]",
      of: { extensions: {}, experimental: {} },
      paths: [],
    },
    { name: "unknown names are kept [CLM-5]", of: { warp: { drive: true } }, paths: ["warp", "warp.drive"] },
    {
      name: "a name with a dot is not mistaken for two [CLM-5]",
      of: { "elicitation.url": {}, "a b": {}, "": {} },
      paths: ['"elicitation.url"', '"a b"', '""'],
    },
    {
      name: "names of the prototype are names like others [CLM-25]",
      of: ownProto,
      paths: ["__proto__", "__proto__.polluted", "constructor"],
    },
    { name: "a list in place of the object claims nothing [CLM-2]", of: ["elicitation"], paths: [] },
    { name: "a text in place of the object claims nothing [CLM-2]", of: "elicitation", paths: [] },
  ];
  for (const { name, of, paths } of cases)
    test(name, () => assert.deepEqual([...capabilityPaths(of)], paths));
});

describe("a list of words as paths", () => {
  const cases = [
    {
      name: "a word stands for its empty object [CLM-6]",
      words: ["tools", "sampling"],
      paths: ["tools", "sampling"],
    },
    {
      name: "elicitation covers the form mode and not the url mode [CLM-6]",
      words: ["elicitation"],
      paths: ["elicitation", "elicitation.form"],
    },
    {
      name: "a nested word brings what it is part of [CLM-6]",
      words: ["elicitation.url"],
      paths: ["elicitation.url", "elicitation"],
    },
    {
      name: "an extension is named by its whole identifier [CLM-6]",
      words: ["extensions.com.example/x.y"],
      paths: ["extensions.com.example/x.y"],
    },
    {
      name: "a map without an identifier covers nothing [CLM-6]",
      words: ["extensions", "experimental"],
      paths: [],
    },
  ];
  for (const { name, words, paths } of cases)
    test(name, () => assert.deepEqual([...negotiatedPaths(words)], paths));
});

describe("what is left within the agreed words", () => {
  const cases = [
    { name: "what was agreed stays as it was", of: { roots: {} }, agreed: ["roots"], left: { roots: {} } },
    { name: "what was not goes", of: { roots: {}, sampling: {} }, agreed: ["roots"], left: { roots: {} } },
    {
      name: "a part goes and the whole stays",
      of: { sampling: { tools: {} } },
      agreed: ["sampling"],
      left: { sampling: {} },
    },
    {
      name: "one mode goes and the other stays",
      of: { elicitation: { form: { a: 1 }, url: {} } },
      agreed: ["elicitation", "elicitation.form.a"],
      left: { elicitation: { form: { a: 1 } } },
    },
    {
      name: "an elicitation emptied of its url would claim the form: it goes as a whole",
      of: { elicitation: { url: {} } },
      agreed: ["elicitation"],
      left: {},
    },
    {
      name: "an empty elicitation goes when only the url was agreed",
      of: { elicitation: {} },
      agreed: ["elicitation.url"],
      left: {},
    },
    {
      name: "an empty elicitation stays when the form was agreed",
      of: { elicitation: {}, roots: {} },
      agreed: ["elicitation"],
      left: { elicitation: {} },
    },
    {
      name: "extensions go one by one, settings untouched",
      of: { extensions: { "a/b": { deep: { er: 1 } }, "c/d": {} } },
      agreed: ["extensions.a/b"],
      left: { extensions: { "a/b": { deep: { er: 1 } } } },
    },
    {
      name: "members that claim nothing stay",
      of: { roots: { listChanged: false }, sampling: null, x: {} },
      agreed: ["roots"],
      left: { roots: { listChanged: false }, sampling: null },
    },
  ];
  for (const { name, of, agreed, left } of cases)
    test(`${name} [CLM-24]`, () => {
      const kept = withinAgreed(of, negotiatedPaths(agreed));
      assert.deepEqual(kept, left);
      assert.deepEqual(extrasOf(capabilityPaths(kept), negotiatedPaths(agreed)), []);
    });

  test("an own __proto__ goes like any other claim and changes no prototype [CLM-24, CLM-25]", () => {
    const kept = withinAgreed({ ...ownProto, roots: {} }, negotiatedPaths(["roots", "__proto__"])) as object;
    assert.deepEqual(Object.keys(kept), ["__proto__", "roots"]);
    assert.equal(Object.getPrototypeOf(kept), Object.prototype);
    assert.equal((kept as { polluted?: unknown }).polluted, undefined);
  });
});
