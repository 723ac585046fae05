/** What a legacy client is asked while it waits for an answer of ours: requests that go the other way, each until it is answered. A modern
 *  client is asked in a result. Implements spec/wire.md, WIR-16. */
import type { Id, Message } from "../frame/message.ts";
import type { StopSignal } from "../stop.ts";
import { type Ask, RpcFailure } from "./definition.ts";
import { type Door, frameOf } from "./door.ts";

/** A person may be asked, who has to read first. */
const ASK_MS = 5 * 60_000;

type Answer = Message & { readonly kind: "result" | "error" };

export class Asks {
  readonly #open = new Map<Id, (answer: Answer) => void>();
  #next = 1;

  /** Sends a request and waits for its result. */
  ask({ method, params }: Ask, door: Door, signal: StopSignal): Promise<unknown> {
    const id = `ask-${this.#next++}`;
    return new Promise((done, fail) => {
      const timer = setTimeout(
        () => end(() => fail(new RpcFailure(-32603, "The client gave no answer"))),
        ASK_MS,
      );
      const onAbort = (): void => end(() => fail(new RpcFailure(-32603, "Cancelled")));
      const end = (then: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#open.delete(id);
        then();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#open.set(id, (answer) =>
        end(() =>
          answer.kind === "result" ? done(answer.result) : fail(new RpcFailure(-32603, "The client refused")),
        ),
      );
      door.send(frameOf({ id, method, params }));
    });
  }

  /** What answers nothing that is open is left. */
  answered(answer: Answer): void {
    if (answer.id !== null) this.#open.get(answer.id)?.(answer);
  }
}
