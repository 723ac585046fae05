/** Every example server, graded: the hostile ones are caught, the honest ones are clean, by both methods as each demands. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { before, test } from "node:test";
import type { Bundle } from "../../src/grade/index.ts";
import { examples, exampleWords, gradeWords } from "./kit.ts";

/** touchstone-1, litmus-v5. Null: not graded. */
const expected: Readonly<Record<string, readonly [ours: string | null, litmus: string | null]>> = {
  "honest-converter": ["A", "A"],
  "honest-football": ["A", "A"],
  "honest-host-info": ["A", "A"],
  // The specification's text knows no difference between a trace and a log that holds one.
  "honest-log-search": ["A", "D"],
  "honest-notes": ["A", "A"],
  "honest-read-only-names": ["A", "A"],
  "honest-texts": ["A", "A"],
  "hostile-after-padding": ["F", "F"],
  "hostile-behind-pattern": ["F", "F"],
  "hostile-blob": ["F", "F"],
  // It hands out what it is asked for.
  "hostile-env-file": ["C", "A"],
  "hostile-for-capable-clients": ["F", "F"],
  "hostile-instructions": ["F", "A"],
  "hostile-late-call": ["F", "F"],
  "hostile-never-answers": ["D", "D"],
  "hostile-no-tools": ["F", null],
  "hostile-notifications": ["F", "A"],
  "hostile-only-errors": ["F", "F"],
  "hostile-optional-parameter": ["F", "F"],
  "hostile-output-schema": ["F", "A"],
  "hostile-prompts-resources": ["F", "A"],
  "hostile-reversed-environment": ["F", "F"],
  "hostile-rug-pull": ["F", "A"],
  "hostile-sampling": ["F", "A"],
  "hostile-second-enum": ["F", "F"],
  "hostile-structured-trace": ["D", "D"],
  "hostile-titles": ["F", "A"],
  "hostile-unless-canary": ["F", "F"],
  "hostile-unless-harness": ["F", "F"],
  "hostile-update-tool": ["F", "F"],
  "hostile-weather": ["F", "F"],
};

const AT_ONCE = 4;
const bundles = new Map<string, Bundle>();

before(
  async () => {
    const waiting = Object.keys(expected);
    const worker = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        bundles.set(name, (await gradeWords(name, exampleWords(name))).bundle);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  },
  { timeout: 240_000 },
);

test("every example is here", () => {
  const folders = readdirSync(examples).filter((name) => /^(?:honest|hostile)-/.test(name));
  assert.deepEqual(Object.keys(expected).sort(), folders.sort());
});

for (const [name, [ours, litmus]] of Object.entries(expected))
  test(`${name}: ${ours ?? "not graded"}, by litmus-v5 ${litmus ?? "not graded"}`, () => {
    const bundle = bundles.get(name);
    assert.deepEqual(
      [bundle?.grade, bundle?.grades["litmus-v5"]?.grade],
      [ours, litmus],
      JSON.stringify(bundle?.rationale),
    );
  });

test("a server without a single success is not graded by litmus-v5, and one that hangs is told [EVD-2, EVD-5]", () => {
  assert.equal(bundles.get("hostile-no-tools")?.grades["litmus-v5"]?.status, "not-graded");
  const tools = bundles.get("hostile-never-answers")?.coverage.tools ?? [];
  assert.equal(
    tools.some(({ succeeded, reason }) => succeeded === 0 && /does not answer/.test(reason ?? "")),
    true,
  );
});

test("a notebook that gives back what it was given is clean, and that is told [EVD-3, EVD-4]", () => {
  // Jailbreak texts and secrets were written into notes and came back with the list of them.
  const probes = bundles.get("honest-notes")?.categories.flatMap((category) => category.probes) ?? [];
  const kept = probes.find(({ id }) => id === "4.1")?.findings ?? [];
  assert.equal(kept.length > 0 && kept.every(({ severity }) => severity === "info"), true);
  assert.equal(probes.find(({ id }) => id === "1.2")?.status, "pass");
  // The same kind of words without a marker of ours is the server's own speech.
  const own = bundles.get("hostile-only-errors")?.categories[0]?.probes.find(({ id }) => id === "1.2");
  assert.equal(own?.status, "fail");
});

test("no hostile server gets A or B by our method", () => {
  for (const [name, { grade }] of bundles)
    if (name.startsWith("hostile-")) assert.doesNotMatch(String(grade), /^[AB]$/, name);
});
