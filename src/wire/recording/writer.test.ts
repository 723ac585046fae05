import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { root, temporaryFolder } from "../../../test/kit/paths.ts";
import { TrustError } from "../../core/index.ts";
import { HEAD_BYTES } from "../limits.ts";
import { createRecorder, type Recorder, type RecorderOptions, recordToFile } from "./writer.ts";

type Line = Record<string, unknown>;

const digest = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
const markOf = (secret: string): string => `[redacted:sha256:${digest(secret).slice(0, 8)}]`;

/** What a recorder writes, line by line, with a clock that starts at 1000 and goes on by 5 each time it is read. */
async function written(
  use: (recorder: Recorder) => void,
  options: RecorderOptions = {},
): Promise<{ lines: Line[]; text: string }> {
  const parts: string[] = [];
  let time = 995;
  const now = (): number => (time += 5);
  const recorder = createRecorder((line) => parts.push(line), { now, ...options });
  use(recorder);
  await recorder.close();
  for (const part of parts) assert.match(part, /^[^\n]+\n$/);
  return { lines: parts.map((part) => JSON.parse(part) as Line), text: parts.join("") };
}

describe("createRecorder: lines", () => {
  test("the first line names format and start, the last one counts the lines before it [REC-2, REC-8]", async () => {
    const { lines } = await written((recorder) => recorder.event("case", { label: "x" }), {
      about: { target: "npm:thing" },
    });
    assert.deepEqual(lines, [
      {
        seq: 0,
        t_ms: 5,
        ev: "recording",
        format: "touchstone/recording/1",
        started: "1970-01-01T00:00:01.000Z",
        target: "npm:thing",
      },
      { seq: 1, t_ms: 10, ev: "case", label: "x" },
      { seq: 2, t_ms: 15, ev: "end", events: 2 },
    ]);
  });

  test("place, time and kind come first in a line [REC-1]", async () => {
    const { text } = await written((recorder) => recorder.event("case", { a: 1 }));
    assert.equal(text.split("\n")[1], '{"seq":1,"t_ms":10,"ev":"case","a":1}');
  });

  test("numbers run on across peers [REC-3]", async () => {
    const { lines } = await written((recorder) => {
      const [one, two] = [recorder.peer("one"), recorder.peer("two")];
      one.event("a");
      two.frame("b", {}, "x");
      recorder.event("c");
      one.event("d");
    });
    assert.deepEqual(
      lines.map(({ seq }) => seq),
      [0, 1, 2, 3, 4, 5],
    );
  });

  test("a line about a peer names it and its era, which may change [REC-6]", async () => {
    const { lines } = await written((recorder) => {
      const tap = recorder.peer("notes");
      tap.event("spawn", { argv: ["x"] });
      tap.era = "modern";
      tap.frame("msg", { dir: "client->server" }, "{}");
    });
    assert.deepEqual(lines[1], { seq: 1, t_ms: 10, ev: "spawn", peer: "notes", era: "unknown", argv: ["x"] });
    assert.deepEqual(lines[2], {
      seq: 2,
      t_ms: 15,
      ev: "msg",
      peer: "notes",
      era: "modern",
      dir: "client->server",
      raw: "{}",
      sha256: digest("{}"),
    });
  });

  test("a frame that is not UTF-8 goes as base64 [REC-4]", async () => {
    const frame = Buffer.from([0x7b, 0xff]);
    const { lines } = await written((recorder) => recorder.peer("p").frame("msg", {}, frame));
    assert.equal(lines[1]?.raw64, "e/8=");
    assert.equal("raw" in (lines[1] ?? {}), false);
    assert.equal(lines[1]?.sha256, digest(frame));
  });

  test("line breaks and lone surrogates in members do not break the line [REC-1]", async () => {
    const { lines, text } = await written((recorder) =>
      recorder.event("x", { a: "1\n2\u2028\r", b: "\ud800" }),
    );
    assert.equal(text.split("\n").length, 4);
    assert.deepEqual(lines[1], { seq: 1, t_ms: 10, ev: "x", a: "1\n2\u2028\r", b: "\ud800" });
    assert.equal(Buffer.from(text).toString(), text);
  });

  test("a member cannot take the place of seq, t_ms and ev [REC-3]", async () => {
    const { lines } = await written((recorder) => recorder.event("case", { seq: 99, t_ms: "x", ev: "end" }));
    const { seq, t_ms, ev } = lines[1] ?? {};
    assert.deepEqual({ seq, t_ms, ev }, { seq: 1, t_ms: 10, ev: "case" });
  });

  test("after the end nothing is written, and the end is written once", async () => {
    const parts: string[] = [];
    const recorder = createRecorder((line) => parts.push(line));
    const tap = recorder.peer("p");
    await recorder.close();
    recorder.event("late");
    tap.frame("msg", {}, "late");
    await recorder.close();
    assert.equal(parts.length, 2);
  });
});

