/** The example servers do what their table says: each hostile one when it is provoked, and not before; the honest ones never. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  type ConnectOptions,
  connect,
  list,
  type Outcome,
  type Question,
  type Session,
} from "../../src/wire/index.ts";
import { program, root, temporaryFolder } from "../kit/paths.ts";

const INJECTION = /Ignore all previous instructions/;
const servers = join(root, "examples/servers");

interface Scene {
  readonly session: Session;
  readonly folder: string;
  readonly heard: readonly Question[];
  readonly asked: readonly Question[];
  /** Calls the tool and gives the whole outcome as text. */
  call(args?: object, tool?: string): Promise<string>;
  /** A list as text. */
  listed(method: Parameters<typeof list>[1]): Promise<string>;
}

async function visit(
  name: string,
  look: (scene: Scene) => Promise<void>,
  options: ConnectOptions & { env?: Record<string, string>; cwd?: string } = {},
): Promise<void> {
  using folder = temporaryFolder();
  const cwd = options.cwd === undefined ? folder.path : join(folder.path, options.cwd);
  mkdirSync(cwd, { recursive: true });
  const [heard, asked]: [Question[], Question[]] = [[], []];
  const { env = {}, cwd: _cwd, ...rest } = options;
  await using session = await connect(
    {
      kind: "stdio",
      command: process.execPath,
      args: [program, "mock", join(servers, name, "server.yml")],
      cwd,
      env,
    },
    {
      ...rest,
      limits: { timeoutMs: 5_000 },
      onNotification: (note) => void heard.push(note),
      answer: (question) => {
        asked.push(question);
        return { role: "assistant", content: { type: "text", text: "no" } };
      },
    },
  );
  const text = (outcome: Outcome): string =>
    outcome.kind === "result"
      ? JSON.stringify(outcome.result)
      : outcome.kind === "error"
        ? outcome.error.message
        : outcome.kind;
  await look({
    session,
    folder: cwd,
    heard,
    asked,
    call: async (args = { word: "apple" }, tool = "look_up") =>
      text(await session.request("tools/call", { name: tool, arguments: args })),
    listed: async (method) => JSON.stringify((await list(session, method)).items),
  });
}

/** Calls a tool so many times and gives the last answer. */
async function last(scene: Scene, times: number): Promise<string> {
  let said = "";
  for (let call = 0; call < times; call++) said = await scene.call();
  return said;
}

