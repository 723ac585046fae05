/** Step 4: a note that one server gave is on its way to another, as it is and disguised. */
import { shown } from "../../core/index.ts";
import type { StoryLine } from "../../report/index.ts";
import { NOTE } from "./cast.ts";
import type { Agent, Called } from "./gateway.ts";
import type { Scene } from "./story.ts";

/** A tool that only reads: what it is asked for leaves all the same. */
const SINK = "board__search_posts";

/** How the note is handed on. */
const DISGUISES = {
  "as it is": (text: string) => text,
  "in base64": (text: string) => Buffer.from(text).toString("base64"),
} as const;
type Disguise = keyof typeof DISGUISES;

export interface Attempt {
  readonly how: Disguise;
  readonly sent: string;
  readonly called: Called;
}

export interface Flowed {
  readonly read: Called;
  readonly attempts: readonly Attempt[];
  /** Other words to the same tool. */
  readonly harmless: Called;
}

export async function handOn(agent: Agent): Promise<Flowed> {
  const read = await agent.call("notes__read_note", { title: NOTE });
  const attempts: Attempt[] = [];
  for (const how of Object.keys(DISGUISES) as Disguise[]) {
    const sent = DISGUISES[how](read.text);
    attempts.push({ how, sent, called: await agent.call(SINK, { words: sent }) });
  }
  return { read, attempts, harmless: await agent.call(SINK, { words: "lunch" }) };
}

/** `45 characters word for word`: how much of it was found again, and how. The whole reason is in the report. */
const amountIn = (reason: string): string => /: (\d+ characters [^;]+)/.exec(reason)?.[1] ?? reason;

export function flowScene({ read, attempts, harmless }: Flowed): Scene {
  const isStopped = ({ called }: Attempt): boolean =>
    called.isDenied && called.rule === "SEC-060" && called.decision !== "";
  return {
    id: "flow",
    claims: [
      { claim: "a note is read from one server", holds: !read.isError && /\w{4,}/.test(read.text) },
      ...Object.keys(DISGUISES).map((how) => ({
        claim: `handed to another server ${how}, it is stopped by SEC-060`,
        holds: attempts.some((attempt) => attempt.how === how && isStopped(attempt)),
      })),
      {
        claim: "other words to the same tool pass",
        holds: !harmless.isError && harmless.text !== "" && harmless.decision !== "",
      },
    ],
    shows: [
      ...attempts.map(
        (attempt): StoryLine => ({
          word: isStopped(attempt) ? "stopped" : "not stopped",
          tone: "bad",
          what: `the note ${attempt.how}`,
          text: `${attempt.called.rule}: ${shown(amountIn(attempt.called.reason), 100)} (${attempt.called.decision})`,
        }),
      ),
      {
        word: harmless.isDenied ? "denied" : "passed",
        tone: "good",
        what: "other words",
        text: `the same tool answers: "${shown(harmless.text, 60)}"`,
      },
    ],
    exhibits: [
      {
        kind: "table",
        name: "What the agent was led to do",
        head: ["Call", "With", "Came back"],
        rows: [
          [read.tool, NOTE, read.text],
          ...attempts.map(({ sent, called }) => [called.tool, sent, called.text]),
          [harmless.tool, "lunch", harmless.text],
        ],
      },
    ],
    facts: {
      read: read.decision,
      attempts: attempts.map(({ how, called }) => ({ how, ...called })),
      harmless,
    },
  };
}
