/** `touchstone doctor`: what works on this machine, and how to get the rest. */
import type { Command } from "../command.ts";
import { version } from "../version.ts";

interface Check {
  readonly name: string;
  readonly status: "ok" | "limited" | "missing";
  readonly detail: string;
  /** What to do about it; absent when nothing is. */
  readonly fix?: string;
}

const MIN_NODE = [20, 19] as const;

export const doctor: Command = {
  name: "doctor",
  summary: "what works on this machine, and how to get the rest",
  usage: "[options]",
  takesNothing: true,
  about: `Looks at this machine and says what each part of touchstone will be able to do here. Changes nothing.
Something missing is no failure: the exit code is 0 as long as touchstone itself can run.`,
  options: {},
  examples: [
    ["touchstone doctor", "see what is missing before a first run"],
    ["touchstone doctor --json", "the same for a bug report"],
  ],
  async run(_words, out) {
    const checks = [node(), platform(), await containment(), await sandbox()];
    out.json({
      version: await version(),
      node: process.version,
      platform: process.platform,
      arch: process.arch,
      checks,
    });
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, status, detail, fix } of checks) {
      const mark =
        status === "ok"
          ? out.color.green("ok     ")
          : status === "limited"
            ? out.color.yellow("limited")
            : out.color.red("missing");
      out.line(`${mark} ${name.padEnd(width)}  ${detail}`);
      if (fix) out.line(`        ${" ".repeat(width)}  ${out.color.dim(fix)}`);
    }
    return checks.some(({ name, status }) => name === "node" && status !== "ok") ? 5 : 0;
  },
};

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (isEnough) return { name: "node", status: "ok", detail: process.version };
  return {
    name: "node",
    status: "missing",
    detail: process.version,
    fix: `install Node ${MIN_NODE.join(".")} or newer`,
  };
}

function platform(): Check {
  const name = "platform";
  if (process.platform === "linux") return { name, status: "ok", detail: `linux ${process.arch}` };
  if (process.platform === "darwin")
    return {
      name,
      status: "limited",
      detail: "macOS: everything but the sandbox",
      fix: "use Linux, or a Linux VM, where a sandbox is needed",
    };
  return { name, status: "limited", detail: `${process.platform}: not tested`, fix: "use Linux or macOS" };
}

async function containment(): Promise<Check> {
  const { detectContainment } = await import("../../wire/index.ts");
  const { containment: kind, reason } = detectContainment();
  const name = "process tree";
  if (kind === "pid-namespace")
    return {
      name,
      status: "ok",
      detail: "each server in its own pid namespace: nothing it forks can outlive it",
    };
  const detail = `supervisor and group kill: a process that detaches itself at once can escape (${reason})`;
  return {
    name,
    status: "limited",
    detail,
    fix: "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor profile)",
  };
}

/** Each stage is really tried; what is missing is named. */
async function sandbox(): Promise<Check> {
  const { detectSandbox } = await import("../../sandbox/index.ts");
  const detection = detectSandbox();
  const name = "sandbox";
  if (!detection.backend)
    return { name, status: "missing", detail: `none: ${detection.reason}`, fix: detection.hint };
  const versions = Object.entries(detection.backend.versions).map(([tool, version]) => {
    const number = /\d+(?:\.\d+)+/.exec(version)?.[0];
    return `${tool} ${number ?? version}`;
  });
  return { name, status: "ok", detail: `servers run with no way out (${versions.join(", ")})` };
}
