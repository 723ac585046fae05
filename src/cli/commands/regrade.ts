/** `touchstone regrade`: the same judgement again, from the recording alone. Words only. */
import type { Command } from "../command.ts";

export const regrade: Command = {
  name: "regrade",
  summary: "judge the evidence of a grade again, without the server",
  usage: "[options] DIR",
  about: `Reads bundle.json and recording.jsonl of a folder that \`touchstone grade --out\` has written, judges the recording again
and compares every byte of the bundle with what comes out. Says "same", or what differs.

exit code  0  the same      1  something differs      2  there is no such folder or file`,
  options: {},
  examples: [["touchstone regrade evidence", "check a grade that somebody else made"]],
  run: async (words, out) => (await import("../grade.ts")).runRegrade(words, out),
};
