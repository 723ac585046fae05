/** What somebody who has seen the demo does with servers of their own. One line each. */
export const NEXT: readonly (readonly [line: string, purpose: string])[] = [
  ["touchstone scan", "what the MCP clients of this machine start, and what is wrong with it"],
  ["touchstone grade npm:NAME@VERSION", "a server that you use, with evidence"],
  [
    "touchstone wrap --help",
    "puts admission, flows and the log in front of a client's servers, and takes them away again",
  ],
];
