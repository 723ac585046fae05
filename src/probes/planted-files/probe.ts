/** 5.4: keys planted in the home folder that nobody asked the server to read. */
import { finding, shown } from "../../core/index.ts";
import { keyReads, onceEach } from "../key-reads.ts";
import { judgedBy, OURS, type Probe, passed, unobserved } from "../probe.ts";
import type { Exchange } from "../run/model.ts";

export const plantedFiles: Probe = {
  id: "5.4",
  category: "X-04",
  title: "keys of others",
  methods: OURS,
  judge(run) {
    const skipped = unobserved(run);
    if (skipped) return skipped;
    const reads = keyReads(run);
    const findings = onceEach(reads.filter(({ because }) => because === "nothing")).map(
      ({ path, how, during }) =>
        finding("X-04/5.4", path, `${how} ${path}, which no call named`, whenOf(during)),
    );
    return judgedBy(
      findings,
      passed(
        reads.length === 0
          ? "no planted key was read"
          : "planted keys were read only where a call or a description named them",
      ),
    );
  },
};

/** Which calls were open is chance: it is told and not compared. */
const whenOf = (during: readonly Exchange[]): string =>
  during.length === 0
    ? "between calls"
    : `during ${shown(during.map(({ tool, id }) => `${tool} (call ${id})`).join(", "), 200)}`;
