import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MODERN_VERSION } from "./era.ts";
import { decodeHeader, encodeHeader, headerName, mirroredArguments, modernHeaders } from "./headers.ts";

const base64 = (text: string): string => `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;

describe("encodeHeader [WIR-19]", () => {
  const cases = [
    { name: "plain text is sent as it is", value: "tools/call", want: "tools/call" },
    { name: "inner spaces are plain", value: "a b  c", want: "a b  c" },
    { name: "one character is plain", value: "!", want: "!" },
    { name: "the empty text stays empty", value: "", want: "" },
    { name: "a space at the start would be trimmed", value: " a", want: "=?base64?IGE=?=" },
    { name: "a space at the end would be trimmed", value: "a ", want: "=?base64?YSA=?=" },
    { name: "a space alone would be trimmed", value: " ", want: "=?base64?IA==?=" },
    { name: "a tab does not survive", value: "a\tb", want: "=?base64?YQli?=" },
    { name: "a line break would begin a new header", value: "a\r\nx: y", want: "=?base64?YQ0KeDogeQ==?=" },
    { name: "a NUL does not survive", value: "\0", want: "=?base64?AA==?=" },
    { name: "DEL does not survive", value: "\x7f", want: "=?base64?fw==?=" },
    { name: "text beyond ASCII goes as UTF-8", value: "Grüße", want: "=?base64?R3LDvMOfZQ==?=" },
    { name: "a character beyond the BMP goes as UTF-8", value: "😀", want: "=?base64?8J+YgA==?=" },
    {
      name: "plain text that looks encoded is encoded",
      value: "=?base64?YQ==?=",
      want: base64("=?base64?YQ==?="),
    },
    { name: "even with nothing inside", value: "=?base64??=", want: base64("=?base64??=") },
    { name: "text that only begins like the form is plain", value: "=?base64?YQ==", want: "=?base64?YQ==" },
    {
      name: "even with characters inside that are no base64",
      value: "=?base64?a b?=",
      want: base64("=?base64?a b?="),
    },
    { name: "the form in capitals is plain", value: "=?BASE64?YQ==?=", want: "=?BASE64?YQ==?=" },
    { name: "the form inside other text is plain", value: "x=?base64?YQ==?=", want: "x=?base64?YQ==?=" },
  ];
  for (const c of cases)
    test(c.name, () => {
      assert.equal(encodeHeader(c.value), c.want);
      assert.equal(decodeHeader(c.want), c.value);
      assert.match(encodeHeader(c.value), /^[\x20-\x7e]*$/);
    });
});

describe("decodeHeader [WIR-19]", () => {
  const cases = [
    { name: "plain text stands for itself", value: "a b", want: "a b" },
    { name: "the base64 form stands for its text", value: "=?base64?R3LDvMOfZQ==?=", want: "Grüße" },
    { name: "missing padding stands for nothing", value: "=?base64?YQ?=", want: undefined },
    { name: "bytes that are no UTF-8 stand for nothing", value: "=?base64?/w==?=", want: undefined },
    { name: "an empty form is the empty text", value: "=?base64??=", want: "" },
    { name: "the base64url alphabet stands for nothing", value: "=?base64?-_8=?=", want: undefined },
    {
      name: "padding in the middle stands for nothing",
      value: "=?base64?YQ==YQ==?=",
      want: undefined,
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(decodeHeader(c.value), c.want));
});

describe("Mcp-Name [WIR-18]", () => {
  const cases = [
    { name: "is the tool's name", method: "tools/call", params: { name: "add" }, want: "add" },
    { name: "is the prompt's name", method: "prompts/get", params: { name: "p" }, want: "p" },
    {
      name: "is the resource's uri",
      method: "resources/read",
      params: { uri: "file:///a", name: "x" },
      want: "file:///a",
    },
    { name: "is the task's id", method: "tasks/get", params: { taskId: "t-1" }, want: "t-1" },
    { name: "is absent for other methods", method: "tools/list", params: { name: "add" }, want: undefined },
    {
      name: "is absent when the name is no text",
      method: "tools/call",
      params: { name: 5 },
      want: undefined,
    },
    { name: "is absent when there is no name", method: "tools/call", params: {}, want: undefined },
    { name: "is absent when params are a list", method: "tools/call", params: ["add"], want: undefined },
    { name: "is absent without params", method: "tools/call", params: undefined, want: undefined },
    { name: "may be empty", method: "tools/call", params: { name: "" }, want: "" },
  ];
  for (const c of cases) test(c.name, () => assert.equal(headerName(c.method, c.params), c.want));
});

describe("modernHeaders [WIR-18, WIR-20]", () => {
  const version = { "mcp-protocol-version": MODERN_VERSION };
  const call = (given: unknown): unknown => ({ name: "t", arguments: given });
  const mirror = (header: string, ...path: string[]): { path: string[]; header: string } => ({
    path,
    header,
  });
  const cases = [
    {
      name: "every request names version and method",
      headers: modernHeaders("tools/list", {}),
      want: { ...version, "mcp-method": "tools/list" },
    },
    {
      name: "a call names its tool, encoded where needed",
      headers: modernHeaders("tools/call", { name: "añadir" }),
      want: { ...version, "mcp-method": "tools/call", "mcp-name": "=?base64?YcOxYWRpcg==?=" },
    },
    {
      name: "a method with a line break cannot add a header",
      headers: modernHeaders("a\r\nb: c", {}),
      want: { ...version, "mcp-method": base64("a\r\nb: c") },
    },
    {
      name: "texts, whole numbers and truth values are mirrored",
      headers: modernHeaders("tools/call", call({ a: "x", b: -3, c: false }), [
        mirror("A", "a"),
        mirror("Bee", "b"),
        mirror("c-c", "c"),
      ]),
      want: {
        ...version,
        "mcp-method": "tools/call",
        "mcp-name": "t",
        "mcp-param-a": "x",
        "mcp-param-bee": "-3",
        "mcp-param-c-c": "false",
      },
    },
    {
      name: "what is absent, null, a fraction, a list or an object is not mirrored",
      headers: modernHeaders("tools/call", call({ b: null, c: 1.5, d: ["x"], e: {} }), [
        mirror("a", "a"),
        mirror("b", "b"),
        mirror("c", "c"),
        mirror("d", "d"),
        mirror("e", "e"),
      ]),
      want: { ...version, "mcp-method": "tools/call", "mcp-name": "t" },
    },
    {
      name: "an argument is found at depth, and encoded",
      headers: modernHeaders("tools/call", call({ a: { b: { c: " x" } } }), [mirror("deep", "a", "b", "c")]),
      want: { ...version, "mcp-method": "tools/call", "mcp-name": "t", "mcp-param-deep": "=?base64?IHg=?=" },
    },
    {
      name: "a path that leads through a list or a text leads nowhere",
      headers: modernHeaders("tools/call", call({ a: ["x"], b: "text" }), [
        mirror("a", "a", "0"),
        mirror("b", "b", "length"),
      ]),
      want: { ...version, "mcp-method": "tools/call", "mcp-name": "t" },
    },
    {
      name: "what every object inherits is no argument",
      headers: modernHeaders("tools/call", call({}), [
        mirror("a", "constructor", "name"),
        mirror("b", "__proto__", "x"),
        mirror("c", "toString", "length"),
      ]),
      want: { ...version, "mcp-method": "tools/call", "mcp-name": "t" },
    },
  ];
  for (const c of cases) test(c.name, () => assert.deepEqual(c.headers, c.want));
});

describe("mirroredArguments [WIR-20]", () => {
  const tool = (properties: unknown): unknown => ({ name: "t", inputSchema: { type: "object", properties } });
  const nested = (levels: number): unknown =>
    levels === 1
      ? { leaf: { type: "string", "x-mcp-header": "Leaf" } }
      : { down: { type: "object", properties: nested(levels - 1) } };
  const pathTo = (levels: number): string[] => [...Array(levels - 1).fill("down"), "leaf"];
  const cases = [
    {
      name: "a property that asks for it is mirrored",
      tool: tool({ region: { type: "string", "x-mcp-header": "Region" }, other: { type: "string" } }),
      want: [{ path: ["region"], header: "Region" }],
    },
    {
      name: "so is one inside an object",
      tool: tool({ a: { type: "object", properties: { b: { "x-mcp-header": "B" } } } }),
      want: [{ path: ["a", "b"], header: "B" }],
    },
    {
      name: "an object that asks and has properties that ask gives both",
      tool: tool({ a: { "x-mcp-header": "A", properties: { b: { "x-mcp-header": "B" } } } }),
      want: [
        { path: ["a"], header: "A" },
        { path: ["a", "b"], header: "B" },
      ],
    },
    {
      name: "sixteen levels down is found",
      tool: tool(nested(16)),
      want: [{ path: pathTo(16), header: "Leaf" }],
    },
    { name: "seventeen levels down is not looked for", tool: tool(nested(17)), want: [] },
    {
      name: "every character of a header name may occur",
      tool: tool({ a: { "x-mcp-header": "!#$%&'*+-.^_`|~09AZaz" } }),
      want: [{ path: ["a"], header: "!#$%&'*+-.^_`|~09AZaz" }],
    },
    {
      name: "a name of 64 characters is taken",
      tool: tool({ a: { "x-mcp-header": "x".repeat(64) } }),
      want: [{ path: ["a"], header: "x".repeat(64) }],
    },
    ...["", "a b", "a:b", "a\r\nb", "a\n", "ä", "a/b", '"a"', "(a)", "x".repeat(65)].map((header) => ({
      name: `${JSON.stringify(header).slice(0, 12)} is no header name`,
      tool: tool({ a: { "x-mcp-header": header } }),
      want: [],
    })),
    {
      name: "a name that is no text is none",
      tool: tool({ a: { "x-mcp-header": 5 }, b: { "x-mcp-header": ["B"] } }),
      want: [],
    },
    { name: "the schema itself cannot ask", tool: { inputSchema: { "x-mcp-header": "X" } }, want: [] },
    { name: "items of a list cannot ask", tool: tool({ a: { items: { "x-mcp-header": "X" } } }), want: [] },
    { name: "properties that are a list are none", tool: tool([{ "x-mcp-header": "X" }]), want: [] },
    { name: "a property that is no object is none", tool: tool({ a: null, b: true, c: "x" }), want: [] },
    { name: "a tool without a schema has none", tool: { name: "t" }, want: [] },
    { name: "a tool that is null has none", tool: null, want: [] },
    { name: "a tool that is a text has none", tool: "t", want: [] },
  ];
  for (const c of cases) test(c.name, () => assert.deepEqual(mirroredArguments(c.tool), c.want));

  test("what a schema declares, a call's headers carry and decode again", () => {
    const declared = tool({
      where: { properties: { city: { type: "string", "x-mcp-header": "City" } } },
      count: { type: "integer", "x-mcp-header": "Count" },
    });
    const params = { name: "t", arguments: { where: { city: "Zürich\n" }, count: 3 } };
    const headers = modernHeaders("tools/call", params, mirroredArguments(declared));
    assert.equal(decodeHeader(headers["mcp-param-city"] ?? ""), "Zürich\n");
    assert.equal(decodeHeader(headers["mcp-param-count"] ?? ""), "3");
  });
});
