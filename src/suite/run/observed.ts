/** What a run has seen of its servers, in the order it happened: calls for the flows between them, frames for their claims. */
import type { ClaimEvent } from "../../claims/index.ts";
import type { FlowCall } from "../../flow/index.ts";
import type { Outcome, RecordedEvent } from "../../wire/index.ts";
import { claimsIn } from "../recorded.ts";

export class Observed {
  readonly #calls: FlowCall[] = [];
  readonly #events: RecordedEvent[] = [];

  /** For the recorder of the run. */
  take(event: RecordedEvent): void {
    this.#events.push(event);
  }

  call(server: string, call: Omit<FlowCall, "id" | "server" | "result">, outcome: Outcome): void {
    const answered =
      outcome.kind === "result" || outcome.kind === "input-required"
        ? { result: outcome.result }
        : outcome.kind === "error"
          ? { result: outcome.error }
          : {};
    this.#calls.push({ id: `call ${this.#calls.length + 1}`, server, ...call, ...answered });
  }

  get calls(): readonly FlowCall[] {
    return this.#calls;
  }

  claims(): ClaimEvent[] {
    return claimsIn(this.#events);
  }
}
