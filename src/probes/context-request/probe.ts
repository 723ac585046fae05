/** 5.12: requests to the client's model that want the conversation added, of this server or of all. */
import { count, finding } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";

export const contextRequest: Probe = {
  id: "5.12",
  category: "X-05",
  title: "the conversation asked for with a question to the model",
  methods: OURS,
  judge(run) {
    const asked = run.asides.filter(({ method }) => method === "sampling/createMessage");
    const wanted = new Set(
      asked.flatMap(({ params }) => {
        const context = isRecord(params) ? params.includeContext : undefined;
        return typeof context === "string" && context !== "none" ? [context.slice(0, 40)] : [];
      }),
    );
    const findings = [...wanted].map((context) =>
      finding(
        "X-05/5.12",
        "request sampling/createMessage",
        `wants the context of ${WHOSE[context] ?? context}`,
      ),
    );
    return judgedBy(findings, passed(`${count(asked.length, "question")} to the model looked at`));
  },
};

const WHOSE: Readonly<Record<string, string>> = {
  thisServer: "its own conversation (thisServer)",
  allServers: "all servers of the client (allServers)",
};
