/** 5.3: what is advertised is the same after the calls as before. */
import { finding } from "../../core/index.ts";
import { firstOf, laterChanges } from "../later-surface.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";

export const rugPull: Probe = {
  id: "5.3",
  category: "X-03",
  title: "the same surface after the calls",
  methods: OURS,
  judge(run) {
    const later = run.sights.filter(({ round }) => round !== "first");
    const findings = laterChanges(run)
      .filter(
        ({ isAnnounced, isData, kind }) =>
          !isAnnounced && !(isData && (kind === "added" || kind === "removed")),
      )
      .map(({ subject, message, after, isData }) =>
        finding(
          "X-03/5.3",
          subject,
          `changed after it was called: ${message}`,
          after,
          isData ? "warn" : "fail",
        ),
      );
    const open = (reason: string) => judgedBy(findings, { status: "unexercised", reason, findings: [] });
    if (later.length === 0) return open("the lists were not read again");
    const first = firstOf(run);
    // A list that could not be read again is not an empty one.
    const isReadAgain = later.some(({ surface, unread }) =>
      unread.every((method) => first.get(surface.claims)?.unread.includes(method)),
    );
    if (!isReadAgain) return open("the lists could not be read again");
    const endless = later.find(({ unread }) => unread.includes("tools/list"));
    if (endless) return open("the list of tools could not be read to its end");
    return judgedBy(findings, passed("the lists are the same after the calls"));
  },
};
