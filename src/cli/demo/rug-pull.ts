/** Step 5: a server that was graded well shows another tool in the middle of a session. */
import { shown } from "../../core/index.ts";
import { TURNING_WORD } from "./cast.ts";
import type { Called, Gate } from "./gateway.ts";
import type { Scene } from "./story.ts";

const [SERVER, TOOL] = ["board", "list_posts"];
const CHANGED = `${SERVER}__${TOOL}`;

export interface Turned {
  /** It worked until then. */
  readonly before: Called;
  readonly listedBefore: readonly string[];
  readonly wasHeard: boolean;
  /** What the server says of the tool, before and after. */
  readonly said: readonly [before: string, after: string];
  readonly listedAfter: readonly string[];
  readonly after: Called;
  /** A tool of the same server, and one of another. */
  readonly others: readonly Called[];
}

export async function turn({ agent, description }: Gate): Promise<Turned> {
  const [listedBefore, before] = [await agent.tools(), await agent.call(CHANGED, {})];
  const saidBefore = description(SERVER, TOOL);
  const change = agent.nextChange();
  await agent.call("board__search_posts", { words: TURNING_WORD });
  const wasHeard = await change;
  return {
    before,
    listedBefore,
    wasHeard,
    said: [saidBefore, description(SERVER, TOOL)],
    listedAfter: await agent.tools(),
    after: await agent.call(CHANGED, {}),
    others: [
      await agent.call("board__search_posts", { words: "lunch" }),
      await agent.call("notes__list_notes", {}),
    ],
  };
}

export function turnScene(turned: Turned): Scene {
  const { before, listedBefore, wasHeard, said, listedAfter, after, others } = turned;
  const gone = listedBefore.filter((tool) => !listedAfter.includes(tool));
  const goesOn = (called: Called): boolean => !called.isError && called.decision !== "";
  return {
    id: "rug-pull",
    claims: [
      { claim: "the tool works before it changes", holds: goesOn(before) },
      { claim: "its server describes it otherwise, unasked", holds: said[0] !== "" && said[0] !== said[1] },
      { claim: "the agent is told that the list has changed", holds: wasHeard },
      { claim: "the changed tool is gone, and no other", holds: gone.length === 1 && gone[0] === CHANGED },
      {
        claim: "a call of it is denied: it is not the tool that was attested",
        holds: after.isDenied && after.rule === "drift" && after.decision !== "",
      },
      {
        claim: "other tools go on, of this server and of others",
        holds: others.length > 1 && others.every(goesOn),
      },
    ],
    shows: [
      {
        word: after.isDenied ? "set aside" : "called",
        tone: "bad",
        what: shown(gone.join(", "), 120),
        text: `${after.rule}: ${shown(after.reason, 160)} (${after.decision})`,
      },
      {
        word: others.every(goesOn) ? "goes on" : "denied",
        tone: "good",
        what: "the others",
        text: `${others.map(({ tool }) => tool).join(" and ")} answer as before`,
      },
    ],
    exhibits: [
      {
        kind: "table",
        name: "Before and after",
        head: ["What", "Before", "After"],
        rows: [
          [`what the server says of ${TOOL}`, ...said],
          ["tools the agent sees", listedBefore.join(", "), listedAfter.join(", ")],
          [`call ${CHANGED}`, before.text, after.text],
        ],
      },
    ],
    facts: { said, setAside: gone, denied: after, goOn: others, wasHeard },
  };
}
