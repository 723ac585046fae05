/** The system call filter of the jail, as the bytes that `bwrap --seccomp` loads: an array of `struct sock_filter`. Namespaces
 *  and missing capabilities confine the rest; refused here is what they do not confine, what would hide a read of a canary,
 *  and what only opens more of the kernel. Everything else is allowed, nested filters and Landlock too. */

/** A name, its number on x64, its number on arm64; null where the architecture has no such call. */
type Call = readonly [name: string, x64: number | null, arm64: number | null];

/** Looks at the low 32 bits of an argument, which is all the kernel itself looks at: each argument tested below is an `int` or
 *  `unsigned int` there, and of the two that are longer (the flags of `clone`, the last of `fcntl`) it drops the high half or
 *  knows no flag in it. To compare all 64 bits would let a caller slip through with rubbish in the high half. */
type Test =
  | { readonly arg: number; readonly oneOf: readonly number[] }
  | { readonly arg: number; readonly noneOf: readonly number[] }
  | { readonly arg: number; readonly hasBits: number };

interface Rule {
  readonly errno: number;
  readonly calls: readonly Call[];
  /** Refused only when all of these hold; in any case when there are none. */
  readonly when?: readonly Test[];
}

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;

const O_NOATIME = 0o1000000;
const F_SETFL = 4;
const FS_IOC_SETFLAGS = 0x40086602;
const FS_IOC_FSSETXATTR = 0x401c5820;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. The bit of CLONE_NEWTIME means something else to `clone`. */
const CLONE_NEW = 0x7e020000;
const PERSONALITY_OF_LINUX = 0;
const PERSONALITY_UNCHANGED = 0xffffffff;

/** Calls that programs make all the time stand first. Each call has one rule at most. */
const RULES: readonly Rule[] = [
  // Reads of canaries are seen by their access time. A reader could switch that off when it opens the file, later on the open
  // file, or by an attribute of the file. Honest programs know the refusal: they get it for files of others, too.
  { errno: EPERM, calls: [["openat", 257, 56]], when: [{ arg: 2, hasBits: O_NOATIME }] },
  { errno: EPERM, calls: [["open", 2, null]], when: [{ arg: 1, hasBits: O_NOATIME }] },
  {
    errno: EPERM,
    calls: [["fcntl", 72, 25]],
    when: [
      { arg: 1, oneOf: [F_SETFL] },
      { arg: 2, hasBits: O_NOATIME },
    ],
  },
  // The last two put characters into a terminal as if a person had typed them.
  {
    errno: EPERM,
    calls: [["ioctl", 16, 29]],
    when: [{ arg: 1, oneOf: [FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, TIOCSTI, TIOCLINUX] }],
  },
  // Network namespaces do not confine every family: AF_VSOCK reaches the hypervisor from any of them. A pair makes sockets too,
  // and with some families (AF_TIPC) they can be sent from. Odd protocols inside these families stay: netfilter records them.
  {
    errno: EAFNOSUPPORT,
    calls: [
      ["socket", 41, 198],
      ["socketpair", 53, 199],
    ],
    when: [{ arg: 0, noneOf: [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] }],
  },
  // A new user namespace would give all capabilities inside it, and with them most of the kernel.
  { errno: EPERM, calls: [["clone", 56, 220]], when: [{ arg: 0, hasBits: CLONE_NEW }] },
  {
    errno: EPERM,
    calls: [["personality", 135, 92]],
    when: [{ arg: 0, noneOf: [PERSONALITY_OF_LINUX, PERSONALITY_UNCHANGED] }],
  },
  // What they do is told in memory, where a filter cannot look, or comes past the filter later. As if the kernel were too old
  // for them: callers then use the calls above.
  {
    errno: ENOSYS,
    calls: [
      ["clone3", 435, 435],
      ["openat2", 437, 437],
      ["io_uring_setup", 425, 425],
      ["io_uring_enter", 426, 426],
      ["io_uring_register", 427, 427],
      ["file_setattr", 469, 469],
    ],
  },
  // Namespaces, roots and mounts, by the old calls and the new.
  {
    errno: EPERM,
    calls: [
      ["unshare", 272, 97],
      ["setns", 308, 268],
      ["chroot", 161, 51],
      ["pivot_root", 155, 41],
      ["mount", 165, 40],
      ["umount2", 166, 39],
      ["open_tree", 428, 428],
      ["open_tree_attr", 467, 467],
      ["move_mount", 429, 429],
      ["fsopen", 430, 430],
      ["fsconfig", 431, 431],
      ["fsmount", 432, 432],
      ["fspick", 433, 433],
      ["mount_setattr", 442, 442],
    ],
  },
  // Into another process, and to files by number instead of path. Advice on memory (`process_madvise`) and signals stay.
  {
    errno: EPERM,
    calls: [
      ["ptrace", 101, 117],
      ["process_vm_readv", 310, 270],
      ["process_vm_writev", 311, 271],
      ["pidfd_getfd", 438, 438],
      ["kcmp", 312, 272],
      ["name_to_handle_at", 303, 264],
      ["open_by_handle_at", 304, 265],
      ["fanotify_init", 300, 262],
      ["fanotify_mark", 301, 263],
    ],
  },
  // Keys belong to the user, not to the jail, and a request for one can make the machine outside look up a name for us.
  {
    errno: EPERM,
    calls: [
      ["add_key", 248, 217],
      ["request_key", 249, 218],
      ["keyctl", 250, 219],
    ],
  },
  // Large and often attacked parts of the kernel that a server has no use for.
  {
    errno: EPERM,
    calls: [
      ["bpf", 321, 280],
      ["perf_event_open", 298, 241],
      ["userfaultfd", 323, 282],
      ["modify_ldt", 154, null],
      ["uselib", 134, null],
    ],
  },
  // For those who run the machine. They want capabilities the jail does not have: this is the second lock.
  {
    errno: EPERM,
    calls: [
      ["syslog", 103, 116],
      ["acct", 163, 89],
      ["quotactl", 179, 60],
      ["quotactl_fd", 443, 443],
      ["swapon", 167, 224],
      ["swapoff", 168, 225],
      ["reboot", 169, 142],
      ["kexec_load", 246, 104],
      ["kexec_file_load", 320, 294],
      ["init_module", 175, 105],
      ["finit_module", 313, 273],
      ["delete_module", 176, 106],
      ["iopl", 172, null],
      ["ioperm", 173, null],
    ],
  },
];

