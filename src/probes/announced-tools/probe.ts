/** 5.11: tools and prompts that come or go during the run, and are announced. Clients read the list again; people who approved
 *  the server have not seen them. */
import { finding } from "../../core/index.ts";
import { laterChanges } from "../later-surface.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";

export const announcedTools: Probe = {
  id: "5.11",
  category: "X-05",
  title: "tools that change during the run, as announced",
  methods: OURS,
  judge(run) {
    const changes = laterChanges(run).filter(({ isAnnounced }) => isAnnounced);
    const findings = new Map(
      changes.map(({ subject, kind }) => [
        `${subject} ${kind}`,
        finding("X-05/5.11", subject, `it changes its tools during the run: ${subject} was ${kind}`),
      ]),
    );
    return judgedBy([...findings.values()], passed("no change was announced"));
  },
};
