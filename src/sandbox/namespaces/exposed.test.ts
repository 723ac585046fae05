/** What of this machine a program sees. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import { type Exposure, exposureOf } from "./exposed.ts";
import { isShared } from "./jail.ts";

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
  "home/.local/share/keyrings/login.keyring",
  "home/app/package.json",
  "home/app/src/server.js",
  "home/app/src/deep/more.js",
  "home/app/packages/inner/package.json",
  "home/app/packages/inner/lib/index.js",
  "home/app/node_modules/pkg/package.json",
  "home/app/node_modules/pkg/cli.js",
  "home/app/node_modules/pkg/node_modules/inner/cli.js",
  "home/shared/index.js",
  "home/docs/a.txt",
  "home/docs/deep/b.txt",
  "home/docs2/c.txt",
  "home/venv/pyvenv.cfg",
  "home/node/lib/node_modules/npm/index.js",
  "plain/one.py",
  "plain/two.py",
  "plain/-three.py",
  "tools/share/manual",
  "odd,name/a.txt",
  "links/.keep",
];
const PROGRAMS = [
  "home/bin/tool",
  "home/.local/bin/uvx",
  "home/venv/bin/python",
  "home/node/bin/node",
  "tools/bin/run",
  "plain/run",
];
const SCRIPTS = ["home/app/node_modules/pkg/run.js", "home/app/src/run.js", "home/bin/alone.sh"];
const LINKS = [
  ["home/app/node_modules/.bin/run", "../pkg/run.js"],
  ["home/app/node_modules/.bin/pkg", "../pkg/cli.js"],
  ["home/app/node_modules/@own/shared", "../../../shared"],
  ["links/server.js", "../home/app/src/server.js"],
  ["links/run", "../tools/bin/run"],
  ["links/docs", "../home/docs"],
  ["links/home", "../home"],
  ["links/keys", "../home/.ssh"],
  ["links/key.txt", "../home/.ssh/id_ed25519"],
  ["links/system", "/etc"],
  ["links/nowhere.js", "gone.js"],
  ["links/loop.js", "loop.js"],
] as const;

before(async () => {
  for (const file of [...FILES, ...PROGRAMS]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  for (const file of SCRIPTS) writeFileSync(join(root, file), "#!/usr/bin/env node\n", { mode: 0o755 });
  for (const file of PROGRAMS) chmodSync(join(root, file), 0o755);
  for (const [link, target] of LINKS) {
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(target, join(root, link));
  }
  execFileSync("mkfifo", [at("@/home/docs/pipe.txt")]);
  for (const name of ["@/home/docs/service.sock", "@/other.sock"]) {
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
/** Beside what every jail has. */
const shownOf = ({ folders, files }: Exposure): string[] => [
  ...folders.filter((path) => !isShared(path)),
  ...files,
];

