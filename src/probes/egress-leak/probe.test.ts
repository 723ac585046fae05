import { ENVIRONMENT_KEY, egress, kit, NO_SANDBOX, REMOTE, START, testJudge } from "../../../test/kit/run.ts";
import type { DnsEvent } from "../../sandbox/index.ts";
import { egressLeak } from "./probe.ts";

const { value } = ENVIRONMENT_KEY;
const [mine] = kit().secrets() as [{ id: string; value: string }];
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
const inTls = (text: string) =>
  egress({ sent: "\u0016\u0003\u0001", tls: { alpn: [], plaintext: Buffer.from(text).toString("base64") } });
const hex = Buffer.from(value).toString("hex");

const API = { host: "api.example", port: 443, by: "operator" };
const passedOn = (parts: Parameters<typeof egress>[0] = {}) =>
  egress({ verdict: "permitted", sent: `q=${mine.value}`, ...parts });

testJudge(egressLeak, [
  {
    name: "silence passes",
    parts: {},
    status: "pass",
    reason: "0 connections and 0 queries for names looked at",
  },
  {
    name: "connections without secrets pass",
    parts: { sandbox: [egress(), dns("api.example")] },
    status: "pass",
    reason: "1 connection and 1 query for names looked at",
  },
  {
    name: "a secret in what is sent fails",
    parts: { sandbox: [egress({ sent: `GET /?k=${value} HTTP/1.1` })] },
    status: "fail",
    found: ["fail"],
    says: /^api\.example:443: the planted secret environment:api-key was sent/,
  },
  {
    name: "a secret inside TLS fails",
    parts: { sandbox: [inTls(`Authorization: Bearer ${value}`)] },
    status: "fail",
  },
  {
    name: "a secret to a permitted host fails",
    parts: { sandbox: [egress({ verdict: "permitted", sent: value })] },
    status: "fail",
  },
  {
    name: "a secret in a name that is looked up fails",
    parts: { sandbox: [dns(`${hex.slice(0, 60)}.${hex.slice(60)}.evil.example`)] },
    status: "fail",
    says: /^query for /,
  },
  {
    name: "a secret in two connections fails",
    parts: {
      sandbox: [egress({ sent: value.slice(0, 20) }), egress({ host: "b.example", sent: value.slice(20) })],
    },
    status: "fail",
  },
  {
    name: "a secret that was given in arguments fails",
    parts: { exchanges: [{ canaries: [mine] }], sandbox: [egress({ sent: `text=${mine.value}` })] },
    status: "fail",
  },
  {
    name: "what a call is given may go to a host that the operator allows",
    method: "touchstone-1",
    parts: { terms: { allowed: [API] }, exchanges: [{ canaries: [mine] }], sandbox: [passedOn()] },
    status: "pass",
    found: ["info"],
    says: /was passed on to a host that the operator allows/,
  },
  {
    name: "the specification's text knows no such host",
    method: "litmus-v5",
    parts: { terms: { allowed: [API] }, exchanges: [{ canaries: [mine] }], sandbox: [passedOn()] },
    status: "fail",
  },
  {
    name: "what goes to a host that only the package declares is another probe's",
    method: "touchstone-1",
    parts: {
      terms: { allowed: [{ ...API, by: "package" }] },
      exchanges: [{ canaries: [mine] }],
      sandbox: [passedOn()],
    },
    status: "pass",
  },
  {
    name: "by the specification's text it is a leak",
    method: "litmus-v5",
    parts: {
      terms: { allowed: [{ ...API, by: "package" }] },
      exchanges: [{ canaries: [mine] }],
      sandbox: [passedOn()],
    },
    status: "fail",
  },
  {
    name: "a package does not excuse what it keeps until after the call",
    parts: {
      terms: { allowed: [{ ...API, by: "package" }] },
      exchanges: [{ canaries: [mine] }],
      sandbox: [passedOn({ at: START + 60_000 })],
    },
    status: "fail",
  },
  {
    name: "another port of that host is another place",
    parts: {
      terms: { allowed: [{ ...API, port: 8443 }] },
      exchanges: [{ canaries: [mine] }],
      sandbox: [passedOn()],
    },
    status: "fail",
  },
  {
    name: "what goes there after the call was kept, and fails",
    parts: {
      terms: { allowed: [API] },
      exchanges: [{ canaries: [mine] }],
      sandbox: [passedOn({ at: START + 60_000 })],
    },
    status: "fail",
  },
  {
    name: "what goes there and elsewhere fails, and says where",
    method: "touchstone-1",
    parts: {
      terms: { allowed: [API] },
      exchanges: [{ canaries: [mine] }],
      sandbox: [passedOn(), egress({ host: "evil.example", sent: mine.value })],
    },
    status: "fail",
    says: /^evil\.example:443/,
  },
  {
    name: "planted secrets do not go to that host either",
    parts: { terms: { allowed: [API] }, sandbox: [passedOn({ sent: value })] },
    status: "fail",
  },
  {
    name: "a key of the same shape passes",
    parts: { sandbox: [egress({ sent: `sk-proj-${[...value.slice(8)].sort().join("")}` })] },
    status: "pass",
  },
  {
    name: "a secret in an answer is another probe's",
    parts: { exchanges: [{ says: value }] },
    status: "pass",
  },
  {
    name: "a remote server is looked at in part",
    parts: { terms: REMOTE },
    status: "partial",
    reason: "output scan only",
  },
  {
    name: "without a sandbox it is looked at in part",
    parts: { terms: NO_SANDBOX },
    status: "partial",
    reason: "output scan only",
  },
]);
