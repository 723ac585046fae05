import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasFilterFor, seccompFilter } from "./seccomp.ts";

type Arch = "x64" | "arm64";
const ARCHES = ["x64", "arm64"] as const;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003, arm: 0x40000028 } as const;

interface Instruction {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

function program(arch: Arch): Instruction[] {
  const bytes = seccompFilter(arch);
  return Array.from({ length: bytes.length / 8 }, (_, i) => ({
    code: bytes.readUInt16LE(i * 8),
    yes: bytes.readUInt8(i * 8 + 2),
    no: bytes.readUInt8(i * 8 + 3),
    value: bytes.readUInt32LE(i * 8 + 4),
  }));
}

const PROGRAMS = { x64: program("x64"), arm64: program("arm64") } as const;

/** What the kernel would answer: it runs the program on `struct seccomp_data`. */
function verdict(
  arch: Arch,
  number: number,
  args: readonly bigint[] = [],
  audit: number = AUDIT[arch],
): string {
  const data = Buffer.alloc(64);
  data.writeInt32LE(number | 0, 0);
  data.writeUInt32LE(audit, 4);
  for (const [i, arg] of args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, arg), 16 + 8 * i);
  const instructions = PROGRAMS[arch];
  let held = 0;
  for (let at = 0; at < instructions.length; at++) {
    const { code, yes, no, value } = instructions[at] ?? assert.fail(`nothing at ${at}`);
    if (code === 0x20) held = data.readUInt32LE(value);
    else if (code === 0x15) at += held === value ? yes : no;
    else if (code === 0x35) at += held >= value ? yes : no;
    else if (code === 0x45) at += (held & value) !== 0 ? yes : no;
    else if (code === 0x06) return returned(value);
    else assert.fail(`instruction ${code.toString(16)}`);
  }
  return assert.fail("ran off the end");
}

const ERRNOS: Readonly<Record<number, string>> = { 1: "EPERM", 38: "ENOSYS", 97: "EAFNOSUPPORT" };

function returned(value: number): string {
  if (value === 0x7fff0000) return "allow";
  if (value === 0x80000000) return "kill";
  assert.equal(value >>> 16, 5);
  return ERRNOS[value & 0xffff] ?? assert.fail(`errno ${value & 0xffff}`);
}

const NOATIME = 0o1000000n;
const HIGH = 1n << 32n;
/** CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID: how glibc starts a thread. */
const THREAD = 0x3d0f00n;

interface Case {
  readonly name: string;
  /** The call's number on x64 and on arm64; null where it does not exist. */
  readonly call: readonly [x64: number | null, arm64: number | null];
  readonly args: readonly bigint[];
  readonly want: string;
}

const OPEN = [2, null] as const;
const OPENAT = [257, 56] as const;
const FCNTL = [72, 25] as const;
const IOCTL = [16, 29] as const;
const SOCKET = [41, 198] as const;
const SOCKETPAIR = [53, 199] as const;
const CLONE = [56, 220] as const;
const PERSONALITY = [135, 92] as const;

