/** What of this machine a program sees. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import { type Exposure, exposureOf, socketsIn } from "./exposed.ts";

const folder = temporaryFolder();
/** Stands for `/` of a machine: `@/home` is the user's home folder. */
const root = realpathSync(folder.path);
const at = (text: string): string => text.replaceAll("@/", `${root}/`);
const listeners: Server[] = [];

const FILES = [
  "home/server.js",
  "home/package.json",
  "home/.ssh/id_ed25519",
  "home/.ssh/server.js",
  "home/.aws/credentials",
  "home/.config/app/settings.json",
  "home/app/package.json",
  "home/app/src/server.js",
  "home/app/src/deep/more.js",
  "home/app/packages/inner/package.json",
  "home/app/packages/inner/lib/index.js",
  "home/app/node_modules/pkg/package.json",
  "home/app/node_modules/pkg/cli.js",
  "home/app/node_modules/pkg/node_modules/inner/cli.js",
  "home/docs/a.txt",
  "home/docs/deep/b.txt",
  "home/docs2/c.txt",
  "plain/one.py",
  "plain/two.py",
  "plain/-three.py",
  "tools/lib/library.so",
  "links/.keep",
];
const PROGRAMS = ["home/bin/tool", "home/venv/bin/python", "tools/bin/run", "plain/run", "bin/alone"];
const LINKS = [
  ["home/app/node_modules/.bin/pkg", "../pkg/cli.js"],
  ["links/server.js", "../home/app/src/server.js"],
  ["links/run", "../tools/bin/run"],
  ["links/docs", "../home/docs"],
  ["links/nowhere.js", "gone.js"],
  ["links/loop.js", "loop.js"],
] as const;