describe("createRecorder: secrets", () => {
  const secret = "sk-live-0123456789";
  const mark = markOf(secret);
  const options = { secrets: [secret, "on"] };

  test("a secret in a frame is replaced and counted, and the digest is taken after [REC-9, REC-10]", async () => {
    const { lines } = await written(
      (recorder) => recorder.peer("p").frame("msg", {}, `{"a":"${secret}","b":"${secret}","c":"on"}`),
      options,
    );
    const raw = `{"a":"${mark}","b":"${mark}","c":"on"}`;
    const { raw: found, redacted, sha256 } = lines[1] ?? {};
    assert.deepEqual({ raw: found, redacted, sha256 }, { raw, redacted: 2, sha256: digest(raw) });
  });

  test("a frame without a secret has no count [REC-9]", async () => {
    const { lines } = await written((recorder) => recorder.peer("p").frame("msg", {}, "{}"), options);
    assert.equal("redacted" in (lines[1] ?? {}), false);
  });

  test("a secret in a frame that is not UTF-8 is replaced [REC-9]", async () => {
    const frame = Buffer.concat([Buffer.from([0xff]), Buffer.from(secret)]);
    const { lines } = await written((recorder) => recorder.peer("p").frame("msg", {}, frame), options);
    const clean = Buffer.concat([Buffer.from([0xff]), Buffer.from(mark)]);
    assert.equal(lines[1]?.raw64, clean.toString("base64"));
    assert.equal(lines[1]?.sha256, digest(clean));
    assert.equal(lines[1]?.redacted, 1);
  });

  test("a secret in any member of any line is replaced [REC-9]", async () => {
    const { text } = await written(
      (recorder) => {
        recorder.event("case", { label: secret });
        const tap = recorder.peer(`peer ${secret}`);
        tap.event("spawn", { argv: ["x", `--token=${secret}`], headers: { [secret]: [secret] } });
        tap.frame("sse-frame", { block: `data: ${secret}\n\n` }, secret);
      },
      { ...options, about: { command: `run ${secret}` } },
    );
    assert.equal(text.includes(secret), false);
    assert.equal(text.split(mark).length - 1, 9);
  });

  const cutInHead = (known: Line): Promise<{ lines: Line[]; text: string }> =>
    written((recorder) => {
      const head = Buffer.from("x".repeat(HEAD_BYTES - 12) + secret).subarray(0, HEAD_BYTES);
      recorder.peer("p").frame("line", known, head);
    }, options);

  test("a secret cut by the head of an oversized frame is replaced [REC-9]", async () => {
    const { lines, text } = await cutInHead({ oversized: true, bytes: 10_000 });
    assert.equal(lines[1]?.redacted, 1);
    assert.equal(text.includes("sk-live"), false);
    assert.equal(text.includes(`xx${mark}`), true);
  });

  test("a secret cut by the end of the stream is replaced [REC-9]", async () => {
    const { lines, text } = await cutInHead({ unterminated: true });
    assert.equal(lines[1]?.redacted, 1);
    assert.equal(text.includes("sk-live"), false);
  });

  test("a frame that was not cut may end like a secret begins", async () => {
    const { text } = await cutInHead({});
    assert.equal(text.includes("xsk-live-0123"), true);
  });
});

