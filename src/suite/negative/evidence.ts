/** What is kept of a request and its answer: enough to see what happened, never all of a large one. */
import { shown } from "../../core/index.ts";

const MAX_CHARS = 300;
const MAX_NAME_CHARS = 100;
const MAX_ITEMS = 20;
const MAX_NODES = 400;
const MAX_DEPTH = 12;

/** A copy with long texts cut, and with what lies too far down, or is too much, left out and counted. */
export function excerpt(value: unknown): unknown {
  const room = { nodes: MAX_NODES };
  return cut(value, room, 0);
}

function cut(value: unknown, room: { nodes: number }, depth: number): unknown {
  room.nodes -= 1;
  if (typeof value === "string") return cutText(value, MAX_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH || room.nodes <= 0) return "…";
  if (Array.isArray(value)) {
    const kept = value.slice(0, MAX_ITEMS).map((item) => cut(item, room, depth + 1));
    return value.length > MAX_ITEMS ? [...kept, `… (+${value.length - MAX_ITEMS} items)`] : kept;
  }
  const members = Object.entries(value);
  const kept = members
    .slice(0, MAX_ITEMS * 2)
    .map(([name, member]) => [cutText(name, MAX_NAME_CHARS), cut(member, room, depth + 1)]);
  const left = members.length - kept.length;
  return Object.fromEntries(left > 0 ? [...kept, ["…", `+${left} members`]] : kept);
}

function cutText(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}… (+${text.length - max} characters)` : text;
}

/** A place in the arguments as a JSON Pointer, safe to print. */
export function pathText(path: readonly (string | number)[]): string {
  const tokens = path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return shown(tokens.join(""), MAX_NAME_CHARS) || "arguments";
}

/** Every text in a value, names included; bounded. */
export function textsIn(value: unknown, maxTexts = 2000): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined && found.length < maxTexts; next = open.pop()) {
    if (typeof next === "string") found.push(next);
    else if (typeof next === "number") found.push(String(next));
    else if (typeof next === "object" && next !== null)
      for (const [name, member] of Object.entries(next).slice(0, maxTexts)) {
        if (!Array.isArray(next)) found.push(name);
        if (member !== undefined && member !== null) open.push(member);
      }
  }
  return found;
}
