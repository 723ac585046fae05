"""A second verifier for spec/audit-log.md: standard library only, written from that page.

Without arguments it reads every case of spec/vectors/audit and says where it comes to another result; exit code 0 when
there is none. `DIR VKEYFILE [ANCHORFILE...]` verifies the log of a folder, `--proof FILE VKEYFILE` a proof: the answer
is one line of JSON, the exit code 0 where the log is whole or the proof holds.
"""

import base64
import calendar
import collections
import functools
import hashlib
import json
import pathlib
import re
import sys

from ed25519 import verifies, weakness

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors" / "audit"
SAFE = 2**53 - 1
MEMBERS = {"actor", "at", "data", "id", "n", "outcome", "prev", "server", "tool", "type"}
OUTCOMES = ("allowed", "denied", "deferred", "error")
TYPES = ("admission", "approval", "config", "decision", "drift", "finding", "label", "log")
KEY_NAME = r"[^\s+\x00-\x1f\x7f]+"
NOT_WHOLE = object()

Key = collections.namedtuple("Key", "text name id raw")
Note = collections.namedtuple("Note", "file line size root head")


class Fault(Exception):
    """What is wrong with a line, a note, a key or a proof. Where it stands is for the caller to say."""


class Problem(Exception):
    def __init__(self, problem, file, line, n):
        super().__init__(problem)
        self.answer = {"status": "problem", "problem": str(problem), "file": file, "line": line, "n": n}


def want(condition, fault):
    if not condition:
        raise Fault(fault)


def matches(pattern, value):
    return isinstance(value, str) and re.fullmatch(pattern, value)


def from_base64(text, fault):
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raise Fault(fault) from None
    want(base64.b64encode(raw).decode() == text, fault)
    return raw


def is_time(text):
    if not matches(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", text):
        return False
    year, month, day, hour, minute, second, _ = map(int, re.findall("[0-9]+", text))
    is_date = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
    return is_date and hour < 24 and minute < 60 and second < 60


# The tree (AUD-7, AUD-10).


def leaf_hash(line):
    return hashlib.sha256(b"\x00" + line).digest()


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def climb(at, last, start, path):
    """Both roots by RFC 9162, 2.1.3.2 and 2.1.4.2, the older first; None for a path of another length."""
    small = large = start
    for one in path:
        if last == 0:
            return None
        if at & 1 or at == last:
            small, large = node(one, small), node(one, large)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            large = node(large, one)
        at, last = at >> 1, last >> 1
    return (small, large) if last == 0 else None


def is_included(leaf, index, note, path):
    found = climb(index, note.size - 1, leaf, path) if index < note.size else None
    return found is not None and found[1] == note.root


def is_continued(old, new, path):
    if old.size >= new.size or not path:
        return old.size == new.size and not path and old.root == new.root
    # A whole subtree is its own first hash, and is not written.
    start, *rest = path if old.size & (old.size - 1) else [old.root, *path]
    at, last = old.size - 1, new.size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    return climb(at, last, start, rest) == (old.root, new.root)


# One line (AUD-1 to AUD-4).


def units(text):
    return text.encode("utf-16-be", "surrogatepass")


def whole(text):
    is_good = re.fullmatch("0|-?[1-9][0-9]{0,15}", text) and abs(int(text)) <= SAFE
    return int(text) if is_good else NOT_WHOLE


def written(value):
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(name)}:{written(value[name])}" for name in sorted(value, key=units)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    is_half = isinstance(value, str) and re.search("[\ud800-\udfff]", value)
    want(value is not NOT_WHOLE and not is_half, "not-canonical")
    # Python escapes DEL as little as ECMAScript does, and writes the same short forms.
    return json.dumps(value, ensure_ascii=False)


def depth(value):
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inner), default=0) if isinstance(value, (dict, list)) else 0


def read_json(raw):
    twice = []

    def members(pairs):
        twice.append(len(dict(pairs)) < len(pairs))
        return dict(pairs)

    want(len(raw) <= 65_536, "line-too-long")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault("line-not-utf8") from None
    try:
        # NaN and Infinity are no JSON, and `int` refuses them.
        value = json.loads(text, object_pairs_hook=members, parse_int=whole, parse_float=whole, parse_constant=int)
        want(isinstance(value, dict) and depth(value) <= 100, "line-not-json")
    except (ValueError, RecursionError):
        raise Fault("line-not-json") from None
    want(not any(twice), "name-twice")
    want(written(value) == text, "not-canonical")
    return value


