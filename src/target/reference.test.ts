/** What people may write for a server, and what each wrong way is answered with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readReference } from "./reference.ts";

const good: readonly (readonly [words: string, reference: object])[] = [
  ["./server.js", { kind: "file", path: "./server.js", args: [] }],
  ["../x/server.mjs -- --port 1", { kind: "file", path: "../x/server.mjs", args: ["--port", "1"] }],
  ["/abs/server.py", { kind: "file", path: "/abs/server.py", args: [] }],
  ["dist/server.js", { kind: "file", path: "dist/server.js", args: [] }],
  ["C:\\x\\server.js", { kind: "file", path: "C:\\x\\server.js", args: [] }],
  ["bundle.mcpb", { kind: "file", path: "bundle.mcpb", args: [] }],
  ["server.json", { kind: "file", path: "server.json", args: [] }],
  ["-- node server.js", { kind: "command", command: "node", args: ["server.js"] }],
  ["https://host.test/mcp", { kind: "url", url: new URL("https://host.test/mcp") }],
  ["HTTP://host.test/mcp", { kind: "url", url: new URL("http://host.test/mcp") }],
  ["notes", { kind: "named", name: "notes", args: [] }],
  ["notes -- --verbose", { kind: "named", name: "notes", args: ["--verbose"] }],
  ["npm:foo", { kind: "npm", name: "foo", args: [] }],
  ["npm:foo@1.2.3 -- /srv", { kind: "npm", name: "foo", wanted: "1.2.3", args: ["/srv"] }],
  ["npm:@scope/foo@latest#bar", { kind: "npm", name: "@scope/foo", wanted: "latest", bin: "bar", args: [] }],
  ["npm:@scope/foo#bar", { kind: "npm", name: "@scope/foo", bin: "bar", args: [] }],
  ["config:notes", { kind: "config", name: "notes", args: [] }],
  ["config:cursor/notes", { kind: "config", client: "cursor", name: "notes", args: [] }],
  [
    "config:claude-code@project/notes -- x",
    { kind: "config", client: "claude-code", level: "project", name: "notes", args: ["x"] },
  ],
  ["config:io.example/notes", { kind: "config", name: "io.example/notes", args: [] }],
  [
    "config:vscode/io.example/notes",
    { kind: "config", client: "vscode", name: "io.example/notes", args: [] },
  ],
  ["uvx:foo==1.0 -- x", { kind: "runner", runner: "uvx", spec: "foo==1.0", args: ["x"] }],
  ["docker:host.test/image:1", { kind: "runner", runner: "docker", spec: "host.test/image:1", args: [] }],
];
for (const [words, reference] of good)
  test(`${words} is understood`, () => assert.deepEqual(readWords(words), reference));

const bad: readonly (readonly [words: string, message: RegExp])[] = [
  ["npm:", /not the name of a package/],
  ["npm:-g", /not the name of a package/],
  ["npm:--registry=x", /not the name of a package/],
  ["npm:../x", /not the name of a package/],
  ["npm:./x", /not the name of a package/],
  ["npm:.hidden", /not the name of a package/],
  ["npm:@scope/../x", /not the name of a package/],
  ["npm:@../x", /not the name of a package/],
  ["npm:a/b", /not the name of a package/],
  ["npm:node_modules", /not the name of a package/],
  ["npm:Upper", /not the name of a package/],
  ["npm:foo bar", /not the name of a package/],
  ["npm:https://host.test/a.tgz", /not the name of a package/],
  ["npm:git+ssh://host.test/a", /not the name of a package/],
  ["npm:github:me/repo", /not the name of a package/],
  ["npm:foo@npm:bar@1.0.0", /neither an exact version nor a tag/],
  ["npm:foo@https://host.test/a.tgz", /neither an exact version nor a tag/],
  ["npm:foo@file:../x", /neither an exact version nor a tag/],
  ["npm:foo@^1.0.0", /neither an exact version nor a tag/],
  ["npm:foo@1", /neither an exact version nor a tag/],
  ["npm:foo@1.x", /neither an exact version nor a tag/],
  ["npm:foo@v1", /neither an exact version nor a tag/],
  ["npm:foo@", /neither an exact version nor a tag/],
  ["npm:foo@>=1", /neither an exact version nor a tag/],
  ["npm:foo#../bin", /not the name of a program/],
  ["npm:foo#-e", /not the name of a program/],
  ["config:", /want the name of a server/],
  ["config:cursor", /want the name of a server/],
  ["config:cursor/", /want the name of a server/],
  ["config:cursro/notes", /no client "cursro", did you mean "cursor"\?/],
  ["config:cursor@everywhere/notes", /want cursor@user or cursor@project/],
  ["uvx:", /want a name after uvx:/],
  ["docker:--privileged", /want a name after docker:/],
  ["ftp://host.test/x", /cannot use a ftp: target/],
  ["file:///etc/passwd", /cannot use a file: target/],
  ["javascript:alert(1)", /cannot use a javascript: target/],
  ["https://host.test/mcp -- x", /takes no arguments, not "x"/],
  ["--", /no command after --/],
];
for (const [words, message] of bad)
  test(`${words} is refused with words`, () =>
    assert.throws(() => readWords(words), { code: "TGT_BAD_REFERENCE", message }));

function readWords(text: string): object {
  const words = text === "--" ? ["--"] : text.startsWith("npm:foo bar") ? [text] : text.split(" ");
  const dashes = words.indexOf("--");
  return dashes < 0
    ? readReference(words, undefined)
    : readReference(words.slice(0, dashes), words.slice(dashes + 1));
}
