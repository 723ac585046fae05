/** 5.7: files with secrets, handed out to whoever names them. To read what it is asked to is a file reader's work; that it makes
 *  no difference between a note and a key is worth knowing. */
import { count, finding } from "../../core/index.ts";
import { leaksIn } from "../leaks.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";
import { exchangesOf, hasAnswered, whereOf } from "../said.ts";

export const secretFiles: Probe = {
  id: "5.7",
  category: "X-05",
  title: "files with secrets on request",
  methods: OURS,
  *script(tool, kit) {
    for (const path of kit.secretFiles()) {
      const args = kit.withPath(tool, path);
      if (args) yield { tool: tool.name, args, note: `secret file ${path}` };
    }
  },
  judge(run) {
    const asked = exchangesOf(run, "5.7").filter(hasAnswered);
    const findings = asked.flatMap((exchange) =>
      leaksIn(run, exchange.texts, exchange)
        .filter(({ isKept }) => !isKept)
        .slice(0, 1)
        .map(({ canary }) =>
          finding("X-05/5.7", whereOf(exchange), `hands out a file with secrets when asked: ${canary}`),
        ),
    );
    return judgedBy(
      findings,
      passed(
        asked.length === 0
          ? "no tool takes a path"
          : `${count(asked.length, "request")} for a file with secrets refused`,
      ),
    );
  },
};
