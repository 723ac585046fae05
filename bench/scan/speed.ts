/** What scanning costs: against NFKC and ten phrase patterns over the same bytes, and how it grows with the text. */
import { median } from "../kit.ts";
import type { Text } from "./corpus.ts";

/** Ten phrases of the kind simple scanners look for, each a pattern of its own. */
const PHRASES = [
  /\b(?:ignore|disregard|forget)\s+(?:all\s+)?(?:the\s+|your\s+|any\s+)?(?:previous|prior|above|earlier)\s+(?:instructions?|prompts?|rules)/gi,
  /\b(?:new|updated|revised)\s+(?:instructions?|directives?|system prompt)\s*:/gi,
  /\byou\s+(?:must|should|shall|need to|have to)\s+\w+/gi,
  /\b(?:do not|don't|never)\s+(?:tell|inform|mention|notify|reveal)\b[^.\n]{0,40}\buser/gi,
  /<\/?(?:system|assistant|user|tool)>/gi,
  /\b(?:read|cat|open|include)\b[^.\n]{0,40}(?:\.ssh|id_rsa|\.env|credentials|passwd)/gi,
  /\b(?:send|post|upload|forward|exfiltrate)\b[^.\n]{0,60}https?:\/\//gi,
  /(?:javascript|vbscript|data):[^\s"')]{1,80}/gi,
  /\b(?:before|after)\s+(?:using|calling|running)\b[^.\n]{0,60}\b(?:must|first|always)\b/gi,
  /\b(?:act as|pretend to be|you are now|developer mode|jailbreak)\b/gi,
];

export function phraseScan(text: string): number {
  const plain = text.normalize("NFKC");
  let hits = 0;
  for (const phrase of PHRASES) {
    phrase.lastIndex = 0;
    while (phrase.exec(plain)) hits += 1;
  }
  return hits;
}

export interface Speed {
  readonly megabytes: number;
  readonly phrasesPerSecond: number;
  readonly scanPerSecond: number;
  readonly ratio: number;
}

const ROUNDS = 15;
/** Until the engine has settled how to run both. */
const WARM_UP = 5;

/** Both over the same texts, in turns; the median of the rounds after those to warm up. */
export function compareSpeed(texts: readonly Text[], scan: (text: Text) => unknown): Speed {
  const megabytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;
  const [phrases, scans]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const first = timed(() => texts.map(({ text }) => phraseScan(text)));
    const second = timed(() => texts.map(scan));
    if (round < WARM_UP) continue;
    phrases.push(megabytes / first);
    scans.push(megabytes / second);
  }
  const ratio = median(scans.map((speed, round) => speed / (phrases[round] ?? Number.NaN)));
  return { megabytes, phrasesPerSecond: median(phrases), scanPerSecond: median(scans), ratio };
}

/** Time for 8 MB over time for 1 MB of the same text, divided by eight: 1 is linear. */
export function growth(scan: (text: string) => unknown, sample: string): number {
  const million = sample.repeat(Math.ceil(1e6 / sample.length)).slice(0, 1e6);
  const long = million.repeat(8);
  scan(million);
  const [short, eight] = [median([1, 2, 3].map(() => timed(() => scan(million)))), timed(() => scan(long))];
  return eight / short / 8;
}

function timed(run: () => unknown): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e9;
}