/** `shown` are folders, then files. */
const shown: readonly {
  readonly name: string;
  readonly file?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly shown: readonly string[];
}[] = [
  { name: "a program of the system needs nothing more", shown: [] },
  {
    name: "a script brings its project",
    args: ["@/home/app/src/server.js"],
    shown: ["@/home/app", "@/home/shared"],
  },
  {
    name: "from however deep",
    args: ["@/home/app/src/deep/more.js"],
    shown: ["@/home/app", "@/home/shared"],
  },
  {
    name: "of projects in each other it brings the inner one, and the packages of the outer",
    args: ["@/home/app/packages/inner/lib/index.js"],
    shown: ["@/home/app/node_modules", "@/home/app/packages/inner", "@/home/shared"],
  },
  {
    name: "a script that is installed brings all that is installed beside it, and not the project",
    args: ["@/home/app/node_modules/pkg/cli.js"],
    shown: ["@/home/app/node_modules", "@/home/shared"],
  },
  {
    name: "of installed packages in each other it brings the outermost",
    args: ["@/home/app/node_modules/pkg/node_modules/inner/cli.js"],
    shown: ["@/home/app/node_modules", "@/home/shared"],
  },
  {
    name: "the link to an installed script brings the same",
    args: ["@/home/app/node_modules/.bin/pkg"],
    shown: ["@/home/app/node_modules", "@/home/shared"],
  },
  { name: "a script without a project comes alone", args: ["@/plain/one.py"], shown: ["@/plain/one.py"] },
  {
    name: "a link brings what it points to",
    args: ["@/links/server.js"],
    shown: ["@/home/app", "@/home/shared", "@/links/server.js"],
  },
  {
    name: "a script in the home folder comes alone",
    args: ["@/home/server.js"],
    shown: ["@/home/server.js"],
  },
  { name: "a program comes alone", file: "@/plain/run", shown: ["@/plain/run"] },
  { name: "a program in a bin too", file: "@/tools/bin/run", shown: ["@/tools/bin/run"] },
  { name: "a program in the home folder's bin too", file: "@/home/bin/tool", shown: ["@/home/bin/tool"] },
  { name: "and in the other one", file: "@/home/.local/bin/uvx", shown: ["@/home/.local/bin/uvx"] },
  { name: "an environment of Python comes whole", file: "@/home/venv/bin/python", shown: ["@/home/venv"] },
  { name: "so does Node with its packages", file: "@/home/node/bin/node", shown: ["@/home/node"] },
  { name: "a link to a program brings both", file: "@/links/run", shown: ["@/links/run", "@/tools/bin/run"] },
  {
    name: "a program that is a link to an installed script brings all that is installed beside it",
    file: "@/home/app/node_modules/.bin/run",
    shown: ["@/home/app/node_modules", "@/home/shared"],
  },
  {
    name: "a program that is a script brings its project",
    file: "@/home/app/src/run.js",
    shown: ["@/home/app", "@/home/shared"],
  },
  {
    name: "a script in the home folder's bin comes alone",
    file: "@/home/bin/alone.sh",
    shown: ["@/home/bin/alone.sh"],
  },
  { name: "a folder is shown and nothing around it", args: ["@/home/docs"], shown: ["@/home/docs"] },
  {
    name: "a link to a folder brings both",
    args: ["@/links/docs"],
    shown: ["@/home/docs", "@/links/docs"],
  },
  { name: "a folder that every jail has is not shown twice", args: ["/usr/share"], shown: [] },
  {
    name: "what lies in another one is part of it",
    args: ["@/home/docs/deep", "@/home/docs", "@/home/docs/a.txt"],
    shown: ["@/home/docs"],
  },
  {
    name: "names that begin alike are two folders",
    args: ["@/home/docs2", "@/home/docs"],
    shown: ["@/home/docs", "@/home/docs2"],
  },
  {
    name: "all words are looked at",
    args: ["--", "@/home/docs", "-v", "@/plain/"],
    shown: ["@/home/docs", "@/plain"],
  },
  {
    name: "options are no paths",
    args: ["--root=@/home/docs", "-I@/plain", "--", "-", "-three.py"],
    shown: [],
  },
];
for (const { name, shown: wanted, ...program } of shown)
  test(name, () => {
    const exposure = exposed(program);
    assert.deepEqual(shownOf(exposure), wanted.map(at));
    assert.deepEqual(exposure.withheld, []);
  });

for (const mark of ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "deno.json", "pyvenv.cfg"])
  test(`a folder with ${mark} is a project`, () => {
    const project = join(root, `marked-${mark}`);
    mkdirSync(join(project, "a/b"), { recursive: true });
    for (const file of [mark, "a/b/main"]) writeFileSync(join(project, file), "");
    assert.deepEqual(shownOf(exposed({ args: [join(project, "a/b/main")] })), [project]);
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
    paths: ["@/home/app", "@/home/docs", "@/home/shared"],
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
    assert.deepEqual(shownOf(exposure), paths.map(at));
    assert.deepEqual(exposure.withheld, []);
  });

