/** 2.2: what the server tried to reach in the sandbox beyond what is declared. */
import { count, type Finding, finding, shown } from "../../core/index.ts";
import { placeOf, sentText } from "../../sandbox/index.ts";
import { BOTH, judgedBy, type Probe, passed, unobserved } from "../probe.ts";
import { isWhereCalled, lookupFindings } from "./names.ts";

export const egress: Probe = {
  id: "2.2",
  category: "C-02",
  title: "hosts beyond what is declared",
  methods: BOTH,
  judge(run, method) {
    const skipped = unobserved(run);
    if (skipped) return skipped;
    const byPlace = new Map<string, Finding>();
    const called = new Map<string, Finding>();
    let permitted = 0;
    for (const event of run.sandbox) {
      if (event.kind !== "egress") continue;
      if (event.verdict === "permitted") permitted += 1;
      if (event.verdict !== "overreach") continue;
      const place = placeOf(event);
      if (method === "touchstone-1" && isWhereCalled(run, event)) {
        called.set(
          place,
          finding("C-02/2.2", place, `reached ${place}, which a call had named`, undefined, "info"),
        );
        continue;
      }
      const reason = event.reason === undefined ? "" : `: ${event.reason}`;
      const message = `tried to reach ${place}${reason}`;
      if (!byPlace.has(place))
        byPlace.set(place, finding("C-02/2.2", place, message, shown(sentText(event), 200)));
    }
    const gaps = run.sandbox.flatMap((event) =>
      event.kind === "gap"
        ? [finding("C-02/2.2", "sandbox", `not observed: ${event.reason}`, undefined, "warn")]
        : [],
    );
    const seen =
      permitted > 0
        ? `${count(permitted, "declared connection")}, nothing beyond`
        : called.size > 0
          ? "nothing was tried but what calls had named"
          : "nothing was tried";
    const fine =
      gaps.length === 0
        ? passed(seen)
        : ({ status: "partial", reason: "not everything was observed", findings: [] } as const);
    // The specification's text speaks of connections alone.
    const lookups = method === "touchstone-1" ? lookupFindings(run) : [];
    return judgedBy([...byPlace.values(), ...called.values(), ...lookups, ...gaps], fine);
  },
};
