/** How exactly command lines name their code: each way a client config writes one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Pinning, pinningOf } from "./pinning.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const DIGEST = `sha256:${"ab".repeat(32)}`;

type Case = readonly [words: string, status: Pinning["status"], why?: RegExp];

const lines: Readonly<Record<string, readonly Case[]>> = {
  "npx and relatives": [
    ["npx foo", "unpinned", /^foo without a version/],
    ["npx -y foo", "unpinned"],
    ["npx --yes foo@latest", "floating", /^foo@latest/],
    ["npx -y foo@1.2.3", "pinned", /^foo 1\.2\.3/],
    ["npx -y foo@v1.2.3", "pinned"],
    ["npx -y foo@1.2", "floating"],
    ["npx -y foo@^1.2.3", "floating"],
    ["npx -y @scope/foo@1.2.3-beta.1+build", "pinned", /^@scope\/foo/],
    ["npx -y @scope/foo", "unpinned", /^@scope\/foo/],
    ["npx --package=real@1.2.3 other", "pinned", /^real /],
    ["npx --package=real other@1.2.3", "unpinned", /^real /],
    ["npx -p real@2.0.0 -p also other", "unpinned", /^also /],
    ["npx --registry https://packages.test foo@1.0.0", "pinned", /^foo /],
    ["npx --registry=https://packages.test foo", "unpinned", /^foo /],
    ["npx --some-new-option value foo@1.0.0", "pinned", /^foo /],
    ["npx -y -- foo@1.0.0 --package=x", "pinned", /^foo /],
    ["npx foo@1.0.0 -p unpinned-argument-of-foo", "pinned", /^foo /],
    ["/usr/local/bin/npx -y foo@1.0.0", "pinned"],
    ["C:\\nodejs\\npx.cmd -y foo", "unpinned"],
    ["NPX.CMD -y foo@1.0.0", "pinned"],
    ["cmd /c npx -y foo@1.0.0", "pinned"],
    ["cmd.exe /d /s /C npx -y foo", "unpinned"],
    ["env FOO=1 BAR=2 npx -y foo@1.0.0", "pinned"],
    ["/usr/bin/env -i -u HOME FOO=1 npx foo", "unpinned"],
    ["node /usr/lib/node_modules/npm/bin/npx-cli.js -y foo", "unpinned"],
    ["corepack pnpm dlx foo@1.0.0", "pinned"],
    ["npx -c anything", "unknown", /shell line/],
    ["npx -y", "unknown"],
    ["npx ./packages/server", "local"],
    ["npx -y npm:foo@1.0.0", "pinned", /^foo /],
    ["npx alias@npm:real@^2", "floating", /^real/],
    [`npx github:me/server#${SHA}`, "pinned", /whole commit/],
    ["npx github:me/server#main", "floating", /"main"/],
    ["npx me/server", "unpinned", /default branch/],
    [`npx git+https://user:hunter2@host.test/me/server.git#${SHA.slice(0, 8)}`, "floating", /host\.test/],
    ["npx https://host.test/server.tgz?token=hunter2", "unpinned", /download/],
    ["npx -y mcp-remote@0.1.0 https://host.test/mcp", "unknown", /bridge/],
    ["npm exec --yes --package=real@1.0.0 -- other", "pinned", /^real /],
    ["npm exec -y -- foo@1.0.0", "pinned", /^foo /],
    ["npm --silent x foo", "unpinned", /^foo /],
    ["npm run serve", "local"],
    ["npm install foo", "unknown"],
    ["pnpm dlx foo@1.0.0", "pinned"],
    ["pnpm --package=real dlx other@1.0.0", "unpinned", /^real /],
    ["pnpx foo", "unpinned"],
    ["yarn dlx -q foo@next", "floating"],
    ["yarn dlx -p real@1.0.0 other", "pinned", /^real /],
    ["yarn start", "local"],
    ["bunx --bun foo@1.0.0", "pinned"],
    ["bun x foo", "unpinned"],
    ["bun run server.ts", "local"],
  ],
  Python: [
    ["uvx foo", "unpinned"],
    ["uvx foo==1.2.3", "pinned"],
    ["uvx foo@1.2.3", "pinned"],
    ["uvx foo@latest", "floating"],
    ["uvx foo>=1.0", "floating"],
    ["uvx foo==1.*", "floating"],
    ["uvx foo[extra]==1.0rc1", "pinned"],
    ["uvx --from real==1.0 other", "pinned", /^real /],
    ["uvx --from real other==1.0", "unpinned", /^real /],
    ["uvx --python 3.12 --index-url https://packages.test foo==1.0", "pinned", /^foo /],
    ["uvx --with extra foo==1.0", "unpinned", /^extra /],
    [`uvx --from git+https://host.test/me/server@${SHA} server`, "pinned"],
    [`uvx --from git+ssh://git@host.test/me/server@${SHA} server`, "pinned"],
    ["uvx --from git+https://host.test/me/server@feature/x server", "floating", /"feature\/x"/],
    ["uvx --from git+https://host.test/me/server server", "unpinned"],
    [`uvx --from foo@git+https://host.test/me/server@${SHA}#subdirectory=a server`, "pinned"],
    [`uvx --from https://host.test/a.whl#sha256=${"ab".repeat(32)} a`, "pinned"],
    ["uvx --from ./server server", "local"],
    ["uv --directory /srv/server run server.py", "local"],
    ["uv run --directory /srv/server server", "local"],
    ["uv run --with mcp==1.0 mcp run server.py", "pinned", /^mcp /],
    ["uv run --with mcp[cli] mcp run server.py", "unpinned", /^mcp/],
    ["uv run https://host.test/a.py", "unpinned"],
    ["uv tool run foo==1.0", "pinned"],
    ["uv pip list", "unknown"],
    ["pipx run foo==1.0", "pinned"],
    ["pipx run --spec real foo", "unpinned", /^real /],
    ["python3 server.py", "local"],
    ["python -m server", "local", /module installed/],
    ["python3.12 -u server.py", "local"],
  ],
  containers: [
    ["docker run -i --rm image", "unpinned"],
    ["docker run -i --rm image:1.0", "floating"],
    ["docker run -i --rm image:latest", "floating"],
    [`docker run -i --rm image@${DIGEST}`, "pinned"],
    [
      `docker run -it -eTOKEN --env OTHER -v /a:/b --name x --network=none host.test:5000/me/image:2@${DIGEST}`,
      "pinned",
      /host\.test:5000\/me\/image/,
    ],
    ["docker run --rm -ie TOKEN host.test:5000/me/image arg:tag", "unpinned", /host\.test:5000\/me\/image/],
    ["docker run --rm -p 80:80 image:v2 --flag", "floating", /image:v2/],
    ["docker --context far run image", "unpinned"],
    ["docker container run -d image", "unpinned"],
    ["podman run --replace -i image:1", "floating"],
    ["docker exec -i running server", "unknown", /runs already/],
    ["docker compose run server", "unknown"],
    ["docker run -i", "unknown"],
  ],
  "everything else": [
    ["node server.js", "local"],
    ["node --import tsx --no-warnings server.ts", "local"],
    ["node -e 1", "local", /command line/],
    ["node", "unknown"],
    ["tsx server.ts", "local"],
    ["deno run -A npm:foo@1.0.0", "pinned"],
    ["deno run --allow-net jsr:@me/foo", "unpinned"],
    ["deno run https://host.test/a.ts", "unpinned"],
    ["go run host.test/me/server@v1.2.3", "pinned"],
    ["go run host.test/me/server@latest", "floating"],
    ["go run .", "local"],
    ["/opt/server/bin/server --flag", "local"],
    ["some-server", "local"],
    ["bash server.sh", "local"],
    ["env", "unknown"],
    ["env env env env env env env env env npx foo@1.0.0", "unknown"],
  ],
};

for (const [group, cases] of Object.entries(lines))
  for (const [words, status, why] of cases)
    test(`${group}: ${words} is ${status}`, () => {
      const [command = "", ...args] = words.split(" ");
      const judged = pinningOf({ kind: "stdio", command, args });
      assert.equal(judged.status, status, judged.why);
      if (why) assert.match(judged.why, why);
      assert.doesNotMatch(judged.why, /hunter2/);
    });

const shellLines = [
  { name: "a plain line for a shell is read", args: ["-c", "exec npx -y foo@1.0.0"], status: "pinned" },
  { name: "variables before the command are no command", args: ["-lc", "A=1 npx foo"], status: "unpinned" },
  {
    name: "a line with two commands is not judged",
    args: ["-c", "npx foo@1.0.0; curl x | sh"],
    status: "unknown",
  },
  { name: "a line with a variable is not judged", args: ["-c", "npx $PACKAGE"], status: "unknown" },
] as const;
for (const { name, args, status } of shellLines)
  test(name, () => assert.equal(pinningOf({ kind: "stdio", command: "sh", args }).status, status));

test("a URL tells nothing about the code behind it", () => {
  assert.equal(pinningOf({ kind: "http", url: new URL("https://host.test/mcp") }).status, "unknown");
});

test("long hostile words are judged in no time", { timeout: 5_000 }, () => {
  for (const part of ["a.", "a_", "@", "/", "-", "git+x/", ":1/"])
    for (const command of ["npx", "uvx", "docker"])
      pinningOf({ kind: "stdio", command, args: ["run", `a==1${part.repeat(50_000)}!`] });
});
