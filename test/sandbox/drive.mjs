/** Runs one server in the sandbox and calls its tool, as its own program so that it can be run by another user: the first word
 *  is the built package, the second a file with what to start and with which options. Prints what was seen. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [dist, ordersFile] = process.argv.slice(2);
const { start } = await import(pathToFileURL(`${dist}/sandbox/index.js`).href);
const { command, options, calls } = JSON.parse(readFileSync(ordersFile, "utf8"));
const running = await start(command, options);
const { stdin, stdout, stderr } = running.stdio;
const errors = [];
stderr.on("data", (chunk) => errors.push(chunk));
const answers = new Map();
createInterface({ input: stdout }).on("line", (line) => {
  const { id, result, error } = JSON.parse(line);
  answers.get(id)?.(result ?? error);
});
const results = [];
for (const [index, { method, params }] of calls.entries()) {
  const answer = new Promise((done) => answers.set(index, done));
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: index, method, params })}\n`);
  results.push(await answer);
}
const exit = await running.stop();
console.log(
  JSON.stringify({
    uid: process.getuid(),
    results,
    events: running.events,
    exit,
    stderr: Buffer.concat(errors).toString(),
  }),
);
