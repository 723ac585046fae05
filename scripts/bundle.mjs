/** After the compiler: the two programs as bundles, since finding and reading some hundred small files is a third of what a command
 *  costs to start. Nothing is renamed or shortened, so that what is shipped can be read; the rooms stay as they were compiled. */
import { rmSync } from "node:fs";
import { build } from "esbuild";

const shared = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  logLevel: "warning",
};
// Parts are named by what is in them: those of an earlier build would stay.
rmSync("dist/cli", { recursive: true, force: true });
await Promise.all([
  build({ ...shared, entryPoints: ["src/cli/main.ts"], outdir: "dist/cli", splitting: true }),
  build({ ...shared, entryPoints: ["src/sandbox/inside/main.ts"], outdir: "dist/sandbox/inside" }),
]);
