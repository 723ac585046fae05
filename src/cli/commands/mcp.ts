/** `touchstone mcp`: scan, grade and regrade as tools of an MCP server. Words only. */
import type { Command } from "../command.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "scan, grade and regrade as tools for an agent, over stdio",
  usage: "",
  takesNothing: true,
  about: `Serves three tools over standard input and output: scan_server, grade_server and regrade. They take references, never
command lines, and start nothing outside of the sandbox: where there is none, they say so and start nothing at all.
What goes wrong in a tool is said in its answer.

exit code  0  its input ended`,
  options: {},
  examples: [["touchstone mcp", "as the command of a server in your client's configuration"]],
  run: async (_words, out) => (await import("../mcp.ts")).runMcp(out),
};
