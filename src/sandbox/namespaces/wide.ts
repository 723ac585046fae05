/** Folders that hold more than a server may see, whoever names them: homes and what is above them, the system's own, and where
 *  people keep their keys and papers. */
import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";

const WIDE = new Set(
  "/ /etc /home /root /var /run /tmp /mnt /srv /media /boot /usr /opt /proc /sys /dev /Users /var/home /var/lib".split(
    " ",
  ),
);
/** Never, and nothing below them. */
const CLOSED = ["/proc", "/sys", "/dev", "/run", "/boot"];
/** Of a home: never, and nothing below them but installed packages. */
const SECRET = [".ssh", ".aws", ".gnupg", ".kube", ".docker", ".config", ".password-store", ".mozilla"];
/** Of a home: not as a whole. */
const PERSONAL = [
  ".local",
  ".local/share",
  ".cargo",
  ".cache",
  "Documents",
  "Desktop",
  "Downloads",
  "Pictures",
];

let homes: readonly string[] | undefined;

/** Of this user and of all others, by the names they have and the places they are at. */
function knownHomes(): readonly string[] {
  const own = [process.env.HOME ?? "", homedir()];
  homes ??= passwdHomes();
  return [...new Set([...own, ...homes].filter((home) => home !== "" && home !== "/"))].flatMap((home) => [
    home,
    realOf(home),
  ]);
}

const FIRST_USER = 1000;

function passwdHomes(): string[] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .flatMap(([, , uid = "", , , home = ""]) => (Number(uid) >= FIRST_USER || uid === "0" ? [home] : []));
  } catch {
    return [];
  }
}

export function holdsTooMuch(path: string): boolean {
  return [path, realOf(path)].some(isWide);
}

function isWide(path: string): boolean {
  if (WIDE.has(path) || CLOSED.some((folder) => path.startsWith(`${folder}${sep}`))) return true;
  if (/^\/(?:var\/)?home\/[^/]+$|^\/Users\/[^/]+$/.test(path)) return true;
  return knownHomes().some((home) => {
    if (home === path || home.startsWith(`${path}${sep}`)) return true;
    if (PERSONAL.some((name) => path === join(home, name))) return true;
    if (`${path}${sep}`.includes(`${sep}node_modules${sep}`)) return false;
    return SECRET.some((name) => `${path}${sep}`.startsWith(`${join(home, name)}${sep}`));
  });
}

/** Where a path really is; the path itself when that cannot be told. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