const cases: readonly Case[] = [
  { name: "a file is opened for reading", call: OPENAT, args: [-100n, 1n, 0o2000000n], want: "allow" },
  { name: "all other flags at once are fine", call: OPENAT, args: [-100n, 1n, ~NOATIME], want: "allow" },
  { name: "without a trace in its access time", call: OPENAT, args: [-100n, 1n, NOATIME], want: "EPERM" },
  { name: "with more flags", call: OPENAT, args: [-100n, 1n, NOATIME | 0o2000000n], want: "EPERM" },
  { name: "with rubbish above", call: OPENAT, args: [-100n, 1n, HIGH | NOATIME], want: "EPERM" },
  {
    name: "a mode that looks like the flag",
    call: OPENAT,
    args: [-100n, 1n, 0o100n, NOATIME],
    want: "allow",
  },
  { name: "by the old call", call: OPEN, args: [1n, 0n, NOATIME], want: "allow" },
  { name: "by the old call, without a trace", call: OPEN, args: [1n, NOATIME], want: "EPERM" },
  { name: "an open file no longer waits", call: FCNTL, args: [3n, 4n, 0o4000n], want: "allow" },
  { name: "an open file leaves no trace", call: FCNTL, args: [3n, 4n, NOATIME | 0o4000n], want: "EPERM" },
  { name: "the same with rubbish above", call: FCNTL, args: [3n, HIGH | 4n, HIGH | NOATIME], want: "EPERM" },
  { name: "another command with that number", call: FCNTL, args: [3n, 0n, NOATIME], want: "allow" },
  { name: "the flags of an open file", call: FCNTL, args: [3n, 3n, 0n], want: "allow" },
  { name: "the size of a terminal", call: IOCTL, args: [0n, 0x5413n], want: "allow" },
  { name: "the flags of a file", call: IOCTL, args: [3n, 0x80086601n], want: "allow" },
  { name: "new flags of a file", call: IOCTL, args: [3n, 0x40086602n], want: "EPERM" },
  { name: "new flags of a file, the other way", call: IOCTL, args: [3n, 0x401c5820n], want: "EPERM" },
  { name: "TIOCSTI", call: IOCTL, args: [0n, 0x5412n], want: "EPERM" },
  { name: "TIOCSTI with rubbish above", call: IOCTL, args: [0n, HIGH | 0x5412n], want: "EPERM" },
  { name: "TIOCSTI, sign extended", call: IOCTL, args: [0n, (-1n << 32n) | 0x5412n], want: "EPERM" },
  { name: "TIOCLINUX", call: IOCTL, args: [0n, 0x541cn], want: "EPERM" },
  { name: "a descriptor that looks like TIOCSTI", call: IOCTL, args: [0x5412n, 0x5401n], want: "allow" },
  ...[1n, 2n, 10n, 16n].flatMap((family): Case[] => [
    { name: `socket of family ${family}`, call: SOCKET, args: [family, 1n, 0n], want: "allow" },
    { name: `pair of family ${family}`, call: SOCKETPAIR, args: [family, 1n, 0n], want: "allow" },
  ]),
  ...[0n, 3n, 9n, 11n, 15n, 17n, 30n, 31n, 38n, 40n, 42n, 44n, -1n, HIGH | 40n].flatMap((family): Case[] => [
    { name: `socket of family ${family}`, call: SOCKET, args: [family, 1n, 0n], want: "EAFNOSUPPORT" },
    { name: `pair of family ${family}`, call: SOCKETPAIR, args: [family, 1n, 0n], want: "EAFNOSUPPORT" },
  ]),
  {
    name: "the kernel sees AF_INET below the rubbish",
    call: SOCKET,
    args: [HIGH | 2n, 1n, 0n],
    want: "allow",
  },
  { name: "a thread", call: CLONE, args: [THREAD], want: "allow" },
  { name: "a process", call: CLONE, args: [0x1200011n], want: "allow" },
  { name: "a process that shares memory until exec", call: CLONE, args: [0x4111n], want: "allow" },
  { name: "a process with its own I/O", call: CLONE, args: [0x80000011n], want: "allow" },
  ...[17n, 25n, 26n, 27n, 28n, 29n, 30n].flatMap((bit): Case[] => [
    { name: `a namespace, bit ${bit}`, call: CLONE, args: [(1n << bit) | 17n], want: "EPERM" },
    {
      name: `a namespace, bit ${bit}, rubbish above`,
      call: CLONE,
      args: [HIGH | (1n << bit)],
      want: "EPERM",
    },
  ]),
  { name: "which personality?", call: PERSONALITY, args: [0xffffffffn], want: "allow" },
  { name: "which personality?, sign extended", call: PERSONALITY, args: [-1n], want: "allow" },
  { name: "the ordinary personality", call: PERSONALITY, args: [0n], want: "allow" },
  { name: "addresses that can be guessed", call: PERSONALITY, args: [0x40000n], want: "EPERM" },
  { name: "a 32 bit personality", call: PERSONALITY, args: [8n], want: "EPERM" },
];

for (const { name, call, args, want } of cases)
  for (const [i, arch] of ARCHES.entries()) {
    const number = call[i] ?? null;
    if (number !== null)
      test(`${arch}: ${name}: ${want}`, () => assert.equal(verdict(arch, number, args), want));
  }

/** The calls that are refused whatever their arguments, typed out once more: number on x64, on arm64, name. */
const ALWAYS = `
  435 435 clone3
  437 437 openat2
  425 425 io_uring_setup
  426 426 io_uring_enter
  427 427 io_uring_register
  469 469 file_setattr
  272 97 unshare
  308 268 setns
  161 51 chroot
  155 41 pivot_root
  165 40 mount
  166 39 umount2
  428 428 open_tree
  429 429 move_mount
  430 430 fsopen
  431 431 fsconfig
  432 432 fsmount
  433 433 fspick
  442 442 mount_setattr
  467 467 open_tree_attr
  101 117 ptrace
  310 270 process_vm_readv
  311 271 process_vm_writev
  438 438 pidfd_getfd
  312 272 kcmp
  303 264 name_to_handle_at
  304 265 open_by_handle_at
  300 262 fanotify_init
  301 263 fanotify_mark
  248 217 add_key
  249 218 request_key
  250 219 keyctl
  321 280 bpf
  298 241 perf_event_open
  323 282 userfaultfd
  154 - modify_ldt
  134 - uselib
  103 116 syslog
  163 89 acct
  179 60 quotactl
  443 443 quotactl_fd
  167 224 swapon
  168 225 swapoff
  169 142 reboot
  246 104 kexec_load
  320 294 kexec_file_load
  175 105 init_module
  313 273 finit_module
  176 106 delete_module
  172 - iopl
  173 - ioperm`
  .trim()
  .split("\n")
  .map((row) => row.trim().split(" "));

