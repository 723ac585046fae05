/** What a server may send in answer to one request over stdio, and how the request must end: WIR-4, WIR-7, WIR-8. */
import type { Id, Stray } from "../../src/wire/index.ts";

/** One line without its newline, or several. `<id>` stands for the id of the open request. */
export type Lines = string | Buffer | readonly (string | Buffer)[];

export interface Group {
  /** How the request ends: the kind, and what tells it further. */
  readonly want: string;
  /** Why each frame that ended nothing is kept. */
  readonly strays?: readonly Stray["reason"][];
  readonly cases: Readonly<Record<string, Lines>>;
}

const answer = '{"jsonrpc":"2.0","id":<id>,"result":{"ok":true}}';
const error = '{"jsonrpc":"2.0","id":<id>,"error":{"code":-32000,"message":"no"}}';
const nullError = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';
const noId = '{"jsonrpc":"2.0","result":{}}';
const otherId = '{"jsonrpc":"2.0","id":<id>9,"result":{}}';
const logLine = '{"level":30,"time":1700000000000,"msg":"listening"}';
const result = (value: string): string => `{"jsonrpc":"2.0","id":<id>,"result":${value}}`;
const withId = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
const withError = (value: string): string => `{"jsonrpc":"2.0","id":<id>,"error":${value}}`;
const withVersion = (value: string): string => `{"jsonrpc":${value},"id":<id>,"result":{}}`;
/** Bytes between two texts. */
const around = (before: string, bytes: readonly number[], after = ""): Buffer =>
  Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
const inText = (...bytes: number[]): Buffer => around('{"jsonrpc":"2.0","id":<id>,"result":"', bytes, '"}');
const named = (
  prefix: string,
  values: readonly string[],
  line: (value: string) => string,
): Record<string, string> => Object.fromEntries(values.map((value) => [`${prefix} ${value}`, line(value)]));

const LEVELS = 100_000;
const MEGABYTE = 1 << 20;

/** Frames that look odd and are right all the same: a wire that is too strict would fail a good server. */
const right: Group[] = [
  {
    want: "result",
    cases: {
      "a plain answer": answer,
      "an answer that ends in CRLF": `${answer}\r`,
      "spaces and tabs around an answer": ` \t ${answer} \t`,
      "a megabyte of spaces before an answer": " ".repeat(MEGABYTE) + answer,
      "spaces between all parts": '{ "jsonrpc" : "2.0" , "id" : <id> , "result" : { } }',
      "members in another order": '{"result":{},"id":<id>,"jsonrpc":"2.0"}',
      "members JSON-RPC does not know": '{"jsonrpc":"2.0","id":<id>,"result":{},"trace":[1],"":null}',
      "an id with a fraction of zero": withId("<id>.0"),
      "an id with an exponent": withId("<id>e0"),
      "an id given twice, the last one right": '{"jsonrpc":"2.0","id":0,"id":<id>,"result":{}}',
      "a version given twice, the last one right": '{"jsonrpc":"1.0","jsonrpc":"2.0","id":<id>,"result":{}}',
      "names written as escapes": '{"\\u006asonrpc":"2.0","\\u0069d":<id>,"res\\u0075lt":{}}',
      "a version written as escapes": '{"jsonrpc":"\\u0032.0","id":<id>,"result":{}}',
      ...named("the result", ["null", "0", "-0", "false", '""', "[]", "1e999", "[[],{}]"], result),
      "a result of 400 digits": result("9".repeat(400)),
      "a result that looks like an error": result('{"error":{"code":1,"message":"x"},"id":5}'),
      "a result with members called __proto__": result('{"__proto__":{"polluted":true}}'),
      "a result with members called constructor": result('{"constructor":{"prototype":{"polluted":true}}}'),
      "a lone surrogate as an escape": result('"\\ud800"'),
      "surrogates in the wrong order": result('"\\udc00\\ud800"'),
      "an escaped NUL": result('"\\u0000"'),
      "an escaped newline": result('"a\\nb"'),
      "line and paragraph separators": result('"\u2028\u2029\u0085"'),
      "a byte order mark inside a text": result('"\ufeff"'),
      "noncharacters and private use": result('"\uffff\ue000\u{10ffff}"'),
      "bidirectional overrides": result('"\u202eabc"'),
      "DEL in a text": result('"\x7f"'),
      "lists 100000 deep": result("[".repeat(LEVELS) + "]".repeat(LEVELS)),
      "objects 100000 deep": result(`${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`),
      "a text of a megabyte": result(`"${"x".repeat(MEGABYTE)}"`),
      "100000 members": result(`{${Array.from({ length: LEVELS }, (_, n) => `"${n}":0`).join()}}`),
      "the same member 100000 times": result(`{${'"a":0,'.repeat(LEVELS)}"a":1}`),
      "a batch of one answer": `[${answer}]`,
      "a batch of notification and answer": `[{"jsonrpc":"2.0","method":"m"},${answer}]`,
      "a notification before the answer": ['{"jsonrpc":"2.0","method":"notifications/message"}', answer],
      "a ping with the id of ours before the answer": ['{"jsonrpc":"2.0","id":<id>,"method":"ping"}', answer],
      "a question with the id of ours before the answer": [
        '{"jsonrpc":"2.0","id":<id>,"method":"roots/list"}',
        answer,
      ],
    },
  },
  {
    want: "error",
    cases: {
      "a plain error": error,
      "an error of code 0": withError('{"code":0,"message":""}'),
      "an error code beyond 32 bits": withError('{"code":-9007199254740991,"message":"x"}'),
      "an error code with an exponent": withError('{"code":-32e3,"message":"x"}'),
      "error data of null": withError('{"code":1,"message":"x","data":null}'),
      "error data 100000 deep": withError(
        `{"code":1,"message":"x","data":${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}}`,
      ),
      "members an error does not know": withError('{"code":1,"message":"x","stack":"…"}'),
      "an error in a batch": `[${error}]`,
    },
  },
  {
    want: "error without id",
    cases: {
      "an error with the id null": nullError,
      "an error with no id": '{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}',
      "an error with the id null in a batch": `[${nullError}]`,
    },
  },
  {
    want: "input-required",
    cases: {
      "a result that asks for input": result('{"resultType":"input_required"}'),
      "input requests that are null": result('{"resultType":"input_required","inputRequests":null}'),
      "an input request that is null": result('{"resultType":"input_required","inputRequests":{"a":null}}'),
    },
  },
  {
    want: "timed-out",
    cases: {
      silence: [],
      "a notification only": '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
      "a notification with a list of params": '{"jsonrpc":"2.0","method":"m","params":[]}',
      "a notification of no name": '{"jsonrpc":"2.0","method":""}',
      "a batch of notifications": '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]',
      "progress of something else":
        '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{}}}',
      "the request sent back": '{"jsonrpc":"2.0","id":<id>,"method":"play","params":{}}',
      "a ping with the id of ours": '{"jsonrpc":"2.0","id":<id>,"method":"ping"}',
      "a method called __proto__": '{"jsonrpc":"2.0","id":"__proto__","method":"__proto__"}',
      "our request cancelled by the server":
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":<id>}}',
    },
  },
];