def is_data(value, level=1):
    if isinstance(value, dict):
        if not all(matches("[A-Za-z][A-Za-z0-9_]{0,63}", name) for name in value):
            return False
        value = list(value.values())
    return not isinstance(value, list) or (level <= 8 and all(is_data(one, level + 1) for one in value))


def read_entry(raw):
    entry = read_json(raw)
    want(set(entry) <= MEMBERS, "member-unknown")
    want(set(entry) == MEMBERS, "member-missing")
    for text in (entry["actor"], entry["server"], entry["tool"]):
        want(text is None or (isinstance(text, str) and len(units(text)) <= 2 * 640), "member-malformed")
    want(is_time(entry["at"]) and matches("[0-9a-z-]{8,64}", entry["id"]), "member-malformed")
    want(isinstance(entry["data"], dict) and is_data(entry["data"]), "member-malformed")
    want(type(entry["n"]) is int and entry["n"] >= 0, "member-malformed")
    want(entry["outcome"] in OUTCOMES and entry["type"] in TYPES, "member-malformed")
    want(matches("[0-9a-f]{64}", entry["prev"]), "member-malformed")
    return entry


def is_event(entry, event):
    return entry["type"] == "log" and entry["data"].get("event") == event


# Keys and notes (AUD-11, AUD-12).


def read_key(text):
    found = re.fullmatch(rf"({KEY_NAME})\+([0-9a-f]{{8}})\+([A-Za-z0-9+/=]+)", text)
    want(found, "key-malformed")
    raw = from_base64(found[3], "key-malformed")
    own = hashlib.sha256(found[1].encode() + b"\n" + raw).digest()[:4]
    want(len(raw) == 33 and raw[0] == 1 and weakness(raw[1:]) is None and own.hex() == found[2], "key-malformed")
    return Key(text, found[1], own, raw[1:])


def blocks_of(raw):
    """What stands between empty lines, each with its first line's number; the last is empty where no LF ends it."""
    *lines, rest = raw.split(b"\n")
    blocks = [(1, [])]
    for number, line in enumerate(lines, 1):
        if line:
            blocks[-1][1].append(line)
        else:
            blocks.append((number + 1, []))
    return [*blocks[:-1], (blocks[-1][0], [])] if rest else blocks


def read_note(blocks, key, file=""):
    """A note from its two blocks, text and signatures."""
    bad = "checkpoint-malformed"
    want(len(blocks) == 2 and len(blocks[0][1]) == 5 and 1 <= len(blocks[1][1]) <= 16, bad)
    try:
        texts, signatures = ([line.decode("utf-8") for line in lines] for _, lines in blocks)
    except UnicodeDecodeError:
        raise Fault(bad) from None
    want(not any(re.search("[\x00-\x1f]", line) for line in texts + signatures), bad)
    origin, size, root, head, time = texts
    want(matches("[1-9][0-9]{0,15}", size) and int(size) <= SAFE, bad)
    root, own = from_base64(root, bad), []
    want(len(root) == 32 and matches("head [0-9a-f]{64}", head) and time[:5] == "time " and is_time(time[5:]), bad)
    for line in signatures:
        found = re.fullmatch(f"\u2014 ({KEY_NAME}) ([A-Za-z0-9+/=]+)", line)
        want(found, bad)
        blob = from_base64(found[2], bad)
        want(len(blob) > 4, bad)
        if (found[1], blob[:4]) == (key.name, key.id):
            own.append(blob[4:])
    want(origin == key.name and own, "checkpoint-foreign")
    signed = b"".join(line + b"\n" for line in blocks[0][1])
    want(all(verifies(key.raw, signed, signature) for signature in own), "checkpoint-forged")
    return Note(file, blocks[0][0], int(size), root, head[5:])


