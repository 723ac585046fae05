/** The client that a server under test meets: what it answers to questions, and how it reads answers. */
import type { CallOutcome } from "../probes/index.ts";
import { SANDBOX_WORK } from "../sandbox/index.ts";
import { sampleArguments } from "../schema/index.ts";
import { isRecord, type Outcome, type Question } from "../wire/index.ts";

/** Arguments of a prompt are texts. */
export function promptArguments({ arguments: declared }: Record<string, unknown>): Record<string, string> {
  const names = Array.isArray(declared)
    ? declared.flatMap((one) => (isRecord(one) && typeof one.name === "string" ? [one.name] : []))
    : [];
  return Object.fromEntries(names.map((name) => [name, "example"]));
}

/** What a client with a model and a user would say, so that tools that ask for it can go on. */
export function answerFor({ method, params }: Question): unknown {
  switch (method) {
    case "roots/list":
      return { roots: [{ uri: `file://${SANDBOX_WORK}`, name: "project" }] };
    case "sampling/createMessage":
      return {
        role: "assistant",
        content: { type: "text", text: "Yes." },
        model: "model",
        stopReason: "endTurn",
      };
    case "elicitation/create": {
      const schema = isRecord(params) ? params.requestedSchema : undefined;
      const [sample] = schema === undefined ? [] : sampleArguments(schema, { maxSamples: 1 });
      return sample ? { action: "accept", content: sample.value } : { action: "decline" };
    }
    default:
      return undefined;
  }
}

export function outcomeOf(answer: Outcome | undefined): CallOutcome {
  switch (answer?.kind) {
    case "result": {
      const { result } = answer;
      const isError =
        typeof result === "object" && result !== null && (result as { isError?: unknown }).isError === true;
      return isError ? "refused" : "done";
    }
    case "input-required":
      return "refused";
    case "error":
      return "error";
    case "timed-out":
      return "hung";
    case "crashed":
    case "closed":
      return "crashed";
    case undefined:
    case "cancelled":
      return "not-sent";
    default:
      return "malformed";
  }
}
