import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { keyFromSeed, type SigningKey } from "../attest/keys/ed25519.ts";
import { type Checkpoint, isInstant, notesIn, readCheckpoint, signCheckpoint } from "./checkpoint.ts";
import {
  fromBase64,
  isKeyName,
  type Note,
  readNote,
  readVerifierKey,
  signNote,
  standingOf,
  type VerifierKey,
  verifierKey,
} from "./note.ts";

/** The example that is published with the format. */
const PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const PUBLISHED_TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const PUBLISHED = `${PUBLISHED_TEXT}\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

const NAME = "log.example/gateway-1";
const seeded = (byte: number): SigningKey => keyFromSeed(Buffer.alloc(32, byte)) as SigningKey;
const [OWN, OTHER] = [seeded(1), seeded(2)];
const KEY = verifierKey(NAME, OWN.publicKey);
const noteOf = (text: string): Note => readNote(text) as Note;
const zeros = (bytes: number): string => Buffer.alloc(bytes).toString("base64");

test("the published note is signed by the published key [AUD-11]", () => {
  const key = readVerifierKey(PUBLISHED_KEY);
  assert.equal(key?.name, "PeterNeumann");
  assert.equal(key.text, PUBLISHED_KEY);
  const note = noteOf(PUBLISHED);
  assert.equal(note.text, PUBLISHED_TEXT);
  assert.equal(standingOf(note, key), "signed");
});

test("the published note with any letter changed is forged [AUD-11]", () => {
  const key = readVerifierKey(PUBLISHED_KEY) as VerifierKey;
  for (let at = 0; at < PUBLISHED_TEXT.length; at++) {
    if (PUBLISHED_TEXT[at] === "\n") continue;
    const note = noteOf(`${PUBLISHED.slice(0, at)}_${PUBLISHED.slice(at + 1)}`);
    assert.equal(standingOf(note, key), "forged", `letter ${at}`);
  }
});

const [ID, BASE64] = KEY.text.split("+").slice(1) as [string, string];
const ofOtherAlgorithm = Buffer.concat([Buffer.of(2), OWN.publicKey]);
const idOfOther = createHash("sha256").update(`${NAME}\n`).update(ofOtherAlgorithm).digest("hex").slice(0, 8);
const badKeys: readonly (readonly [name: string, text: string])[] = [
  ["nothing", ""],
  ["a name alone", NAME],
  ["no id", `${NAME}+${BASE64}`],
  ["no key", `${NAME}+${ID}+`],
  ["no name", `+${ID}+${BASE64}`],
  ["a space in the name", `log example+${ID}+${BASE64}`],
  ["a control character in the name", `log\u0007+${ID}+${BASE64}`],
  ["the id of another name", `${NAME}2+${ID}+${BASE64}`],
  ["the id of another key", `${NAME}+${verifierKey(NAME, OTHER.publicKey).text.split("+")[1]}+${BASE64}`],
  ["an id in capitals", `${NAME}+${ID.toUpperCase()}+${BASE64}`],
  ["an id that is too short", `${NAME}+${ID.slice(1)}+${BASE64}`],
  ["another algorithm", `${NAME}+${idOfOther}+${ofOtherAlgorithm.toString("base64")}`],
  ["a key that is too short", verifierKey(NAME, OWN.publicKey.subarray(1)).text],
  ["a key that is too long", verifierKey(NAME, Buffer.concat([OWN.publicKey, Buffer.of(0)])).text],
  ["padding that is not asked for", `${KEY.text}=`],
  ["letters of another base64", KEY.text.replace(BASE64, `-_${BASE64.slice(2)}`)],
  ["something behind the key", `${KEY.text} x`],
  ["two keys", `${KEY.text}\n${KEY.text}`],
];
for (const [name, text] of badKeys)
  test(`a key is refused: ${name} [AUD-11]`, () => assert.equal(readVerifierKey(text), undefined));

test("the key that the table of bad ones is made from is good, also with a line end [AUD-11]", () => {
  assert.equal(readVerifierKey(KEY.text)?.text, KEY.text);
  assert.deepEqual(readVerifierKey(`${KEY.text}\n`), KEY);
  assert.equal(/[A-F]/.test(ID.toUpperCase()), true, "its id has letters that have capitals");
});

const names: readonly (readonly [name: string, isGood: boolean])[] = [
  ["log.example/gateway-1", true],
  ["Protokoll-für-alle🔒", true],
  ["x".repeat(200), true],
  ["x".repeat(201), false],
  ["", false],
  ["a+b", false],
  ["a b", false],
  ["a\u00a0b", false],
  ["a\u2028b", false],
  ["a\n", false],
  ["a\u007f", false],
];
for (const [name, isGood] of names)
  test(`${JSON.stringify(name.slice(0, 25))} of ${name.length} units is ${isGood ? "a" : "no"} name [AUD-11]`, () =>
    assert.equal(isKeyName(name), isGood));

const SIGNED = signNote("one\ntwo\n", NAME, OWN);
const LINE = SIGNED.slice(SIGNED.indexOf("\u2014"));
const badNotes: readonly (readonly [name: string, note: string])[] = [
  ["nothing", ""],
  ["no signature", "one\ntwo\n"],
  ["no signature behind the gap", "one\ntwo\n\n"],
  ["no text", `\n\n${LINE}`],
  ["no gap", `one\ntwo\n${LINE}`],
  ["two empty lines", `one\ntwo\n\n\n${LINE}`],
  ["an empty line between signatures", `${SIGNED}\n${LINE}`],
  ["an empty line at the end", `${SIGNED}\n`],
  ["no line end", SIGNED.slice(0, -1)],
  ["lines that end as on another system", SIGNED.replaceAll("\n", "\r\n")],
  ["a control character in the text", SIGNED.replace("two", "t\u0000o")],
  ["a tab in the text", SIGNED.replace("two", "t\to")],
  ["a hyphen for the dash", SIGNED.replace("\u2014", "-")],
  ["two spaces", SIGNED.replace("\u2014 ", "\u2014  ")],
  ["a space at the end", SIGNED.replace(/\n$/, " \n")],
  ["no name", SIGNED.replace(`${NAME} `, "")],
  ["a name with a plus", SIGNED.replace(NAME, "a+b")],
  ["no base64", `one\n\n\u2014 ${NAME} !!!!\n`],
  ["base64 without its padding", `one\n\n\u2014 ${NAME} ${zeros(68).replaceAll("=", "")}\n`],
  ["base64 with other bits at its end", `one\n\n\u2014 ${NAME} ${zeros(68).replace("A=", "B=")}\n`],
  ["an id without signature", `one\n\n\u2014 ${NAME} ${zeros(4)}\n`],
  ["seventeen signatures", `one\n\n${LINE.repeat(17)}`],
  ["text behind the signatures", `${SIGNED}three\n`],
];
for (const [name, note] of badNotes)
  test(`a note is refused: ${name} [AUD-11]`, () => assert.equal(readNote(note), undefined));

const other = signNote("one\ntwo\n", NAME, OTHER);
const otherLine = other.slice(other.indexOf("\u2014"));
const own = Buffer.from(LINE.split(" ")[2] as string, "base64");
const lineOf = (bytes: Uint8Array, name = NAME): string =>
  `\u2014 ${name} ${Buffer.from(bytes).toString("base64")}\n`;
const broken = Buffer.from(own.map((byte, at) => (at === 67 ? byte ^ 1 : byte)));
const standings: readonly (readonly [
  name: string,
  lines: string,
  standing: ReturnType<typeof standingOf>,
])[] = [
  ["its own signature", LINE, "signed"],
  ["a witness before it", lineOf(Buffer.alloc(68), "witness.example") + LINE, "signed"],
  ["another key of the same name behind it", LINE + otherLine, "signed"],
  ["sixteen signatures", otherLine.repeat(15) + LINE, "signed"],
  ["another key of the same name alone", otherLine, "not-by-key"],
  ["its signature under another name", lineOf(own, "log.example/other"), "not-by-key"],
  ["a signature with one bit changed", lineOf(broken), "forged"],
  ["half of a signature", lineOf(own.subarray(0, 36)), "forged"],
  ["a byte behind the signature", lineOf(Buffer.concat([own, Buffer.of(0)])), "forged"],
  ["a good one and a bad one", LINE + lineOf(broken), "forged"],
  ["a bad one and a good one", lineOf(broken) + LINE, "forged"],
];
for (const [name, lines, standing] of standings)
  test(`a note with ${name} is ${standing} [AUD-11]`, () =>
    assert.equal(standingOf(noteOf(`one\ntwo\n\n${lines}`), KEY), standing));

test("what is signed is read and verified, whatever the text, and by no other key [AUD-11]", () => {
  const line = fc
    .string({ unit: "binary", minLength: 1 })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what notes must not hold.
    .map((text) => text.replace(/[\u0000-\u001f]/g, "_"));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const text = lines.map((one) => `${one}\n`).join("");
      const note = noteOf(signNote(text, NAME, OWN));
      assert.equal(note.text, text);
      assert.equal(standingOf(note, KEY), "signed");
      assert.equal(standingOf(note, verifierKey(NAME, OTHER.publicKey)), "not-by-key");
      assert.equal(standingOf({ ...note, text: `${text} ` }, KEY), "forged");
    }),
  );
});

test("base64 has one writing for any bytes, and none for no bytes [AUD-11]", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      assert.deepEqual(fromBase64(text), Buffer.from(bytes));
      for (const bad of [`${text}=`, `${text}\n`, ` ${text}`, text.slice(0, -1)])
        assert.equal(fromBase64(bad), undefined, JSON.stringify(bad));
    }),
  );
  assert.equal(fromBase64(""), undefined);
});

const HEAD: Checkpoint = {
  origin: NAME,
  size: 41_274,
  root: "a8".repeat(32),
  head: "9b".repeat(32),
  time: "2026-11-15T10:00:10.000Z",
};

test("a checkpoint is read as it was signed [AUD-11]", () => {
  const text = signCheckpoint(HEAD, OWN);
  const lines = text.split("\n");
  const root64 = Buffer.from(HEAD.root, "hex").toString("base64");
  assert.deepEqual(lines.slice(0, 6), [NAME, "41274", root64, `head ${HEAD.head}`, `time ${HEAD.time}`, ""]);
  const read = readCheckpoint(text);
  assert.deepEqual(read?.checkpoint, HEAD);
  assert.equal(standingOf(read.note, KEY), "signed");
});

const heads: readonly (readonly [name: string, line: number, text: string | undefined])[] = [
  ["no origin", 0, undefined],
  ["a size of zero", 1, "0"],
  ["a size with a sign", 1, "+5"],
  ["a size that is no integer", 1, "5.0"],
  ["a size beyond all integers", 1, "9007199254740992"],
  ["a root of 31 bytes", 2, zeros(31)],
  ["a root of 33 bytes", 2, zeros(33)],
  ["a root in hexadecimal digits", 2, HEAD.root],
  ["no head", 3, undefined],
  ["a head without its name", 3, HEAD.head],
  ["a head in capitals", 3, `head ${HEAD.head.toUpperCase()}`],
  ["a head and another space", 3, `head  ${HEAD.head}`],
  ["no time", 4, undefined],
  ["a time without its name", 4, HEAD.time],
  ["a time of another zone", 4, "time 2026-11-15T10:00:10.000+01:00"],
  ["a day that there is not", 4, "time 2026-02-29T10:00:10.000Z"],
  ["a line more", 5, "more"],
];
for (const [name, line, text] of heads)
  test(`a checkpoint is refused, well signed as it may be: ${name} [AUD-11]`, () => {
    const lines = signCheckpoint(HEAD, OWN).split("\n").slice(0, 5);
    lines.splice(line, 1, ...(text === undefined ? [] : [text]));
    assert.equal(readCheckpoint(signNote(lines.map((one) => `${one}\n`).join(""), NAME, OWN)), undefined);
  });

test("an instant is a real one, asked once or twice [AUD-3]", () => {
  const good = ["2026-11-15T10:00:10.000Z", "2024-02-29T23:59:59.999Z", "0000-01-01T00:00:00.000Z"];
  for (const text of [...good, ...good]) assert.equal(isInstant(text), true, text);
  for (const text of ["2026-11-15T24:00:00.000Z", "2026-11-15T10:00:60.000Z", "2026-11-15T10:00:10Z", ""])
    assert.equal(isInstant(text), false, text);
});

const files: readonly (readonly [name: string, file: string, lines: readonly number[]])[] = [
  ["nothing", "", []],
  ["one note", SIGNED, [1]],
  ["two notes", `${SIGNED}\n${SIGNED}`, [1, 6]],
  ["notes of different length", `${PUBLISHED}${LINE}\n${SIGNED}\n${PUBLISHED}`, [1, 7, 12]],
];
for (const [name, file, lines] of files)
  test(`each note is read with the line it begins on: ${name} [AUD-12]`, () => {
    const notes = notesIn(file);
    assert.deepEqual(
      notes.map(({ line }) => line),
      lines,
    );
    for (const { text, line } of notes) {
      const first = file.split("\n")[line - 1];
      assert.equal(text.split("\n")[0], first, `the note of line ${line}`);
      assert.notEqual(readNote(text), undefined, `the note of line ${line} can be read`);
    }
    assert.equal(notes.map(({ text }) => text).join("\n"), file, "and nothing of the file is lost");
  });

const CHECKPOINT = signCheckpoint(HEAD, OWN);
const faulty: readonly (readonly [name: string, file: string, bad: number])[] = [
  ["cut within a text", `${CHECKPOINT}\n${CHECKPOINT.slice(0, 60)}`, 1],
  ["cut within a signature", `${CHECKPOINT}\n${CHECKPOINT.slice(0, -9)}`, 1],
  ["no empty line between notes", `${CHECKPOINT}${CHECKPOINT}`, 0],
  ["two empty lines between notes", `${CHECKPOINT}\n\n${CHECKPOINT}`, 1],
  ["an empty line at the end", `${CHECKPOINT}\n`, 1],
  ["an empty line at the beginning", `\n${CHECKPOINT}`, 0],
  ["nothing but an empty line", "\n", 0],
];
for (const [name, file, bad] of faulty)
  test(`a part of the file that is no checkpoint is one that cannot be read: ${name} [AUD-12]`, () =>
    assert.equal(
      notesIn(file).findIndex(({ text }) => !readCheckpoint(text)),
      bad,
    ));
