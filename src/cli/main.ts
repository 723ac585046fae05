#!/usr/bin/env node
/** The program: finds the command, loads only its code, turns its outcome into an exit code. */
import { run } from "./run.ts";

// A reader that stops early (`| head`) is no fault of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 5));

process.exitCode = await run(process.argv.slice(2));
