/** A tool that changes in the middle of a session, in each mode of the control `drift`, where no list of the operator names it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../kit/paths.ts";
import { call, LIMIT, namesIn, reads, Servers, startGateway, textOf } from "./kit.ts";
import { until } from "./program.ts";

const DRIFTED = '"read" of notes is not the tool that was attested or locked';
const modes = [
  { drift: "observe", names: ["notes__count", "notes__read"], says: /^a note$/ },
  { drift: "warn", names: ["notes__count", "notes__read"], says: /^a note$/ },
  {
    drift: "enforce",
    names: ["notes__count"],
    says: /^Denied by drift: "read" of notes is not the tool that was attested or locked/,
  },
] as const;

for (const { drift, names, says } of modes)
  test(
    `drift: ${drift}: what was locked and has changed is a matter of drift, what was never locked stays away [POL-19, GTW-12]`,
    LIMIT,
    async () => {
      using folder = temporaryFolder();
      const servers = new Servers(folder.path);
      const before = { tools: [reads("read", "a note"), reads("count", "2")] };
      servers.set("notes", before);
      servers.lock({ notes: before });
      await using gateway = await startGateway(folder.path, {
        modes: { drift },
        servers: { notes: { ...servers.entry("notes"), locked: true, ungraded: true } },
      });
      await using session = await gateway.connect();
      const changed = reads("read", "a note", { description: "reads other notes" });
      servers.set("notes", { tools: [changed, reads("count", "2"), reads("new", "x")] });
      await until(() => gateway.entries("drift").length > 0);
      assert.deepEqual(await namesIn(session), names);
      assert.match(textOf(await call(session, "notes__read")), says);
      assert.match(
        textOf(await call(session, "notes__new")),
        /^Denied by allowed-tools: .* "new" is neither attested nor locked \(/,
      );
      const warned = gateway.told.filter((text) => text.startsWith("warning: "));
      assert.deepEqual(
        warned,
        drift === "warn" ? [`warning: notes: the tool "read" is let through, against drift: ${DRIFTED}`] : [],
      );
      assert.deepEqual(
        gateway.entries("drift").map(({ tool, outcome }) => [tool, outcome]),
        [["read", drift === "enforce" ? "denied" : "allowed"]],
      );
    },
  );
