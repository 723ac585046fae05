/** Callbacks of whoever opened a session, run so that no server can end us by provoking a fault in them. */
import { isRecord } from "../era.ts";
import type { Question } from "./settings.ts";

/** Runs a callback of our own caller. What it throws is a fault of ours, and no server may end us by provoking it. */
export async function guarded(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (cause) {
    process.emitWarning(
      `a session callback failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

/** Answers each of a server's questions under its key, whatever the server called it. */
export async function answersTo(
  questions: unknown,
  answer: (question: Question) => unknown,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const [key, question] of Object.entries(isRecord(questions) ? questions : {})) {
    let response: unknown;
    const { method, params } = isRecord(question) ? question : {};
    if (typeof method === "string")
      await guarded(async () => {
        response = await answer({ method, params, within: [] });
      });
    entries.push([key, response ?? { action: "decline" }]);
  }
  return Object.fromEntries(entries);
}
