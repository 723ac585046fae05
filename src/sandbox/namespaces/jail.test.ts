/** The options of the jail, read back one by one as bubblewrap reads them. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { DEFAULT_SANDBOX_LIMITS, type Orders } from "../control.ts";
import { etcFiles, type HostRoot, isShared, jailOptions, OWN_ETC } from "./jail.ts";

const orders: Orders = {
  command: ["/usr/bin/node", "/data/app/server.js"],
  env: { PATH: "/usr/bin", TOKEN: "a value", EMPTY: "" },
  uid: 1000,
  gid: 1001,
  home: "/home/dev",
  cwd: "/home/dev/project",
  folders: ["/usr", "/opt", "/data/app", "/data/docs/deep", "/tmp/code/x"],
  files: ["/data/one.py"],
  masked: [
    { path: "/data/app/.env", isFolder: false },
    { path: "/data/app/.git", isFolder: true },
  ],
  homeFiles: [],
  workFiles: [],
  allowed: [],
  replies: [],
  keepBytes: 1,
  idleMs: 1,
  limits: DEFAULT_SANDBOX_LIMITS,
};
const host: HostRoot = {
  rootEntries: new Map([
    ["/bin", "usr/bin"],
    ["/lib64", undefined],
  ]),
  systemBundles: ["/etc/ssl/certs/ca-certificates.crt"],
};

/** How many words follow each option that may be used. */
const ARITY: Readonly<Record<string, number>> = {
  "--unshare-user": 0,
  "--unshare-pid": 0,
  "--unshare-ipc": 0,
  "--unshare-uts": 0,
  "--unshare-cgroup-try": 0,
  "--disable-userns": 0,
  "--die-with-parent": 0,
  "--new-session": 0,
  "--as-pid-1": 0,
  "--clearenv": 0,
  "--uid": 1,
  "--gid": 1,
  "--cap-drop": 1,
  "--hostname": 1,
  "--perms": 1,
  "--size": 1,
  "--dir": 1,
  "--tmpfs": 1,
  "--proc": 1,
  "--dev": 1,
  "--remount-ro": 1,
  "--chdir": 1,
  "--ro-bind": 2,
  "--ro-bind-try": 2,
  "--bind": 2,
  "--symlink": 2,
  "--setenv": 2,
};

type Step = readonly [option: string, ...words: string[]];

function stepsOf(changes: Partial<Orders> = {}, root: HostRoot = host): Step[] {
  const words = jailOptions({ ...orders, ...changes }, root);
  const steps: Step[] = [];
  for (let i = 0; i < words.length; ) {
    const option = words[i] ?? "";
    const count = ARITY[option] ?? assert.fail(`${option} is no option that may be used`);
    steps.push([option, ...words.slice(i + 1, i + 1 + count)]);
    i += 1 + count;
  }
  return steps;
}

const MOUNTS = ["--ro-bind", "--ro-bind-try", "--bind", "--tmpfs", "--proc", "--dev", "--symlink"];
const isMount = ([option]: Step): boolean => MOUNTS.includes(option);
const placeOf = (step: Step): string => step.at(-1) ?? "";
const indexOf = (steps: readonly Step[], wanted: Step): number =>
  steps.findIndex((step) => step.join(" ") === wanted.join(" "));
/** All of them are there, in this order. */
function inOrder(steps: readonly Step[], ...wanted: readonly Step[]): void {
  const found = wanted.map((step) => indexOf(steps, step));
  assert.ok(!found.includes(-1), `missing: ${wanted[found.indexOf(-1)]?.join(" ")}`);
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  );
}

test("no capability, no namespaces of its own, no terminal, no life without us", () => {
  const steps = stepsOf();
  const wanted: Step[] = [
    ["--cap-drop", "ALL"],
    ["--unshare-user"],
    ["--disable-userns"],
    ["--unshare-pid"],
    ["--unshare-ipc"],
    ["--unshare-uts"],
    ["--unshare-cgroup-try"],
    ["--new-session"],
    ["--die-with-parent"],
  ];
  for (const step of wanted) assert.notEqual(indexOf(steps, step), -1, step.join(" "));
});

test("it runs as the user that was ordered", () => {
  const steps = stepsOf({ uid: 65_534, gid: 7 });
  inOrder(steps, ["--uid", "65534"], ["--gid", "7"]);
});

test("only its own folders and layers over others can be written to, of all that is bound", () => {
  const written = stepsOf().filter(([option]) => option === "--bind");
  assert.deepEqual(written.slice(0, 2), [
    ["--bind", "/sys/home", "/home/dev"],
    ["--bind", "/sys/work", "/home/dev/project"],
  ]);
  for (const [, from, to] of written.slice(2)) {
    assert.match(String(from), /^\/sys\/seen\/\d+$/);
    assert.doesNotMatch(String(to), /^\/(?:usr|opt|nix|bin|lib)/);
  }
});

