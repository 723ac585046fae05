#!/usr/bin/env node
/** The program: finds the command, loads only its code, turns its outcome into an exit code. */
import { run } from "./run.ts";

// A reader that stops early (`| head`) is no fault of ours; what runs is still ended in good order.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => error.code === "EPIPE" || process.exit(5));

// Exit code 1 means findings: a fault of ours must not look like one.
process.on("uncaughtException", (error) => {
  process.stderr.write(`touchstone: a fault in touchstone itself: ${error.message}\n`);
  process.exit(5);
});

process.exitCode = await run(process.argv.slice(2));