/** Frames that name the open request and break a rule: it ends at once. */
const atOnce: Group[] = [
  {
    want: "malformed bad-version",
    cases: {
      ...named(
        "the version",
        ["null", "2", "2.0", '"1.0"', '"2"', '"2.0 "', '"2.00"', '"２.０"', "[]", '["2.0"]', "{}", "true"],
        withVersion,
      ),
      "no version": '{"id":<id>,"result":{}}',
      "a version under another name": '{"JSONRPC":"2.0","id":<id>,"result":{}}',
      "a version given twice, the last one wrong": '{"jsonrpc":"2.0","jsonrpc":"1.0","id":<id>,"result":{}}',
      "an answer of JSON-RPC 1.0": '{"id":<id>,"result":{},"error":null}',
      "an error without a version": '{"id":<id>,"error":{"code":1,"message":"x"}}',
      "a bare id": '{"id":<id>}',
      "a log line with the id of ours": '{"level":"info","id":<id>}',
      "no version, in a batch": '[{"id":<id>,"result":{}}]',
    },
  },
  {
    want: "malformed no-method-no-answer",
    cases: {
      "neither method nor answer": '{"jsonrpc":"2.0","id":<id>}',
      "a result under another name": '{"jsonrpc":"2.0","id":<id>,"Result":{}}',
      "a result that only __proto__ has": '{"jsonrpc":"2.0","id":<id>,"__proto__":{"result":{}}}',
      "params only": '{"jsonrpc":"2.0","id":<id>,"params":{}}',
      "names with a space": '{"jsonrpc":"2.0","id":<id>,"result ":{}," error":{}}',
    },
  },
  {
    want: "malformed result-and-error",
    cases: {
      "result and error": '{"jsonrpc":"2.0","id":<id>,"result":{},"error":{"code":1,"message":"x"}}',
      "a result and an error of null": '{"jsonrpc":"2.0","id":<id>,"result":{},"error":null}',
      "a result of null and an error":
        '{"jsonrpc":"2.0","id":<id>,"result":null,"error":{"code":1,"message":"x"}}',
    },
  },
  {
    want: "malformed method-and-answer",
    cases: {
      "method and result": '{"jsonrpc":"2.0","id":<id>,"method":"m","result":{}}',
      "method and error": '{"jsonrpc":"2.0","id":<id>,"method":"m","error":{"code":1,"message":"x"}}',
      "a method of null and a result": '{"jsonrpc":"2.0","id":<id>,"method":null,"result":{}}',
      "method, result and error": '{"jsonrpc":"2.0","id":<id>,"method":"m","result":{},"error":{}}',
    },
  },
  {
    want: "malformed bad-error",
    cases: named(
      "the error",
      [
        ...["null", "0", "1", '"no"', "true", "[]", "[1]", "{}", '{"code":1}', '{"message":"x"}'],
        '{"code":"1","message":"x"}',
        '{"code":1.5,"message":"x"}',
        '{"code":1e999,"message":"x"}',
        '{"code":null,"message":"x"}',
        '{"code":[1],"message":"x"}',
        '{"code":1,"message":null}',
        '{"code":1,"message":5}',
        '{"code":1,"message":["x"]}',
        '{"Code":1,"Message":"x"}',
        '{"__proto__":{"code":1,"message":"x"}}',
      ],
      withError,
    ),
  },
  {
    want: "malformed id-type",
    cases: {
      "the id as text": withId('"<id>"'),
      "the id of an error as text": '{"jsonrpc":"2.0","id":"<id>","error":{"code":1,"message":"x"}}',
      "the id as text in a batch": `[${withId('"<id>"')}]`,
    },
  },
  {
    want: "malformed not-json",
    cases: {
      "cut right after the id": '{"jsonrpc":"2.0","id":<id>',
      "cut after the comma behind the id": '{"jsonrpc":"2.0","id":<id>,',
      "cut in the name of the result": '{"jsonrpc":"2.0","id":<id>,"resu',
      "cut before the result": '{"jsonrpc":"2.0","id":<id>,"result":',
      "cut in the result": '{"jsonrpc":"2.0","id":<id>,"result":{"ok":tr',
      "cut before the last brace": answer.slice(0, -1),
      "one brace too many": `${answer}}`,
      "text behind the answer": `${answer} done`,
      "a semicolon behind the answer": `${answer};`,
      "two answers in one line": answer + answer,
      "two answers with a CR between": `${answer}\r${answer}`,
      "a NUL behind the answer": `${answer}\0`,
      "a byte order mark before the answer": `\ufeff${answer}`,
      "a no-break space before the answer": `\u00a0${answer}`,
      "a form feed before the answer": `\f${answer}`,
      "a log prefix in brackets before the answer": `[INFO] ${answer}`,
      "a batch that does not end": `[${answer}`,
      "a batch with a comma too many": `[${answer},]`,
      "a comma too many": '{"jsonrpc":"2.0","id":<id>,"result":{},}',
      "a comma too few": '{"jsonrpc":"2.0" "id":<id>,"result":{}}',
      "an equals sign for a colon": '{"jsonrpc":"2.0","id":<id>,"result"={}}',
      "a comment": '{"jsonrpc":"2.0","id":<id>,/* ok */"result":{}}',
      "a comment at the end": `${answer} // ok`,
      ...named(
        "the result",
        [
          "NaN",
          "Infinity",
          "-Infinity",
          "undefined",
          "None",
          "True",
          "0x1F",
          "012",
          "+1",
          ".5",
          "1.",
          "1e",
          "'x'",
          "`x`",
        ],
        result,
      ),
      "a bad escape": result('"\\x41"'),
      "a cut escape": result('"\\u12"'),
      "a text with a raw tab": result('"\t"'),
      "a text with a raw NUL": result('"\0"'),
      "a text with a raw escape character": result('"\x1b[31m"'),
      "a text with a quote inside": result('"a"b"'),
      "a text that does not end": result('"a'),
      "lists 100000 deep that do not end": result("[".repeat(LEVELS)),
      "objects 100000 deep that do not end": result('{"a":'.repeat(LEVELS)),
      "the id behind a megabyte of broken text": `{"result":"${"x".repeat(MEGABYTE)},"id":<id>,`,
    },
  },
  {
    want: "malformed not-utf8",
    cases: {
      "a byte that no UTF-8 has": inText(0xff),
      "Latin-1": inText(0xe9),
      "Windows-1252 quotes": inText(0x93, 0x94),
      "a lone continuation byte": inText(0x80),
      "an overlong slash": inText(0xc0, 0xaf),
      "an overlong NUL": inText(0xc0, 0x80),
      "a surrogate as UTF-8": inText(0xed, 0xa0, 0x80),
      "a character cut in half": inText(0xe2, 0x82),
      "a character beyond U+10FFFF": inText(0xf4, 0x90, 0x80, 0x80),
      "Shift-JIS": inText(0x82, 0xb1, 0x82, 0xf1),
      "a bad byte behind the answer": around(answer, [0xff]),
      "a bad byte in a name": around('{"jsonrpc":"2.0","id":<id>,"', [0xff], '":0,"result":{}}'),
      "a bad byte in broken JSON": around('{"jsonrpc":"2.0","id":<id>,"result":', [0xfe]),
    },
  },
];