describe("recordToFile", () => {
  const at = (folder: { path: string }): string => join(folder.path, "run.jsonl");

  test("only the owner can read the file", async () => {
    using folder = temporaryFolder();
    const recorder = recordToFile(at(folder));
    assert.equal(statSync(at(folder)).mode & 0o777, 0o600);
    await recorder.close();
  });

  test("every line is in the file when it is closed [REC-1, REC-8]", async () => {
    using folder = temporaryFolder();
    const recorder = recordToFile(at(folder));
    for (let number = 0; number < 1000; number++) recorder.event("n", { number, filler: "☃".repeat(100) });
    await recorder.close();
    const text = readFileSync(at(folder), "utf8");
    const lines = text.trimEnd().split("\n");
    assert.equal(lines.length, 1002);
    assert.equal(text.endsWith("\n"), true);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { seq: number }).seq),
      lines.map((_, index) => index),
    );
  });

  test("a long recording reaches the file before it is closed", async () => {
    using folder = temporaryFolder();
    const recorder = recordToFile(at(folder));
    recorder.event("n", { filler: "x".repeat(100_000) });
    assert.equal(statSync(at(folder)).size > 100_000, true);
    await recorder.close();
  });

  test("closing twice is closing once", async () => {
    using folder = temporaryFolder();
    const recorder = recordToFile(at(folder));
    await Promise.all([recorder.close(), recorder.close()]);
    await recorder.close();
    assert.equal(readFileSync(at(folder), "utf8").trimEnd().split("\n").length, 2);
  });

  const failsFor = (path: string): void => {
    assert.throws(
      () => recordToFile(path),
      (thrown) =>
        thrown instanceof TrustError &&
        thrown.code === "WIRE_RECORDING_FAILED" &&
        thrown.message.startsWith(`${path}: `),
    );
  };

  test("an existing file is refused and not touched", () => {
    using folder = temporaryFolder();
    writeFileSync(at(folder), "keep me");
    failsFor(at(folder));
    assert.equal(readFileSync(at(folder), "utf8"), "keep me");
  });

  test("a symbolic link is refused, wherever it leads", () => {
    using folder = temporaryFolder();
    symlinkSync(join(folder.path, "elsewhere"), at(folder));
    failsFor(at(folder));
    assert.throws(() => statSync(join(folder.path, "elsewhere")), { code: "ENOENT" });
  });

  test("a folder that is missing, that is a file, or in which nothing can be made is told", () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "file"), "");
    for (const path of [
      join(folder.path, "missing", "run.jsonl"),
      join(folder.path, "file", "run.jsonl"),
      folder.path,
      "/proc/run.jsonl",
    ])
      failsFor(path);
  });

  const fills = [
    { name: "a disk that is full does not stop the run, but closing tells", events: 50 },
    { name: "a disk that takes half of the last lines is told as well", events: 6 },
  ];
  for (const c of fills)
    test(c.name, { timeout: 30_000 }, () => {
      using folder = temporaryFolder();
      const program = `
        import { recordToFile } from "./src/wire/recording/writer.ts";
        const recorder = recordToFile(${JSON.stringify(at(folder))});
        for (let number = 0; number < ${c.events}; number++) recorder.event("n", { filler: "x".repeat(10_000) });
        await recorder.close().then(() => console.log("closed"), (error) => console.log(error.code));`;
      const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", program];
      // A file may grow to 100 blocks of 512 bytes.
      const limited = spawnSync("/bin/sh", ["-c", 'ulimit -f 100; exec "$@"', "sh", ...node], {
        cwd: root,
        encoding: "utf8",
      });
      assert.equal(limited.stdout, "WIRE_RECORDING_FAILED\n", limited.stderr);
    });
});
