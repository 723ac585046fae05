/** The two streams of a command: results on stdout, everything for people on stderr while JSON is asked for. */
import type { TrustError } from "../core/index.ts";

export interface Colors {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

export interface Output {
  readonly isJson: boolean;
  readonly color: Colors;
  /** A line of the result for people. Goes to stderr when JSON is asked for, so that stdout stays one document. */
  line(text?: string): void;
  /** What is going on right now: one line on a terminal that later lines replace, nothing elsewhere. */
  progress(text: string): void;
  /** The result as one JSON document; nothing unless JSON is asked for. */
  json(value: unknown): void;
  fail(error: TrustError): void;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createOutput(isJson: boolean, { stdout, stderr, env }: Streams): Output {
  const human = isJson ? stderr : stdout;
  const color = colors(Boolean(human.isTTY) && !env.NO_COLOR && env.TERM !== "dumb");
  const errorColor = colors(Boolean(stderr.isTTY) && !env.NO_COLOR && env.TERM !== "dumb");
  let hasProgress = false;
  const clear = (): void => {
    if (hasProgress) stderr.write("\r\u001b[K");
    hasProgress = false;
  };
  return {
    isJson,
    color,
    line(text = "") {
      clear();
      human.write(`${text}\n`);
    },
    progress(text) {
      if (!stderr.isTTY || env.TERM === "dumb") return;
      clear();
      stderr.write(text.slice(0, 79));
      hasProgress = true;
    },
    json(value) {
      clear();
      if (isJson) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    fail(error) {
      clear();
      stderr.write(`${errorColor.red("touchstone:")} ${error.message}\n`);
      if (error.hint) stderr.write(`  ${errorColor.dim(error.hint)}\n`);
      if (isJson)
        stdout.write(
          `${JSON.stringify({ error: { code: error.code, message: error.message, hint: error.hint, exit: error.exit } }, null, 2)}\n`,
        );
    },
  };
}

function colors(isOn: boolean): Colors {
  const paint = (open: number, close: number) => (text: string) =>
    isOn ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
  };
}