/** Frames that look like a failed answer but name no open request: kept, and told when nothing better comes. */
const inTheEnd: Group[] = [
  {
    want: "malformed not-json",
    strays: ["noise"],
    cases: {
      "a brace": "{",
      "a bracket": "[",
      "a brace and a quote": '{"',
      "cut in the version": '{"jsonrpc":"2.',
      "cut in the name of the id": '{"jsonrpc":"2.0","i',
      "cut before the id": '{"jsonrpc":"2.0","id":',
      "cut within the text of an id": '{"jsonrpc":"2.0","id":"<id>',
      "broken, with no id at all": '{"jsonrpc":"2.0","result":{}',
      "broken, with the id as text": '{"jsonrpc":"2.0","id":"<id>","result":',
      "broken, with another id": '{"jsonrpc":"2.0","id":<id>9,"result":',
      "broken, with a fraction as id": '{"jsonrpc":"2.0","id":<id>.5,"result":',
      "broken, with an id of 16 digits": '{"jsonrpc":"2.0","id":1234567890123456,"result":',
      "broken, with the id in the middle of a long frame": `{"a":"${"x".repeat(3000)}","id":<id>,"b":"${"x".repeat(3000)}`,
      "names in single quotes": "{'jsonrpc':'2.0','id':<id>,'result':{}}",
      "names without quotes": "{jsonrpc:'2.0',id:<id>,result:{}}",
      "YAML in braces": "{jsonrpc: 2.0, id: <id>, result: {}}",
      "two objects without ids in one line": `${noId}${noId}`,
      "UTF-16 with the low byte first": Buffer.from(withId("1"), "utf16le"),
      "an object as a careless program prints it": "[object Object]",
      "a list of 100000 brackets that do not close": "[".repeat(LEVELS),
      "objects that do not close": '{"a":'.repeat(LEVELS),
    },
  },
  {
    want: "malformed not-utf8",
    strays: ["noise"],
    cases: {
      "a brace and a bad byte": around("{", [0xff]),
      "a bracket and a bad byte": around("[", [0x80], "]"),
      "an answer with no id and a bad byte": around('{"jsonrpc":"2.0","result":"', [0xff], '"}'),
    },
  },
  {
    want: "malformed bad-id",
    strays: ["malformed-frame"],
    cases: {
      "an id of a megabyte": withId(`"${"x".repeat(MEGABYTE)}"`),
      ...named(
        "a result with the id",
        ["null", "true", "false", "<id>.5", "1e20", "9007199254740993", "1e999", "[]", "[<id>]", "{}"],
        withId,
      ),
      ...named(
        "an error with the id",
        ["true", "false", "0.5", "-1e999", "[]", "[null]", "{}", '{"id":<id>}'],
        (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":"x"}}`,
      ),
      "a result with no id": noId,
      "a result with the id under another name": '{"jsonrpc":"2.0","ID":<id>,"result":{}}',
      "a result whose id only __proto__ has": '{"jsonrpc":"2.0","__proto__":{"id":<id>},"result":{}}',
      "a result with no id, in a batch": `[${noId}]`,
    },
  },
  {
    want: "malformed unknown-id",
    strays: ["unknown-id"],
    cases: {
      ...named(
        "the id",
        [
          ...["<id>9", "-<id>", "0", "9007199254740991", '""', '"abc"', '"<id>x"', '"__proto__"'],
          ...['"constructor"', '"\\ud800"', '"null"', '"NaN"'],
        ],
        withId,
      ),
      "an error with an unknown id": '{"jsonrpc":"2.0","id":<id>9,"error":{"code":1,"message":"x"}}',
      "an unknown id in a batch": `[${otherId}]`,
      "an id given twice, the last one wrong": '{"jsonrpc":"2.0","id":<id>,"id":<id>9,"result":{}}',
    },
  },
  {
    want: "malformed bad-version",
    strays: ["malformed-frame"],
    cases: {
      "a bare result": '{"result":{}}',
      "a bare error": '{"error":{"code":1,"message":"x"}}',
      "an error as web servers send it": '{"error":"Not found"}',
      "no version and another id": '{"id":<id>9,"result":{}}',
      "a bare id of null": '{"id":null}',
      "a log line with an id of its own": '{"level":"info","id":"f3a1"}',
    },
  },
  {
    want: "malformed no-method-no-answer",
    strays: ["malformed-frame"],
    cases: {
      "a bare version": '{"jsonrpc":"2.0"}',
      "version and an id of null": '{"jsonrpc":"2.0","id":null}',
      "version and params": '{"jsonrpc":"2.0","params":{}}',
      "version and another id": '{"jsonrpc":"2.0","id":<id>9}',
    },
  },
  {
    want: "malformed result-and-error",
    strays: ["malformed-frame"],
    cases: { "result and error, no id": '{"jsonrpc":"2.0","result":{},"error":{"code":1,"message":"x"}}' },
  },
  {
    want: "malformed method-and-answer",
    strays: ["malformed-frame"],
    cases: { "method and result, no id": '{"jsonrpc":"2.0","method":"m","result":{}}' },
  },
  {
    want: "malformed bad-error",
    strays: ["malformed-frame"],
    cases: {
      "a bad error with no id": '{"jsonrpc":"2.0","error":{}}',
      "a bad error with the id null": '{"jsonrpc":"2.0","id":null,"error":"x"}',
    },
  },
  {
    want: "malformed empty-batch",
    strays: ["malformed-frame"],
    cases: { "an empty batch": "[]", "an empty batch with spaces": " [ ] " },
  },
  {
    want: "malformed nested-batch",
    strays: ["malformed-frame"],
    cases: {
      "an empty batch in a batch": "[[]]",
      "the answer in a batch in a batch": `[[${answer}]]`,
      "batches 100000 deep": "[".repeat(LEVELS) + "]".repeat(LEVELS),
    },
  },
];

/** Frames that say nothing about the request: it is answered, or runs out of time. */
const besideThePoint: Group[] = [
  {
    want: "timed-out",
    strays: ["noise"],
    cases: {
      "an empty line": "",
      spaces: "   ",
      "a tab": "\t",
      "a carriage return": "\r",
      "a megabyte of spaces": " ".repeat(MEGABYTE),
      "a line of text": "Server listening on stdio",
      "a megabyte of text": "x".repeat(MEGABYTE),
      "text in colours": "\x1b[32minfo\x1b[0m ready",
      "text beyond ASCII": "サーバー起動 🚀",
      "a log prefix before the answer": `INFO ${answer}`,
      "a time stamp before the answer": `2026-07-28T00:00:00Z ${answer}`,
      "a shebang": "#!/usr/bin/env node",
      "a stack trace line": "    at Object.<anonymous> (server.js:1:1)",
      HTML: "<!doctype html><title>502</title>",
      XML: '<?xml version="1.0"?>',
      "an HTTP status line": "HTTP/1.1 200 OK",
      JSONP: `callback(${answer})`,
      "the guard of some JSON services": ")]}',",
      "an event stream line": `data: ${answer}`,
      "a record separator before the answer": `\x1e${answer}`,
      "a NUL before the answer": `\0${answer}`,
      "NULs only": "\0\0\0\0",
      "a byte order mark only": "\ufeff",
      "the answer in base64": Buffer.from(answer).toString("base64"),
      "the answer as a JSON text": JSON.stringify(answer),
      "random bytes": Buffer.from("9f3c00e1d2b4a8ff7e01", "hex"),
      "compressed bytes": Buffer.from("1f8b0800000000000003", "hex"),
      "UTF-16 with the high byte first": Buffer.from(`\0${withId("1").split("").join("\0")}`, "latin1"),
      "UTF-16 with its mark": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("{}", "utf16le")]),
      MessagePack: Buffer.from([0x83, 0xa2, 0x69, 0x64, 0x01]),
      "a number": "42",
      "a number without bounds": "1e999",
      minus: "-",
      "a JSON text": '"ok"',
      true: "true",
      null: "null",
      undefined: "undefined",
      "a batch of a number": "[1]",
      "a batch of null": "[null]",
      "a batch of a text": '["x"]',
    },
  },
  {
    want: "timed-out",
    strays: ["malformed-frame"],
    cases: {
      "an empty object": "{}",
      "a batch of an empty object": "[{}]",
      "a log line that is JSON": logLine,
      "an answer that only __proto__ has": '{"__proto__":{"jsonrpc":"2.0","id":<id>,"result":{}}}',
      ...named(
        "with the id of ours, the method",
        ["null", "5", "true", "[]", "{}"],
        (method) => `{"jsonrpc":"2.0","id":<id>,"method":${method}}`,
      ),
      ...named(
        "with the id of ours, the params",
        ["null", "5", "true", '"x"'],
        (params) => `{"jsonrpc":"2.0","id":<id>,"method":"m","params":${params}}`,
      ),
      ...named(
        "a question with the id",
        ["null", "true", "0.5", "[]", "{}"],
        (id) => `{"jsonrpc":"2.0","id":${id},"method":"m"}`,
      ),
      "a question of another version": '{"jsonrpc":"1.0","id":<id>,"method":"m"}',
      "a notification without a version": '{"method":"notifications/message"}',
    },
  },
  {
    want: "timed-out",
    strays: ["noise"],
    cases: {
      "a question that is not JSON, with the id of ours": '{"jsonrpc":"2.0","id":<id>,"method":"ping",}',
    },
  },
];

