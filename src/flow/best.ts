/** The strongest of what was found of each server: where texts repeat themselves there are very many. */
import type { Match } from "./match.ts";
import { rank } from "./sources.ts";

/** So many are kept, and so many held until then. */
const [KEPT, HELD] = [256, 1024];

export class Best {
  readonly #servers = new Map<string, Match[]>();

  add(match: Match): void {
    const { server } = match.said.hop;
    const held = this.#servers.get(server);
    if (!held) this.#servers.set(server, [match]);
    else if (held.push(match) >= HELD) this.#servers.set(server, strongest(held));
  }

  get all(): Match[] {
    return [...this.#servers.values()].flat();
  }
}

/** Of those that say the same of the same call, the first. */
function strongest(matches: readonly Match[]): Match[] {
  const seen = new Set<string>();
  const distinct = matches.toSorted(byStrength).filter(({ said, text }) => {
    const key = `${said.hop.call}\n${text}`;
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, KEPT);
}

const byStrength = (one: Match, other: Match): number =>
  rank(one.kind) - rank(other.kind) ||
  other.text.length - one.text.length ||
  one.said.order - other.said.order ||
  other.said.path.length - one.said.path.length;
