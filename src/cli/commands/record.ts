/** `touchstone record`: the traffic of any client, as it is. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";

export const record: Command = {
  name: "record",
  summary: "stand between a client and a server, change nothing, and record what they say",
  usage: "[options] -- COMMAND [ARGS]  |  --http URL",
  about: `Put it in front of a server's command in the config of a client: every byte goes through as it came, in both
directions, and the exit code is the server's. Every start writes a new file. With --http it listens on this machine and
passes requests on to URL; give the client the address that is printed, and end it with Ctrl-C.

Headers that carry credentials are not recorded. Values of variables whose names speak of secrets are replaced wherever
they occur. What else passes is in the file: keep it like a log.

\`touchstone check\` looks for flows between servers, widened claims and hostile texts in one or several recordings.

exit code  the server's, or 128 and its signal; with --http 0
           4  there is no such command           5  the recording could not be written`,
  options: {
    out: {
      type: "string",
      value: "PATH",
      help: "a new file, or a folder for files with names of their own; default recordings/",
    },
    name: { type: "string", value: "NAME", help: "what the server is called in the recording" },
    http: { type: "string", value: "URL", help: "a server that is reached by HTTP, instead of a command" },
    port: { type: "string", value: "N", help: "where to listen with --http, default any free port" },
  },
  examples: [
    ["touchstone record --name notes -- node server.js", "as the command in a client's config"],
    ["touchstone record --http http://127.0.0.1:3000/mcp --port 3001", "in front of a server that listens"],
    ["touchstone check recordings/*.jsonl", "afterwards"],
  ],
  run: async (words, out) => (await import("../record.ts")).runRecord(words, out),
};
