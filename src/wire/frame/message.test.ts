import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Fault, type Id, type Message, readMessage } from "./message.ts";

const bad = (fault: Fault, isAnswer: boolean, id?: Id): Message =>
  id === undefined ? { kind: "malformed", fault, isAnswer } : { kind: "malformed", fault, id, isAnswer };

interface Case {
  readonly name: string;
  readonly frame: string | Buffer;
  readonly want: Message;
}

function check(cases: readonly Case[]): void {
  for (const c of cases) test(c.name, () => assert.deepEqual(readMessage(Buffer.from(c.frame)), c.want));
}

describe("readMessage: what is a message [WIR-3, WIR-5]", () => {
  const error = { code: -32601, message: "no" };
  check([
    {
      name: "method and id make a request",
      frame: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      want: { kind: "request", id: 1, method: "ping", params: undefined },
    },
    {
      name: "a method without an id makes a notification",
      frame: '{"jsonrpc":"2.0","method":"m","params":{"a":1}}',
      want: { kind: "notification", method: "m", params: { a: 1 } },
    },
    {
      name: "params may be a list",
      frame: '{"jsonrpc":"2.0","id":"x","method":"m","params":[1]}',
      want: { kind: "request", id: "x", method: "m", params: [1] },
    },
    {
      name: "the empty text is a method and an id",
      frame: '{"jsonrpc":"2.0","id":"","method":""}',
      want: { kind: "request", id: "", method: "", params: undefined },
    },
    {
      name: "result and id make a result",
      frame: '{"jsonrpc":"2.0","id":1,"result":{}}',
      want: { kind: "result", id: 1, result: {} },
    },
    {
      name: "a result of null is a result",
      frame: '{"jsonrpc":"2.0","id":1,"result":null}',
      want: { kind: "result", id: 1, result: null },
    },
    {
      name: "an error names its request",
      frame: '{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no"}}',
      want: { kind: "error", id: "a", error },
    },
    {
      name: "an error may have the id null",
      frame: '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}',
      want: { kind: "error", id: null, error },
    },
    {
      name: "an error may have no id",
      frame: '{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}',
      want: { kind: "error", id: null, error },
    },
    {
      name: "error data and unknown members are kept",
      frame: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":[null],"more":true},"extra":1}',
      want: {
        kind: "error",
        id: 1,
        error: { code: 1, message: "", data: [null], more: true } as unknown as typeof error,
      },
    },
    {
      name: "white space around a frame is no fault",
      frame: ' \t\r\n{"jsonrpc":"2.0","method":"m"} \r\n',
      want: { kind: "notification", method: "m", params: undefined },
    },
    {
      name: "a whole number may be written with a point or an exponent",
      frame: '{"jsonrpc":"2.0","id":50e-1,"result":0}',
      want: { kind: "result", id: 5, result: 0 },
    },
    {
      name: "of a member given twice the last one counts",
      frame: '{"jsonrpc":"1.0","id":1,"id":2,"result":1,"result":2,"jsonrpc":"2.0"}',
      want: { kind: "result", id: 2, result: 2 },
    },
    {
      name: "a batch holds its messages in order",
      frame: '[{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","id":1,"result":0},7]',
      want: {
        kind: "batch",
        items: [
          { kind: "notification", method: "m", params: undefined },
          { kind: "result", id: 1, result: 0 },
          bad("not-object", false),
        ],
      },
    },
  ]);
});

describe("readMessage: what is no message [WIR-3, WIR-4]", () => {
  check([
    { name: "no byte is empty", frame: "", want: bad("empty", false) },
    { name: "spaces, tabs and a carriage return are empty", frame: " \t\r", want: bad("empty", false) },
    { name: "a body of one newline is empty", frame: "\n", want: bad("empty", false) },
    { name: "text is not JSON, and an answer only perhaps", frame: "hello", want: bad("not-json", true) },
    ...["42", "-1e400", '"text"', "true", "null"].map((frame) => ({
      name: `${frame} is no object`,
      frame,
      want: bad("not-object", false),
    })),
    { name: "a list of nothing is an empty batch", frame: "[]", want: bad("empty-batch", true) },
    {
      name: "a list in a list is a nested batch",
      frame: "[[]]",
      want: { kind: "batch", items: [bad("nested-batch", true)] },
    },
    {
      name: "100000 nested lists are one nested batch",
      frame: "[".repeat(100_000) + "]".repeat(100_000),
      want: { kind: "batch", items: [bad("nested-batch", true)] },
    },
    { name: "100000 open brackets are not JSON", frame: "[".repeat(100_000), want: bad("not-json", true) },
    {
      name: "100000 open objects are not JSON",
      frame: '{"a":'.repeat(100_000),
      want: bad("not-json", true),
    },
  ]);
});

