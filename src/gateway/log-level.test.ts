import assert from "node:assert/strict";
import { test } from "node:test";
import { META } from "../wire/index.ts";
import { levelIn, rankOf } from "./log-level.ts";

const cases = [
  { name: "a level", params: { _meta: { [META.logLevel]: "info" } }, level: "info" },
  { name: "no level", params: { _meta: {} }, level: undefined },
  { name: "no _meta", params: {}, level: undefined },
  { name: "a word that is none", params: { _meta: { [META.logLevel]: "loud" } }, level: undefined },
  { name: "a list", params: { _meta: { [META.logLevel]: ["info"] } }, level: undefined },
];
for (const { name, params, level } of cases)
  test(`what a request wants to hear: ${name}`, () => assert.equal(levelIn(params), level));

test("from the most talkative on", () => assert.equal(rankOf("debug") < rankOf("emergency"), true));