const ARCHITECTURES = ["x64", "arm64"] as const;
type Architecture = (typeof ARCHITECTURES)[number];

/** How the kernel names the architecture a call was made for (AUDIT_ARCH_…). */
const AUDIT: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Calls of the x32 kind have this bit, and the rules know only their numbers without it. */
const X32_BIT = 0x40000000;

// Where `struct seccomp_data` holds what a filter may look at; both architectures are little endian, low half first.
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (arg: number): number => 16 + 8 * arg;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const refuse = (errno: number): number => 0x00050000 | errno;

/** A jump counts the instructions to leap over: `yes` when the test holds, `no` when not. */
interface Instruction {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

const load = (offset: number): Instruction => ({ code: 0x20, yes: 0, no: 0, value: offset });
const ifEqual = (value: number, yes: number, no: number): Instruction => ({ code: 0x15, yes, no, value });
const ifAtLeast = (value: number, yes: number, no: number): Instruction => ({ code: 0x35, yes, no, value });
const ifBits = (value: number, yes: number, no: number): Instruction => ({ code: 0x45, yes, no, value });
const end = (value: number): Instruction => ({ code: 0x06, yes: 0, no: 0, value });

export function hasFilterFor(arch: string): arch is Architecture {
  return ARCHITECTURES.some((known) => known === arch);
}

/** Needs to be loaded into every process of the jail, its first one included: what is outside can be written into. */
export function seccompFilter(arch: string = process.arch): Buffer {
  if (!hasFilterFor(arch)) throw new Error(`no system call filter for ${arch}`);
  return encode([
    // Calls of another architecture (32 bit programs) have other numbers: there is no way to judge them.
    load(ARCHITECTURE_AT),
    ifEqual(AUDIT[arch], 1, 0),
    end(KILL_PROCESS),
    load(NUMBER_AT),
    ...(arch === "x64" ? [ifAtLeast(X32_BIT, 0, 1), end(refuse(ENOSYS))] : []),
    ...RULES.flatMap((rule) => rule.calls.flatMap((call) => block(rule, numberOf(call, arch)))),
    end(ALLOW),
  ]);
}

function numberOf([, x64, arm64]: Call, arch: Architecture): number | null {
  return arch === "x64" ? x64 : arm64;
}

/** Leaps over itself for any other call, and decides this one. Where there are tests, the last instruction allows it. */
function block({ errno, when = [] }: Rule, number: number | null): readonly Instruction[] {
  if (number === null) return [];
  const body = when.length === 0 ? [end(refuse(errno))] : [end(refuse(errno)), end(ALLOW)];
  // From the last test to the first: each must know how far away the end is.
  for (const test of when.toReversed()) body.unshift(...condition(test, body.length - 1));
  return [ifEqual(number, 0, body.length), ...body];
}

/** Goes on with what follows when the test holds, and leaps over `otherwise` instructions when it does not. */
function condition(test: Test, otherwise: number): readonly Instruction[] {
  const argument = load(argumentAt(test.arg));
  if ("hasBits" in test) return [argument, ifBits(test.hasBits, 0, otherwise)];
  if ("noneOf" in test) {
    const last = test.noneOf.length - 1;
    return [argument, ...test.noneOf.map((value, i) => ifEqual(value, last - i + otherwise, 0))];
  }
  const last = test.oneOf.length - 1;
  return [argument, ...test.oneOf.map((value, i) => ifEqual(value, last - i, i === last ? otherwise : 0))];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, { code, yes, no, value }] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(yes, i * 8 + 2);
    bytes.writeUInt8(no, i * 8 + 3);
    bytes.writeUInt32LE(value, i * 8 + 4);
  }
  return bytes;
}
