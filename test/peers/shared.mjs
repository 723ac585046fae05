/** What the peer programs have in common: how they listen, and which facts they remember about cancelled calls. */
import http from "node:http";

export const text = (value) => ({ content: [{ type: "text", text: value }] });

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Serves `handle` on a free port of 127.0.0.1, says where on stdout, and leaves when its own input ends. */
export function listen(handle, path = "/mcp", beforeLeaving = () => {}) {
  const server = http.createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.listen(0, "127.0.0.1", () => say(`http://127.0.0.1:${server.address().port}${path}`));
  leaveWithInput(beforeLeaving);
}

export const say = (url) => process.stdout.write(`listening ${url}\n`);

export function leaveWithInput(beforeLeaving = () => {}) {
  const leave = async () => {
    await beforeLeaving();
    process.exit(0);
  };
  process.stdin.on("end", leave).resume();
}

/** Counts aloud until it is done or told to stop. `tell` sends one progress notification. */
export async function countTo({ to, label, everyMs = 20 }, signal, tell) {
  for (let step = 1; step <= to; step++) {
    await tell(step, to);
    await pause(everyMs);
    if (signal.aborted) {
      cancellation(label).resolve();
      return text("stopped");
    }
  }
  return text(`counted to ${to}`);
}

const cancellations = new Map();

/** Settles once the count of this label has noticed that it was cancelled. */
export function cancellation(label = "") {
  if (!cancellations.has(label)) cancellations.set(label, Promise.withResolvers?.() ?? deferred());
  return cancellations.get(label);
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export const QUESTION = {
  message: "What is your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

/** What the greeting tool makes of the answer to its question. */
export const greeting = (answer) =>
  answer?.action === "accept" ? text(`Hello, ${answer.content.name}`) : text(`No name: ${answer?.action}`);
