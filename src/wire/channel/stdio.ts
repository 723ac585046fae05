/** A server process spoken to by lines over its standard streams. Implements spec/wire.md, WIR-1, WIR-2, WIR-21 to WIR-25. */
import { LineReader } from "../frame/lines.ts";
import { HEAD_BYTES, type Limits } from "../limits.ts";
import type { Ending, Exit } from "../outcome.ts";
import type { Command } from "../process/command.ts";
import type { Launcher } from "../process/containment.ts";
import { startProcess } from "../process/start.ts";
import { recordStderr } from "../recording/lines.ts";
import type { Tap } from "../recording/writer.ts";
import { type Channel, type ChannelEvents, WHOLE_CHANNEL } from "./channel.ts";
import { Pace } from "./pace.ts";

export interface StdioOptions {
  readonly limits: Limits;
  readonly tap?: Tap | undefined;
  readonly launcher?: Launcher | undefined;
}

export function openStdio(what: Command, options: StdioOptions, events: ChannelEvents): Channel {
  const { limits, tap } = options;
  const started = startProcess(what, limits, options.launcher);
  if ("failure" in started) {
    tap?.event("unreachable", { reason: started.failure });
    queueMicrotask(() => events.ended(WHOLE_CHANNEL, { kind: "unreachable", reason: started.failure }));
    return deadChannel();
  }
  const { child } = started;
  tap?.event("spawn", {
    argv: [what.command, ...what.args],
    ...(what.cwd === undefined ? {} : { cwd: what.cwd }),
    env: Object.keys(what.env ?? {}),
    containment: child.containment,
  });
  let isClosing = false;
  /** What is sent in one go is written in one go. */
  let unsent = "";
  const flush = (): void => {
    const lines = unsent;
    unsent = "";
    if (lines !== "") child.stdin.write(lines);
  };

  const stdout = new LineReader({ maxBytes: limits.maxFrameBytes, headBytes: HEAD_BYTES }, (line) => {
    const from = { dir: "server->client" } as const;
    if (line.kind === "oversized") {
      tap?.frame(
        "line",
        { ...from, oversized: true, bytes: line.size, whole_sha256: line.sha256 },
        line.head,
      );
      events.broken("oversized", line.head, line.size, WHOLE_CHANNEL);
      return;
    }
    tap?.frame(
      line.terminated ? "msg" : "line",
      line.terminated ? from : { ...from, unterminated: true },
      line.bytes,
    );
    if (line.terminated) events.frame(line.bytes, WHOLE_CHANNEL);
    else events.broken("not-json", line.bytes.subarray(0, HEAD_BYTES), line.bytes.length, WHOLE_CHANNEL);
  });
  const pace = new Pace((piece) => stdout.push(piece), child.stdout);
  child.stdout.on("data", (chunk: Buffer) => pace.take(chunk));
  child.stdout.on("end", () => {
    pace.end();
    stdout.end();
  });
  if (tap) recordStderr(child.stderr, tap);
  child.observe?.((kind, fields) => tap?.event(kind, fields));

  const giveUp = (): void => {
    events.ended(WHOLE_CHANNEL, { kind: "closed", reason: "it does not read what it is sent" });
    void child.stop();
  };

  void child.exited.then((exit) => {
    tap?.event("exit", { code: exit.code, sig: exit.signal });
    events.ended(WHOLE_CHANNEL, endingOf(exit, what.command, isClosing));
  });

  return {
    transport: "stdio",
    send(frame) {
      tap?.frame("msg", { dir: "client->server" }, frame);
      if (typeof frame === "string") {
        if (unsent === "") process.nextTick(flush);
        unsent += `${frame}\n`;
      } else {
        flush();
        child.stdin.write(Buffer.concat([frame, NEWLINE]));
      }
      // A server that does not read must not fill our memory with what it is sent.
      const waiting = child.stdin.writableLength + unsent.length;
      if (waiting > limits.maxFrameBytes + frame.length) queueMicrotask(giveUp);
      return WHOLE_CHANNEL;
    },
    abandon() {},
    opened() {},
    stderrTail: () => child.stderrTail(),
    async close() {
      if (!isClosing) tap?.event("stdin-eof");
      isClosing = true;
      flush();
      await child.stop();
    },
  };
}

const NEWLINE = Buffer.from("\n");

function endingOf(exit: Exit, command: string, isClosing: boolean): Ending {
  if (isClosing) return { kind: "closed", reason: "closed by us" };
  if (exit.code === 0) return { kind: "closed", reason: "the process exited with code 0" };
  if (exit.code === 126 || exit.code === 127)
    return { kind: "unreachable", reason: `cannot run ${command} (exit code ${exit.code})` };
  return { kind: "crashed", exit };
}

function deadChannel(): Channel {
  return { transport: "stdio", send: () => WHOLE_CHANNEL, abandon() {}, opened() {}, close: async () => {} };
}
