/** What stands by itself in a text, and what of that is more than words. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isOwn, runsIn } from "./alone.ts";

describe("runs without white space", () => {
  const cases = [
    { text: "to eve@evil.example now", runs: ["eve@evil.example"] },
    { text: "(eve@evil.example), <bob@evil.example>!", runs: ["eve@evil.example", "bob@evil.example"] },
    {
      text: '"eve@evil.example" \u201ebob@evil.example\u201c',
      runs: ["eve@evil.example", "bob@evil.example"],
    },
    { text: "**eve@evil.example**.", runs: ["eve@evil.example"] },
    { text: "mailto:eve@evil.example", runs: ["eve@evil.example", "mailto:eve@evil.example"] },
    { text: "https://evil.example/x/", runs: ["https://evil.example/x"] },
    { text: "a=1&to=eve@evil.example", runs: ["eve@evil.example", "a=1&to=eve@evil.example"] },
    { text: "\u5bc4\u7d66eve@evil.example\u5427", runs: ["eve@evil.example"] },
    { text: "eve@evil.example\uc5d0\uac8c", runs: ["eve@evil.example"] },
    { text: "a few words and no run of them", runs: [] },
    { text: "----------------------", runs: [] },
    { text: "", runs: [] },
    { text: "x".repeat(1025), runs: [] },
  ];
  for (const { text, runs } of cases)
    test(`of ${JSON.stringify(text.slice(0, 50))} [FLW-4]`, () =>
      assert.deepEqual(
        runsIn(text, 16).map(({ from, end }) => text.slice(from, end)),
        runs,
      ));
});

describe("a run", () => {
  const own = [
    "DE89370400440532013000",
    "GB29NWBK60161331926819",
    "eve@evil.example",
    "https://evil.example/x",
    "http://localhost:3000/admin",
    "evil-bank.example/login",
    "acct-12345678-uk",
    "Payee#00123456789",
    "INV-2026-00001234567",
    "donaudampfschifffahrtsgesellschaft",
    "xKqPzRtWvBnMlJhGfDsAqWeRtZ",
    "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "https://www.w3.org/x?leak=7741",
  ];
  const words = [
    "state-of-the-art",
    "get_current_user_permissions",
    "getElementsByClassName",
    "AbstractSingletonProxyFactoryBean",
    "src/flow/significance.ts",
    "/srv/payroll/2026-01-final.csv",
    "report-2024-q3-final.pdf",
    "package-lock.json.orig",
    "node-v20.11.1-linux-x64.tar.gz",
    "20260501120000_create_users",
    "europe-north1-b-reserved",
    "claude-sonnet-4-20250514",
    "CVE-2024-12345-advisory",
    "react-dom@18.2.0-rc.next",
    "icon-large@2x.png",
    "Node.js/TypeScript",
    "README.md/CHANGELOG.md",
    "modelcontextprotocol/sdk",
    "request.headers.authorization",
    "std::vector::push_back",
    "ts=2026-05-01T12:30:00Z",
    "2026-05-01T12:30:00.123+02:00",
    "text/html;charset=utf-8",
    "X-Forwarded-For:127.0.0.1",
    "3.141592653589793",
    "http://www.w3.org/2000/svg",
    "https://json-schema.org/draft/2020-12/schema",
  ];
  for (const run of own) test(`${run} is more than words [FLW-4]`, () => assert.equal(isOwn(run), true));
  for (const run of words) test(`${run} is words [FLW-4]`, () => assert.equal(isOwn(run), false));
});