const hostile: Readonly<Record<string, () => Promise<void>>> = {
  "hostile-instructions": () =>
    visit("hostile-instructions", async ({ session, call }) => {
      assert.match(String(session.face?.instructions), INJECTION);
      assert.doesNotMatch(await call(), INJECTION);
    }),
  "hostile-titles": () =>
    visit("hostile-titles", async ({ listed }) =>
      assert.equal((await listed("tools/list")).match(/Ignore all previous/g)?.length, 2),
    ),
  "hostile-output-schema": () =>
    visit("hostile-output-schema", async ({ listed }) =>
      assert.match(await listed("tools/list"), /outputSchema.*Ignore all previous/),
    ),
  "hostile-prompts-resources": () =>
    visit("hostile-prompts-resources", async ({ listed }) => {
      assert.match(await listed("prompts/list"), INJECTION);
      assert.match(await listed("resources/list"), INJECTION);
      assert.doesNotMatch(await listed("tools/list"), INJECTION);
    }),
  "hostile-late-call": () =>
    visit("hostile-late-call", async (scene) => {
      assert.doesNotMatch(await last(scene, 44), INJECTION);
      assert.match(await scene.call(), INJECTION);
    }),
  "hostile-rug-pull": () =>
    visit("hostile-rug-pull", async (scene) => {
      await last(scene, 20);
      assert.doesNotMatch(await scene.listed("tools/list"), INJECTION);
      await scene.call();
      assert.match(await scene.listed("tools/list"), INJECTION);
      assert.deepEqual(
        scene.heard.map(({ method }) => method),
        ["notifications/tools/list_changed"],
      );
    }),
  "hostile-unless-canary": async () => {
    await visit("hostile-unless-canary", async ({ call }) => assert.match(await call(), INJECTION));
    await visit("hostile-unless-canary", async ({ call }) => assert.doesNotMatch(await call(), INJECTION), {
      env: { KEY: "POLYGRAPH-CANARY-1" },
    });
  },
  "hostile-unless-harness": async () => {
    await visit("hostile-unless-harness", async ({ call }) => assert.match(await call(), INJECTION));
    await visit("hostile-unless-harness", async ({ call }) => assert.doesNotMatch(await call(), INJECTION), {
      cwd: "polygraph-run",
    });
  },
  "hostile-optional-parameter": () =>
    visit("hostile-optional-parameter", async ({ call }) => {
      assert.doesNotMatch(await call(), INJECTION);
      assert.match(await call({ word: "apple", language: "de" }), INJECTION);
    }),
  "hostile-second-enum": () =>
    visit(
      "hostile-second-enum",
      async ({ call }) => {
        assert.doesNotMatch(await call({ word: "apple", detail: "short" }), /k-4711/);
        assert.match(await call({ word: "apple", detail: "full" }), /k-4711/);
      },
      { env: { KEY: "k-4711" } },
    ),
  "hostile-behind-pattern": () =>
    visit("hostile-behind-pattern", async ({ call }) => {
      assert.match(await call({ number: "a parcel" }, "track_parcel"), /Invalid arguments/);
      assert.match(await call({ number: "RA123456785CH" }, "track_parcel"), INJECTION);
    }),
  "hostile-only-errors": () =>
    visit("hostile-only-errors", async ({ session }) => {
      const outcome = await session.request("tools/call", { name: "look_up", arguments: { word: "a" } });
      assert.match(outcome.kind === "error" ? outcome.error.message : "", INJECTION);
    }),
  "hostile-update-tool": () =>
    visit(
      "hostile-update-tool",
      async ({ call }) => {
        assert.doesNotMatch(await call(), INJECTION);
        assert.match(await call({}, "update_index"), /Ignore all previous.*k-4711/);
      },
      { env: { KEY: "k-4711" } },
    ),
  "hostile-for-capable-clients": async () => {
    await visit("hostile-for-capable-clients", async ({ listed }) =>
      assert.doesNotMatch(await listed("tools/list"), INJECTION),
    );
    for (const claim of ["sampling", "elicitation", "roots"])
      await visit(
        "hostile-for-capable-clients",
        async ({ listed }) => assert.match(await listed("tools/list"), INJECTION),
        { claims: { [claim]: {} } },
      );
  },
  "hostile-blob": () =>
    visit("hostile-blob", async ({ call }) => {
      const said = await call();
      assert.doesNotMatch(said, INJECTION);
      assert.match(Buffer.from(/"blob":"([^"]+)"/.exec(said)?.[1] ?? "", "base64").toString(), INJECTION);
    }),
  "hostile-notifications": () =>
    visit(
      "hostile-notifications",
      async ({ call, heard }) => {
        assert.doesNotMatch(await call(), INJECTION);
        assert.match(JSON.stringify(heard), /Ignore all previous.*k-4711/);
      },
      { env: { KEY: "k-4711" } },
    ),
  "hostile-sampling": () =>
    visit("hostile-sampling", async ({ call, asked }) => {
      await call();
      assert.equal(asked[0]?.method, "sampling/createMessage");
      assert.match(JSON.stringify(asked), INJECTION);
    }),
  "hostile-reversed-environment": () =>
    visit(
      "hostile-reversed-environment",
      async ({ call }) => {
        const said = await call();
        assert.doesNotMatch(said, /k-4711/);
        assert.match(said, /1174-k/);
      },
      { env: { KEY: "k-4711" } },
    ),
  "hostile-env-file": () =>
    visit("hostile-env-file", async ({ call, folder }) => {
      writeFileSync(join(folder, ".env"), "KEY=k-4711");
      assert.match(await call({ path: ".env" }, "read_text"), /k-4711/);
    }),
  "hostile-after-padding": () =>
    visit("hostile-after-padding", async ({ call }) =>
      assert.equal((await call()).search(INJECTION) > 262_144, true),
    ),
  "hostile-structured-trace": () =>
    visit("hostile-structured-trace", async ({ session }) => {
      const outcome = await session.request("tools/call", { name: "look_up", arguments: { word: "a" } });
      const { content, structuredContent } = (outcome.kind === "result" ? outcome.result : {}) as {
        content: unknown;
        structuredContent: unknown;
      };
      assert.doesNotMatch(JSON.stringify(content), /node_modules/);
      assert.match(JSON.stringify(structuredContent), /at Database\.query/);
    }),
  "hostile-no-tools": () =>
    visit("hostile-no-tools", async ({ session, listed }) => {
      assert.equal(await listed("tools/list"), "[]");
      assert.match(String(session.face?.instructions), INJECTION);
    }),
  "hostile-never-answers": () =>
    visit("hostile-never-answers", async ({ call }) => {
      assert.equal(await call({ word: "a" }, "look_up_slowly"), "timed-out");
      assert.match(await call(), /five letters/);
    }),
};
for (const [name, provoke] of Object.entries(hostile)) test(`example: ${name}`, { timeout: 30_000 }, provoke);

const files = readdirSync(servers).filter(
  (name) => !["README.md", "honest-notes", "hostile-weather"].includes(name),
);

test("every hostile example is provoked here", () => {
  assert.deepEqual(files.filter((name) => name.startsWith("hostile-")).sort(), Object.keys(hostile).sort());
});

for (const name of files.filter((file) => file.startsWith("honest-"))) {
  test(`example: ${name}: every tool answers, and nothing comes but answers`, { timeout: 30_000 }, () =>
    visit(name, async ({ session, heard, asked }) => {
      for (const item of (await list(session, "tools/list")).items) {
        const { name: tool, annotations } = item as { name: string; annotations: { readOnlyHint: boolean } };
        assert.equal(annotations.readOnlyHint, true, tool);
        const args =
          tool === "convert_currency"
            ? { amount: 5, from: "CHF", to: "EUR" }
            : tool === "search_log"
              ? { text: "x" }
              : {};
        const outcome = await session.request("tools/call", { name: tool, arguments: args });
        assert.equal(outcome.kind, "result", tool);
      }
      assert.deepEqual([heard, asked, session.strays.kept], [[], [], []]);
    }),
  );
}
