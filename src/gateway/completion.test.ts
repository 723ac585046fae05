import assert from "node:assert/strict";
import { test } from "node:test";
import { readCompletion } from "./completion.ts";

const argument = { name: "city", value: "Lis" };
const prompt = { type: "ref/prompt", name: "trip" };
const cases = [
  {
    name: "a prompt",
    params: { ref: prompt, argument },
    want: { ref: { kind: "prompt", name: "trip" }, beside: { argument } },
  },
  {
    name: "a template, with what was filled in before",
    params: {
      ref: { type: "ref/resource", uri: "a://{b}/{c}" },
      argument,
      context: { arguments: { b: "1" } },
    },
    want: {
      ref: { kind: "resource", uri: "a://{b}/{c}" },
      beside: { argument, context: { arguments: { b: "1" } } },
    },
  },
  {
    name: "what no completion has is left out, what is said beside it stays",
    params: {
      ref: { ...prompt, title: "x" },
      argument: { ...argument, more: 1.0 },
      arguments: { a: 1 },
      other: true,
      _meta: { a: 1 },
    },
    want: { ref: { kind: "prompt", name: "trip" }, beside: { argument, _meta: { a: 1 } } },
  },
  { name: "no ref", params: { argument }, want: undefined },
  { name: "a ref of another kind", params: { ref: { type: "ref/tool", name: "trip" }, argument } },
  { name: "a prompt by its address", params: { ref: { type: "ref/prompt", uri: "trip" }, argument } },
  { name: "no argument", params: { ref: prompt } },
  { name: "a value that is no text", params: { ref: prompt, argument: { name: "a", value: 1 } } },
  { name: "a context that is a text", params: { ref: prompt, argument, context: "b" } },
  {
    name: "a context that holds no texts",
    params: { ref: prompt, argument, context: { arguments: { b: 1 } } },
  },
];
for (const { name, params, want } of cases)
  test(`a completion is read: ${name}`, () => assert.deepEqual(readCompletion(params), want));
