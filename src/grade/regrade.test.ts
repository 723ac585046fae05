import assert from "node:assert/strict";
import { test } from "node:test";
import { ENVIRONMENT_KEY, egress, ORDER, type RunParts, recordingOf } from "../../test/kit/run.ts";
import { type RecordedEvent, readRecording } from "../wire/index.ts";
import { bundleOf, bundleText, sha256 } from "./bundle.ts";
import { type Regraded, regrade } from "./regrade.ts";

/** As the command does it: the bytes of two files. */
async function again(bundle: Buffer, recording: Buffer): Promise<Regraded> {
  const events: RecordedEvent[] = [];
  const damage: string[] = [];
  for await (const reading of readRecording(chunks(recording)))
    if (reading.kind === "event") events.push(reading.event);
    else damage.push(`line ${reading.line}: ${reading.reason}`);
  return regrade(bundle, recording, events, damage);
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function evidence(parts: RunParts): { readonly bundle: Buffer; readonly recording: Buffer } {
  const { events, text } = recordingOf(parts);
  return { bundle: Buffer.from(bundleText(bundleOf(events, sha256(text)))), recording: Buffer.from(text) };
}

const SMALL = evidence({ exchanges: [{ probe: "3.1" }] });

const runs: readonly { readonly name: string; readonly parts: RunParts }[] = [
  { name: "an honest server", parts: { later: [{}] } },
  {
    name: "a hostile one",
    parts: { exchanges: [{ says: `${ORDER} ${ENVIRONMENT_KEY.value}` }], sandbox: [egress()] },
  },
  { name: "a server that ends", parts: { exchanges: [{ outcome: "crashed" }] } },
  { name: "a server without tools", parts: { tools: [], exchanges: [] } },
  { name: "a run of the specification's method", parts: { terms: { method: "litmus-v5" } } },
  { name: "letters of many scripts", parts: { exchanges: [{ says: "東京 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \ud800 \u0000" }] } },
];
for (const { name, parts } of runs)
  test(`the same bundle comes of the same recording: ${name}`, async () => {
    const { bundle, recording } = evidence(parts);
    const result = await again(bundle, recording);
    assert.equal(result.status, "same");
    assert.equal(bundleText(result.bundle as NonNullable<Regraded["bundle"]>), bundle.toString("utf8"));
  });

/** Numbers that are the same in every run of the test. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const FLIPS = 150;
for (const part of ["bundle", "recording"] as const)
  test(`${FLIPS} flipped bits in the ${part} are all seen`, { timeout: 20_000 }, async () => {
    const next = numbers(20_261_115);
    for (let times = 0; times < FLIPS; times++) {
      const bytes = Buffer.from(SMALL[part]);
      const at = next(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8));
      const result = await (part === "bundle" ? again(bytes, SMALL.recording) : again(SMALL.bundle, bytes));
      assert.equal(result.status, "different", `byte ${at} of the ${part}`);
      if (result.status === "different") assert.ok(result.differences.length > 0);
    }
  });

const text = SMALL.bundle.toString("utf8");
const lines = SMALL.recording.toString("utf8").split("\n");
const tampered: readonly {
  readonly name: string;
  readonly bundle?: string;
  readonly recording?: string;
  readonly says: RegExp;
}[] = [
  {
    name: "a better letter",
    bundle: text.replace(/"grade": "[A-F]"|"grade": null/, '"grade": "A+"'),
    says: /bundle: grade is not what the recording gives/,
  },
  { name: "a member more", bundle: text.replace("{", '{\n  "note": 1,'), says: /bundle: note is not/ },
  { name: "a member less", bundle: text.replace(/ {2}"ranAt": [^\n]*\n/, ""), says: /bundle: ranAt is not/ },
  {
    name: "other white space",
    bundle: JSON.stringify(JSON.parse(text)),
    says: /the same members, other bytes/,
  },
  { name: "a line feed more", bundle: `${text}\n`, says: /other bytes/ },
  { name: "Windows line ends", bundle: text.replaceAll("\n", "\r\n"), says: /other bytes/ },
  { name: "a byte order mark", bundle: `\ufeff${text}`, says: /not JSON/ },
  { name: "a bundle that is cut off", bundle: text.slice(0, -10), says: /not JSON/ },
  { name: "an empty bundle", bundle: "", says: /not JSON/ },
  { name: "a bundle that is a list", bundle: "[]", says: /is not what the recording gives/ },
  { name: "a bundle that is null", bundle: "null", says: /not an object/ },
  {
    name: "a recording without its last line",
    recording: `${lines.slice(0, -2).join("\n")}\n`,
    says: /recording is not/,
  },
  {
    name: "a recording without a line in the middle",
    recording: lines.toSpliced(4, 1).join("\n"),
    says: /line 5: sequence/,
  },
  {
    name: "two lines that change places",
    recording: lines
      .with(4, lines[5] ?? "")
      .with(5, lines[4] ?? "")
      .join("\n"),
    says: /sequence/,
  },
  { name: "a line that is no JSON", recording: lines.with(4, "{").join("\n"), says: /line 5: not-json/ },
  {
    name: "a frame whose digest does not fit",
    recording: SMALL.recording.toString("utf8").replace("fine", "fime"),
    says: /hash/,
  },
  { name: "an empty recording", recording: "", says: /does not hold a run/ },
  { name: "a recording of something else", recording: `${lines[0]}\n`, says: /does not hold a run/ },
  {
    name: "a method that nobody knows",
    recording: SMALL.recording.toString("utf8").replace('"method":"touchstone-1"', '"method":"other"'),
    says: /^recording: /,
  },
  {
    name: "terms without a target",
    recording: SMALL.recording.toString("utf8").replace('"target":{', '"tarjet":{'),
    says: /^recording: /,
  },
];
for (const { name, bundle = text, recording = SMALL.recording.toString("utf8"), says } of tampered)
  test(`different: ${name}`, async () => {
    const result = await again(Buffer.from(bundle), Buffer.from(recording));
    assert.equal(result.status, "different");
    if (result.status === "different") assert.match(result.differences.join("\n"), says);
  });

test("the bundle of another run is different, although the server is the same", async () => {
  const other = evidence({ exchanges: [{ probe: "3.1", says: "other words" }] });
  assert.equal((await again(SMALL.bundle, other.recording)).status, "different");
});

test("damage makes a difference even where nothing else does", () => {
  const { events, text: whole } = recordingOf();
  const bytes = Buffer.from(bundleText(bundleOf(events, sha256(whole))));
  const result = regrade(bytes, Buffer.from(whole), events, ["line 3: hash"]);
  assert.deepEqual(result.status === "different" && result.differences, ["recording: line 3: hash"]);
});

test("bytes that only decode to the same text are different", async () => {
  const { bundle, recording } = evidence({ terms: { target: { label: "a\ufffdb", kind: "stdio" } } });
  const at = bundle.indexOf("\ufffd");
  const other = Buffer.concat([bundle.subarray(0, at), Buffer.from([0xff]), bundle.subarray(at + 3)]);
  assert.equal(other.toString("utf8"), bundle.toString("utf8"));
  assert.equal((await again(bundle, recording)).status, "same");
  assert.equal((await again(other, recording)).status, "different");
});
