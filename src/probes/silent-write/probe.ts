/** 5.5: files that change while only tools are called that claim to read only. */
import { finding } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";
import { judgedBy, OURS, type Probe, passed, unobserved } from "../probe.ts";

export const silentWrite: Probe = {
  id: "5.5",
  category: "X-04",
  title: "changes behind a claim to read only",
  methods: OURS,
  judge(run) {
    const skipped = unobserved(run);
    if (skipped) return skipped;
    const readers = new Set(
      run.sights.flatMap(({ surface }) =>
        surface.tools.flatMap((tool) =>
          isRecord(tool) && isRecord(tool.annotations) && tool.annotations.readOnlyHint === true
            ? [String(tool.name)]
            : [],
        ),
      ),
    );
    const findings = run.sandbox.flatMap((event) => {
      if (event.kind !== "file-change") return [];
      const { path, at, how } = event;
      const during = run.exchanges.filter(({ startedAt, endedAt }) => startedAt <= at && at <= endedAt);
      const [first] = during;
      if (!first || !during.every(({ tool }) => readers.has(tool))) return [];
      return [finding("X-04/5.5", path, `${how} during ${first.tool}, which claims to read only`)];
    });
    return judgedBy(findings, passed("nothing changed behind a claim to read only"));
  },
};
