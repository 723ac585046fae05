/** Ends TLS at the sinkhole with a certificate of the run's own authority, to see what would have been sent. */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import type { Authority } from "./certificates.ts";
import { type Flow, gather } from "./flow.ts";

export type Ended = { readonly inner: Flow } | { readonly refusal: string };

/** `flow` holds the client's first message; it is replayed. */
export function endTls(
  flow: Flow,
  host: string,
  authority: Authority,
  { keepBytes, waitMs }: { readonly keepBytes: number; readonly waitMs: number },
): Promise<Ended> {
  const replay = replayed(flow);
  const options = {
    isServer: true,
    secureContext: createSecureContext(authority.leaf(host)),
    // HTTP/1 where there is a choice: its requests can be read.
    ALPNCallback: ({ protocols }: { protocols: string[] }) =>
      protocols.includes("http/1.1") ? "http/1.1" : protocols[0],
  };
  const secure = new TLSSocket(replay as unknown as Socket, options);
  const inner = gather(secure, keepBytes);
  flow.onStop(inner.stop);
  return new Promise((done) => {
    const end = (ended: Ended): void => {
      clearTimeout(timer);
      done(ended);
    };
    const timer = setTimeout(() => end({ refusal: "the handshake was not finished" }), waitMs);
    secure.once("secure", () => end({ inner }));
    secure.on("error", (fault: NodeJS.ErrnoException) =>
      end({ refusal: `the certificate was not accepted (${fault.code ?? fault.message})` }),
    );
    secure.once("end", () => end({ refusal: "closed during the handshake" }));
    secure.once("close", () => end({ refusal: "closed during the handshake" }));
  });
}

/** The stream as if nothing had been read of it yet. */
function replayed(flow: Flow): Duplex {
  const { stream } = flow;
  flow.release();
  const replay = new Duplex({
    read: () => void stream.resume(),
    write(chunk, _encoding, done) {
      if (stream.destroyed) done();
      else stream.write(chunk, () => done());
    },
    final(done) {
      stream.end();
      done();
    },
    destroy(_fault, done) {
      stream.destroy();
      done(null);
    },
  });
  replay.on("error", () => {});
  replay.push(flow.bytes());
  stream.on("data", (chunk: Buffer) => {
    flow.keep(chunk);
    if (!replay.push(chunk)) stream.pause();
  });
  let isEnded = false;
  const end = (): void => {
    if (!isEnded) replay.push(null);
    isEnded = true;
  };
  stream.on("end", end);
  stream.on("close", end);
  return replay;
}
