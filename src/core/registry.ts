/** The rule and error tables. Made from spec/registry by `npm run generate`: edit the JSON, not this file. */

export const errorTable = {
  "CLI_UNKNOWN_COMMAND": {"exit":2,"title":"no such command","hint":"run `touchstone --help` for the list of commands"},
  "CLI_UNKNOWN_OPTION": {"exit":2,"title":"no such option","hint":"run the command with `--help` for its options"},
  "CLI_BAD_VALUE": {"exit":2,"title":"an option or argument has a value it cannot take","hint":"run the command with `--help` for the values it takes"},
  "CLI_MISSING_ARGUMENT": {"exit":2,"title":"a required argument is missing","hint":"run the command with `--help` for its usage"},
  "CFG_NOT_FOUND": {"exit":2,"title":"the configuration file does not exist","hint":"check the path given with --config, or create touchstone.yml"},
  "CFG_UNREADABLE": {"exit":2,"title":"the configuration file cannot be read","hint":"check that it is a regular file this user may read, UTF-8, under 1 MiB"},
  "CFG_SYNTAX": {"exit":2,"title":"the configuration file is not valid YAML","hint":"fix the line named in the message"},
  "CFG_DUPLICATE_KEY": {"exit":2,"title":"a key stands twice in one map","hint":"keep one of the two; neither is taken silently"},
  "CFG_UNKNOWN_KEY": {"exit":2,"title":"a key that the configuration does not have","hint":"correct or remove it; unknown keys are never ignored"},
  "CFG_BAD_VALUE": {"exit":2,"title":"a configuration value of the wrong kind","hint":"write the value in the form the message names"},
  "TGT_BAD_REFERENCE": {"exit":2,"title":"the target reference cannot be understood","hint":"give a URL, the name of a server in touchstone.yml, or `-- command args`"},
  "TGT_UNKNOWN_SERVER": {"exit":2,"title":"the configuration names no such server","hint":"add it under `servers:` in touchstone.yml, or give a URL or `-- command args`"},
  "TGT_MISSING_ENV": {"exit":2,"title":"an environment variable that a target needs is not set","hint":"set it in the environment touchstone runs in; values are never printed"},
  "WIRE_AUTH_NEEDED": {"exit":3,"title":"the server asks for authentication","hint":"pass a token with --bearer-env NAME or a header with --header"},
  "WIRE_UNREACHABLE": {"exit":4,"title":"the server cannot be reached or started","hint":"check the command or URL; the server's last stderr lines are shown when there are any"},
  "WIRE_NO_MCP": {"exit":4,"title":"something answered, but not with MCP","hint":"check that the URL is the MCP endpoint or that the command starts an MCP server; try --era or --transport"},
  "WIRE_RECORDING_FAILED": {"exit":5,"title":"the recording could not be written","hint":"check free space and permissions; nothing after the failure is evidence"},
  "INTERNAL": {"exit":5,"title":"a fault in touchstone itself","hint":"please report it with the command line and the output of `touchstone doctor --json`"},
} as const;

export const ruleTable = {
  "WIRE-01": {"name":"noise","severity":"warn","title":"Bytes that are not JSON-RPC arrived where only frames belong","fix":"Write logs to stderr; stdout of a stdio server carries frames and nothing else."},
  "WIRE-02": {"name":"malformed-frame","severity":"warn","title":"A frame is JSON but breaks JSON-RPC 2.0","fix":"Send either a request, a notification, or an answer with exactly one of result and error."},
  "WIRE-03": {"name":"unknown-id","severity":"warn","title":"An answer names a request that is not open","fix":"Answer with the id of the request, of the same JSON type, once."},
  "WIRE-04": {"name":"duplicate-answer","severity":"warn","title":"A request was answered more than once","fix":"Send one answer a request; the first one counts and later ones are kept as evidence."},
  "WIRE-05": {"name":"late-answer","severity":"info","title":"An answer came after its request had timed out or was cancelled","fix":"Stop work on cancelled requests; raise the time limit if the tool is honestly slow."},
  "WIRE-06": {"name":"oversized","severity":"warn","title":"A frame is longer than the limit","fix":"Page or link large results; a frame over the limit is counted and hashed, not kept."},
  "WIRE-07": {"name":"endless-list","severity":"warn","title":"A paged list repeats a cursor or has more pages than the limit","fix":"Return each cursor once and leave nextCursor out on the last page."},
  "WIRE-08": {"name":"flood","severity":"fail","title":"More messages arrived than one connection may carry","fix":"Batch progress and log notifications."},
  "WIRE-09": {"name":"era-probe-exit","severity":"info","title":"The server exited when asked which protocol era it speaks","fix":"Answer unknown methods with error -32601 instead of exiting."},
  "WIRE-10": {"name":"unterminated","severity":"info","title":"The stream ended in the middle of a line","fix":"End each frame with a newline before exiting."},
  "WIRE-11": {"name":"unexpected-request","severity":"warn","title":"A server of the modern era sent a request of its own","fix":"Answer with resultType input_required; 2026-07-28 has no requests from server to client."},
} as const;
