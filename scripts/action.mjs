/** The step of the GitHub Action: inputs are variables, words of a command are a list, and no shell reads either. */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const input = (name) => process.env[`INPUT_${name}`] ?? "";
const lines = (name) =>
  input(name)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const folder = input("EVIDENCE") || "touchstone-evidence";
const target = input("TARGET");
if (target === "" || target.startsWith("-")) {
  console.error("the input target names what to grade, and does not begin with a hyphen");
  process.exit(2);
}
const words = [
  "grade",
  `--out=${folder}`,
  `--min-grade=${input("MIN_GRADE") || "B"}`,
  `--method=${input("METHOD") || "touchstone-1"}`,
  ...lines("ALLOW_HOSTS").map((host) => `--allow-host=${host}`),
  target,
  ...(lines("ARGUMENTS").length > 0 ? ["--", ...lines("ARGUMENTS")] : []),
];
const { status } = spawnSync(process.execPath, [program, ...words], { stdio: "inherit" });

/** A value that cannot end its line and begin another output. */
const output = (name, value) => {
  const file = process.env.GITHUB_OUTPUT;
  if (file) appendFileSync(file, `${name}=${String(value).replace(/[\r\n]/g, " ")}\n`);
};
const bundle = join(folder, "bundle.json");
if (existsSync(bundle)) {
  output("grade", JSON.parse(readFileSync(bundle, "utf8")).grade ?? "");
  output("sarif", join(folder, "grade.sarif"));
  const summary = join(folder, "summary.md");
  if (process.env.GITHUB_STEP_SUMMARY && existsSync(summary))
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, readFileSync(summary));
}
process.exit(status ?? 1);