test("the root is made read-only when everything is in its place", () => {
  const steps = stepsOf();
  const last = steps.findLastIndex((step) => isMount(step) || ["--remount-ro", "--dir"].includes(step[0]));
  assert.deepEqual(steps[last], ["--remount-ro", "/"]);
  assert.deepEqual(steps.slice(last + 1, last + 3), [["--chdir", "/home/dev/project"], ["--clearenv"]]);
});

test("the settings of the kernel are read-only", () => {
  inOrder(stepsOf(), ["--proc", "/proc"], ["--remount-ro", "/proc"], ["--remount-ro", "/"]);
});

test("the environment is what was ordered and nothing else", () => {
  const env = { PATH: "/usr/bin", TRAP: "--bind", EMPTY: "" };
  const steps = stepsOf({ env });
  const cleared = indexOf(steps, ["--clearenv"]);
  assert.deepEqual(
    steps.slice(cleared + 1),
    Object.entries(env).map(([name, value]) => ["--setenv", name, value]),
  );
  assert.ok(!steps.slice(0, cleared).some(([option]) => option === "--setenv"));
});

test("a folder is seen through the layer of its number, at its own place", () => {
  const steps = stepsOf();
  for (const [number, path] of orders.folders.entries())
    assert.notEqual(
      indexOf(steps, [isShared(path) ? "--ro-bind" : "--bind", `/sys/seen/${number}`, path]),
      -1,
      path,
    );
  // And never past it: in a layer sockets and pipes lead nowhere.
  assert.ok(!steps.some(([, from = ""]) => orders.folders.includes(from)));
});

test("a file is bound read-only at its own place", () => {
  assert.notEqual(indexOf(stepsOf(), ["--ro-bind", "/data/one.py", "/data/one.py"]), -1);
});

test("what every program needs is there before anything is put into it", () => {
  inOrder(
    stepsOf({ folders: ["/usr", "/usr/local", "/data"] }),
    ["--ro-bind", "/sys/seen/0", "/usr"],
    ["--ro-bind", "/sys/seen/1", "/usr/local"],
    ["--ro-bind-try", "/etc/ssl", "/etc/ssl"],
    ["--bind", "/sys/seen/2", "/data"],
  );
});

test("folders above what is shown are made once, outermost first, for everybody to enter", () => {
  const steps = stepsOf({ folders: ["/usr", "/data/a/b/c", "/data/a/d"], files: ["/srv/x"], masked: [] });
  const made = steps.filter(([option]) => option === "--dir").map(placeOf);
  assert.deepEqual(
    made.filter((place) => place !== "/var/tmp"),
    ["/data", "/data/a", "/data/a/b", "/home", "/home/dev", "/srv"],
  );
  for (const [i, [option]] of steps.entries())
    if (option === "--dir" || option === "--tmpfs")
      assert.ok(steps.slice(i - 2, i).some(([before]) => before === "--perms"));
  inOrder(
    steps,
    ["--dir", "/data"],
    ["--dir", "/data/a"],
    ["--dir", "/data/a/b"],
    ["--bind", "/sys/seen/1", "/data/a/b/c"],
    ["--bind", "/sys/seen/2", "/data/a/d"],
  );
});

for (const place of ["/tmp", "/run"])
  test(`what is shown below ${place} is put into the empty ${place} of the jail`, () => {
    const path = `${place}/a/b`;
    const steps = stepsOf({ folders: [path], files: [], masked: [] });
    const empty = indexOf(steps, ["--tmpfs", place]);
    const made = steps.findLastIndex((step) => step[0] === "--dir" && placeOf(step) === `${place}/a`);
    assert.ok(empty < made && made < indexOf(steps, ["--bind", "/sys/seen/0", path]));
    assert.ok(!steps.some((step) => step[0] === "--dir" && placeOf(step) === place));
  });

test("what is masked is put over what its folder shows: a file over files, a folder over folders", () => {
  inOrder(
    stepsOf(),
    ["--bind", "/sys/seen/2", "/data/app"],
    ["--ro-bind", "/sys/etc/empty", "/data/app/.env"],
    ["--ro-bind", "/sys/nothing", "/data/app/.git"],
    ["--remount-ro", "/"],
  );
});

test("devices are read-only once /dev/shm is in its place", () => {
  inOrder(stepsOf(), ["--dev", "/dev"], ["--tmpfs", "/dev/shm"], ["--remount-ro", "/dev"]);
});

test("links at the root stay links, folders are bound", () => {
  const steps = stepsOf();
  inOrder(steps, ["--symlink", "usr/bin", "/bin"], ["--ro-bind", "/lib64", "/lib64"]);
});

