/** Passes a permitted connection on through the parent, which has a network. Of HTTP one request a connection, whose host was
 *  looked at before: what comes after it would go to whom it names. */
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { ForwardRequest } from "../control.ts";
import { type HttpRequest, isHttp2Preface } from "../parse/http.ts";
import type { Flow } from "./flow.ts";

export interface Part {
  /** What is sent first. */
  readonly first: Buffer;
  /** How much more of what the process sends goes the same way. */
  readonly more: number;
}

/** What of these first bytes may be passed on, or why nothing may. */
export function passable(
  bytes: Buffer,
  request: HttpRequest | undefined,
): Part | { readonly reason: string } {
  if (bytes.length === 0) return { reason: "nothing was sent first" };
  if (isHttp2Preface(bytes)) return { reason: "HTTP/2 names its host in a way that is not read" };
  if (request === undefined)
    return looksLikeHttp(bytes)
      ? { reason: "a request that is not read" }
      : { first: bytes, more: Number.POSITIVE_INFINITY };
  if (!request.isHeadComplete) return { reason: "half a request" };
  if (request.isComplete)
    return {
      first: Buffer.concat([
        closing(bytes, request),
        bytes.subarray(request.headBytes, request.requestBytes),
      ]),
      more: 0,
    };
  const head = bytes.toString("latin1", 0, request.headBytes);
  const lengths = [...head.matchAll(/(?:^|\n)content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*(?=\r?\n)/gi)];
  const [length] = lengths;
  if (lengths.length !== 1 || length?.[1] === undefined || /(?:^|\n)transfer-encoding/i.test(head))
    return { reason: "a long body whose length is not known" };
  const body = bytes.subarray(request.headBytes);
  return { first: Buffer.concat([closing(bytes, request), body]), more: Number(length[1]) - body.length };
}

/** Servers are lenient: what we do not take for a request may be one for them. */
const looksLikeHttp = (bytes: Buffer): boolean => /HTTP\/\d|host[ \t]*:/i.test(bytes.toString("latin1"));

/** The head of a request that asks for the connection to be closed after it. */
function closing(bytes: Buffer, { headBytes }: HttpRequest): Buffer {
  const head = bytes.toString("latin1", 0, headBytes).replace(/\r?\n\r?\n$/, "");
  const kept = head.replace(
    /\r?\n(?:connection|keep-alive|upgrade)[ \t]*:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gi,
    "",
  );
  return Buffer.from(`${kept}\r\nconnection: close\r\n\r\n`, "latin1");
}

/** Resolves when either side is done; false when the parent could not or would not connect. */
export function passOn(
  flow: Flow,
  socketPath: string,
  request: ForwardRequest,
  part: Part,
): Promise<boolean> {
  const { stream } = flow;
  flow.release();
  stream.pause();
  const parent = connect(socketPath);
  let left = part.more;
  return new Promise((done) => {
    let hasAnswer = false;
    const end = (): void => {
      stream.destroy();
      parent.destroy();
      done(hasAnswer);
    };
    parent.on("connect", () => {
      parent.write(`${JSON.stringify(request)}\n`);
      parent.write(part.first);
      stream.on("data", (chunk: Buffer) => {
        flow.keep(chunk);
        if (left === Number.POSITIVE_INFINITY && looksLikeHttp(chunk)) return end();
        const passed = chunk.subarray(0, left);
        left -= passed.length;
        if (passed.length > 0) relay(stream, parent, passed);
      });
      parent.on("data", (chunk: Buffer) => {
        hasAnswer = true;
        relay(parent, stream, chunk);
      });
      stream.on("end", () => parent.end());
      parent.on("end", () => stream.end());
      stream.resume();
    });
    stream.on("error", end);
    stream.on("close", end);
    parent.on("error", end);
    // What it has sent is still on its way to the process, as long as that reads.
    parent.on("close", () => {
      stream.end();
      setTimeout(end, LAST_WORDS_MS).unref();
    });
  });
}

const LAST_WORDS_MS = 2_000;

function relay(from: Duplex, to: Duplex, chunk: Buffer): void {
  if (to.write(chunk)) return;
  from.pause();
  to.once("drain", () => from.resume());
}
