/** `touchstone gateway`: the control point between clients and servers. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";

export const gateway: Command = {
  name: "gateway",
  summary: "stand between clients and servers: admit, label, decide, and log every call",
  usage: "[--config FILE]",
  about: `Reads touchstone.yml, starts the servers in it, and is one server to the client: over stdio, or at the address under
\`listen\`. Tools are called server__tool. A server is admitted by a signed grade, a clearance, an exemption or the lock
file; one that nothing vouches for is refused. Each result carries how far it is believed, each decision stands in the
audit log before it takes effect, and a call that hands one server's data to another is asked about first.

exit code  0  it was ended           1  the log is damaged: touchstone audit verify says where
           2  touchstone.yml is wrong, its address is taken, or another gateway has the log
           4  a package cannot be installed, or a sandbox is wanted and there is none
           5  the log cannot be written`,
  options: {
    config: { type: "string", value: "FILE", help: "configuration file, default touchstone.yml" },
  },
  examples: [
    ["touchstone gateway", "the servers of ./touchstone.yml, over stdio"],
    ["touchstone gateway suggest", "a policy from what its log has seen (the same as policy suggest)"],
    ["touchstone audit show audit", "what was decided"],
  ],
  takesNothing: true,
  run: async (words, out) => (await import("../gateway.ts")).runGateway(words, out),
};
