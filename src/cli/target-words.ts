/** The options every command takes that speaks to a server, as words. */
import type { Option } from "./command.ts";

export const TARGET_OPTIONS: Readonly<Record<string, Option>> = {
  env: {
    type: "string",
    multiple: true,
    value: "NAME[=VALUE]",
    help: "environment variable for the server; without VALUE its present one",
  },
  cwd: { type: "string", value: "DIR", help: "working folder of the server" },
  header: { type: "string", multiple: true, value: "'NAME: VALUE'", help: "HTTP header for the server" },
  "bearer-env": {
    type: "string",
    value: "NAME",
    help: "send the token in this environment variable as bearer token",
  },
  era: {
    type: "string",
    value: "ERA",
    choices: ["legacy", "modern", "auto"],
    help: "protocol era to speak, default legacy",
  },
  transport: {
    type: "string",
    value: "KIND",
    choices: ["http", "sse", "auto"],
    help: "HTTP transport, default auto",
  },
  timeout: { type: "string", value: "SECONDS", help: "time limit of one request, default 30" },
  config: { type: "string", value: "FILE", help: "configuration file, default touchstone.yml" },
};

export const TARGET_HELP = `TARGET is one of:
  https://example.com/mcp       a URL
  ./server.js, /srv/server.py   a file; words after -- are its arguments, as for the next three
  npm:NAME[@VERSION][#BIN]      a package, installed with scripts off; without network once it is cached
  config:[CLIENT/]NAME          an entry of a client's config, of this user or in this folder
  NAME                          a server in touchstone.yml
  -- COMMAND ARGS               a command
Values of variables, headers and tokens are replaced wherever they would be printed or recorded; shorter ones than six
characters are not, since they occur everywhere.`;