const TOO_MUCH = [
  ...["/", "/etc", "/home", "/var", "/run", "/tmp", "/proc", "/sys", "/dev", "/proc/self", "/sys/kernel"],
  ...["@/home", "@/home/.ssh", "@/home/.ssh/id_ed25519", "@/home/.ssh/server.js", "@/home/.aws/credentials"],
  ...["@/home/.config/app", "@/home/.config/app/settings.json", "@/home/.local", "@/home/.local/share"],
];
for (const path of TOO_MUCH)
  test(`${path} is withheld, and that is told`, () => {
    const exposure = exposed({ args: [path] });
    assert.deepEqual(shownOf(exposure), []);
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
    assert.deepEqual(shownOf(exposure), []);
    assert.deepEqual(exposure.withheld, [at(path)]);
  });

test("whatever is withheld, the rest is shown", () => {
  const exposure = exposed({ args: ["/", "@/home/docs", "@/home"] });
  assert.deepEqual(shownOf(exposure), [at("@/home/docs")]);
  assert.deepEqual(exposure.withheld, ["/", at("@/home")]);
});

for (const link of ["@/links/home", "@/links/keys", "@/links/key.txt", "@/links/system"])
  test(`${link} does not lead to what is withheld`, () => {
    const exposure = exposed({ args: [link] });
    assert.deepEqual(shownOf(exposure), []);
    assert.deepEqual(exposure.withheld, [at(link)]);
  });

test("a name that no layer can have is withheld", () => {
  const exposure = exposed({ args: ["@/odd,name"] });
  assert.deepEqual(shownOf(exposure), []);
  assert.deepEqual(exposure.withheld, [at("@/odd,name")]);
});

test("more is shown when the operator says so, relative to the working folder", () => {
  const exposure = exposed({ args: ["x"] }, ["@/home/docs", "one.py"]);
  assert.deepEqual(shownOf(exposure), [at("@/home/docs"), at("@/plain/one.py")]);
  assert.deepEqual(exposure.args, ["x"]);
});

test("what the operator shows himself is not withheld", () => {
  const exposure = exposed({ args: ["@/home/.aws/credentials", "@/home/.ssh"] }, ["@/home/.aws"]);
  assert.deepEqual(shownOf(exposure), [at("@/home/.aws")]);
  assert.deepEqual(exposure.withheld, [at("@/home/.ssh")]);
});

test("folders and files are told apart", () => {
  const { folders, files } = exposed({ args: ["@/home/docs", "@/plain/one.py"] });
  assert.ok(folders.includes(at("@/home/docs")) && folders.includes("/usr"));
  assert.deepEqual(files, [at("@/plain/one.py")]);
});

const SECRETS = [
  ...[".env", ".env.local", ".envrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".netrc", "server.pem", "tls.key"],
  ...["credentials.json", "secrets.yaml", "secret", "id_rsa", "Store.P12"],
];
const HARMLESS = [
  "env.js",
  "keys.js",
  "package.json",
  "README.md",
  "my-secrets.md",
  "environment",
  ".gitignore",
];

test("what a project keeps secret is masked, and the rest of it is not", () => {
  const project = join(root, "masked");
  mkdirSync(join(project, ".git"), { recursive: true });
  for (const name of [...SECRETS, ...HARMLESS, "server.js"]) writeFileSync(join(project, name), "");
  const { masked } = exposed({ args: [join(project, "server.js")] });
  const wanted = [".git", ...SECRETS].map((name) => ({
    path: join(project, name),
    isFolder: name === ".git",
  }));
  const byPath = (one: { path: string }, other: { path: string }): number => (one.path < other.path ? -1 : 1);
  assert.deepEqual(masked.toSorted(byPath), wanted.toSorted(byPath));
});

test("a folder that is named is shown as it is", () => {
  assert.deepEqual(exposed({ args: ["@/home/docs", "@/home/app"] }).masked, []);
});