/** So that none of the calls with a rule on their arguments is refused. */
const HARMLESS: Readonly<Record<Arch, ReadonlyMap<number, readonly bigint[]>>> = {
  x64: new Map([41, 53].map((number) => [number, [2n, 1n]])),
  arm64: new Map([198, 199].map((number) => [number, [2n, 1n]])),
};

for (const [i, arch] of ARCHES.entries()) {
  test(`${arch}: exactly the listed calls are refused whatever their arguments`, () => {
    const refused = Array.from({ length: 1024 }, (_, number) => number).filter(
      (number) => verdict(arch, number, HARMLESS[arch].get(number)) !== "allow",
    );
    const want = ALWAYS.map((row) => row[i])
      .filter((number) => number !== "-")
      .map(Number);
    assert.deepEqual(
      refused,
      want.toSorted((a, b) => a - b),
    );
  });

  test(`${arch}: a call that has an older sister looks missing, the others look forbidden`, () => {
    for (const [x64, arm64, name] of ALWAYS) {
      const number = [x64, arm64][i];
      const isNew = /^(clone3|openat2|io_uring_\w+|file_setattr)$/.test(name ?? "");
      if (number !== "-") assert.equal(verdict(arch, Number(number)), isNew ? "ENOSYS" : "EPERM", name);
    }
  });

  test(`${arch}: a program for another architecture is killed, whatever it calls`, () => {
    const foreign = Object.values(AUDIT).filter((audit) => audit !== AUDIT[arch]);
    for (const audit of foreign)
      for (const number of [0, 20, 41, 165, 0x40000027, -1])
        assert.equal(verdict(arch, number, [], audit), "kill");
  });

  test(`${arch}: the kernel will load it`, () => {
    const instructions = PROGRAMS[arch];
    assert.ok(instructions.length < 4096);
    assert.equal(instructions.at(-1)?.code, 0x06);
    for (const [at, { code, yes, no, value }] of instructions.entries()) {
      assert.ok([0x20, 0x15, 0x35, 0x45, 0x06].includes(code));
      if (code !== 0x06) assert.ok(at + 1 + Math.max(yes, no) < instructions.length, `jump at ${at}`);
      if (code === 0x20) assert.ok(value % 4 === 0 && value < 64, `load at ${at}`);
    }
  });

  test(`${arch}: every instruction can be reached`, () => {
    const instructions = PROGRAMS[arch];
    const reached = new Set([0]);
    for (const [at, { code, yes, no }] of instructions.entries())
      if (reached.has(at) && code !== 0x06) reached.add(at + 1 + yes).add(at + 1 + no);
    assert.equal(reached.size, instructions.length);
  });

  test(`${arch}: what stands above the low half of an argument changes nothing`, () => {
    const half = fc.oneof(fc.bigInt(0n, 0xffffffffn), fc.constantFrom(0n, 1n, 2n, 4n, 40n, NOATIME, 0x5412n));
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.array(half, { maxLength: 6 }),
        fc.bigInt(0n, 0xffffffffn),
        (number, args, above) =>
          assert.equal(
            verdict(
              arch,
              number,
              args.map((arg) => arg | (above << 32n)),
            ),
            verdict(arch, number, args),
          ),
      ),
    );
  });
}

test("calls of the x32 kind look missing on x64, and so does number -1", () => {
  for (const number of [0, 39, 41, 165, 512]) assert.equal(verdict("x64", 0x40000000 + number), "ENOSYS");
  assert.equal(verdict("x64", -1), "ENOSYS");
  assert.equal(verdict("x64", 39), "allow");
});

test("filters and confinement of a server's own stay possible", () => {
  for (const number of [317, 157, 444, 445, 446]) assert.equal(verdict("x64", number), "allow");
  for (const number of [277, 167, 444, 445, 446]) assert.equal(verdict("arm64", number), "allow");
});

test("there is a filter for two architectures, and no guess for others", () => {
  assert.deepEqual(["x64", "arm64", "ia32", "arm", "riscv64", "toString", ""].map(hasFilterFor), [
    true,
    true,
    ...Array<boolean>(5).fill(false),
  ]);
  assert.throws(() => seccompFilter("riscv64"), /^Error: no system call filter for riscv64$/);
});
