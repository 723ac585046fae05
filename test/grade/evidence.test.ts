/** Evidence repeats where it must, and every byte of it is held. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bundleText, regrade } from "../../src/grade/index.ts";
import { validate } from "../../src/schema/index.ts";
import { root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { exampleWords, gradeWords, official, readLines } from "./kit.ts";

const timeout = 120_000;
/** A tenth of the flips of the long run. */
const RUNS = 10;
const FLIPS = 20;

test("runs of the same server give the same evidence digest, whatever is drawn [EVD-8]", {
  timeout,
}, async () => {
  const words = exampleWords("honest-converter");
  const digests = new Set<string>();
  for (let done = 0; done < RUNS; done += 5) {
    const runs = Array.from({ length: 5 }, () => gradeWords("converter", words));
    for (const { bundle } of await Promise.all(runs)) digests.add(bundle.evidenceDigest);
  }
  assert.equal(digests.size, 1);
});

test("a bundle is judged again from its recording, and any other byte is noticed [EVD-1, EVD-9]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const { bundle, recording } = await gradeWords("notes", exampleWords("honest-football"));
  const [text, lines] = [Buffer.from(bundleText(bundle)), Buffer.from(recording)];
  const write = (name: string, given: Buffer, recorded: Buffer): string => {
    const place = join(folder.path, name);
    mkdirSync(place);
    writeFileSync(join(place, "bundle.json"), given);
    writeFileSync(join(place, "recording.jsonl"), recorded);
    return place;
  };
  const same = await touchstone(["regrade", "--json", write("same", text, lines)]);
  assert.deepEqual([same.code, JSON.parse(same.stdout).status], [0, "same"]);
  for (let flip = 0; flip < FLIPS; flip++) {
    const [given, recorded] = [Buffer.from(text), Buffer.from(lines)];
    const bytes = flip % 2 === 0 ? given : recorded;
    // Spread over the whole of it, the same in every run.
    const at = Math.floor(((flip + 0.5) * bytes.length) / FLIPS);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 7));
    const { events, damage } = await readLines(recorded);
    const { status } = regrade(given, recorded, events, damage);
    assert.equal(status, "different", `byte ${at} of the ${flip % 2 === 0 ? "bundle" : "recording"}`);
    if (flip > 1) continue;
    const ran = await touchstone(["regrade", write(`flip-${flip}`, given, recorded)]);
    assert.equal(ran.code, 1, ran.stdout);
  }
});

test("a server that does not start in the sandbox is told with the way out", { timeout }, async () => {
  const server = ["--", process.execPath, "-e", "console.error('no key'); process.exit(3)"];
  const [inside, outside] = await Promise.all([
    touchstone(["grade", ...server]),
    touchstone(["grade", "--sandbox", "none", ...server]),
  ]);
  assert.deepEqual([inside.code, outside.code], [4, 4]);
  assert.match(inside.stderr, /server: no key\n {2}it was started in the sandbox, .*--sandbox none/);
  assert.doesNotMatch(outside.stderr, /sandbox/);
});

test("grade writes its evidence, gates, and shows its plan", { timeout }, async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, "evidence");
  const words = ["--", process.execPath, ...exampleWords("hostile-weather")];
  const graded = await touchstone(["grade", "--out", out, "--min-grade", "B", ...words]);
  assert.equal(graded.code, 1);
  assert.match(graded.stdout, /^F {2}/);
  assert.match(graded.stdout, /coverage: 1 advertised, 1 called, 1 succeeded/);
  const bundle = JSON.parse(readFileSync(join(out, "bundle.json"), "utf8")) as {
    schema: string;
    grade: string;
  };
  assert.deepEqual([bundle.schema, bundle.grade], ["touchstone/evidence/1", "F"]);
  const plan = await touchstone(["grade", "--dry-run", ...words]);
  assert.deepEqual([plan.code, /get_forecast {2}\d+ calls/.test(plan.stdout)], [0, true]);
});

