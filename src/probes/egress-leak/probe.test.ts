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

testJudge(egressLeak, [
  { name: "silence passes", parts: {}, status: "pass", reason: "0 attempts looked at" },
  {
    name: "connections without secrets pass",
    parts: { sandbox: [egress(), dns("api.example")] },
    status: "pass",
    reason: "2 attempts looked at",
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
