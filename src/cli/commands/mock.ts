/** `touchstone mock`: a server from a file, over stdio or HTTP. */
import { TrustError } from "../../core/index.ts";
import type { Command } from "../command.ts";

export const mock: Command = {
  name: "mock",
  summary: "a server from a YAML file, honest or hostile",
  usage: "[options] FILE",
  about: `Serves what FILE describes: the mock_server format of mcptest, with faults and hostile behaviour on top, or a
captured answer to tools/list in JSON. Speaks both protocol eras; checks arguments against the tool's schema.
Over stdio it ends with its input; with --http it serves on loopback until it is stopped.
A file may say that the mock reads, writes or connects: play files you do not trust in a container or VM.

exit code  0  its input ended, or it was stopped      2  the file or a word is wrong, or the port is taken`,
  options: {
    "tools-from": { type: "string", value: "FILE", help: "the same as FILE" },
    http: {
      type: "string",
      value: "PORT",
      help: "serve Streamable HTTP on this port of loopback instead of stdio; 0 takes a free one",
    },
  },
  examples: [
    ["touchstone mock weather.yml", "a server on stdio, for a client's configuration"],
    ["touchstone mock weather.yml --http 8080", "the same at http://127.0.0.1:8080/mcp"],
    ["touchstone mock captured.json", "a captured answer to tools/list as a server"],
  ],
  async run(words, out) {
    const files = [
      ...words.positionals,
      ...(words.text("tools-from") === undefined ? [] : [words.text("tools-from") ?? ""]),
    ];
    const [file, extra] = files;
    if (file === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", "no FILE given");
    if (extra !== undefined) throw new TrustError("CLI_BAD_VALUE", `one file at a time, not also "${extra}"`);
    const port = portOf(words.text("http"));
    const { playHttp, playStdio, readMock } = await import("../../mock/index.ts");
    const read = await readMock(file);
    if (port === undefined) {
      await playStdio(read);
      return 0;
    }
    const server = await playHttp(read, port).catch((cause: Error) => {
      throw new TrustError("CLI_BAD_VALUE", `--http ${port}: ${cause.message}`, { cause });
    });
    out.json({ url: server.url.href });
    out.line(`serving ${read.name ?? "mock"} at ${server.url.href}, stop with Ctrl-C`);
    await new Promise((done) => process.once("SIGINT", done).once("SIGTERM", done));
    await server.close();
    return 0;
  },
};

/** A port; 0 takes a free one. */
function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new TrustError("CLI_BAD_VALUE", `--http: want a port from 0 to 65535, not "${text}"`);
  return Number(text);
}
