/** Whether this machine allows the sandbox: each stage is really tried, since settings alone do not tell, and a refusal is
 *  explained. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Backend } from "../backend.ts";
import { FILTER, ROUTES } from "./rules.ts";
import { hasFilterFor, seccompFilter } from "./seccomp.ts";
import { NAMESPACES, startInNamespaces } from "./start.ts";
import { findTools, SYSTEM_PATH, type Tools } from "./tools.ts";

export type Detection =
  | { readonly backend: Backend }
  | { readonly backend?: never; readonly reason: string; readonly hint: string };

const STAGES = ["namespaces", "memory", "layers", "routes", "nftables", "jail"] as const;
type Stage = (typeof STAGES)[number];

/** Says each stage it gets through. The filter for system calls comes on standard input. */
const TRIAL = `
echo namespaces
mount -t tmpfs -o nosuid,nodev,mode=0755,size=1m tmpfs /sys || exit 1; echo memory
mkdir /sys/a /sys/b /sys/c /sys/d; mount -t overlay -o ro,lowerdir=/usr:/sys/a overlay /sys/b || exit 1
mount -t overlay -o lowerdir=/usr,upperdir=/sys/c,workdir=/sys/d,userxattr overlay /sys/a || exit 1; echo layers
printf %s "$ROUTES" | ip -force -batch - 2>/dev/null; ip route get 203.0.113.1 >/dev/null || exit 1; echo routes
printf %s "$FILTER" | nft -f - || exit 1; echo nftables
bwrap --unshare-user --uid 1000 --gid 1000 --disable-userns --cap-drop ALL --unshare-pid --unshare-ipc --unshare-uts \\
  --unshare-cgroup-try --hostname trial --die-with-parent --new-session --as-pid-1 --ro-bind / / --proc /proc --dev /dev \\
  --perms 0755 --size 1048576 --tmpfs /tmp --seccomp 0 -- /bin/sh -c true || exit 1; echo jail
`;
const TRIAL_MS = 10_000;

let known: Detection | undefined;

/** Tried once a process. */
export function detectSandbox(): Detection {
  known ??= tryNamespaces();
  return known;
}

/** `path` is where the system's programs are looked for. */
export function tryNamespaces(path: string = SYSTEM_PATH): Detection {
  if (process.platform !== "linux")
    return {
      reason: `namespaces are Linux only, this is ${process.platform}`,
      hint: "run touchstone in a Linux machine or container",
    };
  if (!hasFilterFor(process.arch))
    return { reason: `no system call filter for ${process.arch}`, hint: "use an x64 or arm64 machine" };
  const tools = findTools(path);
  if (tools.missing.length > 0)
    return {
      reason: `not installed: ${tools.missing.join(", ")}`,
      hint: "install util-linux, iproute2, nftables and bubblewrap, then run touchstone doctor",
    };
  const { unshare = "", sh = "" } = tools.found;
  const { stdout, stderr, error } = spawnSync(
    unshare,
    [...NAMESPACES, "--", unshare, "--net", "--", sh, "-c", TRIAL],
    {
      input: seccompFilter(),
      encoding: "utf8",
      timeout: TRIAL_MS,
      env: { PATH: path, LC_ALL: "C", ROUTES, FILTER },
    },
  );
  const passed = stdout?.trim().split("\n").filter(Boolean) ?? [];
  const stage = STAGES.find((one) => !passed.includes(one));
  if (stage === undefined) return { backend: namespacesBackend(tools) };
  const [fault = error?.message ?? "it gave no reason"] = (stderr ?? "").trim().split("\n").filter(Boolean);
  return stage === "namespaces"
    ? whyRefused(fault)
    : { reason: `${WORDS[stage]}: ${fault}`, hint: HINTS[stage] };
}

const WORDS: Readonly<Record<Stage, string>> = {
  namespaces: "user namespaces are refused",
  memory: "no file system in memory can be mounted",
  layers: "no layer can be put over a folder",
  routes: "the network cannot be set up",
  nftables: "packets cannot be redirected",
  jail: "bubblewrap is refused",
};

const HINTS: Readonly<Record<Stage, string>> = {
  namespaces: "run touchstone outside of the container, or as a user who may make namespaces",
  memory: "run touchstone outside of the container",
  layers: "the kernel has to be 5.11 or newer, with overlayfs",
  routes: "install iproute2; the kernel needs network namespaces",
  nftables: "install nftables; the kernel needs nf_tables with NAT",
  jail: "install bubblewrap 0.8 or newer; on Ubuntu it needs an AppArmor profile that allows user namespaces",
};

/** The kernel only says no: its settings tell why. */
function whyRefused(fault: string): Detection {
  const { namespaces } = WORDS;
  if (setting("kernel/unprivileged_userns_clone") === "0")
    return {
      reason: `${namespaces}: kernel.unprivileged_userns_clone is 0`,
      hint: "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    };
  if (setting("user/max_user_namespaces") === "0" || /No space left/.test(fault))
    return {
      reason: `${namespaces}: user.max_user_namespaces is used up`,
      hint: "sudo sysctl -w user.max_user_namespaces=15000",
    };
  if (setting("kernel/apparmor_restrict_unprivileged_userns") === "1")
    return {
      reason: `${namespaces} by AppArmor`,
      hint: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run touchstone as root",
    };
  if (isContained()) return { reason: `${namespaces} in this container: ${fault}`, hint: HINTS.namespaces };
  return { reason: `${namespaces}: ${fault}`, hint: HINTS.namespaces };
}

function setting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, "utf8").trim();
  } catch {
    return undefined;
  }
}

const isContained = (): boolean => existsSync("/.dockerenv") || existsSync("/run/.containerenv");

function namespacesBackend(tools: Tools): Backend {
  let versions: Record<string, string> | undefined;
  return {
    name: "namespaces",
    get versions() {
      versions ??= versionsOf(tools);
      return versions;
    },
    start: (program, options) => startInNamespaces(tools, program, options),
  };
}

function versionsOf({ found }: Tools): Record<string, string> {
  const asked = { unshare: "--version", ip: "-V", nft: "--version", bwrap: "--version" } as const;
  const versions: Record<string, string> = { kernel: setting("kernel/osrelease") ?? "unknown" };
  for (const [tool, flag] of Object.entries(asked)) {
    const file = found[tool as keyof typeof asked];
    if (file !== undefined) versions[tool] = spawnSync(file, [flag], { encoding: "utf8" }).stdout.trim();
  }
  return versions;
}