def read_notes(raw, key, anchors):
    notes, blocks = [], blocks_of(raw) if raw else []
    pairs = [("checkpoints", at // 2, blocks[at : at + 2]) for at in range(0, len(blocks), 2)]
    pairs += [(f"anchor {n}", n, blocks_of(anchor)) for n, anchor in enumerate(anchors)]
    for file, n, pair in pairs:
        try:
            note = read_note(pair, key, file)
            want(file != "checkpoints" or not notes or note.size > notes[-1].size, "checkpoint-order")
        except Fault as fault:
            raise Problem(fault, file, pair[0][0], n) from None
        notes.append(note)
    return notes


# The log (AUD-18 to AUD-21).


class Log:
    def __init__(self, files, key):
        self.key, self.files = key, files
        self.segments = sorted(int(name[:20]) for name in files if name.endswith(".jsonl"))
        self.numbers = sorted({int(name[:20]) for name in files if name != "checkpoints"})
        self.notes_of, self.leaves, self.head = collections.defaultdict(list), [], "0" * 64
        # The whole subtrees from left to right, as number of leaves and hash.
        self.peaks = []
        # Where the last checkpoint ends, and how far an entry before that says the log was pruned.
        self.signed, self.pruned = None, 0
        # What stood before this segment: None, hashes, whole or torn.
        self.before = None

    def verify(self, anchors, chain_only):
        if not self.numbers:
            raise Problem("no-log", "", 0, 0)
        notes = read_notes(self.files.get("checkpoints", b""), self.key, anchors)
        if not notes and not chain_only:
            raise Problem("no-log", "checkpoints", 0, 0)
        for note in notes:
            self.notes_of[note.size].append(note)
        self.signed = max(self.notes_of, default=None)
        for number in self.numbers:
            self.read(number, f"{number:020}.jsonl", f"{number:020}.hashes")
        count = len(self.leaves)
        first = self.segments[0] if self.segments else count
        if self.pruned < first:
            raise Problem("prune-unannounced", f"{first:020}.jsonl" if self.segments else "", 0, first)
        for note in notes:
            if note.size > count:
                raise Problem("truncated", note.file, note.line, count)
        return {"status": "whole", "entries": count, "signed": max((note.size for note in notes), default=0)}

    def read(self, number, segment, beside):
        is_kept, raw = segment in self.files, self.files.get(beside, b"")
        if number != len(self.leaves) or (not is_kept and self.before in ("whole", "torn")):
            raise Problem("segment-missing", segment if is_kept else beside, 0, len(self.leaves))
        hashes = [raw[at : at + 32] for at in range(0, len(raw), 32)]
        if not is_kept:
            if not raw or len(raw) % 32:
                raise Problem("hashes-malformed", beside, 0, number)
            self.before = "hashes"
            for leaf in hashes:
                self.take(leaf)
            return
        self.before = self.read_segment(number, segment, self.files[segment])
        own = self.leaves[number:]
        if beside in self.files and len(raw) != 32 * len(own):
            raise Problem("hashes-malformed", beside, 0, number)
        for n, (one, other) in enumerate(zip(own, hashes), number):
            if one != other:
                raise Problem("hashes-differ", beside, 0, n)

    def read_segment(self, number, name, raw):
        at = line = 0
        while at < len(raw):
            end, line = raw.find(b"\n", at), line + 1
            try:
                want(end >= 0, "line-torn")
                entry = self.read_line(raw[at:end], line)
            except Fault as fault:
                if self.is_recovered(number, name, raw[at:]):
                    return "torn"
                raise Problem(fault, name, line, len(self.leaves)) from None
            is_signed = self.signed is None or entry["n"] < self.signed
            if is_signed and is_event(entry, "pruned") and set(entry["data"]) == {"before", "event"}:
                said = entry["data"]["before"]
                self.pruned = max(self.pruned, said) if type(said) is int else self.pruned
            self.take(leaf_hash(raw[at:end]))
            at = end + 1
        return "whole"

    def read_line(self, raw, line):
        entry = read_entry(raw)
        want(entry["n"] == len(self.leaves), "number-wrong")
        want(entry["prev"] == self.head, "chain-broken")
        created = {"event": "created", "format": "touchstone/audit/1", "key": self.key.text, "origin": self.key.name}
        want(self.leaves or (entry["type"] == "log" and entry["data"] == created), "first-wrong")
        is_placed = line == 1 and self.before != "whole"
        want(is_placed or not is_event(entry, "recovered"), "recovery-wrong")
        return entry

    def is_recovered(self, number, name, rest):
        """Whether the next segment goes on where this one breaks off, and names the rest."""
        if next((one for one in self.segments if one > number), None) != len(self.leaves):
            return False
        line, end, _ = self.files[f"{len(self.leaves):020}.jsonl"].partition(b"\n")
        torn = {"bytes": len(rest), "sha256": hashlib.sha256(rest).hexdigest()}
        try:
            want(end, "line-torn")
            entry = read_entry(line)
        except Fault:
            return False
        # As text, for Python holds true and 1 to be equal.
        is_named = written(entry["data"]) == written({"event": "recovered", "segment": name, "torn": torn})
        return is_named and entry["type"] == "log"

    def take(self, leaf):
        self.leaves.append(leaf)
        self.head = leaf.hex()
        self.peaks.append((1, leaf))
        while len(self.peaks) > 1 and self.peaks[-2][0] == self.peaks[-1][0]:
            (count, left), (_, right) = self.peaks[-2:]
            self.peaks[-2:] = [(2 * count, node(left, right))]
        for note in self.notes_of.get(len(self.leaves), []):
            if (note.root, note.head) != (self.root(), self.head):
                raise Problem("root-differs", note.file, note.line, note.size)

    def root(self):
        return functools.reduce(lambda right, left: node(left, right), [one for _, one in reversed(self.peaks)])


# Proofs (AUD-22, AUD-23).


def check_proof(raw, key):
    bad, (top, *blocks) = "proof-malformed", blocks_of(raw)
    try:
        kind, *lines = [line.decode("utf-8") for line in top[1]] or [""]
    except UnicodeDecodeError:
        raise Fault(bad) from None
    want(kind in ("c2sp.org/tlog-proof@v1", "touchstone/consistency/1"), bad)
    is_entry = kind == "c2sp.org/tlog-proof@v1"
    path = [from_base64(line, bad) for line in (lines[2:] if is_entry else lines)]
    want(all(len(one) == 32 for one in path), bad)
    if not is_entry:
        want(is_continued(read_note(blocks[:2], key), read_note(blocks[2:], key), path), "proof-wrong")
        return
    want(len(lines) >= 2 and lines[0][:6] == "extra " and matches("index (0|[1-9][0-9]{0,15})", lines[1]), bad)
    line, index = from_base64(lines[0][6:], bad), int(lines[1][6:])
    want(read_entry(line)["n"] == index, "number-wrong")
    want(is_included(leaf_hash(line), index, read_note(blocks, key), path), "proof-wrong")


# The cases, and what is given as arguments.


def log_outcome(files, key, anchors=(), chain_only=False):
    kept = {name: raw for name, raw in files.items() if matches(r"[0-9]{20}\.(jsonl|hashes)|checkpoints", name)}
    try:
        return Log(kept, read_key(key)).verify(anchors, chain_only)
    except Problem as problem:
        return problem.answer
    except Fault:
        # That was the key: all else says where it stands.
        return {"status": "refused"}


def proof_outcome(raw, key):
    try:
        check_proof(raw, read_key(key))
    except Fault:
        return {"status": "refused"}
    return {"status": "holds"}


def outcome(case):
    def content(value):
        return value.encode("utf-8") if isinstance(value, str) else base64.b64decode(value["base64"])

    if "proof" in case:
        return proof_outcome(content(case["proof"]), case["key"])
    files = {name: content(value) for name, value in case["files"].items()}
    return log_outcome(files, case["key"], map(content, case.get("anchors", [])), case.get("chainOnly", False))


def check_vectors():
    total = differing = 0
    for path in sorted(VECTORS.glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        total += 1
        found, wanted = outcome(case), case["expect"]
        if found != ({"status": wanted["status"]} if "proof" in case else wanted):
            differing += 1
            print(f"{path.name}: {found}, expected {wanted}")
    print(f"{total} cases, {differing} differ")
    return 1 if differing or total == 0 else 0


def main(words):
    if not words:
        return check_vectors()
    paths = [pathlib.Path(word) for word in words if word != "--proof"]
    if len(paths) < 2:
        sys.exit(__doc__)
    key = paths[1].read_text("utf-8").strip("\n")
    if words[0] == "--proof":
        found = proof_outcome(paths[0].read_bytes(), key)
    else:
        files = {path.name: path.read_bytes() for path in paths[0].iterdir() if path.is_file()}
        found = log_outcome(files, key, [path.read_bytes() for path in paths[2:]])
    print(json.dumps(found))
    return 0 if found["status"] in ("whole", "holds") else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
