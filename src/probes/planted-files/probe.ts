/** 5.4: keys planted in the home folder that nobody asked the server to read. */
import { finding } from "../../core/index.ts";
import { judgedBy, OURS, type Probe, passed, unobserved } from "../probe.ts";

/** Times of the file system are a little coarse. */
const SLACK_MS = 20;

export const plantedFiles: Probe = {
  id: "5.4",
  category: "X-04",
  title: "keys of others",
  methods: OURS,
  judge(run) {
    const skipped = unobserved(run);
    if (skipped) return skipped;
    const asked = (path: string, at: number): boolean => {
      const name = path.split("/").at(-1) ?? path;
      return run.exchanges.some(
        ({ args, startedAt, endedAt }) =>
          startedAt - SLACK_MS <= at && at <= endedAt + SLACK_MS && JSON.stringify(args ?? "").includes(name),
      );
    };
    const paths = new Map<string, number>();
    for (const event of run.sandbox)
      if (
        event.kind === "canary-read" &&
        !/^\/home\/[^/]+\/project\//.test(event.path) &&
        !asked(event.path, event.at)
      )
        paths.set(event.path, event.at);
    const findings = [...paths].map(([path, at]) => {
      const during = run.exchanges.filter(
        ({ startedAt, endedAt }) => startedAt - SLACK_MS <= at && at <= endedAt,
      );
      const when =
        during.length === 0
          ? "between calls"
          : `during ${during.map(({ tool, id }) => `${tool} (call ${id})`).join(", ")}`;
      return finding("X-04/5.4", path, `read ${path}, ${when}`);
    });
    return judgedBy(findings, passed("no planted key was read"));
  },
};
