/** Faults in frames: what a mock does to the bytes of its answers. Each is one row, so that the catalogue is this table. */
import { isRecord, type StopSignal } from "../wire/index.ts";
import type { Fault, FRAME_FAULTS } from "./definition.ts";

type Kind = (typeof FRAME_FAULTS)[number];
type Frames = readonly (Buffer | string)[];

const HUGE_BYTES = 8 * 1024 * 1024;
const LATE_MS = 300;

/** What is sent in place of the frame. The signal is aborted when the client gives up. */
const PLAY: Readonly<
  Record<Kind, (frame: string, fault: Fault, signal: StopSignal) => Frames | Promise<Frames>>
> = {
  "bad-frame": (_frame, { text = '{"jsonrpc":"2.0","id":' }) => [text],
  "not-utf8": (frame) => [
    Buffer.concat([Buffer.from(frame.slice(0, -1)), Buffer.from([0xff, 0xfe]), Buffer.from("}")]),
  ],
  "wrong-id": (frame, { id = 999_999 }) => [edited(frame, (message) => ({ ...message, id }))],
  "null-id": (frame) => [edited(frame, (message) => ({ ...message, id: null }))],
  "text-id": (frame) => [edited(frame, (message) => ({ ...message, id: String(message.id) }))],
  "result-and-error": (frame) => [
    edited(frame, (message) => ({ ...message, result: {}, error: { code: -32603, message: "both" } })),
  ],
  "duplicate-answer": (frame) => [frame, frame],
  "stdout-noise": (frame, { text = "starting up" }) => [text, frame],
  hang: (_frame, _fault, signal) => whenAborted(signal).then(() => []),
  "late-answer": async (frame, { ms = LATE_MS }, signal) => {
    await whenAborted(signal);
    await new Promise((done) => setTimeout(done, ms));
    return [frame];
  },
  "huge-output": (frame, { bytes = HUGE_BYTES }) => [
    edited(frame, (message) => ({
      ...message,
      result: { content: [{ type: "text", text: "x".repeat(bytes) }] },
    })),
  ],
  "endless-list": (frame) => [
    edited(frame, (message) => ({
      ...message,
      result: { ...(isRecord(message.result) ? message.result : {}), nextCursor: "0" },
    })),
  ],
};

/** Plays the first fault of a mock that is due for a request. */
export class FaultPlayer {
  readonly #faults: readonly { readonly fault: Fault; seen: number }[];

  constructor(faults: readonly Fault[] = []) {
    this.#faults = faults.map((fault) => ({ fault, seen: 0 }));
  }

  play(frame: string, method: string, tool: unknown, signal: StopSignal): Frames | Promise<Frames> {
    for (const row of this.#faults) {
      const { on, tool: only, after = 0, times = Number.POSITIVE_INFINITY } = row.fault;
      if ((on !== undefined && on !== method) || (only !== undefined && only !== tool)) continue;
      if (isOpening(method) && on === undefined) continue;
      row.seen += 1;
      if (row.seen > after && row.seen <= after + times)
        return PLAY[row.fault.fault](frame, row.fault, signal);
    }
    return signal.aborted ? [] : [frame];
  }
}

/** A fault on everything spares the opening: a server that cannot be reached shows nothing. */
const isOpening = (method: string): boolean => method === "initialize" || method === "server/discover";

function edited(frame: string, edit: (message: Record<string, unknown>) => object): string {
  const message: unknown = JSON.parse(frame);
  return JSON.stringify(isRecord(message) ? edit(message) : message);
}

function whenAborted(signal: StopSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
