/** Passes a permitted connection on through the parent, which has a network, and keeps what the process sends first. */
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { ForwardRequest } from "../control.ts";
import type { Flow } from "./flow.ts";

/** Resolves when either side is done; false when the parent could not or would not connect. */
export function passOn(flow: Flow, socketPath: string, request: ForwardRequest): Promise<boolean> {
  const { stream } = flow;
  const first = flow.bytes();
  flow.release();
  stream.pause();
  const parent = connect(socketPath);
  return new Promise((done) => {
    let hasAnswer = false;
    const end = (): void => {
      stream.destroy();
      parent.destroy();
      done(hasAnswer);
    };
    parent.on("connect", () => {
      parent.write(`${JSON.stringify(request)}\n`);
      parent.write(first);
      stream.on("data", (chunk: Buffer) => {
        flow.keep(chunk);
        relay(stream, parent, chunk);
      });
      parent.on("data", (chunk: Buffer) => {
        hasAnswer = true;
        relay(parent, stream, chunk);
      });
      stream.on("end", () => parent.end());
      parent.on("end", () => stream.end());
      stream.resume();
    });
    for (const side of [stream, parent]) {
      side.on("error", end);
      side.on("close", end);
    }
  });
}

function relay(from: Duplex, to: Duplex, chunk: Buffer): void {
  if (to.write(chunk)) return;
  from.pause();
  to.once("drain", () => from.resume());
}
