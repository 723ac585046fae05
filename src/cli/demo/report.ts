/** Step 7: the story as one page. A file that is not a page of ours is never replaced. */
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { TrustError } from "../../core/index.ts";
import { STORY_MARK, type Story, storyHtml } from "../../report/index.ts";
import type { Scene } from "./story.ts";

const HINT = "--report FILE names another place";
/** A page of ours says so at its beginning. */
const HEAD_BYTES = 2048;

/** Throws where the report could not be written, before anything is done. */
export function freeReport(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !(found.isFile() && isOurs(file)))
    throw new TrustError("CLI_BAD_VALUE", `${file} is there already, and is no report of the demo`, {
      hint: HINT,
    });
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (cause) {
    throw new TrustError("CLI_BAD_VALUE", `${dirname(file)} cannot be written to`, { cause, hint: HINT });
  }
}

function isOurs(file: string): boolean {
  const [head, opened] = [Buffer.alloc(HEAD_BYTES), openSync(file, "r")];
  try {
    readSync(opened, head, 0, HEAD_BYTES, 0);
  } finally {
    closeSync(opened);
  }
  return head.includes(`<meta name="generator" content="${STORY_MARK}">`);
}

export interface Written {
  readonly file: string;
  /** What was made, and what the file holds. */
  readonly made: string;
  readonly found: string;
  readonly steps: number;
}

/** Beside it first: whoever has the old page open never sees half of a new one. */
export function writeReport(file: string, story: Story): Written {
  const made = storyHtml(story);
  const aside = `${file}.${process.pid}.new`;
  writeFileSync(aside, made, { flag: "wx", mode: 0o644 });
  try {
    freeReport(file);
    renameSync(aside, file);
  } catch (cause) {
    rmSync(aside, { force: true });
    throw cause;
  }
  return { file, made, found: readFileSync(file, "utf8"), steps: story.steps.length };
}

/** Tags and attributes by which a page could load or run something. What servers said has no tags: it is escaped. */
const ACTIVE =
  /<(?:script|iframe|object|embed|img|link|form|svg)\b|<[a-z][^>]*\s(?:on\w+\s*=|(?:src|href)\s*=\s*"(?!#))/i;

export function reportScene({ file, made, found, steps }: Written): Scene {
  return {
    id: "report",
    claims: [
      { claim: "the page is written as it was made", holds: made !== "" && found === made },
      {
        claim: "it loads nothing and runs nothing, whatever servers said",
        holds: found !== "" && !ACTIVE.test(found),
      },
      { claim: "it tells every step", holds: found.split('<section class="step ').length - 1 === steps },
    ],
    shows: [
      {
        word: "written",
        tone: "good",
        what: file,
        text: `${Math.ceil(found.length / 1024)} KiB, opens offline`,
      },
    ],
    facts: { file, bytes: Buffer.byteLength(found) },
  };
}
