/** What the name of a parameter lets one guess: its words, whether it is about time, a text that could stand there. */

/** `userEmail`, `user_email` and `UserEMAIL2` begin with the same word. */
export function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 80)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "");
}

const TIME: ReadonlySet<string> = new Set([
  ...["timeout", "duration", "delay", "wait", "sleep", "pause", "interval", "ttl", "debounce", "throttle"],
  ...["ms", "msec", "millis", "millisecond", "milliseconds", "sec", "secs", "second", "seconds"],
  ...["minute", "minutes", "hour", "hours", "backoff", "timeoutms", "waittime", "poll", "polling"],
]);

const TOLD_TIME =
  /\b(?:timeout|milliseconds?|how long|(?:in|of) seconds|(?:to|before) (?:wait|sleep)|delay)\b/i;

/** Whether a number here makes a server wait: then it gets the smallest one. */
export const isTimeLike = (name: string, description: string): boolean =>
  wordsOf(name).some((word) => TIME.has(word)) || TOLD_TIME.test(description);

const HARMLESS = new Set(["dryrun", "dry", "preview", "simulate", "noop", "readonly"]);

/** A flag that makes a call harmless is set, all others are not. */
export const likelyFlag = (name: string): boolean => wordsOf(name).some((word) => HARMLESS.has(word));

const table = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(rows).flatMap(([text, words]) => words.split(" ").map((word) => [word, text] as const)),
  );

/** Words that settle it, wherever they stand in the name. */
const STRONG = table({
  "user@example.com": "email mail recipient sender",
  "https://example.com/": "url uri link href website site webhook endpoint homepage",
  "example.txt": "path file filename filepath attachment",
  ".": "directory dir folder cwd workspace",
  "2025-01-15": "date day since until after before",
  "2025-01-15T12:00:00Z": "timestamp datetime",
  "12:00": "time",
  "1s": "timeout duration delay wait sleep interval ttl",
  Paris: "city town location place address destination origin",
  FR: "country",
  EUR: "currency",
  en: "language lang locale",
  UTC: "timezone tz",
  hello: "query search q keyword keywords term text message content body comment note prompt question input",
  "SELECT 1": "sql",
  "1 + 1": "expression formula equation math",
  "echo hello": "command cmd",
  "return 1": "code script javascript function",
  "{}": "json",
  "<p>hello</p>": "html markup",
  "example.com": "host hostname domain",
  "192.0.2.1": "ip ipaddress",
  "8080": "port",
  "1.0.0": "version",
  "+15550100": "phone telephone mobile",
  "#336699": "color colour",
  main: "branch ref",
  body: "selector",
  "*": "glob",
  user: "user username login author",
  "text/plain": "mime mimetype",
  AAPL: "ticker symbol",
  metric: "units",
  Example: "firstname lastname surname",
  "2025": "year",
});

const NUMBERED: ReadonlySet<string> = new Set([
  "id",
  "ids",
  "iid",
  "number",
  "index",
  "count",
  "offset",
  "token",
]);

/** Words that say little: asked when no other word of the name is known. */
const WEAK = table({
  "1": "id ids key number no index count size amount offset cursor token page value line",
  example: "name title label tag slug type kind category topic project repo repository owner",
  hello: "description summary reason data string",
});

/** A plausible text for a name; the plainest one when it says nothing. */
export function likelyText(name: string): string {
  const words = wordsOf(name).toReversed();
  // Whatever it is the number of, a number will do.
  if (NUMBERED.has(words[0] ?? "")) return "1";
  for (const known of [STRONG, WEAK]) {
    for (const word of words) {
      const text = known.get(word) ?? known.get(word.replace(/s$/, ""));
      if (text !== undefined) return text;
    }
  }
  return "example";
}

/** The name of one of many: `paths` holds a path. */
export const singular = (name: string): string => name.replace(/(?:list|array)$/i, "").replace(/s$/, "");
