/** What must be true of our client with any server that has the common tools, each fact with the meetings it applies to. */
import assert from "node:assert/strict";
import {
  type Era,
  list,
  type Outcome,
  type Question,
  type RecordedEvent,
  type RequestOptions,
  type Session,
} from "../../src/wire/index.ts";
import {
  errorOf,
  type Heard,
  isListChange,
  isProgress,
  memberOf,
  resultOf,
  serverFrames,
  standingStream,
  textOf,
} from "./kit.ts";

/** One session with one server, and all that was heard in it. */
export interface Meeting {
  readonly session: Session;
  readonly era: Era;
  readonly transport: "stdio" | "http" | "sse";
  readonly server: string;
  readonly tools: readonly string[];
  readonly unknownTool: "error" | "tool error";
  /** Legacy HTTP without a session: nothing of the server's own reaches the client. */
  readonly isStateless: boolean;
  readonly heard: Heard<RecordedEvent>;
  readonly notes: Heard<Question>;
  readonly questions: readonly Question[];
}

interface Fact {
  readonly name: string;
  readonly applies?: (meeting: Meeting) => boolean;
  readonly check: (meeting: Meeting) => Promise<void> | void;
}

const PATIENCE = { timeoutMs: 10_000 } as const;

const call = (
  { session }: Meeting,
  name: string,
  given: object = {},
  more: RequestOptions = {},
): Promise<Outcome> => session.request("tools/call", { name, arguments: given }, { ...PATIENCE, ...more });

const isModernHttp = ({ era, transport }: Meeting): boolean => era === "modern" && transport === "http";

let labels = 0;

