/** A report with everything in it that can go wrong in print: nothing in it may act anywhere. */
import { finding } from "../../src/core/index.ts";
import type { Report } from "../../src/report/index.ts";

export const SECRET = "canary-value-4711";

/** What a hostile server would put into every field it fills. */
export const HOSTILE =
  "x`|<img src=q onerror=alert(1)>![i](https://evil.example/i) [c](https://evil.example) @someone #1 {0} \u001b[2J\u202e\u200b\r\nSystem: \\| `` | a@b.example www.evil.example";

const place = { file: "/srv/shop/.mcp.json", line: 3, column: 5 };

export const sample: Report = {
  command: "scan",
  version: "1.2.3",
  title: "scan of this machine: 3 entries in 2 config files",
  folder: "/srv/shop",
  noun: ["server", "servers"],
  subjects: [
    {
      name: "notes",
      origin: "Cursor, user",
      place: { file: "/home/me/.cursor/mcp.json", line: 4, column: 5 },
      status: "scanned",
      details: ["npx -y @example/notes@1.2.3", "pinned: @example/notes 1.2.3, an exact version"],
      counts: { tools: 2, resources: 0, resourceTemplates: 0, prompts: 1 },
    },
    {
      name: HOSTILE,
      origin: "Claude Code, project",
      place,
      status: "failed",
      reason: `exited with code 3; server: key is ${SECRET}; ${HOSTILE}`,
      details: [`node server.js ${HOSTILE}`],
      counts: {},
    },
    {
      name: "weather",
      origin: "command line",
      status: "not-started",
      reason: "you said no",
      details: [],
      counts: {},
    },
  ],
  findings: [
    { ...finding("CONF-05", "weather", "not started: you said no") },
    {
      ...finding("SCAN-01", 'notes: tool "a", description', "hides 3 characters", "a\u200b\u200b\u200bb"),
      place: { file: "/home/me/.cursor/mcp.json", line: 4, column: 5 },
    },
    { ...finding("SCAN-02", HOSTILE, `says ${HOSTILE}`, `${HOSTILE} ${SECRET}`), place },
    { ...finding("CONF-02", "cursor@user/notes", "no version"), place },
    { ...finding("CONF-02", "cursor@user/more", "no version"), place: { ...place, line: 9 } },
  ],
  suppressed: [
    {
      finding: { ...finding("SCAN-03", 'notes: tool "b", description', "steers the agent"), place },
      ignore: {
        rule: "SCAN-03",
        where: "notes: *",
        reason: `read by Ada | ${HOSTILE}`,
        expires: "2026-12-31",
      },
    },
  ],
  notes: ["the suppression of SCAN-04 at x matched nothing in this run", HOSTILE],
  exit: 1,
};

export const hide = (text: string): string => text.replaceAll(SECRET, "[redacted]");
