/** One run of `init`. */
import { existsSync, writeFileSync } from "node:fs";
import { count, type ExitCode, TrustError } from "../../core/index.ts";
import { firstSuite, NotOpened } from "../../suite/index.ts";
import { openingError } from "../../surface/index.ts";
import type { Words } from "../command.ts";
import { containment } from "../contain.ts";
import type { Output } from "../output.ts";
import { targetFrom } from "../target-options.ts";
import { startTape, testedServer } from "./server.ts";

export async function runInit(words: Words, out: Output): Promise<ExitCode> {
  const file = words.text("output") ?? "touchstone.test.yml";
  if (file !== "-" && existsSync(file))
    throw new TrustError("CLI_BAD_VALUE", `${file} exists already`, {
      hint: "give another file with --output, or - to print it",
    });
  const target = await targetFrom(words, out);
  const tape = startTape(undefined, target.secrets, target.label);
  const contain = await containment(words, out.progress);
  const { server } = await testedServer(target.label, target, { contain, tape, era: target.era });
  const name = words.text("name") ?? plainName(target.label);
  try {
    const { text, tests, left } = await firstSuite(server, name, target.launch);
    out.json({ file, tests, left, text });
    if (file === "-") {
      if (!out.isJson) for (const line of text.trimEnd().split("\n")) out.line(line);
      return 0;
    }
    writeFileSync(file, text, { flag: "wx" });
    out.line(`${file}: ${count(tests, "test")}; run it with touchstone test`);
    if (left.length > 0)
      out.line(`no arguments could be made for ${left.map((one) => out.text(one, 80)).join(", ")}`);
    return 0;
  } catch (thrown) {
    throw thrown instanceof NotOpened ? openingError(target, thrown.session) : thrown;
  } finally {
    await tape.close();
  }
}

/** A name that a suite takes: letters, digits, dots, dashes. */
function plainName(label: string): string {
  const last = label.split("/").at(-1) ?? label;
  return (
    last
      .replace(/@[^@]*$/, "")
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "") || "server"
  );
}