before(async () => {
  for (const file of [...FILES, ...PROGRAMS]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  for (const file of PROGRAMS) chmodSync(join(root, file), 0o755);
  for (const [link, target] of LINKS) {
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(target, join(root, link));
  }
  execFileSync("mkfifo", [at("@/home/docs/pipe.txt")]);
  for (const name of ["@/home/docs/service.sock", "@/home/docs/deep/two words.sock", "@/other.sock"]) {
    const server = createServer().listen(at(name));
    listeners.push(server);
    await once(server, "listening");
  }
});
after(() => {
  for (const server of listeners) server.close();
  folder[Symbol.dispose]();
});

/** The home folder is told by the environment. */
function exposed(
  { file = "/bin/sh", args = [], cwd = "@/plain" }: { file?: string; args?: readonly string[]; cwd?: string },
  more: readonly string[] = [],
): Exposure {
  const { HOME } = process.env;
  process.env.HOME = join(root, "home");
  try {
    return exposureOf({ file: at(file), args: args.map(at), cwd: at(cwd), env: {} }, more.map(at));
  } finally {
    if (HOME === undefined) delete process.env.HOME;
    else process.env.HOME = HOME;
  }
}

const shown: readonly {
  readonly name: string;
  readonly file?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly paths: readonly string[];
}[] = [
  { name: "a program of the system needs nothing more", paths: [] },
  { name: "a script brings its project", args: ["@/home/app/src/server.js"], paths: ["@/home/app"] },
  { name: "from however deep", args: ["@/home/app/src/deep/more.js"], paths: ["@/home/app"] },
  {
    name: "of projects in each other it brings the inner one",
    args: ["@/home/app/packages/inner/lib/index.js"],
    paths: ["@/home/app/packages/inner"],
  },
  { name: "a script without a project brings its folder", args: ["@/plain/one.py"], paths: ["@/plain"] },
  {
    name: "a script that is installed brings all that is installed beside it, and not the project",
    args: ["@/home/app/node_modules/pkg/cli.js"],
    paths: ["@/home/app/node_modules"],
  },
  {
    name: "of installed packages in each other it brings the outermost",
    args: ["@/home/app/node_modules/pkg/node_modules/inner/cli.js"],
    paths: ["@/home/app/node_modules"],
  },
  {
    name: "the link to an installed script brings the same",
    args: ["@/home/app/node_modules/.bin/pkg"],
    paths: ["@/home/app/node_modules"],
  },
  {
    name: "an installed script may be the program itself",
    file: "@/home/app/node_modules/.bin/pkg",
    paths: ["@/home/app/node_modules/.bin/pkg", "@/home/app/node_modules/pkg/cli.js"],
  },
  {
    name: "a link brings its own folder and what it points to",
    args: ["@/links/server.js"],
    paths: ["@/home/app", "@/links"],
  },
  {
    name: "a script in the home folder comes alone",
    args: ["@/home/server.js"],
    paths: ["@/home/server.js"],
  },
  { name: "a program brings the folder its bin is in", file: "@/tools/bin/run", paths: ["@/tools"] },
  { name: "an environment of Python comes whole", file: "@/home/venv/bin/python", paths: ["@/home/venv"] },
  {
    name: "a program in the home folder's bin comes alone",
    file: "@/home/bin/tool",
    paths: ["@/home/bin/tool"],
  },
  { name: "so does one in a bin beside the home folder", file: "@/bin/alone", paths: ["@/bin/alone"] },
  { name: "a program that is in no bin comes alone", file: "@/plain/run", paths: ["@/plain/run"] },
  { name: "a link to a program brings both", file: "@/links/run", paths: ["@/links/run", "@/tools"] },
  { name: "a folder is shown and nothing around it", args: ["@/home/docs"], paths: ["@/home/docs"] },
  { name: "a folder that every jail has is not shown twice", args: ["/usr/share"], paths: [] },
  {
    name: "what lies in another one is part of it",
    args: ["@/home/docs/deep", "@/home/docs", "@/home/docs/deep"],
    paths: ["@/home/docs"],
  },
  {
    name: "names that begin alike are two folders",
    args: ["@/home/docs2", "@/home/docs"],
    paths: ["@/home/docs", "@/home/docs2"],
  },
  {
    name: "all words are looked at",
    args: ["--", "@/home/docs", "-v", "@/plain/"],
    paths: ["@/home/docs", "@/plain"],
  },
  {
    name: "options are no paths",
    args: ["--root=@/home/docs", "-I@/plain", "--", "-", "-three.py"],
    paths: [],
  },
];
for (const { name, paths, ...program } of shown)
  test(name, () => {
    const exposure = exposed(program);
    assert.deepEqual(exposure.paths, paths.map(at));
    assert.deepEqual(exposure.withheld, []);
  });

for (const mark of ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "deno.json", "pyvenv.cfg"])
  test(`a folder with ${mark} is a project`, () => {
    const project = join(root, `marked-${mark}`);
    mkdirSync(join(project, "a/b"), { recursive: true });
    for (const file of [mark, "a/b/main"]) writeFileSync(join(project, file), "");
    assert.deepEqual(exposed({ args: [join(project, "a/b/main")] }).paths, [project]);
  });

const words: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly words: readonly string[];
  readonly paths: readonly string[];
}[] = [
  {
    name: "a relative path is made absolute",
    args: ["src/server.js", "./src/deep/", "../docs"],
    cwd: "@/home/app",
    words: ["@/home/app/src/server.js", "@/home/app/src/deep", "@/home/docs"],
    paths: ["@/home/app", "@/home/docs"],
  },
  {
    name: "so is a name with an ending",
    args: ["server.js"],
    cwd: "@/home",
    words: ["@/home/server.js"],
    paths: ["@/home/server.js"],
  },
  {
    name: "an absolute path stays as it was written",
    args: ["@/home/app/../docs/"],
    cwd: "@/plain",
    words: ["@/home/app/../docs/"],
    paths: ["@/home/docs"],
  },
  {
    name: "a bare word stays a word, even where there is such a folder",
    args: ["docs", "app", ".", "..", "~", "", "8080"],
    cwd: "@/home",
    words: ["docs", "app", ".", "..", "~", "", "8080"],
    paths: [],
  },
  {
    name: "what is not there stays as it is",
    args: ["missing.js", "no/such/file", "@/gone/x", "https://example.com/a.js", "server.js/x", "a\0.js"],
    cwd: "@/home",
    words: ["missing.js", "no/such/file", "@/gone/x", "https://example.com/a.js", "server.js/x", "a\0.js"],
    paths: [],
  },
  {
    name: "a link to nowhere or to itself is not there",
    args: ["nowhere.js", "loop.js"],
    cwd: "@/links",
    words: ["nowhere.js", "loop.js"],
    paths: [],
  },
  {
    name: "code is no path, however long",
    args: ["-e", `${"1;".repeat(200)}//x.js`, `${"x".repeat(300)}.js`, "/x".repeat(5_000)],
    cwd: "@/home",
    words: ["-e", `${"1;".repeat(200)}//x.js`, `${"x".repeat(300)}.js`, "/x".repeat(5_000)],
    paths: [],
  },
  {
    name: "sockets, pipes and devices are not shown, whoever names them",
    args: ["@/other.sock", "docs/service.sock", "docs/pipe.txt", "/dev/null", "/dev/zero"],
    cwd: "@/home",
    words: ["@/other.sock", "docs/service.sock", "docs/pipe.txt", "/dev/null", "/dev/zero"],
    paths: [],
  },
];
for (const { name, args, cwd, words: wanted, paths } of words)
  test(name, () => {
    const exposure = exposed({ args, cwd });
    assert.deepEqual(exposure.args, wanted.map(at));
    assert.deepEqual(exposure.paths, paths.map(at));
    assert.deepEqual(exposure.withheld, []);
  });

