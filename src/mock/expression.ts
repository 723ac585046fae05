/** The conditions of a mock: a small, closed part of CEL. Anything richer is refused by its name, never guessed at. */

export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** What a condition can look at, by name. */
export type Scope = Readonly<Record<string, unknown>>;

export interface Refusal {
  /** Characters from the beginning of the expression, from 1. */
  readonly at: number;
  readonly message: string;
}

type Node =
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "path"; readonly root: string; readonly keys: readonly string[] }
  | { readonly kind: "not"; readonly operand: Node }
  | { readonly kind: "binary"; readonly operator: Operator; readonly left: Node; readonly right: Node }
  | { readonly kind: "method"; readonly method: Method; readonly subject: Node; readonly argument: Node };

type Operator = "==" | "!=" | "&&" | "||" | "in";
type Method = "contains" | "startsWith";
export type Expression = Node;

export class ExpressionError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`${refusal.message} (character ${refusal.at})`);
    this.refusal = refusal;
  }
}

const MAX_CHARS = 2000;
const KNOWN = "== != && || ! in contains startsWith";

interface Token {
  readonly kind: "name" | "text" | "number" | "symbol" | "end";
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<number>-?\d+(?:\.\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<symbol>==|!=|&&|\|\||<=|>=|[!().,[\]<>+\-*/%?:{}]))/y;

/** What a symbol or word would be in a richer language, so that its refusal can be read. */
const RICHER: Readonly<Record<string, string>> = {
  "<": "comparison <",
  ">": "comparison >",
  "<=": "comparison <=",
  ">=": "comparison >=",
  "+": "arithmetic +",
  "-": "arithmetic -",
  "*": "arithmetic *",
  "/": "arithmetic /",
  "%": "arithmetic %",
  "?": "the conditional ? :",
  "{": "map literals",
};

function tokens(source: string): Token[] {
  if (source.length > MAX_CHARS)
    throw new ExpressionError({ at: 1, message: `longer than ${MAX_CHARS} characters` });
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (source.slice(TOKEN.lastIndex).trim() !== "") {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match?.groups) {
      const at = start + (source.slice(start).length - source.slice(start).trimStart().length) + 1;
      throw new ExpressionError({ at, message: `cannot read "${source[at - 1]}"` });
    }
    const [kind, text] = Object.entries(match.groups).find(([, value]) => value !== undefined) ?? [
      "symbol",
      "",
    ];
    found.push({ kind: kind as Token["kind"], text, at: TOKEN.lastIndex - text.length + 1 });
  }
  found.push({ kind: "end", text: "the end", at: source.length + 1 });
  return found;
}

