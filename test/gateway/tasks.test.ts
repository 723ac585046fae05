/** Tools that their servers offer as tasks: the gateway passes no tasks, and shows no tool that is nothing else. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { touchstone } from "../kit/program.ts";
import { call, gatewayOf, LIMIT, namesIn, reads, type ServerState, textOf } from "./kit.ts";

const OPEN = {
  policy: "spec",
  modes: {
    admission: "observe",
    drift: "observe",
    description: "observe",
    trigger: "observe",
    flow: "observe",
  },
} as const;

const jobs = (more: Partial<ServerState> = {}): ServerState => ({
  tools: [
    reads("run", "it runs", { execution: { taskSupport: "required" } }),
    reads("look", "all is well", { execution: { taskSupport: "optional" } }),
  ],
  ...more,
});

test(
  "a tool that can only be called as a task is neither shown nor called, and that is told [GTW-98]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf({ jobs: jobs({ hasTasks: true }) }, OPEN);
    await using session = await gateway.connect();
    assert.deepEqual(await namesIn(session), ["jobs__look"]);
    assert.equal(textOf(await call(session, "jobs__look")), "all is well");
    const denied = textOf(await call(session, "jobs__run"));
    const [, id = ""] =
      /^Denied by task-only: "run" of jobs can only be called as a task, and tasks are not passed on \(decision (d-[^)]+)\)$/.exec(
        denied,
      ) ?? [];
    assert.notEqual(id, "", denied);
    assert.equal(gateway.servers.received("jobs", "tools/call").length, 1);
    assert.deepEqual(
      gateway.entries("finding").map(({ outcome, tool, data }) => [outcome, tool, data]),
      [["denied", "run", { rule: "task-only" }]],
    );
    assert.deepEqual(
      gateway.told.filter((text) => text.includes("as a task")),
      ['jobs: the tool "run" can only be called as a task, and tasks are not passed on: it is not shown'],
    );
    const why = await touchstone(["why", id, "--config", join(gateway.folder, "touchstone.yml")]);
    assert.match(why.stdout, /by task-only: .*\n(.*\n)*.*made again from the entry: the same/);
  },
);

test(
  "a server that offers no tasks is called like any other, whatever its tools say [GTW-98]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf({ jobs: jobs() }, OPEN);
    await using session = await gateway.connect();
    assert.deepEqual(await namesIn(session), ["jobs__look", "jobs__run"]);
    assert.equal(textOf(await call(session, "jobs__run")), "it runs");
    assert.deepEqual(gateway.entries("finding"), []);
  },
);
