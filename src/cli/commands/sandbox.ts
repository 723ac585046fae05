/** `touchstone sandbox`: a command with no way out, and everything it tries. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";
import { TARGET_OPTIONS } from "../target-words.ts";

export const sandbox: Command = {
  name: "sandbox",
  summary: "run a command with no way out, and see everything it tries",
  usage: "[options] TARGET | -- COMMAND [ARGS]",
  about: `Runs a command as an ordinary user of a machine that has no network, no files of yours and no secrets but planted
ones, and tells what it tries as it tries it: connections with host, port and first bytes (also inside TLS, where it
accepts the certificate), names it looks up, planted files it reads. Nothing reaches anybody, unless it is declared
and --forward-declared is given. Its streams are those of this command; with --json its output goes to stderr.

Hosts are declared with --allow-host, in egress.allow of touchstone.yml, and by the package itself: touchstone.egress
or polygraph.egress in its package.json. Everything else is overreach.

exit code  0  nothing beyond what is declared was tried
           1  something was: another host, a planted file in the home folder, a planted secret that was sent
           4  there is no sandbox on this machine, or no such command`,
  options: {
    "allow-host": {
      type: "string",
      multiple: true,
      value: "HOST[:PORT]",
      help: "a host it may talk to, default port 443",
    },
    "forward-declared": { type: "boolean", help: "pass connections to declared hosts on to them" },
    upstream: { type: "string", value: "FILE", help: "answer declared hosts with the replies of this file" },
    expose: {
      type: "string",
      multiple: true,
      value: "PATH",
      help: "a file or folder it may read, beside its own code",
    },
    time: { type: "string", value: "SECONDS", help: "end it after so long" },
    linger: {
      type: "string",
      value: "SECONDS",
      help: "keep its input open so long after ours has ended, to see what comes late",
    },
    memory: { type: "string", value: "MIB", help: "memory of all its processes, default 2048" },
    env: TARGET_OPTIONS.env as NonNullable<typeof TARGET_OPTIONS.env>,
    config: TARGET_OPTIONS.config as NonNullable<typeof TARGET_OPTIONS.config>,
  },
  examples: [
    ["touchstone sandbox -- curl https://example.com/", "what it would have sent, and to whom"],
    ["touchstone sandbox --json -- node server.js < requests.jsonl", "a server with some requests"],
    ["touchstone sandbox --allow-host api.example.com npm:@scope/name", "a package that needs its service"],
  ],
  run: async (words, out) => (await import("../sandbox.ts")).runSandbox(words, out),
};