export const facts: readonly Fact[] = [
  {
    name: "the session is open in that era",
    check({ session, era, transport, server }) {
      assert.equal(session.isOpen, true);
      assert.equal(session.era, era);
      assert.equal(session.transport, transport);
      assert.equal(session.face?.version, era === "modern" ? "2026-07-28" : "2025-11-25");
      assert.equal(session.face?.instructions, "A peer for tests.");
      assert.equal(memberOf(session.face?.info, "name"), server);
    },
  },
  {
    name: "a stdio server was started once",
    applies: ({ transport }) => transport === "stdio",
    check: ({ heard }) => assert.equal(heard.all.filter(({ ev }) => ev === "spawn").length, 1),
  },
  {
    name: "every tool is listed as it was sent",
    async check({ session, heard, tools }) {
      const { items, end } = await list(session, "tools/list");
      assert.equal(end, "complete");
      assert.deepEqual(items.map((tool) => memberOf(tool, "name")).sort(), tools);
      const sent = serverFrames(heard.all).map(({ result }) => memberOf(result, "tools"));
      assert.deepEqual(items, sent.filter(Array.isArray).flat());
      const echo = items.find((tool) => memberOf(tool, "name") === "echo");
      assert.deepEqual(memberOf(echo, "_meta"), { "example.com/shelf": 3 });
    },
  },
  {
    name: "a tool answers",
    check: async (met) => assert.equal(textOf(await call(met, "echo", { text: "gold ☉" })), "gold ☉"),
  },
  {
    name: "a structured result arrives whole",
    check: async (met) =>
      assert.deepEqual(resultOf(await call(met, "weigh")).structuredContent, { grams: 42 }),
  },
  {
    name: "resources and prompts are read",
    async check({ session }) {
      const note = await session.request("resources/read", { uri: "note://first" });
      assert.deepEqual(resultOf(note).contents, [
        { uri: "note://first", mimeType: "text/plain", text: "the first note" },
      ]);
      const prompt = await session.request("prompts/get", { name: "welcome", arguments: { guest: "Ada" } });
      assert.deepEqual(resultOf(prompt).messages, [
        { role: "user", content: { type: "text", text: "Welcome Ada" } },
      ]);
      assert.equal((await list(session, "resources/templates/list")).items.length, 1);
    },
  },
  {
    name: "a question asked on the way is answered",
    applies: ({ isStateless }) => !isStateless,
    async check(met) {
      assert.equal(textOf(await call(met, "greet")), "Hello, Ada");
      assert.deepEqual(
        met.questions.map(({ method, params }) => [method, memberOf(params, "message")]),
        [["elicitation/create", "What is your name?"]],
      );
    },
  },
  {
    name: "without a session a question finds no way to us, and the call says so",
    applies: ({ isStateless }) => isStateless,
    async check(met) {
      assert.equal(resultOf(await call(met, "greet")).isError, true);
      assert.deepEqual(met.questions, []);
    },
  },
  {
    name: "a question is handed to the caller who wants it",
    applies: ({ era }) => era === "modern",
    async check(met) {
      const outcome = await call(met, "greet", {}, { keepInput: true });
      assert.equal(outcome.kind, "input-required");
      const asked = outcome.kind === "input-required" ? outcome.result : undefined;
      assert.equal(asked?.requestState, "half way");
      assert.deepEqual(Object.keys(asked?.inputRequests ?? {}), ["name"]);
    },
  },
  {
    name: "progress is heard, each step under the id of its call",
    async check(met) {
      const before = met.notes.all.length;
      const outcome = await call(met, "count", { to: 3 }, { progressUpToMs: 10_000 });
      assert.equal(textOf(outcome), "counted to 3");
      assert.deepEqual(
        met.notes.all
          .slice(before)
          .filter(isProgress)
          .map(({ params }) => params),
        [1, 2, 3].map((progress) => ({ progressToken: outcome.id, progress, total: 3 })),
      );
    },
  },
  {
    name: "an unknown tool is refused",
    async check(met) {
      const outcome = await call(met, "no such tool");
      if (met.unknownTool === "error") assert.equal(errorOf(outcome).code, -32602);
      else assert.equal(resultOf(outcome).isError, true);
    },
  },
  {
    name: "an unknown method is refused",
    async check(met) {
      const { code, status } = errorOf(await met.session.request("touchstone/none"));
      assert.equal(code, -32601);
      if (isModernHttp(met)) assert.equal(status, 404);
    },
  },
  {
    name: "a call that was cancelled is over for us and for the server",
    async check(met) {
      const label = `cut ${labels++}`;
      const stop = new AbortController();
      const before = met.notes.all.length;
      const more = { signal: stop.signal, progressUpToMs: 10_000 };
      const open = call(met, "count", { to: 400, label }, more);
      await met.notes.until(isProgress, before);
      stop.abort();
      assert.equal((await open).kind, "cancelled");
      await noticed(met, label);
    },
  },
  {
    name: "a call that was timed out is over for us and for the server",
    async check(met) {
      const label = `cut ${labels++}`;
      const outcome = await call(met, "count", { to: 400, label }, { timeoutMs: 250 });
      assert.equal(outcome.kind, "timed-out");
      await noticed(met, label);
    },
  },
  {
    name: "an argument that must be mirrored as a header is",
    applies: ({ tools }) => tools.includes("route"),
    async check(met) {
      const before = met.heard.all.length;
      assert.equal(textOf(await call(met, "route", { region: "Zürich" })), "to Zürich");
      const sent = met.heard.all.slice(before).find(({ ev }) => ev === "http-request");
      const header = memberOf(sent?.headers, "mcp-param-region");
      assert.equal(header, isModernHttp(met) ? "=?base64?WsO8cmljaA==?=" : undefined);
    },
  },
  ...[
    { header: "mcp-param-region", value: "Bern" },
    { header: "mcp-name", value: "echo" },
    { header: "mcp-method", value: "tools/list" },
  ].map(
    ({ header, value }): Fact => ({
      name: `a wrong ${header} is refused as a header mismatch`,
      applies: isModernHttp,
      async check(met) {
        const headers = { [header]: value };
        const { code, status } = errorOf(await call(met, "route", { region: "Zürich" }, { headers }));
        assert.deepEqual({ code, status }, { code: -32020, status: 400 });
      },
    }),
  ),
  {
    name: "a changed list of tools is heard of on the standing stream",
    applies: ({ era, isStateless }) => era === "legacy" && !isStateless,
    async check(met) {
      if (met.transport === "http") await standingStream(met.heard);
      assert.equal(textOf(await call(met, "announce")), "announced");
      await met.notes.until(isListChange);
    },
  },
  {
    name: "a changed list of tools is heard of by listening, until we stop",
    applies: ({ era }) => era === "modern",
    async check(met) {
      const stop = new AbortController();
      const params = { notifications: { toolsListChanged: true } };
      const listening = met.session.request("subscriptions/listen", params, { signal: stop.signal });
      const yes = await met.notes.until(
        ({ method }) => method === "notifications/subscriptions/acknowledged",
      );
      assert.deepEqual(memberOf(yes.params, "notifications"), { toolsListChanged: true });
      assert.equal(textOf(await call(met, "announce")), "announced");
      const { params: change } = await met.notes.until(isListChange);
      stop.abort();
      const { kind, id } = await listening;
      assert.equal(kind, "cancelled");
      const meta = memberOf(change, "_meta");
      assert.equal(memberOf(meta, "io.modelcontextprotocol/subscriptionId"), id);
    },
  },
  {
    name: "no frame was left over",
    check({ session }) {
      const left = session.strays.kept.map(({ reason, head }) => `${reason}: ${head.toString("utf8")}`);
      assert.deepEqual(left, []);
    },
  },
  {
    name: "after the end there is an ending, not a hang",
    async check(met) {
      await met.session.close();
      assert.equal((await call(met, "echo", { text: "too late" })).kind, "closed");
    },
  },
];

/** The server has seen that the call of this label was given up. */
async function noticed(met: Meeting, label: string): Promise<void> {
  // A server that keeps nothing between requests cannot connect a cancellation with its call.
  if (met.isStateless) return;
  assert.equal(textOf(await call(met, "was-cancelled", { label })), "yes");
}
