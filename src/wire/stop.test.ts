import assert from "node:assert/strict";
import { test } from "node:test";
import { Stop } from "./stop.ts";

test("each listener is told once, in the order in which they came", () => {
  const stop = new Stop();
  const told: string[] = [];
  stop.addEventListener("abort", () => told.push("first"));
  stop.addEventListener("abort", () => told.push("second"));
  assert.equal(stop.aborted, false);
  stop.abort();
  stop.abort();
  assert.deepEqual([stop.aborted, told], [true, ["first", "second"]]);
});

test("who has left, and who comes too late, is not told", () => {
  const stop = new Stop();
  const told: string[] = [];
  const left = (): void => void told.push("left");
  stop.addEventListener("abort", left);
  stop.removeEventListener("abort", left);
  stop.removeEventListener("abort", left);
  stop.abort();
  stop.addEventListener("abort", () => told.push("late"));
  stop.abort();
  assert.deepEqual(told, []);
});

test("a listener that leaves while others are told changes nothing for them", () => {
  const stop = new Stop();
  const told: string[] = [];
  const second = (): void => void told.push("second");
  stop.addEventListener("abort", () => {
    told.push("first");
    stop.removeEventListener("abort", second);
  });
  stop.addEventListener("abort", second);
  stop.addEventListener("abort", () => told.push("third"));
  stop.abort();
  assert.deepEqual(told, ["first", "second", "third"]);
});
