/** 5.8: arguments of calls that go, while the call is open, to hosts that the package has declared for itself. A server in front of
 *  a service does nothing else; nobody but the package has said that this is its service. */
import { finding } from "../../core/index.ts";
import { placeOf, sentText } from "../../sandbox/index.ts";
import { handedOn } from "../handed-on.ts";
import { leaksIn } from "../leaks.ts";
import { judgedBy, OURS, type Probe, passed, unobserved } from "../probe.ts";

export const passedOn: Probe = {
  id: "5.8",
  category: "X-05",
  title: "arguments passed on to hosts it declares itself",
  methods: OURS,
  judge(run) {
    if (unobserved(run)) return passed("connections were not observed");
    const places = new Set(
      run.sandbox.flatMap((event) => {
        const handed = event.kind === "egress" ? handedOn(run, event) : undefined;
        if (event.kind !== "egress" || handed?.by !== "package") return [];
        const isHeld = leaksIn(run, [sentText(event)], undefined).some(({ canary }) =>
          handed.canaries.has(canary),
        );
        return isHeld ? [placeOf(event)] : [];
      }),
    );
    const findings = [...places].map((place) =>
      finding(
        "X-05/5.8",
        place,
        `what calls are given goes to ${place}, which the package itself declares; --allow-host says that you know it`,
      ),
    );
    return judgedBy(findings, passed("no arguments went to a host that only the package declares"));
  },
};
