/** What to try next for a tool that has not succeeded: words that its own errors name, and what other tools have answered. */
import type { Exchange } from "../probes/index.ts";
import type { Fixtures } from "./kit.ts";

const MAX_WORDS = 12;
const MAX_CHARS = 120;

/** Short texts, the likeliest first. */
export function wordsToTry(
  tool: string,
  exchanges: readonly Exchange[],
  { files, folders }: Fixtures,
): string[] {
  const own = exchanges.filter((exchange) => exchange.tool === tool && exchange.outcome !== "done");
  const others = exchanges.filter((exchange) => exchange.tool !== tool && exchange.outcome === "done");
  const errors = own.flatMap(({ texts }) => texts).join("\n");
  const paths = [
    ...(/ENOTDIR|not a directory|is not a folder/i.test(errors) ? folders : []),
    ...(/EISDIR|is a directory|ENOENT|no such file/i.test(errors) ? files : []),
  ];
  const named = own.flatMap(({ texts }) => texts.flatMap(quoted));
  const listed = own.flatMap(({ texts }) => texts.flatMap(choices));
  const answered = others.flatMap(({ texts }) => texts.flatMap(lines));
  const sent = new Set(own.flatMap(({ args }) => JSON.stringify(args ?? "")));
  const isNew = (word: string): boolean => ![...sent].some((args) => args.includes(JSON.stringify(word)));
  return [...new Set([...paths, ...listed, ...answered, ...named])]
    .filter((word) => word !== "" && isNew(word))
    .slice(0, MAX_WORDS);
}

/** `expected one of: a, b, c`, `must be "x" or "y"`. */
function choices(text: string): string[] {
  const [, list = ""] =
    /(?:one of|expected|allowed|valid (?:values|options)|available)[^:[]{0,40}[:[]\s*([^\].\n]{1,400})/i.exec(
      text,
    ) ?? [];
  return list
    .split(/[,|]| or /)
    .map((word) => word.trim().replace(/^["'`]|["'`]$/g, ""))
    .filter(isShort);
}

const quoted = (text: string): string[] =>
  [...text.slice(0, 4096).matchAll(/["'`]([^"'`\n]{1,120})["'`]/g)]
    .map(([, word = ""]) => word)
    .filter(isShort);

/** Each line of an answer, and the texts in it when it is JSON. */
function lines(text: string): string[] {
  if (text.length > 16_384) return [];
  return text
    .split("\n")
    .flatMap((line) => {
      const plain = line.replace(/^[\s\-*\d.)]+/, "").trim();
      const [name = ""] = plain.split(/[:(]| - /);
      return [plain, name.trim()];
    })
    .filter(isShort);
}

const isShort = (word: string): boolean => word.length > 0 && word.length <= MAX_CHARS;
