/** What the client programs do with a server, whichever SDK they are made of, and the one document they print. */

const PATIENCE = { timeout: 5_000 };
const NOT_THERE = "no such tool";

/** How a piece of work ended: its value, or what was thrown. */
export async function outcome(work) {
  try {
    return { result: await work() };
  } catch (error) {
    const { name, code, message, data } = error;
    return { error: { name, code, message, data } };
  }
}

/** A promise that resolves at `open()`, or rejects after a while. */
export function gate(what) {
  let open;
  const opened = new Promise((done, fail) => {
    open = done;
    setTimeout(() => fail(new Error(`${what}: waited in vain`)), PATIENCE.timeout).unref();
  });
  opened.catch(() => {});
  return { open, opened };
}

/** A fetch that tells when the standing stream of a legacy session has begun. */
export function watchedFetch(standing) {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method === "GET" && response.ok) standing.open();
    return response;
  };
}

/**
 * @param client an SDK client, connected
 * @param {{ call: Function, ready: () => Promise<unknown>, changed: Promise<unknown> }} how
 *   `call(params, options)` calls a tool, `ready` makes sure announcements are heard, `changed` is the first of them
 */
export async function exercise(client, { call, ready, changed }) {
  const named = (name, given = {}, options = {}) =>
    outcome(() => call({ name, arguments: given }, { ...PATIENCE, ...options }));
  const seen = {};
  seen.tools = await outcome(() => allTools(client));
  // A list that was refused leaves nothing to call.
  if (seen.tools.error) return seen;
  seen.echo = await named("echo", { text: "gold" });
  seen.weigh = await named("weigh");
  seen.route = await named("route", { region: "Zürich" });
  seen.greet = await named("greet");
  seen.unknown = await named(NOT_THERE);

  seen.progress = [];
  seen.count = await named(
    "count",
    { to: 3, label: "whole" },
    { onprogress: (step) => void seen.progress.push(step) },
  );

  const stop = new AbortController();
  const label = `cut ${process.pid}`;
  seen.cut = await named(
    "count",
    { to: 500, label },
    { signal: stop.signal, onprogress: () => stop.abort("enough") },
  );
  seen.wasCancelled = await named("was-cancelled", { label });

  seen.resources = await outcome(() => client.listResources());
  seen.note = await outcome(() => client.readResource({ uri: "note://first" }));
  seen.missingNote = await outcome(() => client.readResource({ uri: "note://absent" }));
  seen.prompts = await outcome(() => client.listPrompts());
  seen.prompt = await outcome(() => client.getPrompt({ name: "welcome", arguments: { guest: "Ada" } }));

  seen.ready = await outcome(ready);
  seen.announce = await named("announce");
  seen.changed = await outcome(() => changed);
  return seen;
}

async function allTools(client) {
  const tools = [];
  for (let cursor; ; ) {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) return tools;
  }
}

/** The question a server may ask us, and our answer to it. */
export function answerer(questions) {
  return async ({ params }) => {
    questions.push(params);
    return { action: "accept", content: { name: "Ada" } };
  };
}

/** Runs one client program: its document goes to stdout, whatever happened. */
export async function report(work) {
  // Nothing else may keep the process alive while a transport is being closed.
  const alive = setInterval(() => {}, 1_000);
  const document = await outcome(work);
  clearInterval(alive);
  process.stdout.write(`${JSON.stringify(document.result ?? document)}\n`, () => process.exit(0));
}