test("our certificates take the place of the system's", () => {
  inOrder(
    stepsOf(),
    ["--ro-bind-try", "/etc/ssl", "/etc/ssl"],
    ["--ro-bind", "/sys/etc/root.pem", "/etc/ca-local/root.pem"],
    ["--ro-bind", "/sys/etc/bundle.pem", "/etc/ca-local/bundle.pem"],
    ["--ro-bind", "/sys/etc/bundle.pem", "/etc/ssl/certs/ca-certificates.crt"],
  );
});

test("of /etc only what tells nothing about users and secrets is this machine's", () => {
  const shown = stepsOf().filter(([, from = ""]) => from === "/etc" || from.startsWith("/etc/"));
  const names = shown.map(([, from]) => from);
  for (const name of ["passwd", "shadow", "group", "hosts", "resolv.conf", "machine-id", "hostname"])
    assert.ok(!names.includes(`/etc/${name}`), name);
  assert.ok(!names.includes("/etc"));
});

test("folders in memory are bounded", () => {
  const steps = stepsOf({ limits: { ...DEFAULT_SANDBOX_LIMITS, folderMiB: 3 } });
  const sizes = steps.flatMap((step, i) =>
    step[0] === "--tmpfs" ? [[placeOf(step), steps[i - 1]?.join(" ")]] : [],
  );
  assert.deepEqual(sizes, [
    ["/tmp", `--size ${12 * 1024 * 1024}`],
    ["/run", `--size ${1024 * 1024}`],
    ["/dev/shm", `--size ${3 * 1024 * 1024}`],
  ]);
});

/** Places that may be shown: neither the working folder of the jail nor one above it, and outermost first. */
const places = fc
  .uniqueArray(
    fc
      .array(fc.constantFrom("a", "b", "data", "tmp", "run", "srv", "dev2"), { minLength: 2, maxLength: 4 })
      .map((names) => `/${names.join("/")}`),
  )
  .map((paths) => paths.toSorted());

test("nothing is bound below what comes later, and each place has its folder", () => {
  fc.assert(
    fc.property(places, (folders) => {
      const masked = folders.map((path) => ({ path: `${path}/s`, isFolder: false }));
      const steps = stepsOf({ folders, files: [], masked });
      const mounts = steps.filter(isMount).map(placeOf);
      for (const [i, later] of mounts.entries())
        for (const earlier of mounts.slice(0, i))
          assert.ok(!earlier.startsWith(`${later}/`), `${later} hides ${earlier}`);
      for (const [number, path] of folders.entries()) {
        const bound = indexOf(steps, [isShared(path) ? "--ro-bind" : "--bind", `/sys/seen/${number}`, path]);
        const parents = steps.slice(0, bound).map(placeOf);
        assert.ok(parents.includes(dirname(path)), `nobody made ${dirname(path)}`);
      }
    }),
  );
});

const shared = [
  ...["/usr", "/usr/bin/node", "/opt/x", "/nix/store/abc", "/bin", "/bin/sh", "/sbin", "/lib/x", "/lib64"],
].map((path) => ({ path, want: true }));
const own = [
  ...[
    "/",
    "",
    "/usr2",
    "/usrlocal/bin",
    "/nix",
    "/nix/var",
    "/libx",
    "/home",
    "/etc",
    "/tmp",
    "usr",
    "/option",
  ],
].map((path) => ({ path, want: false }));
for (const { path, want } of [...shared, ...own])
  test(`${JSON.stringify(path)} is ${want ? "there for every jail" : "not there by itself"}`, () =>
    assert.equal(isShared(path), want));

test("the files of /etc know one user, one resolver, and the names of this place", () => {
  const files = etcFiles({ uid: 1000, gid: 1001, home: "/home/dev" });
  assert.deepEqual(Object.keys(files).sort(), [...OWN_ETC].sort());
  assert.equal(files["resolv.conf"], "nameserver 10.0.2.3\noptions timeout:2 attempts:1\n");
  assert.deepEqual(files.passwd.split("\n"), [
    "root:x:0:0:root:/root:/bin/sh",
    "dev:x:1000:1001:dev:/home/dev:/bin/sh",
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin",
    "",
  ]);
  assert.deepEqual(files.group.split("\n"), ["root:x:0:", "dev:x:1001:", "nogroup:x:65534:", ""]);
  assert.deepEqual(files.hosts.split("\n"), [
    "127.0.0.1 localhost",
    "::1 localhost ip6-localhost",
    "10.0.2.15 devbox",
    "",
  ]);
  assert.match(files["nsswitch.conf"], /^hosts: files dns$/m);
  assert.match(files["machine-id"], /^[0-9a-f]{32}\n$/);
});
