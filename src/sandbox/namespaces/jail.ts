/** The options bubblewrap starts the server with: an empty root with what it may see bound in, no capabilities, no way to
 *  make namespaces of its own. */
import { dirname, join } from "node:path";
import type { Orders } from "../control.ts";
import { RESOLVER } from "./rules.ts";

/** Where this namespace keeps what is its own: a file system in memory, over a folder that nobody needs in here. */
export const PRIVATE = "/sys";
export const HOME_FOLDER = join(PRIVATE, "home");
export const WORK_FOLDER = join(PRIVATE, "work");
export const ETC_FOLDER = join(PRIVATE, "etc");
/** Where the layers over folders are mounted, by their number. */
export const SEEN_FOLDER = join(PRIVATE, "seen");
/** What the server changes in folders that are not its own. */
export const CHANGES_FOLDER = join(PRIVATE, "changes");
export const EMPTY_FOLDER = join(PRIVATE, "nothing");

export const CA_FILE = "/etc/ca-local/root.pem";
export const CA_BUNDLE = "/etc/ca-local/bundle.pem";
/** Where systems keep the certificates they trust: the bundle with our own takes its place. */
export const SYSTEM_BUNDLES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/cert.pem",
] as const;

/** Files of /etc made for the jail. */
export const OWN_ETC = ["resolv.conf", "hosts", "nsswitch.conf", "passwd", "group", "machine-id"] as const;
const HOST_ETC = [
  "ssl",
  "pki",
  "ca-certificates",
  "ca-certificates.conf",
  "crypto-policies",
  "alternatives",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "timezone",
  "mime.types",
  "services",
  "protocols",
  "os-release",
  "debian_version",
  "gai.conf",
  "host.conf",
  "fonts",
] as const;
/** What every program needs. */
export const SHARED_ROOTS = ["/usr", "/opt", "/nix/store"] as const;
/** A file with nothing in it. */
export const EMPTY = "empty";
const HOSTNAME = "devbox";
const MIB = 1024 * 1024;

/** Whether a path is there for every process in the jail. */
export const isShared = (path: string): boolean =>
  [...SHARED_ROOTS, "/bin", "/sbin", "/lib", "/lib64"].some(
    (root) => path === root || path.startsWith(`${root}/`),
  );

/** What this machine's root looks like: `/bin` and the like are links on some systems and folders on others. */
export interface HostRoot {
  /** `/bin` to what it links to; undefined for a folder. */
  readonly rootEntries: ReadonlyMap<string, string | undefined>;
  readonly systemBundles: readonly string[];
}

export function jailOptions(orders: Orders, host: HostRoot): string[] {
  const { uid, gid, home, cwd, folders: seen, files, masked, env, limits } = orders;
  const shared = [...host.rootEntries].flatMap(([path, target]) =>
    target === undefined ? ["--ro-bind", path, path] : ["--symlink", target, path],
  );
  const etc = [
    ...HOST_ETC.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...OWN_ETC.flatMap((name) => ["--ro-bind", join(ETC_FOLDER, name), `/etc/${name}`]),
    ...["--ro-bind", join(ETC_FOLDER, "root.pem"), CA_FILE],
    ...["--ro-bind", join(ETC_FOLDER, "bundle.pem"), CA_BUNDLE],
    ...host.systemBundles.flatMap((path) => ["--ro-bind", join(ETC_FOLDER, "bundle.pem"), path]),
  ];
  const tmpfs = (path: string, mib: number, mode = "0755"): string[] => [
    "--perms",
    mode,
    "--size",
    String(mib * MIB),
    "--tmpfs",
    path,
  ];
  const own = [
    ...tmpfs("/tmp", limits.folderMiB * 4, "1777"),
    ...tmpfs("/run", 1),
    ...tmpfs("/dev/shm", limits.folderMiB, "1777"),
    ...["--perms", "1777", "--dir", "/var/tmp"],
    ...["--bind", HOME_FOLDER, home],
    ...["--bind", WORK_FOLDER, cwd],
  ];
  const layers = seen.map((path, number) => [
    isShared(path) ? "--ro-bind" : "--bind",
    join(SEEN_FOLDER, String(number)),
    path,
  ]);
  const shownRoots = layers.filter(([, , path = ""]) => isShared(path)).flat();
  const shownFolders = layers.filter(([, , path = ""]) => !isShared(path)).flat();
  const paths = [...seen, ...files].filter((path) => !isShared(path));
  return [
    ...["--unshare-user", "--uid", String(uid), "--gid", String(gid), "--disable-userns"],
    ...["--cap-drop", "ALL", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--hostname", HOSTNAME, "--die-with-parent", "--new-session", "--as-pid-1"],
    ...folders([home, cwd, ...paths]),
    ...shared,
    ...shownRoots,
    ...etc,
    // Whoever is root outside owns the settings of the kernel in there, whatever his number inside.
    ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
    ...own,
    ...["--remount-ro", "/dev"],
    // Below /tmp and /run the folders have to be made anew.
    ...folders(paths.filter((path) => /^\/(?:tmp|run)\//.test(path))),
    ...shownFolders,
    ...files.flatMap((path) => ["--ro-bind", path, path]),
    ...masked.flatMap(({ path, isFolder }) => [
      "--ro-bind",
      isFolder ? EMPTY_FOLDER : join(ETC_FOLDER, EMPTY),
      path,
    ]),
    ...["--remount-ro", "/", "--chdir", cwd, "--clearenv"],
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/** All folders above the given paths, outermost first: bubblewrap would make them for its own user alone. */
function folders(paths: readonly string[]): string[] {
  const above = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== "/"; folder = dirname(folder)) above.add(folder);
  const made = [...above].filter((folder) => !isShared(folder) && folder !== "/tmp" && folder !== "/run");
  return made.sort().flatMap((folder) => ["--perms", "0755", "--dir", folder]);
}

export function etcFiles({
  uid,
  gid,
  home,
}: Pick<Orders, "uid" | "gid" | "home">): Record<(typeof OWN_ETC)[number], string> {
  const user = home.split("/").at(-1) ?? "user";
  return {
    "resolv.conf": `nameserver ${RESOLVER}\noptions timeout:2 attempts:1\n`,
    hosts: `127.0.0.1 localhost\n::1 localhost ip6-localhost\n10.0.2.15 ${HOSTNAME}\n`,
    "nsswitch.conf":
      "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nnetworks: files\nprotocols: files\nservices: files\n",
    passwd: `root:x:0:0:root:/root:/bin/sh\n${user}:x:${uid}:${gid}:${user}:${home}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
    group: `root:x:0:\n${user}:x:${gid}:\nnogroup:x:65534:\n`,
    "machine-id": "5b6f1d0c9a3e4f7788c2d4e6a1b3c5d7\n",
  };
}
