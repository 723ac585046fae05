/** One contender of `npm run bench:gateway`, as a process of its own: `ours CONFIG [off]`, `pass URL`, `relay ARGS`, or
 *  `writing-relay FILE ARGS`. Says where it listens. In plain JavaScript: no loader has a part in what is measured. */
import { spawn } from "node:child_process";
import { fdatasync, openSync, writeSync } from "node:fs";
import http from "node:http";

process.on("SIGINT", () => process.exit());
/** Of the two entries of one call of this bench. */
const ENTRY_BYTES = { before: 773, after: 481 };

/** Appends, and has the disk follow as our log does. */
function appender(file) {
  const fd = openSync(file, "a", 0o600);
  const line = Buffer.alloc(1024, "x");
  let isSynced = true;
  setInterval(() => {
    if (!isSynced) fdatasync(fd, () => {});
    isSynced = true;
  }, 10);
  return (bytes) => {
    writeSync(fd, line, 0, bytes);
    isSynced = false;
  };
}

const [kind, target = "", log] = process.argv.slice(2);
const shipped = (room) => new URL(`../dist/${room}/index.js`, import.meta.url).href;

if (kind === "ours") {
  const { assemble, Gateway } = await import(shipped("gateway"));
  const { DURABLE } = await import(shipped("audit"));
  const { serveHttp } = await import(shipped("wire"));
  const assembled = await assemble(target, { version: "0" });
  let made = 0;
  // The same gateway with nothing written down.
  const silent = {
    append: (event) => ({ id: event.id ?? `e-bench-${++made}`, n: made, durable: DURABLE }),
  };
  const gateway =
    log === "off" ? new Gateway({ ...assembled.gateway.options, log: silent }) : assembled.gateway;
  await gateway.start();
  const { url } = await serveHttp(gateway.definition());
  console.log(`listening ${url}`);
} else if (kind === "relay" || kind === "writing-relay") {
  // HTTP to the standard streams of one server, and nothing else: what no gateway on `node:http` can be below. One that writes appends
  // as many bytes before and after each call as our entries have, and no gateway that writes both of them down can be below that.
  const isWriting = kind === "writing-relay";
  const write = isWriting ? appender(target) : () => {};
  const { stdin, stdout } = spawn(process.execPath, process.argv.slice(isWriting ? 4 : 3), {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map();
  let [sent, held] = [0, ""];
  stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (held + chunk).split("\n");
    held = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const asked = JSON.parse(body);
      const { id } = asked;
      if (id === undefined) {
        stdin.write(`${body}\n`);
        response.writeHead(202).end();
        return;
      }
      const own = ++sent;
      waiting.set(own, (answer) => {
        const text = JSON.stringify({ ...answer, id });
        write(ENTRY_BYTES.after);
        const length = Buffer.byteLength(text);
        response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
      });
      write(ENTRY_BYTES.before);
      stdin.write(`${JSON.stringify({ ...asked, id: own })}\n`);
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`listening http://127.0.0.1:${server.address().port}/mcp`));
} else {
  const { hostname, port, pathname } = new URL(target);
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    const { host: _host, ...headers } = request.headers;
    const passed = http.request(
      { agent, hostname, port, path: pathname, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  server.listen(0, "127.0.0.1", () =>
    console.log(`listening http://127.0.0.1:${server.address().port}${pathname}`),
  );
}