/** Reads a condition. Throws ExpressionError for what is not part of the language. */
export function readExpression(source: string): Expression {
  const all = tokens(source);
  let position = 0;
  const peek = (): Token => all[position] ?? { kind: "end", text: "the end", at: source.length + 1 };
  const take = (): Token => {
    const token = peek();
    position += 1;
    return token;
  };
  const refuse = (token: Token, wanted: string): never => {
    const richer = RICHER[token.text];
    const message =
      richer === undefined ? `want ${wanted}, not ${token.text}` : `${richer} is not supported, use ${KNOWN}`;
    throw new ExpressionError({ at: token.at, message });
  };
  const accept = (text: string): boolean => {
    if (peek().text !== text || peek().kind === "text") return false;
    position += 1;
    return true;
  };
  const expect = (text: string): void => {
    if (!accept(text)) refuse(peek(), `"${text}"`);
  };

  const either = (): Node => {
    let left = both();
    while (accept("||")) left = { kind: "binary", operator: "||", left, right: both() };
    return left;
  };
  const both = (): Node => {
    let left = comparison();
    while (accept("&&")) left = { kind: "binary", operator: "&&", left, right: comparison() };
    return left;
  };
  const comparison = (): Node => {
    const left = unary();
    const operator = (["==", "!=", "in"] as const).find((known) => accept(known));
    return operator === undefined ? left : { kind: "binary", operator, left, right: unary() };
  };
  const unary = (): Node => (accept("!") ? { kind: "not", operand: unary() } : member(primary()));
  const member = (subject: Node): Node => {
    let node = subject;
    for (;;) {
      if (accept("[")) {
        const key = take();
        if (key.kind !== "text") refuse(key, "a quoted key");
        node = child(node, unquote(key.text), key);
        expect("]");
        continue;
      }
      if (!accept(".")) return node;
      const name = take();
      if (name.kind !== "name") refuse(name, "a name");
      node = accept("(") ? method(node, name) : child(node, name.text, name);
    }
  };
  const method = (subject: Node, name: Token): Node => {
    if (name.text !== "contains" && name.text !== "startsWith")
      throw new ExpressionError({ at: name.at, message: `${name.text}() is not supported, use ${KNOWN}` });
    const argument = either();
    expect(")");
    return { kind: "method", method: name.text, subject, argument };
  };
  const child = (node: Node, key: string, token: Token): Node => {
    if (node.kind !== "path") return refuse(token, "an operator");
    return { ...node, keys: [...node.keys, key] };
  };
  const primary = (): Node => {
    const token = take();
    if (token.kind === "text") return { kind: "literal", value: unquote(token.text) };
    if (token.kind === "number") return { kind: "literal", value: Number(token.text) };
    if (token.kind === "name") return named(token);
    if (token.text === "(") {
      const inner = either();
      expect(")");
      return inner;
    }
    if (token.text === "[") return list();
    return refuse(token, "a value");
  };
  const named = (token: Token): Node => {
    const constant = CONSTANTS[token.text];
    if (constant !== undefined) return { kind: "literal", value: constant.value };
    if (peek().text === "(" && peek().kind === "symbol")
      throw new ExpressionError({ at: token.at, message: `${token.text}() is not supported, use ${KNOWN}` });
    return { kind: "path", root: token.text, keys: [] };
  };
  const list = (): Node => {
    const items: Node[] = [];
    while (!accept("]")) {
      items.push(either());
      if (!accept(",") && peek().text !== "]") refuse(peek(), '"," or "]"');
    }
    return { kind: "list", items };
  };

  const expression = either();
  if (peek().kind !== "end") refuse(peek(), "an operator or the end");
  return expression;
}

const CONSTANTS: Readonly<Record<string, { readonly value: unknown }>> = {
  true: { value: true },
  false: { value: false },
  null: { value: null },
};

function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(.)/g, (_, letter: string) => ({ n: "\n", t: "\t", r: "\r" })[letter] ?? letter);
}

/** Whether a condition holds. A name that leads nowhere is null; nothing throws. */
export function holds(expression: Expression, scope: Scope): boolean {
  return evaluate(expression, scope) === true;
}

function evaluate(node: Expression, scope: Scope): unknown {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "list":
      return node.items.map((item) => evaluate(item, scope));
    case "path":
      return node.keys.reduce<unknown>(memberOf, memberOf(scope, node.root));
    case "not":
      return evaluate(node.operand, scope) !== true;
    case "method": {
      const [subject, argument] = [evaluate(node.subject, scope), evaluate(node.argument, scope)];
      if (node.method === "startsWith")
        return typeof subject === "string" && typeof argument === "string" && subject.startsWith(argument);
      if (typeof subject === "string") return typeof argument === "string" && subject.includes(argument);
      return isAmong(argument, subject);
    }
    case "binary":
      return compare(node, scope);
  }
}

function compare({ operator, left, right }: Expression & { kind: "binary" }, scope: Scope): boolean {
  if (operator === "&&") return evaluate(left, scope) === true && evaluate(right, scope) === true;
  if (operator === "||") return evaluate(left, scope) === true || evaluate(right, scope) === true;
  const [a, b] = [evaluate(left, scope), evaluate(right, scope)];
  if (operator === "in") return isAmong(a, b);
  return isSame(a, b) === (operator === "==");
}

/** `x in list`, or a name among the keys of a map. */
function isAmong(value: unknown, group: unknown): boolean {
  if (Array.isArray(group)) return group.some((item) => isSame(item, value));
  return (
    typeof group === "object" && group !== null && typeof value === "string" && Object.hasOwn(group, value)
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return (
    a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b))
  );
}

/** Own members only: `args.constructor` of an empty map is null. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
  return (value as Record<string, unknown>)[key];
}