/** Several frames in answer to one request. */
const several: Group[] = [
  {
    want: "result",
    strays: ["noise"],
    cases: {
      "text, then the answer": ["starting", answer],
      "a broken line, then the answer": ["{", answer],
      "a blank line, then the answer": ["", answer],
      "bad bytes, then the answer": [Buffer.from([0xff]), answer],
      "the answer, then text": [answer, "done"],
      "the answer, then a broken answer": [answer, '{"jsonrpc":"2.0","id":<id>,'],
      "a batch of a number and the answer": `[1,${answer}]`,
    },
  },
  {
    want: "result",
    strays: ["malformed-frame"],
    cases: {
      "a JSON log line, then the answer": [logLine, answer],
      "the answer, then a JSON log line": [answer, logLine],
      "a result with no id, then the answer": [noId, answer],
      "an empty batch, then the answer": ["[]", answer],
      "a batch of a batch and the answer": `[[],${answer}]`,
    },
  },
  {
    want: "result",
    strays: ["unknown-id"],
    cases: {
      "an unknown id, then the answer": [otherId, answer],
      "a batch of an unknown id and the answer": `[${otherId},${answer}]`,
      "the answer, then an error without an id": [answer, nullError],
    },
  },
  {
    want: "result",
    strays: ["duplicate-answer"],
    cases: {
      "the answer twice": [answer, answer],
      "the answer twice in a batch": `[${answer},${answer}]`,
      "the answer, then an error": [answer, error],
      "the answer to initialize again, then the answer": ['{"jsonrpc":"2.0","id":1,"result":{}}', answer],
    },
  },
  {
    want: "error",
    strays: ["duplicate-answer"],
    cases: { "an error, then the answer": [error, answer] },
  },
  {
    want: "error without id",
    strays: ["duplicate-answer"],
    cases: { "an error without an id, then the answer": [nullError, answer] },
  },
  {
    want: "malformed bad-version",
    strays: ["duplicate-answer"],
    cases: { "an answer without a version, then the answer": ['{"id":<id>,"result":{}}', answer] },
  },
  {
    want: "malformed id-type",
    strays: ["duplicate-answer"],
    cases: { "the id as text, then the answer": [withId('"<id>"'), answer] },
  },
  {
    want: "malformed not-json",
    strays: ["duplicate-answer"],
    cases: { "a broken answer, then the answer": ['{"jsonrpc":"2.0","id":<id>,', answer] },
  },
  {
    want: "result",
    strays: ["noise", "noise"],
    cases: {
      "blank lines around the answer": ["", answer, ""],
      "the header of a language server before the answer": ["Content-Length: 48\r", "\r", answer],
    },
  },
  {
    want: "result",
    strays: ["duplicate-answer", "duplicate-answer"],
    cases: { "the answer three times": [answer, answer, answer] },
  },
  {
    want: "result",
    strays: Array(1000).fill("noise"),
    cases: { "a thousand lines of text, then the answer": [...Array<string>(1000).fill("log"), answer] },
  },
  {
    want: "timed-out",
    strays: ["noise", "noise"],
    cases: { "the answer as an event stream": [`data: ${answer}`, ""] },
  },
  {
    want: "timed-out",
    strays: ["noise", "noise", "noise"],
    cases: { "a batch of three numbers": "[1,2,3]" },
  },
  {
    want: "timed-out",
    strays: ["duplicate-answer"],
    cases: { "the answer to initialize again": '{"jsonrpc":"2.0","id":1,"result":{}}' },
  },
  {
    want: "malformed not-json",
    strays: Array(5).fill("noise"),
    cases: {
      "the answer printed over several lines": [
        "{",
        '  "jsonrpc": "2.0",',
        '  "id": <id>,',
        '  "result": {}',
        "}",
      ],
    },
  },
  {
    want: "malformed unknown-id",
    strays: ["unknown-id", "unknown-id", "unknown-id"],
    cases: { "three unknown ids": [otherId, '{"jsonrpc":"2.0","id":"x","result":{}}', otherId] },
  },
  {
    want: "malformed bad-id",
    strays: ["malformed-frame", "noise", "unknown-id"],
    cases: { "several faults: the first one tells": [noId, "{", otherId] },
  },
  {
    want: "malformed not-json",
    strays: ["malformed-frame", "noise", "unknown-id"],
    cases: { "several faults in another order": ["{", otherId, noId] },
  },
];

