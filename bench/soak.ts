/** The long runs: everything the tests do a hundred times, done in full. Its last output stands in docs/performance.md. */
import { randomUUID } from "node:crypto";
import { startAndKill } from "../test/kit/stubborn.ts";

const started = Date.now();
const seconds = (): string => `${Math.round((Date.now() - started) / 1000)} s`;

const RUNS = 1_000;
const { opened, left } = await startAndKill(RUNS, `marker-${randomUUID()}`);
console.log(
  `start and kill a stubborn server: ${opened} of ${RUNS} opened, ${left.length} processes left (${seconds()})`,
);
process.exitCode = opened === RUNS && left.length === 0 ? 0 : 1;
