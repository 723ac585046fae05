/** How exactly uvx, uv and pipx name a Python package. */
import { divide, type Grammar, gitPinning, leastExact, type Pinning, pinning, valuesOf } from "./words.ts";

const UV: Grammar = {
  values: new Set(
    `--from --with --with-editable --with-requirements -w -p --python --index-url --index --default-index -i
    --extra-index-url -f --find-links --cache-dir --directory --project --config-file --env-file --exclude-newer
    -c --constraints -b --build-constraints --overrides --resolution --prerelease --link-mode --refresh-package
    -P --upgrade-package --reinstall-package -C --config-setting --color --index-strategy --keyring-provider
    --no-build-package --no-binary-package --fork-strategy --allow-insecure-host --python-platform
    --torch-backend --extra --no-extra --group --no-group --only-group --package --max-recursion-depth`.split(
      /\s+/,
    ),
  ),
  unknown: "is-flag",
};
const PIPX: Grammar = {
  values: new Set(["--spec", "--python", "--index-url", "-i", "--pip-args", "--backend", "--with"]),
  unknown: "is-flag",
};
const PYTHON: Grammar = { values: new Set(["-W", "-X", "--check-hash-based-pycs"]), unknown: "is-flag" };

export function uvx(args: readonly string[]): Pinning {
  const divided = divide(args, UV);
  const [command] = divided.rest;
  const from = valuesOf(divided, "--from").at(-1) ?? command;
  if (from === undefined) return pinning("unknown", "no package is named");
  return leastExact([from, ...extras(divided)].map(pythonSpec)) ?? pythonSpec(from);
}

export function uv(args: readonly string[]): Pinning {
  const [word, ...rest] = divide(args, UV).rest;
  if (word === "tool" && rest[0] === "run") return uvx(rest.slice(1));
  if (word === "x") return uvx(rest);
  if (word !== "run")
    return pinning("unknown", word === undefined ? "no subcommand" : `"${word}" is not judged`);
  const divided = divide(rest, UV);
  const [script] = divided.rest;
  if (script !== undefined && /^https?:/i.test(script))
    return pinning("unpinned", "a script from a URL, which may be another one tomorrow");
  const added = extras(divided);
  const isFile = script === undefined || /\.pyw?$|[/\\]/.test(script);
  const isModule = divided.options.some(([name]) => name === "-m" || name === "--module");
  if (isFile || isModule || added.length === 0)
    return pinning("local", "a script or project folder of this machine");
  return leastExact(added.map(pythonSpec)) ?? pinning("unknown", "no package is named");
}

function extras(divided: ReturnType<typeof divide>): string[] {
  return valuesOf(divided, "--with", "-w").flatMap((value) => value.split(","));
}

export function pipx(args: readonly string[]): Pinning {
  const [word, ...rest] = divide(args, PIPX).rest;
  if (word !== "run")
    return pinning("unknown", word === undefined ? "no subcommand" : `"${word}" is not judged`);
  const divided = divide(rest, PIPX);
  const spec = valuesOf(divided, "--spec").at(-1) ?? divided.rest[0];
  return spec === undefined ? pinning("unknown", "no package is named") : pythonSpec(spec);
}

export function python(args: readonly string[]): Pinning {
  if (args.includes("-c")) return pinning("local", "the code is on the command line");
  const divided = divide(args, PYTHON);
  if (divided.options.some(([name]) => name === "-m"))
    return pinning("local", "a module installed on this machine, in whatever version it has there");
  if (divided.rest.length === 0) return pinning("unknown", "no file is named");
  return pinning("local", "a file of this machine");
}

/** `name==1.2`, `name@1.2` (uvx), `name>=1`, `git+https://…@ref`, a path, a download. */
export function pythonSpec(spec: string): Pinning {
  const text = spec.trim();
  const at = /^[A-Za-z0-9._-]+(?:\[[^\]]*\])?\s*@\s*((?:git\+|https?:|file:).*)$/.exec(text)?.[1] ?? text;
  if (/^git\+/.test(at)) {
    const [source = ""] = at.split("#", 1);
    const path = source.indexOf("/", source.indexOf("://") + 3);
    const mark = source.indexOf("@", Math.max(path, 0));
    const where = mark < 0 ? source : source.slice(0, mark);
    return gitPinning(where.replace(/\/\/[^/@]*@/, "//"), mark < 0 ? undefined : source.slice(mark + 1));
  }
  if (/^https?:/i.test(at)) {
    if (/#(.*&)?sha256=[0-9a-f]{64}/i.test(at)) return pinning("pinned", "a download with its SHA-256");
    return pinning("unpinned", "a download that may be another file tomorrow");
  }
  if (/^(\.{0,2}[/\\]|\.{1,2}$|~|file:|[A-Za-z]:[\\/])|\.(whl|tar\.gz|zip)$/.test(at))
    return pinning("local", "a package folder or file of this machine");
  const [, name, wanted] =
    /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[^\]]*\])?)\s*(.*)$/.exec(at) ?? [];
  if (name === undefined) return pinning("unknown", "not a package name");
  if (!wanted) return pinning("unpinned", `${name} without a version: whatever is newest is taken`);
  if (/^(={2,3}|@)\s*v?\d[\w.!+-]*$/.test(wanted))
    return pinning("pinned", `${name} ${wanted}, an exact version; what it depends on may still move`);
  return pinning("floating", `${name}${wanted} is a range or tag, which can move`);
}