export const groups: Readonly<Record<string, readonly Group[]>> = {
  "odd but right": right,
  "ends at once": atOnce,
  "ends when time is out": inTheEnd,
  "beside the point": besideThePoint,
  "several frames": several,
};

/** What is sent only after the client has given up: each request ends as timed out. */
export const late: readonly Group[] = [
  {
    want: "timed-out",
    strays: ["late-answer"],
    cases: { "an answer that comes late": answer, "an error that comes late": error },
  },
  {
    want: "timed-out",
    strays: ["late-answer", "late-answer"],
    cases: { "an answer that comes late, twice": [answer, answer] },
  },
  {
    want: "timed-out",
    strays: ["unknown-id"],
    cases: {
      "an error without an id that comes late": nullError,
      "the id as text that comes late": withId('"<id>"'),
    },
  },
  {
    want: "timed-out",
    strays: ["noise"],
    cases: { "a broken answer that comes late": '{"jsonrpc":"2.0","id":<id>,' },
  },
];

/** Requests with ids of our choice. */
export const chosenIds: readonly (Group & { readonly id: Id })[] = [
  { id: "req-1", want: "result", cases: { "a text id answered": withId('"req-1"') } },
  { id: "req-2", want: "result", cases: { "a text id answered with escapes": withId('"req\\u002d2"') } },
  {
    id: "req-3",
    want: "malformed not-json",
    cases: { "a text id in broken JSON": '{"id":"req-3","result":' },
  },
  {
    id: "req-4",
    want: "malformed not-json",
    strays: ["noise"],
    cases: { "a text id with escapes in broken JSON": '{"id":"req\\u002d4","result":' },
  },
  {
    id: "7005",
    want: "malformed id-type",
    cases: { "a text of digits answered by the number": withId("7005") },
  },
  { id: "7006", want: "result", cases: { "a text of digits answered by the text": withId('"7006"') } },
  { id: "", want: "result", cases: { "the empty text as id": withId('""') } },
  { id: 0, want: "result", cases: { "0 as id": withId("0") } },
  { id: -7, want: "result", cases: { "a negative id": withId("-7") } },
  { id: "__proto__", want: "result", cases: { "__proto__ as id": withId('"__proto__"') } },
  {
    id: "REQ-5",
    want: "malformed unknown-id",
    strays: ["unknown-id"],
    cases: { "a text id in another case": withId('"req-5"') },
  },
];