describe("readMessage: which rule a frame breaks [WIR-4]", () => {
  const wrongVersions = ["null", "2", "2.0", '"1.0"', '"2"', '"2.0 "', "[]", '["2.0"]', "{}", "true"];
  check(
    wrongVersions.map((version) => ({
      name: `jsonrpc ${version} is a bad version`,
      frame: `{"jsonrpc":${version},"id":1,"result":0}`,
      want: bad("bad-version", true, 1),
    })),
  );
  const unsafe = ["9007199254740992", "9007199254740993", "-9007199254740993", "1e20"];
  const wrongIds = ["null", "true", "false", "1.5", "1e400", "-1e400", "[]", "[1]", "{}", ...unsafe];
  check(
    wrongIds.flatMap((id) => [
      {
        name: `a result with the id ${id} has a bad id`,
        frame: `{"jsonrpc":"2.0","id":${id},"result":0}`,
        want: bad("bad-id", true),
      },
      {
        name: `a request with the id ${id} has a bad id and is no answer`,
        frame: `{"jsonrpc":"2.0","id":${id},"method":"m"}`,
        want: bad("bad-id", false),
      },
    ]),
  );
  check(
    wrongIds.slice(1).map((id) => ({
      name: `an error with the id ${id} has a bad id`,
      frame: `{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":""}}`,
      want: bad("bad-id", true),
    })),
  );
  const wrongErrors = [
    ...["null", "1", '"no"', "true", "[]", "{}", '{"code":1}', '{"message":"no"}', "[1,2]"],
    '{"code":"1","message":"no"}',
    '{"code":1.5,"message":"no"}',
    '{"code":1e400,"message":"no"}',
    '{"code":null,"message":"no"}',
    '{"code":1,"message":null}',
    '{"code":1,"message":2}',
    '{"__proto__":{"code":1,"message":"no"}}',
  ];
  check(
    wrongErrors.map((error) => ({
      name: `the error ${error} is a bad error`,
      frame: `{"jsonrpc":"2.0","id":1,"error":${error}}`,
      want: bad("bad-error", true, 1),
    })),
  );
  check(
    ["null", "1", "true", "[]", "{}"].map((method) => ({
      name: `the method ${method} is a bad method and the frame no answer`,
      frame: `{"jsonrpc":"2.0","id":1,"method":${method}}`,
      want: bad("bad-method", false, 1),
    })),
  );
  check(
    ["null", "1", '"a"', "false"].map((params) => ({
      name: `params ${params} are bad params`,
      frame: `{"jsonrpc":"2.0","method":"m","params":${params}}`,
      want: bad("bad-params", false),
    })),
  );
  check([
    { name: "no version is a bad version", frame: '{"id":1,"result":0}', want: bad("bad-version", true, 1) },
    { name: "an empty object is no answer", frame: "{}", want: bad("bad-version", false) },
    {
      name: "a log line that is JSON is no answer",
      frame: '{"level":"info","message":"up"}',
      want: bad("bad-version", false),
    },
    { name: "a bare id is a failed answer", frame: '{"id":"x"}', want: bad("bad-version", true, "x") },
    {
      name: "a bare version is a failed answer",
      frame: '{"jsonrpc":"2.0"}',
      want: bad("no-method-no-answer", true),
    },
    {
      name: "id and version alone are a failed answer to that id",
      frame: '{"jsonrpc":"2.0","id":1}',
      want: bad("no-method-no-answer", true, 1),
    },
    {
      name: "a method beside a result",
      frame: '{"jsonrpc":"2.0","id":1,"method":"m","result":0}',
      want: bad("method-and-answer", true, 1),
    },
    {
      name: "a method beside an error",
      frame: '{"jsonrpc":"2.0","id":1,"method":"m","error":null}',
      want: bad("method-and-answer", true, 1),
    },
    {
      name: "a result beside an error of null",
      frame: '{"jsonrpc":"2.0","id":1,"result":0,"error":null}',
      want: bad("result-and-error", true, 1),
    },
    { name: "a result without an id", frame: '{"jsonrpc":"2.0","result":0}', want: bad("bad-id", true) },
    {
      name: "members that only __proto__ has do not count",
      frame: '{"__proto__":{"jsonrpc":"2.0","id":1,"result":0}}',
      want: bad("bad-version", false),
    },
    {
      name: "members are named exactly",
      frame: '{"jsonrpc":"2.0","Id":1,"Result":0}',
      want: bad("no-method-no-answer", true),
    },
  ]);
});

