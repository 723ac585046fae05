import { egress, NO_SANDBOX, REMOTE, START, testJudge } from "../../../test/kit/run.ts";
import type { DnsEvent, GapEvent } from "../../sandbox/index.ts";
import { egress as probe } from "./probe.ts";

const gap: GapEvent = { kind: "gap", at: START + 1020, reason: "the log was full" };
const permitted = egress({ verdict: "permitted", ending: "forwarded" });

const dns = (name: string): DnsEvent => ({
  kind: "dns",
  at: START + 1010,
  name,
  type: "A",
  resolver: "10.0.0.1",
  protocol: "udp",
  answer: "none",
  query: "",
});

testJudge(probe, [
  { name: "silence passes", parts: {}, status: "pass", reason: "nothing was tried" },
  {
    name: "declared connections pass",
    parts: { sandbox: [permitted, permitted] },
    status: "pass",
    reason: "2 declared connections, nothing beyond",
  },
  {
    name: "a host beyond the list fails",
    parts: { sandbox: [permitted, egress({ host: "collector.example" })] },
    status: "fail",
    reason: "tried to reach collector.example:443",
    says: /^collector\.example:443:/,
  },
  {
    name: "a host for examples that an open call names is told, and does not fail",
    parts: {
      exchanges: [{ args: { url: "https://example.com/" }, startedAt: START + 900, endedAt: START + 1100 }],
      sandbox: [egress({ host: "example.com", at: START + 1010 })],
    },
    status: "pass",
    method: "touchstone-1",
    found: ["info"],
    reason: "nothing was tried but what calls had named",
  },
  {
    name: "the specification's text does not ask who named a host",
    parts: {
      exchanges: [{ args: { url: "https://example.com/" }, startedAt: START + 900, endedAt: START + 1100 }],
      sandbox: [egress({ host: "example.com", at: START + 1010 })],
    },
    status: "fail",
    method: "litmus-v5",
  },
  {
    name: "a host for examples that no call names fails",
    parts: {
      exchanges: [{ args: { url: "https://example.org/" }, startedAt: START + 900, endedAt: START + 1100 }],
      sandbox: [egress({ host: "example.com", at: START + 1010 })],
    },
    status: "fail",
  },
  {
    name: "a host for examples between calls fails",
    parts: {
      exchanges: [{ args: { url: "https://example.com/" }, startedAt: START + 900, endedAt: START + 1100 }],
      sandbox: [egress({ host: "example.com", at: START + 3000 })],
    },
    status: "fail",
  },
  {
    name: "another host fails, whatever a call names",
    parts: {
      exchanges: [
        { args: { url: "https://collector.example/" }, startedAt: START + 900, endedAt: START + 1100 },
      ],
      sandbox: [egress({ host: "collector.example", at: START + 1010 })],
    },
    status: "fail",
  },
  {
    name: "a declared host on another port fails with the reason",
    parts: { sandbox: [egress({ port: 8443, reason: "declared for port 443 only" })] },
    status: "fail",
    reason: "tried to reach api.example:8443: declared for port 443 only",
  },
  {
    name: "a bare address fails",
    parts: { sandbox: [egress({ host: "203.0.113.7", port: 22 })] },
    status: "fail",
  },
  {
    name: "datagrams fail",
    parts: { sandbox: [egress({ protocol: "udp", port: 53 })] },
    status: "fail",
    says: /\(udp\)/,
  },
  {
    name: "one place is told once, however often it was tried",
    parts: { sandbox: [egress(), egress(), egress()] },
    status: "fail",
    found: ["fail"],
  },
  {
    name: "several places are counted",
    parts: { sandbox: [egress(), egress({ host: "b.example" })] },
    status: "fail",
    found: ["fail", "fail"],
    reason: "tried to reach api.example:443, and 1 more",
  },
  {
    name: "the sandbox's own address is no host beyond",
    parts: { sandbox: [egress({ verdict: "loopback", host: "127.0.0.1" })] },
    status: "pass",
    reason: "nothing was tried",
  },
  {
    name: "the specification's text asks for connections alone",
    method: "litmus-v5",
    parts: { sandbox: [dns("api.example.com")] },
    status: "pass",
  },
  {
    name: "a name that is looked up and not declared fails",
    method: "touchstone-1",
    parts: { sandbox: [dns("api.example.com"), dns("api.example.com")] },
    status: "fail",
    found: ["fail"],
    says: /^api\.example\.com: looked up api\.example\.com, which is not declared/,
  },
  {
    name: "many names of one domain are told once",
    method: "touchstone-1",
    parts: { sandbox: Array.from({ length: 9 }, (_, index) => dns(`x${index}.t.example.com`)) },
    status: "fail",
    found: ["fail"],
    says: /^\*\.example\.com: looked up many names below example\.com/,
  },
  {
    name: "the name of a declared host may be looked up",
    parts: {
      terms: { allowed: [{ host: "*.example.com", port: 443, by: "package" }] },
      sandbox: [dns("API.example.com.")],
    },
    status: "pass",
  },
  {
    name: "a name that is connected to is told once, with its port",
    parts: { sandbox: [dns("api.example"), egress()] },
    status: "fail",
    found: ["fail"],
    says: /^api\.example:443/,
  },
  {
    name: "a name that a call has asked for may be looked up while it is open",
    parts: { exchanges: [{ args: { host: "Example.org" } }], sandbox: [dns("example.org")] },
    status: "pass",
  },
  {
    name: "to be asked later excuses nothing",
    method: "touchstone-1",
    parts: {
      exchanges: [{ args: { host: "example.org" }, startedAt: START + 5000 }],
      sandbox: [dns("example.org")],
    },
    status: "fail",
  },
  {
    name: "names of this machine, and questions who has an address, are fine",
    parts: { sandbox: ["localhost", "devbox", "1.0.0.127.in-addr.arpa", "printer.local"].map(dns) },
    status: "pass",
  },
  {
    name: "a gap is not passed",
    parts: { sandbox: [permitted, gap] },
    status: "partial",
    reason: "not everything was observed",
    found: ["warn"],
  },
  {
    name: "what was seen beside a gap fails",
    parts: { sandbox: [gap, egress()] },
    status: "fail",
    found: ["fail", "warn"],
  },
  {
    name: "a remote server is skipped",
    parts: { terms: REMOTE },
    status: "skipped",
    reason: "remote target",
  },
  {
    name: "a remote server is skipped as such, sandbox or not",
    parts: { terms: { ...REMOTE, ...NO_SANDBOX } },
    status: "skipped",
    reason: "remote target",
  },
  {
    name: "without a sandbox it is skipped",
    parts: { terms: NO_SANDBOX },
    status: "skipped",
    reason: "no sandbox",
  },
  {
    name: "why there is no sandbox does not change the words",
    parts: { terms: { sandbox: { status: "skipped", reason: "other words", detail: "--sandbox none" } } },
    status: "skipped",
    reason: "no sandbox",
  },
]);
