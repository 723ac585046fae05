/** `touchstone demo`: the whole road once, with example servers. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";

export const demo: Command = {
  name: "demo",
  summary: "the whole road once: grade, sign, admit, stop an attack, audit; offline, in seconds",
  usage: "[options]",
  takesNothing: true,
  about: `Takes three example servers that come with touchstone down the whole road, with the code of the other commands:
1 grade     an honest, a hostile and a turncoat server, exercised in the sandbox
2 sign      each letter, the F too, with the digest of each tool; a changed letter is refused
3 admit     a gateway lets in by signed grade; the agent sees nothing of the one with an F
4 flow      a note of one server on its way to another, as it is and in base64: stopped (SEC-060)
5 rug-pull  a tool that changes during the session is set aside alone
6 audit     the log of all of it is verified, and one bit of a copy is changed
7 report    one HTML page of what was seen

Works offline. All but the report is temporary, unless --keep names a folder for it. A report of the demo is replaced by the
next one, any other file is left alone. Without a sandbox the servers run on this machine, and what could not be assessed is said.

exit code  0  everything that was assessed did what it claims      5  something did not`,
  options: {
    ...SANDBOX_OPTIONS,
    report: {
      type: "string",
      value: "FILE",
      help: "where the page is written, default touchstone-demo.html",
    },
    keep: {
      type: "string",
      value: "DIR",
      help: "keep evidence, statements, trust root, gateway file and log in this new folder",
    },
  },
  examples: [
    ["touchstone demo", "see it once"],
    ["touchstone demo --json", "what each step showed"],
    ["touchstone demo --keep demo && touchstone audit verify demo/audit", "look around afterwards"],
  ],
  run: async (words, out) => (await import("../demo/run.ts")).runDemo(words, out),
};
