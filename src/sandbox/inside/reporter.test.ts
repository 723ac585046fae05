/** What the parent is told, and where that ends. */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import type { Report } from "../control.ts";
import type { DnsEvent, EgressEvent } from "../events.ts";
import { type Reporter, reporterTo } from "./reporter.ts";

const BUDGET = 32 * 1024 * 1024;
const LAST_CHARS = 684;
const TRIMMED = "only the first bytes are kept: there were too many connections";

/** A control socket that keeps what it is given. */
function told(): {
  readonly reporter: Reporter;
  readonly control: { destroyed: boolean };
  reports(): Report[];
} {
  const lines: string[] = [];
  const control = { destroyed: false, write: (line: string) => lines.push(line) };
  return {
    reporter: reporterTo(control as unknown as Socket),
    control,
    reports: () =>
      lines.map((line) => {
        assert.ok(line.endsWith("\n") && line.indexOf("\n") === line.length - 1, "one line each");
        return JSON.parse(line) as Report;
      }),
  };
}

const egress: EgressEvent = {
  kind: "egress",
  at: 1,
  host: "a.example",
  address: "198.18.0.1",
  port: 443,
  protocol: "tcp",
  verdict: "overreach",
  ending: "reset",
  firstBytes: "",
  bytes: 7,
  notes: ["a note"],
};
const query: DnsEvent = {
  kind: "dns",
  at: 1,
  name: "a.example",
  type: "A",
  resolver: "10.0.2.3",
  protocol: "udp",
  answer: "198.18.0.1",
  query: "",
};
const base64 = (chars: number): string => Buffer.alloc((chars / 4) * 3, "secret").toString("base64");

test("each report is one line, as it was given", () => {
  const { reporter, reports } = told();
  const limit = { kind: "limit", at: 2, limit: "time", reason: "two\nlines" } as const;
  const started = { kind: "started", at: 0, isExact: true } as const;
  reporter.say(started);
  reporter.event(egress);
  reporter.event(query);
  reporter.event(limit);
  assert.deepEqual(reports(), [started, egress, query, limit]);
});

test("a gap is told once for each reason", () => {
  const { reporter, reports } = told();
  for (const reason of ["one", "two", "one", "two", "one"]) reporter.gap(reason);
  assert.deepEqual(
    reports().map((report) => (report.kind === "gap" ? report.reason : "")),
    ["one", "two"],
  );
});

test("a parent that is gone is told nothing", () => {
  const { reporter, control, reports } = told();
  control.destroyed = true;
  reporter.event(egress);
  reporter.gap("one");
  reporter.say({ kind: "exit", at: 1, code: 0, peakMiB: 1 });
  assert.deepEqual(reports(), []);
});

test("connections and queries are told up to a number, then that there were more, once", () => {
  const { reporter, reports } = told();
  for (let i = 0; i < 10_000; i++) {
    reporter.event({ ...egress, at: i });
    reporter.event({ ...query, at: i });
  }
  const before = reports();
  assert.equal(before.length, 20_000);
  assert.ok(!before.some(({ kind }) => kind === "gap"));
  for (let i = 0; i < 50; i++) {
    reporter.event(egress);
    reporter.event(query);
  }
  const after = reports().slice(20_000);
  assert.deepEqual(
    after.map((report) => (report.kind === "gap" ? report.reason : report.kind)),
    ["more than 20000 connections and queries: the rest is not told"],
  );
});

test("what is no connection is told even then", () => {
  const { reporter, reports } = told();
  for (let i = 0; i < 20_001; i++) reporter.event(query);
  const read = { kind: "canary-read", at: 1, path: "/home/dev/.npmrc", how: "read" } as const;
  const limit = { kind: "limit", at: 2, limit: "memory", reason: "too much" } as const;
  const exit = { kind: "exit", at: 3, code: 137, peakMiB: 1 } as const;
  reporter.event(read);
  reporter.event(limit);
  reporter.say(exit);
  reporter.gap("another reason");
  const last = reports().slice(-4);
  assert.deepEqual(last.slice(0, 3), [read, limit, exit]);
  assert.equal(last[3]?.kind, "gap");
});

test("bytes are told up to a budget; after it the first ones of each, and that it is so", () => {
  const { reporter, reports } = told();
  const whole = { ...egress, firstBytes: base64(BUDGET) };
  const later = { ...egress, at: 2, firstBytes: base64(4_000) };
  reporter.event(whole);
  reporter.event(later);
  reporter.event(later);
  const [first, second, third] = reports() as EgressEvent[];
  assert.equal(first?.firstBytes.length, BUDGET);
  assert.deepEqual(first?.notes, ["a note"]);
  const cut = { ...later, firstBytes: later.firstBytes.slice(0, LAST_CHARS), notes: ["a note", TRIMMED] };
  assert.deepEqual([second, third], [cut, cut]);
  // It is cut where it can still be read.
  const bytes = Buffer.from(second?.firstBytes ?? "", "base64");
  assert.equal(bytes.toString("base64"), second?.firstBytes);
  assert.equal(bytes.length, 513);
});

test("what was said inside of TLS counts, and is cut, in the same way", () => {
  const { reporter, reports } = told();
  const tls = { sni: "a.example", alpn: ["http/1.1"] };
  reporter.event({
    ...egress,
    firstBytes: base64(BUDGET / 2),
    tls: { ...tls, plaintext: base64(BUDGET / 2) },
  });
  reporter.event({ ...egress, firstBytes: base64(4_000), tls: { ...tls, plaintext: base64(4_000) } });
  reporter.event({ ...egress, firstBytes: base64(4_000), tls: { ...tls, refusal: "no" } });
  const [first, second, third] = reports() as EgressEvent[];
  assert.equal(first?.tls?.plaintext?.length, BUDGET / 2);
  const kept = base64(4_000).slice(0, LAST_CHARS);
  assert.deepEqual([second?.firstBytes, second?.tls], [kept, { ...tls, plaintext: kept }]);
  assert.deepEqual([third?.firstBytes, third?.tls], [kept, { ...tls, refusal: "no" }]);
  assert.deepEqual(third?.notes, ["a note", TRIMMED]);
});

test("queries count, and are cut, in the same way", () => {
  const { reporter, reports } = told();
  reporter.event({ ...query, query: base64(BUDGET) });
  reporter.event({ ...query, query: base64(4_000) });
  reporter.event({ ...egress, firstBytes: base64(4_000) });
  const [first, second, third] = reports();
  const kept = base64(4_000).slice(0, LAST_CHARS);
  assert.equal(first?.kind === "dns" && first.query.length, BUDGET);
  assert.equal(second?.kind === "dns" && second.query, kept);
  assert.equal(third?.kind === "egress" && third.firstBytes, kept);
});
