/** Step 3: who is let in, what the agent sees of them, and what a call of the one outside comes to. */
import { count, shown } from "../../core/index.ts";
import { NAMES, type Name } from "./cast.ts";
import type { Called, Gate, Standing } from "./gateway.ts";
import type { Bundles } from "./grade.ts";
import type { Scene } from "./story.ts";

export interface Admitted {
  readonly url: string;
  readonly file: string;
  readonly standings: Readonly<Record<Name, Standing>>;
  readonly tools: readonly string[];
  /** A call of a tool of the server outside. */
  readonly outside: Called;
}

export async function admitAll({ agent, url, file, standing }: Gate): Promise<Admitted> {
  const standings = Object.fromEntries(NAMES.map((name) => [name, standing(name)]));
  return {
    url,
    file,
    standings: standings as Admitted["standings"],
    tools: await agent.tools(),
    outside: await agent.call("weather__get_forecast", { city: "Bern" }),
  };
}

export function admitScene({ url, file, standings, tools, outside }: Admitted, bundles: Bundles): Scene {
  const inside = (["notes", "board"] as const).map((name) => ({ name, ...standings[name] }));
  const seenOf = (name: Name): number => tools.filter((tool) => tool.startsWith(`${name}__`)).length;
  const { weather } = standings;
  return {
    id: "admit",
    claims: [
      {
        claim: "the servers with a good grade are admitted, with that grade",
        holds: inside.every(
          ({ name, status, grade }) =>
            status === "admitted" && grade !== null && grade === bundles[name].grade,
        ),
      },
      {
        claim: "the agent sees all their tools",
        holds: inside.every(
          ({ name }) => seenOf(name) > 0 && seenOf(name) === bundles[name].coverage.advertised,
        ),
      },
      {
        claim: "the server with an F is refused, for its F",
        holds: weather.status === "refused" && /grade F/.test(weather.reason),
      },
      { claim: "the agent sees none of its tools", holds: tools.length > 0 && seenOf("weather") === 0 },
      {
        claim: "a call of one of them all the same is denied",
        holds: outside.isDenied && outside.rule === "admission" && outside.decision !== "",
      },
    ],
    shows: [
      {
        word: "admitted",
        tone: "good",
        what: inside.map(({ name, grade }) => `${name} (${grade ?? "no grade"})`).join(", "),
        text: `the agent sees ${count(tools.length, "tool")}`,
      },
      {
        word: weather.status,
        tone: "bad",
        what: "weather",
        text: `${shown(weather.reason, 120)}; not listed, and a call is ${outside.isDenied ? "denied" : "NOT denied"} (${outside.decision})`,
      },
    ],
    exhibits: [
      { kind: "text", name: "The gateway's touchstone.yml", text: file },
      {
        kind: "table",
        name: "What the agent asked and got",
        head: ["Asked", "Got"],
        rows: [
          ["tools/list", tools.join(", ")],
          [`call ${outside.tool}`, outside.text],
        ],
      },
    ],
    facts: { url, servers: standings, tools, denied: outside },
  };
}