/** The limit of the session in which these are sent. */
export const SMALL_LIMIT = 10_000;
const filled = (bytes: number): string =>
  result(`"${"x".repeat(bytes - result('""').length + "<id>".length - 1)}"`);

/** `<id>` is a single digit here, so that lengths are known. */
export const nearTheLimit: readonly (Group & { readonly id: Id })[] = [
  { id: 7, want: "result", cases: { "an answer of exactly the limit": filled(SMALL_LIMIT) } },
  {
    id: 8,
    want: "oversized",
    strays: ["oversized"],
    cases: { "an answer of one byte more": filled(SMALL_LIMIT + 1) },
  },
  { id: 7, want: "oversized", strays: ["oversized"], cases: { "a megabyte of text": "x".repeat(MEGABYTE) } },
  {
    id: 8,
    want: "oversized",
    strays: ["late-answer", "oversized"],
    cases: { "a line over the limit, then the answer": ["x".repeat(20_000), answer] },
  },
  {
    id: 9,
    want: "result",
    strays: ["oversized"],
    cases: { "the answer, then a line over the limit": [answer, "x".repeat(20_000)] },
  },
];

export interface EndingCase {
  readonly name: string;
  /** Bytes as they are: newlines are written out. */
  readonly send?: string | Buffer;
  readonly next: { exit: number } | { signal: NodeJS.Signals } | "close" | "silence";
  readonly want: string;
  readonly strays?: readonly Stray["reason"][];
}