describe("readMessage: encodings [WIR-4]", () => {
  const around = (...middle: number[]): Buffer =>
    Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'),
      Buffer.from(middle),
      Buffer.from('"}'),
    ]);
  check([
    { name: "0xff is not UTF-8", frame: around(0xff), want: bad("not-utf8", true, 1) },
    { name: "Latin-1 is not UTF-8", frame: around(0xe9), want: bad("not-utf8", true, 1) },
    { name: "a lone continuation byte", frame: around(0x80), want: bad("not-utf8", true, 1) },
    { name: "an overlong slash", frame: around(0xc0, 0xaf), want: bad("not-utf8", true, 1) },
    { name: "an encoded surrogate", frame: around(0xed, 0xa0, 0x80), want: bad("not-utf8", true, 1) },
    { name: "a cut character", frame: around(0xe2, 0x82), want: bad("not-utf8", true, 1) },
    { name: "beyond U+10FFFF", frame: around(0xf4, 0x90, 0x80, 0x80), want: bad("not-utf8", true, 1) },
    {
      name: "a byte order mark is not JSON, but the id behind it is seen",
      frame: '\ufeff{"jsonrpc":"2.0","id":1,"result":0}',
      want: bad("not-json", true, 1),
    },
    { name: "a NUL byte in a text is not JSON", frame: around(0), want: bad("not-json", true, 1) },
    {
      name: "a lone surrogate as an escape is a text like another",
      frame: '{"jsonrpc":"2.0","id":1,"result":"\\ud800"}',
      want: { kind: "result", id: 1, result: "\ud800" },
    },
    {
      name: "line separators inside a text are fine",
      frame: '{"jsonrpc":"2.0","id":1,"result":"\u2028\u2029"}',
      want: { kind: "result", id: 1, result: "\u2028\u2029" },
    },
  ]);
});

describe("readMessage: the id of a broken answer [WIR-8]", () => {
  const filler = (chars: number): string => `"${"x".repeat(chars)}"`;
  const nearLimit = 999_999_999_999_999;
  const cases: { name: string; frame: string; id?: Id }[] = [
    { name: "a number is seen", frame: '{"id":5,', id: 5 },
    { name: "a negative number is seen", frame: '{"id":-5,', id: -5 },
    { name: "a text is seen", frame: '{"id":"abc",', id: "abc" },
    { name: "an empty text is seen", frame: '{"id":"",', id: "" },
    { name: "white space around the colon does not hide it", frame: '{"id" \t:  5,', id: 5 },
    { name: "white space before the frame does not hide it", frame: '  {"id":5,', id: 5 },
    { name: "it is seen in a broken batch", frame: '[{"id":5,', id: 5 },
    { name: "fifteen digits are seen", frame: `{"id":${nearLimit},`, id: nearLimit },
    { name: "sixteen digits are not", frame: '{"id":1234567890123456,' },
    { name: "a fraction is not", frame: '{"id":5.5,' },
    { name: "an exponent is not", frame: '{"id":5e3,' },
    { name: "null is not", frame: '{"id":null,' },
    { name: "a text that never ends is not", frame: '{"id":"abc' },
    { name: "a text of 129 characters is not", frame: `{"id":"${"x".repeat(129)}",` },
    { name: "a text of 128 characters is", frame: `{"id":"${"x".repeat(128)}",`, id: "x".repeat(128) },
    { name: "it is seen among the last 2048 characters", frame: `{"a":${filler(9000)},"id":5,`, id: 5 },
    {
      name: "it is not searched for in the middle of a long frame",
      frame: `{"a":${filler(3000)},"id":5,"b":${filler(3000)}`,
    },
    { name: "a frame that begins like text has none", frame: 'log: {"id":5}' },
    { name: "a name in single quotes is not one", frame: "{'id':5}" },
  ];
  for (const c of cases)
    test(c.name, () => assert.deepEqual(readMessage(Buffer.from(c.frame)), bad("not-json", true, c.id)));

  test("hostile white space is searched in linear time", { timeout: 5_000 }, () => {
    const frame = Buffer.from(`{${'"id"'.repeat(400)}${" ".repeat(2_000_000)}`);
    assert.deepEqual(readMessage(frame), bad("not-json", true));
  });
});

describe("readMessage: more values than one frame may hold [WIR-34]", () => {
  const list = (values: number): string => `[${"0,".repeat(values - 2)}0]`;
  const params = (values: number): string => `{"jsonrpc":"2.0","id":1,"method":"m","params":${list(values)}}`;
  const result = (values: number): string => `{"jsonrpc":"2.0","id":1,"result":${list(values)}}`;
  const cases = [
    // The object, the version and the id count too.
    { name: "as many as are allowed are read", frame: result(249_997), kind: "result" },
    { name: "one more is an answer that is malformed", frame: result(249_998), want: true },
    { name: "one more is a request that is malformed", frame: params(249_997), want: false },
    { name: "what is short is not counted", frame: list(100_000), kind: "batch" },
    {
      name: "a long text is one value",
      frame: result(3).replace("0]", `"${",[".repeat(300_000)}"]`),
      kind: "result",
    },
  ];
  for (const { name, frame, kind, want } of cases)
    test(name, () => {
      const message = readMessage(Buffer.from(frame));
      if (kind) assert.equal(message.kind, kind);
      else assert.deepEqual(message, bad("too-many-values", want === true, 1));
    });
});
