/** The two streams of a command: results on stdout, everything for people on stderr while JSON is asked for. */
import { asText, bounded, shown, type TrustError } from "../core/index.ts";

interface Colors {
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
  /** A line on stderr, for a command whose stdout is another program's. */
  aside(text?: string): void;
  /** What is going on right now: one line on a terminal that later lines replace, nothing elsewhere. */
  progress(text: string): void;
  /** Takes that line away, before somebody else writes to the terminal. */
  clear(): void;
  /** The result as one JSON document; nothing unless JSON is asked for. */
  json(value: unknown): void;
  fail(error: TrustError): void;
  /** From here on these values are replaced in whatever is printed: a server may echo what it was given. */
  hide(secrets: Hider | undefined): void;
  /** Foreign text for a line: secrets replaced before it is cut, control characters by number. */
  text(value: unknown, maxChars?: number): string;
}

interface Hider {
  text(text: string): string;
  value(value: unknown): unknown;
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

const MAX_LINE_CHARS = 2000;

/** Indented for people who read it; a document too large for that on one line. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return JSON.stringify(value);
  }
}

export function createOutput(isJson: boolean, { stdout, stderr, env }: Streams): Output {
  const human = isJson ? stderr : stdout;
  const color = colors(Boolean(human.isTTY) && !env.NO_COLOR && env.TERM !== "dumb");
  const errorColor = colors(Boolean(stderr.isTTY) && !env.NO_COLOR && env.TERM !== "dumb");
  let hider: Hider | undefined;
  const clean = (text: string): string => hider?.text(text) ?? text;
  // Messages name values of files and servers: secrets go first, then whatever would act on a terminal.
  const safe = (text: string): string =>
    clean(text)
      .split("\n")
      .map((line) => shown(line, MAX_LINE_CHARS))
      .join("\n");
  let hasProgress = false;
  const clear = (): void => {
    if (hasProgress) stderr.write("\r\u001b[K");
    hasProgress = false;
  };
  return {
    isJson,
    color,
    clear,
    text: (value, maxChars) => shown(clean(asText(value)), maxChars),
    hide(secrets) {
      hider = secrets;
    },
    line(text = "") {
      clear();
      human.write(`${clean(text)}\n`);
    },
    aside(text = "") {
      clear();
      stderr.write(`${clean(text)}\n`);
    },
    progress(text) {
      if (!stderr.isTTY || env.TERM === "dumb") return;
      clear();
      stderr.write(safe(text).slice(0, 79));
      hasProgress = true;
    },
    json(value) {
      clear();
      if (isJson) stdout.write(`${jsonText(hider ? hider.value(bounded(value)) : bounded(value))}\n`);
    },
    fail({ code, message, hint, exit }) {
      clear();
      stderr.write(`${errorColor.red("touchstone:")} ${safe(message)}\n`);
      if (hint) stderr.write(`  ${errorColor.dim(safe(hint))}\n`);
      if (isJson)
        stdout.write(
          `${JSON.stringify({ error: { code, message: clean(message), hint, exit } }, null, 2)}\n`,
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