const half = '{"jsonrpc":"2.0","id":<id>,"resu';

/** What a server does after its bytes. Each case has a process of its own. */
export const endings: readonly EndingCase[] = [
  { name: "nothing, exit 0", next: { exit: 0 }, want: "closed" },
  { name: "nothing, exit 1", next: { exit: 1 }, want: "crashed 1" },
  { name: "nothing, exit 3", next: { exit: 3 }, want: "crashed 3" },
  { name: "nothing, exit 128", next: { exit: 128 }, want: "crashed 128" },
  { name: "nothing, exit 255", next: { exit: 255 }, want: "crashed 255" },
  { name: "nothing, exit 126: a shell could not run it", next: { exit: 126 }, want: "unreachable" },
  { name: "nothing, exit 127: a shell did not find it", next: { exit: 127 }, want: "unreachable" },
  { name: "nothing, SIGKILL", next: { signal: "SIGKILL" }, want: "crashed SIGKILL" },
  { name: "nothing, SIGTERM", next: { signal: "SIGTERM" }, want: "crashed SIGTERM" },
  { name: "nothing, SIGSEGV", next: { signal: "SIGSEGV" }, want: "crashed SIGSEGV" },
  { name: "nothing, SIGABRT", next: { signal: "SIGABRT" }, want: "crashed SIGABRT" },
  { name: "nothing, SIGHUP", next: { signal: "SIGHUP" }, want: "crashed SIGHUP" },
  { name: "the answer, exit 0", send: `${answer}\n`, next: { exit: 0 }, want: "result" },
  { name: "the answer, exit 1", send: `${answer}\n`, next: { exit: 1 }, want: "result" },
  { name: "the answer, SIGKILL", send: `${answer}\n`, next: { signal: "SIGKILL" }, want: "result" },
  {
    name: "an answer of a megabyte, exit 0",
    send: `${result(`"${"x".repeat(MEGABYTE)}"`)}\n`,
    next: { exit: 0 },
    want: "result",
  },
  {
    name: "an error without an id, exit 1",
    send: `${nullError}\n`,
    next: { exit: 1 },
    want: "error without id",
  },
  {
    name: "the answer without its newline, exit 0",
    send: answer,
    next: { exit: 0 },
    want: "malformed not-json",
    strays: ["unterminated"],
  },
  {
    name: "half an answer, exit 0",
    send: half,
    next: { exit: 0 },
    want: "malformed not-json",
    strays: ["unterminated"],
  },
  {
    name: "half an answer, exit 1",
    send: half,
    next: { exit: 1 },
    want: "malformed not-json",
    strays: ["unterminated"],
  },
  {
    name: "half an answer, SIGKILL",
    send: half,
    next: { signal: "SIGKILL" },
    want: "malformed not-json",
    strays: ["unterminated"],
  },
  {
    name: "half an answer and half a character, exit 0",
    send: around(half, [0xe2]),
    next: { exit: 0 },
    want: "malformed not-json",
    strays: ["unterminated"],
  },
  { name: "a brace, exit 1", send: "{\n", next: { exit: 1 }, want: "malformed not-json", strays: ["noise"] },
  {
    name: "a result with no id, exit 0",
    send: `${noId}\n`,
    next: { exit: 0 },
    want: "malformed bad-id",
    strays: ["malformed-frame"],
  },
  {
    name: "an unknown id, exit 3",
    send: `${otherId}\n`,
    next: { exit: 3 },
    want: "malformed unknown-id",
    strays: ["unknown-id"],
  },
  {
    name: "text, exit 1",
    send: "Error: no database\n",
    next: { exit: 1 },
    want: "crashed 1",
    strays: ["noise"],
  },
  {
    name: "text, SIGSEGV",
    send: "oops\n",
    next: { signal: "SIGSEGV" },
    want: "crashed SIGSEGV",
    strays: ["noise"],
  },
  {
    name: "text without its newline, exit 1",
    send: "Error: no database",
    next: { exit: 1 },
    want: "crashed 1",
    strays: ["unterminated"],
  },
  {
    name: "text without its newline, SIGSEGV",
    send: "Segmentation fault",
    next: { signal: "SIGSEGV" },
    want: "crashed SIGSEGV",
    strays: ["unterminated"],
  },
  { name: "a blank line, exit 0", send: "\n", next: { exit: 0 }, want: "closed", strays: ["noise"] },
  {
    name: "a JSON log line, exit 0",
    send: `${logLine}\n`,
    next: { exit: 0 },
    want: "closed",
    strays: ["malformed-frame"],
  },
  {
    name: "a notification, exit 2",
    send: '{"jsonrpc":"2.0","method":"m"}\n',
    next: { exit: 2 },
    want: "crashed 2",
  },
  {
    name: "a question, exit 0",
    send: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    next: { exit: 0 },
    want: "closed",
  },
  {
    name: "a line over the limit, exit 0",
    send: `${"x".repeat(SMALL_LIMIT + 1)}\n`,
    next: { exit: 0 },
    want: "oversized",
    strays: ["oversized"],
  },
  {
    name: "a line over the limit without its newline, SIGKILL",
    send: "{".repeat(SMALL_LIMIT + 1),
    next: { signal: "SIGKILL" },
    want: "oversized",
    strays: ["oversized"],
  },
  // The shell or supervisor around the server holds the pipe as well: that stdout was closed shows only when it ends.
  { name: "nothing, stdout closed", next: "close", want: "timed-out" },
  { name: "half an answer, stdout closed", send: half, next: "close", want: "timed-out" },
  { name: "nothing, then silence", next: "silence", want: "timed-out" },
  {
    name: "a brace, then silence",
    send: "{\n",
    next: "silence",
    want: "malformed not-json",
    strays: ["noise"],
  },
  { name: "half a line, then silence", send: half, next: "silence", want: "timed-out" },
];