const TOO_MUCH = [
  ...["/", "/etc", "/home", "/var", "/run", "/tmp", "/proc", "/sys", "/dev", "/proc/self", "/sys/kernel"],
  ...["@/home", "@/home/.ssh", "@/home/.ssh/id_ed25519", "@/home/.ssh/server.js", "@/home/.aws/credentials"],
  ...["@/home/.config/app", "@/home/.config/app/settings.json"],
];
for (const path of TOO_MUCH)
  test(`${path} is withheld, and that is told`, () => {
    const exposure = exposed({ args: [path] });
    assert.deepEqual(exposure.paths, []);
    assert.deepEqual(exposure.withheld, [at(path)]);
    assert.deepEqual(exposure.args, [at(path)]);
  });

const OTHERWISE = [
  { written: "/etc/", path: "/etc" },
  { written: "//etc/./", path: "/etc" },
  { written: "/usr/../etc", path: "/etc" },
  { written: "../home/", path: "@/home" },
  { written: "../home/docs/../.ssh", path: "@/home/.ssh" },
  { written: "../", path: root },
];
for (const { written, path } of OTHERWISE)
  test(`${written.replace(root, "@")} is withheld under any spelling`, () => {
    const exposure = exposed({ args: [written] });
    assert.deepEqual(exposure.paths, []);
    assert.deepEqual(exposure.withheld, [at(path)]);
  });

test("whatever is withheld, the rest is shown", () => {
  const { paths, withheld } = exposed({ args: ["/", "@/home/docs", "@/home"] });
  assert.deepEqual(paths, [at("@/home/docs")]);
  assert.deepEqual(withheld, ["/", at("@/home")]);
});

test("more paths are shown when the operator says so, relative to the working folder", () => {
  const { paths, args } = exposed({ args: ["x"] }, ["@/home/docs", "one.py"]);
  assert.deepEqual(paths, [at("@/home/docs"), at("@/plain/one.py")]);
  assert.deepEqual(args, ["x"]);
});

test("sockets inside of what is shown are masked, and no others", () => {
  const { masked } = exposed({ args: ["@/home/docs", "@/plain"] });
  assert.deepEqual(masked.toSorted(), [
    at("@/home/docs/deep/two words.sock"),
    at("@/home/docs/service.sock"),
  ]);
  assert.deepEqual(exposed({ args: ["@/home/docs/deep"] }).masked, [at("@/home/docs/deep/two words.sock")]);
  assert.deepEqual(exposed({ args: ["@/home/docs2", "@/plain"] }).masked, []);
});

test("a socket may be named itself", () => {
  assert.deepEqual(socketsIn([at("@/other.sock")]), [at("@/other.sock")]);
  assert.deepEqual(socketsIn([at("@/other")]), []);
  assert.deepEqual(socketsIn([]), []);
});

test("a socket whose file is gone is no socket", async () => {
  const server = createServer().listen(at("@/plain/short.sock"));
  await once(server, "listening");
  assert.deepEqual(socketsIn([at("@/plain")]), [at("@/plain/short.sock")]);
  server.close();
  await once(server, "close");
  assert.deepEqual(socketsIn([at("@/plain")]), []);
});
