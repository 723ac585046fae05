/** What a command is, and how its words are read. Thin on top of `util.parseArgs`. */
import { parseArgs } from "node:util";
import { didYouMean, type ExitCode, TrustError } from "../core/index.ts";
import type { Output } from "./output.ts";

export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** How the value is called in the help text. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What stands after the name: `[options] TARGET`. */
  readonly usage: string;
  /** True for a command without arguments: one given anyway is an error. */
  readonly takesNothing?: boolean;
  /** A paragraph or two on what it does and does not do. */
  readonly about: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Command lines that work, each with what it is for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  run(words: Words, out: Output): Promise<ExitCode>;
}

export interface Words {
  readonly positionals: readonly string[];
  /** Everything after `--`; undefined when there is no `--`. */
  readonly rest: readonly string[] | undefined;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

/** Options that every command has. */
export const COMMON: Readonly<Record<string, Option>> = {
  json: { type: "boolean", help: "print one JSON document on stdout, everything else on stderr" },
  help: { type: "boolean", short: "h", help: "show this help" },
};

export function readWords(command: Command, argv: readonly string[]): Words {
  const options = { ...command.options, ...COMMON };
  const dashes = argv.indexOf("--");
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  const { values, positionals, tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short, multiple }]) => [
        name,
        { type, multiple: multiple ?? false, ...(short ? { short } : {}) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) {
      const near = didYouMean(
        `--${token.name}`,
        Object.keys(options).map((name) => `--${name}`),
      );
      throw new TrustError("CLI_UNKNOWN_OPTION", `${command.name}: no option ${token.rawName}${near}`);
    }
    const isSwallowed =
      option.type === "string" && token.inlineValue === false && token.value?.startsWith("-");
    checkValue(command.name, token.rawName, option, isSwallowed ? undefined : token.value);
  }
  return {
    positionals,
    rest: dashes < 0 ? undefined : argv.slice(dashes + 1),
    text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    texts: (name) => (Array.isArray(values[name]) ? values[name].map(String) : []),
    flag: (name) => values[name] === true,
  };
}

function checkValue(command: string, name: string, option: Option, value: string | undefined): void {
  if (option.type === "boolean") {
    if (value !== undefined) throw new TrustError("CLI_BAD_VALUE", `${command}: ${name} takes no value`);
    return;
  }
  if (value === undefined)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `${command}: ${name} needs a value: ${name} ${option.value ?? "VALUE"}`,
    );
  if (option.choices && !option.choices.includes(value)) {
    const near = didYouMean(value, option.choices);
    throw new TrustError(
      "CLI_BAD_VALUE",
      `${command}: ${name}: want ${option.choices.join(", ")}, not "${value}"${near}`,
    );
  }
}

/** A whole number of at least 1 from an option, or undefined. */
export function wholeNumber(words: Words, name: string): number | undefined {
  const text = words.text(name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new TrustError("CLI_BAD_VALUE", `--${name}: want a whole number from 1 to 999999, not "${text}"`);
  return Number(text);
}
