/** The options of commands that start servers in the sandbox, as words. */
import type { Option } from "./command.ts";

export const SANDBOX_OPTIONS: Readonly<Record<string, Option>> = {
  sandbox: {
    type: "string",
    value: "MODE",
    choices: ["auto", "required", "none"],
    help: "start commands in it where it works (auto), always (required), never (none)",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "HOST[:PORT]",
    help: "a host that a server may ask for, default port 443",
  },
};