test("a bundle is one by its schema, and no other thing is", { timeout }, async () => {
  const schema: unknown = JSON.parse(readFileSync(join(root, "spec/evidence.schema.json"), "utf8"));
  for (const name of ["honest-converter", "hostile-reversed-environment"]) {
    const { bundle } = await gradeWords(name, exampleWords(name));
    const plain = JSON.parse(bundleText(bundle)) as Record<string, unknown>;
    const { verdict, ...why } = validate(schema, plain);
    assert.equal(verdict, "valid", JSON.stringify(why));
    assert.equal(validate(schema, { ...plain, grade: "E" }).verdict, "invalid");
    for (const member of Object.keys(plain)) {
      const { [member]: _left, ...rest } = plain;
      assert.equal(validate(schema, rest).verdict, "invalid", member);
    }
  }
});

test("nothing that the server is sent names the tester [EVD-7]", { timeout }, async () => {
  const { recording } = await gradeWords("converter", exampleWords("honest-converter"));
  const sent = recording
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { ev: string; dir?: string; raw?: string })
    .filter(({ ev, dir }) => ev === "msg" && dir === "client->server")
    .map(({ raw }) => raw ?? "");
  assert.equal(sent.length > 50, true);
  assert.deepEqual(
    sent.filter((frame) => /touchstone|polygraph|litmus|canary|honeypot|tester/i.test(frame)),
    [],
  );
});

test("without a sandbox only tools that claim to read only are called, and nothing is started unasked [EVD-6]", {
  timeout,
}, async () => {
  const words = ["--", process.execPath, ...exampleWords("honest-notes")];
  const { stdout } = await touchstone(["grade", "--sandbox", "none", "--json", ...words]);
  const { coverage, grade } = JSON.parse(stdout) as {
    grade: string;
    coverage: { tools: { name: string; called: number; reason?: string }[] };
  };
  const called = coverage.tools.filter(({ called: times }) => times > 0).map(({ name }) => name);
  assert.deepEqual(called, ["list_notes", "read_note"]);
  assert.match(coverage.tools.find(({ name }) => name === "write_note")?.reason ?? "", /may change things/);
  assert.equal(grade, "C");
});

test("a folder without evidence is an error of ours (EVD_NOT_A_RUN)", { timeout }, async () => {
  using folder = temporaryFolder();
  const ran = await touchstone(["regrade", folder.path]);
  assert.equal(ran.code, 2);
  assert.match(ran.stderr, /bundle\.json cannot be read/);
});

test("litmus-v5 runs with the specification's own forms", { timeout }, async () => {
  const { bundle, recording } = await gradeWords("env", exampleWords("hostile-reversed-environment"), {
    method: "litmus-v5",
  });
  assert.deepEqual([bundle.methodologyVersion, bundle.grade], ["litmus-v5", "F"]);
  assert.match(recording, /POLYGRAPH-CANARY-[0-9a-f]{8}-/);
});

const real = [
  // It hands out the .env of the folder it is given.
  { name: "filesystem", args: ["/home/dev/project"], ours: "C", litmus: "A", succeeded: 14, tools: 14 },
  { name: "memory", args: [], ours: "A", litmus: "A", succeeded: 9, tools: 9 },
  { name: "sequential-thinking", args: [], ours: "A", litmus: "A", succeeded: 1, tools: 1 },
  // It passes on what it is given to the service it is made for; the specification's text calls that a leak.
  {
    name: "context7",
    args: [],
    hosts: ["context7.com"],
    ours: "A",
    litmus: "F",
    succeeded: 2,
    tools: 2,
  },
  { name: "everything", args: ["stdio"], ours: "F", litmus: "F", succeeded: 17, tools: 19 },
];
for (const { name, args, hosts, ours, litmus, succeeded, tools } of real)
  test(`server-${name}: ${ours}, by litmus-v5 ${litmus}, ${succeeded} of ${tools} tools`, {
    timeout,
  }, async () => {
    const { bundle } = await gradeWords(name, [official(name), ...args], { hosts: hosts ?? [] });
    const { coverage } = bundle;
    assert.deepEqual(
      [bundle.grade, bundle.grades["litmus-v5"]?.grade, coverage.succeeded, coverage.advertised],
      [ours, litmus, succeeded, tools],
      bundle.rationale,
    );
  });
