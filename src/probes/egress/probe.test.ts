import { egress, NO_SANDBOX, REMOTE, START, testJudge } from "../../../test/kit/run.ts";
import type { GapEvent } from "../../sandbox/index.ts";
import { egress as probe } from "./probe.ts";

const gap: GapEvent = { kind: "gap", at: START + 1020, reason: "the log was full" };
const permitted = egress({ verdict: "permitted", ending: "forwarded" });

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
    name: "looking up a name is no connection",
    parts: {
      sandbox: [
        {
          kind: "dns",
          at: START,
          name: "api.example",
          type: "A",
          resolver: "10.0.0.1",
          protocol: "udp",
          answer: "none",
          query: "",
        },
      ],
    },
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
