/** 5.3: what is advertised is the same after the calls as before. */
import { finding } from "../../core/index.ts";
import { diff, surfaceDigest } from "../../surface/index.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";
import type { Sight } from "../run/model.ts";

export const rugPull: Probe = {
  id: "5.3",
  category: "X-03",
  title: "the same surface after the calls",
  methods: OURS,
  judge(run) {
    const first = new Map(
      run.sights.filter(({ round }) => round === "first").map((sight) => [sight.surface.claims, sight]),
    );
    const later = run.sights.filter(({ round }) => round !== "first");
    if (later.length === 0)
      return { status: "unexercised", reason: "the lists were not read again", findings: [] };
    // A list that could not be read again is not an empty one.
    const isReadAgain = ({ surface, unread }: Sight): boolean =>
      unread.every((method) => first.get(surface.claims)?.unread.includes(method));
    if (!later.some(isReadAgain))
      return { status: "unexercised", reason: "the lists could not be read again", findings: [] };
    const findings = later.filter(isReadAgain).flatMap(({ surface, round }) => {
      const before = first.get(surface.claims)?.surface;
      if (!before || surfaceDigest(before) === surfaceDigest(surface)) return [];
      const changes = diff(before, surface);
      if (changes.length === 0)
        return [finding("X-03/5.3", `surface, read ${round}`, "it is another one than before the calls")];
      return changes.map(({ subject, message, after }) =>
        finding("X-03/5.3", subject, `changed after it was called: ${message}`, after),
      );
    });
    return judgedBy(findings, passed("the lists are the same after the calls"));
  },
};
