/** 5.7: files with secrets, handed out to whoever names them. To read what it is asked to is a file reader's work; that it makes
 *  no difference between a note and a key is worth knowing. */
import { count, finding } from "../../core/index.ts";
import { askedFor } from "../asked.ts";
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
    // Whichever probe has made the call: a file is asked for by its name, or by a search in its folder.
    const findings = run.exchanges.filter(hasAnswered).flatMap((exchange) =>
      leaksIn(run, exchange.texts, exchange)
        .flatMap((leak) => {
          const how = askedFor(run, exchange, leak);
          return how === undefined ? [] : [`${WORDS[how]}: ${leak.canary}`];
        })
        .slice(0, 1)
        .map((message) => finding("X-05/5.7", whereOf(exchange), message)),
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

const WORDS = {
  named: "hands out a file with secrets when asked",
  searched: "shows what stands in a file with secrets when the folder is searched",
} as const;
