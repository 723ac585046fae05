"""A second reader of spec/statement.md and spec/trust-root.md: standard library only, written from these pages.

Reads every case of spec/vectors/trust-root and spec/vectors/statement and says where it comes to another result.
Exit code 0 when there is none.
"""

import base64
import binascii
import datetime
import hashlib
import json
import pathlib
import re
import sys

from ed25519 import public_key, verifies, weakness

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors"
ROOT_TYPE = "application/vnd.touchstone.trust-root+json"
STATEMENT_TYPE = "application/vnd.in-toto+json"
PREDICATE_TYPE = "urn:uuid:3cd8ba5f-e639-45b0-b99a-726bae818f7e#mcp-server-grade/v1"
SAFE = 2**53 - 1
LETTERS = "ABCDF"
CODES = {
    "policy-invalid": 200, "malformed": 201, "wrong-payload-type": 202, "root-expired": 203, "bad-signature": 204,
    "no-trusted-signature": 205, "too-few-signatures": 206, "signer-revoked": 210, "signer-retired": 211,
    "signer-expired": 212, "signer-not-yet-valid": 213, "signer-not-for-grades": 214, "signer-not-for-origin": 215,
    "statement-revoked": 220, "expired": 221, "not-yet-valid": 222, "serial-rollback": 223, "too-old": 224,
    "wrong-origin": 230, "wrong-package": 231, "wrong-command": 232, "swapped-statement": 233,
    "method-not-accepted": 240, "grade-too-low": 241, "tool-not-attested": 250, "tool-unknown": 251,
    "tool-changed": 252, "fingerprint-differs": 253, "surface-differs": 254,
}
ROOT_CODES = {
    "root-malformed": 300, "root-wrong-type": 301, "root-placeholder-key": 302, "root-test-key": 303,
    "root-weak-key": 304, "root-key-id-mismatch": 305, "root-duplicate-key-id": 306, "root-duplicate-key": 307,
    "root-equal-ranks": 308, "root-duplicate-level": 309, "root-unknown-level": 310, "root-key-for-every-level": 311,
    "root-threshold-unreachable": 312, "root-bad-signature": 313, "root-too-few-signatures": 314,
    "root-not-signed-by-old": 315, "root-rollback": 316, "root-version-gap": 317, "root-key-id-reused": 318,
    "root-key-restored": 319, "root-not-yet-valid": 320, "root-expired": 321,
}


class Refused(Exception):
    pass


class Misshapen(Exception):
    pass


def want(condition):
    if not condition:
        raise Misshapen


# Strict JSON, base64, instants, origins.


def strict_json(raw, max_bytes, max_depth):
    def members(pairs):
        names = [name for name, _ in pairs]
        want(len(set(names)) == len(names))
        want(not {"__proto__", "prototype", "constructor"} & set(names))
        return dict(pairs)

    def never(_):
        raise Misshapen

    def look(value, depth):
        want(depth <= max_depth)
        if isinstance(value, str):
            want(not re.search("[\ud800-\udfff]", value))
        elif isinstance(value, dict):
            for name, member in value.items():
                look(name, 0)
                look(member, depth + 1)
        elif isinstance(value, list):
            for member in value:
                look(member, depth + 1)

    want(len(raw) <= max_bytes and not raw.startswith(b"\xef\xbb\xbf"))
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=members, parse_constant=never)
    except (ValueError, RecursionError) as error:
        raise Misshapen from error
    look(value, 0)
    return value


def strict_base64(text):
    want(isinstance(text, str))
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Misshapen from error
    want(base64.b64encode(raw).decode() == text)
    return raw


def instant(text):
    want(isinstance(text, str))
    want(re.fullmatch(r"(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})?Z", text))
    try:
        moment = datetime.datetime.fromisoformat(text[:-1] + "+00:00")
    except ValueError as error:
        raise Misshapen from error
    since = moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return since // datetime.timedelta(milliseconds=1)


def is_origin(text):
    label = "[a-z0-9]([a-z0-9-]*[a-z0-9])?"
    found = re.fullmatch(rf"(https?)://({label}(\.{label})*|\[[0-9a-f:]+\])(:([1-9][0-9]{{0,4}}))?", text)
    if not found or len(text) > 256:
        return False
    scheme, host, port = found[1], found[2], text[found.end(2) + 1 :]
    if port and (int(port) > 65535 or port == {"http": "80", "https": "443"}[scheme]):
        return False
    return scheme == "https" or host in ("localhost", "127.0.0.1", "[::1]")


def units(text):
    return len(text.encode("utf-16-le")) // 2


def is_text(value, most, least=1):
    return isinstance(value, str) and least <= units(value) <= most


def plain_text(value, most):
    want(is_text(value, most) and not re.search("[\x00-\x1f\x7f-\x9f]", value))


def whole(value, least):
    want(isinstance(value, (int, float)) and not isinstance(value, bool))
    want(value == value and abs(value) <= SAFE and value == int(value) and value >= least)


def shaped(value, required, optional=()):
    want(isinstance(value, dict))
    want(set(required) <= set(value) <= set(required) | set(optional))


def matches(pattern, value):
    want(isinstance(value, str) and re.fullmatch(pattern, value))


def sha256(text):
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


DIGEST = "sha256:[0-9a-f]{64}"


# Envelopes.


def read_envelope(raw):
    value = strict_json(raw, 1_048_576, 4)
    shaped(value, ("payloadType", "payload", "signatures"))
    want(is_text(value["payloadType"], 128))
    want(isinstance(value["signatures"], list) and 1 <= len(value["signatures"]) <= 16)
    signatures = []
    for one in value["signatures"]:
        shaped(one, ("keyid", "sig"))
        want(is_text(one["keyid"], 128))
        signature = strict_base64(one["sig"])
        want(len(signature) == 64)
        signatures.append((one["keyid"], signature))
    return value["payloadType"], strict_base64(value["payload"]), signatures


def derived_id(raw):
    return "ed25519:" + sha256(raw)[:16]


def signed_by(envelope, keys):
    kind, payload, signatures = envelope
    message = b"DSSEv1 %d %s %d %s" % (len(kind.encode()), kind.encode(), len(payload), payload)
    good, broken = [], []
    for keyid, signature in signatures:
        found = [key for key in keys if key["id"] == keyid] or [key for key in keys if derived_id(key["raw"]) == keyid]
        if not found:
            continue
        if not verifies(found[0]["raw"], message, signature):
            broken.append(keyid)
        elif found[0] not in good:
            good.append(found[0])
    return good, broken


# The trust root.

NAME = r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}"


def distinct(value, most, least=0):
    want(isinstance(value, list) and least <= len(value) <= most)
    want(all(isinstance(item, str) for item in value) and len(set(value)) == len(value))


def root_content(payload):
    value = strict_json(payload, 786_432, 6)
    shaped(value, ("format", "version", "issuedAt", "expiresAt", "threshold", "scheme", "keys"), ("revokedStatements",))
    want(value["format"] == "touchstone/trust-root/1")
    whole(value["version"], 1)
    whole(value["threshold"], 1)
    want(instant(value["issuedAt"]) < instant(value["expiresAt"]))
    shaped(value["scheme"], ("name", "levels"))
    matches(NAME, value["scheme"]["name"])
    levels = value["scheme"]["levels"]
    want(isinstance(levels, list) and 1 <= len(levels) <= 64)
    for level in levels:
        shaped(level, ("name", "rank"), ("aliases",))
        matches(NAME, level["name"])
        whole(level["rank"], 0)
        distinct(level.get("aliases", []), 16)
        for alias in level.get("aliases", []):
            matches(NAME, alias)
    want(isinstance(value["keys"], list) and 1 <= len(value["keys"]) <= 256)
    for key in value["keys"]:
        root_key(key)
    revoked = value.setdefault("revokedStatements", [])
    distinct(revoked, 4096)
    for digest in revoked:
        matches(DIGEST, digest)
    return value


def root_key(key):
    dates = ("notBefore", "notAfter", "revokedFrom")
    shaped(key, ("id", "publicKey", "state", "roles"), ("approvedClearances", "origins", *dates))
    matches(NAME, key["id"])
    raw = strict_base64(key["publicKey"])
    want(len(raw) == 32)
    want(key["state"] in ("active", "retired", "revoked"))
    distinct(key["roles"], 4, 1)
    want(set(key["roles"]) <= {"root", "clearance", "grade", "exemption"})
    want("exemption" not in key["roles"] or not set(key["roles"]) & {"clearance", "grade"})
    levels = key.get("approvedClearances", [])
    distinct(levels, 64)
    for level in levels:
        matches(NAME, level)
    want(("clearance" in key["roles"]) == (len(levels) > 0))
    if "origins" in key:
        distinct(key["origins"], 256, 1)
        want(all(map(is_origin, key["origins"])))
    moments = {name: instant(key[name]) for name in dates if name in key}
    want("revokedFrom" not in key or key["state"] == "revoked")
    if "notBefore" in key and "notAfter" in key:
        want(moments["notBefore"] < moments["notAfter"])
    key.update(raw=raw, levels=levels, **{"ms" + name: ms for name, ms in moments.items()})


def standing(key, now, skew):
    if key["state"] == "revoked" and not now < key.get("msrevokedFrom", float("-inf")):
        return "revoked"
    if key["state"] == "retired":
        return "retired"
    if now >= key.get("msnotAfter", float("inf")):
        return "expired"
    if now + skew < key.get("msnotBefore", float("-inf")):
        return "not-yet-valid"
    return "usable"


TEST_KEYS = [public_key(bytes.fromhex(digit * 64)) for digit in "0123456789abcdef"]


def read_root(raw, options, old=None):
    now, skew = options["nowMs"], options.get("skewMs", 60_000)

    def check(is_good, reason):
        if not is_good:
            raise Refused(reason)

    def counted(envelope, keys):
        good, _ = signed_by(envelope, keys)
        return sum("root" in key["roles"] and standing(key, now, skew) == "usable" for key in good)

    try:
        envelope = read_envelope(raw)
        check(envelope[0] == ROOT_TYPE, "root-wrong-type")
        check(old is None or counted(envelope, old["keys"]) >= old["threshold"], "root-not-signed-by-old")
        root = root_content(envelope[1])
    except Misshapen as error:
        raise Refused("root-malformed") from error
    keys, levels = root["keys"], root["scheme"]["levels"]
    names = [level["name"] for level in levels]
    spoken = [name for level in levels for name in (level["name"], *level.get("aliases", []))]
    ids, raws, ranks = [key["id"] for key in keys], [key["raw"] for key in keys], [level["rank"] for level in levels]
    check(all(weakness(raw) != "placeholder" for raw in raws), "root-placeholder-key")
    check(all(weakness(raw) is None for raw in raws), "root-weak-key")
    check(options.get("allowTestKeys") or not set(raws) & set(TEST_KEYS), "root-test-key")
    check(
        all(not key["id"].startswith("ed25519:") or key["id"] == derived_id(key["raw"]) for key in keys),
        "root-key-id-mismatch",
    )
    check(len(set(ids)) == len(ids), "root-duplicate-key-id")
    check(len(set(raws)) == len(raws), "root-duplicate-key")
    check(len(set(ranks)) == len(ranks), "root-equal-ranks")
    check(len(set(spoken)) == len(spoken), "root-duplicate-level")
    check(all(set(key["levels"]) <= set(names) for key in keys), "root-unknown-level")
    check(len(names) == 1 or not any(set(names) <= set(key["levels"]) for key in keys), "root-key-for-every-level")
    active = sum("root" in key["roles"] and key["state"] == "active" for key in keys)
    check(active >= root["threshold"], "root-threshold-unreachable")
    check(not signed_by(envelope, keys)[1], "root-bad-signature")
    check(counted(envelope, keys) >= root["threshold"], "root-too-few-signatures")
    least = max(1 if old is None else old["version"] + 1, options.get("highestVersion", 1))
    check(root["version"] >= least, "root-rollback")
    if old is not None:
        check(root["version"] == old["version"] + 1, "root-version-gap")
        before = {key["id"]: key["raw"] for key in old["keys"]}
        check(all(before.get(key["id"], key["raw"]) == key["raw"] for key in keys), "root-key-id-reused")
        gone = {key["raw"] for key in old["keys"] if key["state"] == "revoked"}
        check(not any(key["raw"] in gone and key["state"] != "revoked" for key in keys), "root-key-restored")
    check(instant(root["issuedAt"]) <= now + skew, "root-not-yet-valid")
    check(options.get("allowExpired") or now < instant(root["expiresAt"]), "root-expired")
    return root


# The statement.

VERSION = "[0-9A-Za-z.+-]{1,64}"
PART = "[A-Za-z0-9~-][A-Za-z0-9._~-]*"


def check_subject(one):
    shaped(one, ("name", "digest"))
    name = one["name"]
    plain_text(name, 300)
    wanted = "sha512" if name.startswith("npm:") else "sha256"
    shaped(one["digest"], (wanted,))
    matches("[0-9a-f]{128}" if wanted == "sha512" else "[0-9a-f]{64}", one["digest"][wanted])
    kind, _, rest = name.partition(":")
    if kind == "origin":
        want(is_origin(rest) and one["digest"]["sha256"] == sha256(rest))
    elif kind == "npm":
        matches(rf"(@{PART}/)?{PART}@{VERSION}", rest)
    elif kind == "server.json":
        matches(rf"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+@{VERSION}", rest)
    elif kind == "tool":
        want(rest)
    else:
        want(name in ("surface", "fingerprint"))


def check_predicate(value):
    shaped(
        value,
        ("method", "grades", "coverage", "evidence", "ranAt", "issuedAt", "expiresAt", "serial"),
        ("litmus", "clearance", "command", "extensions"),
    )
    method = "[a-z0-9][a-z0-9.-]{0,63}"
    want(isinstance(value["grades"], list) and 1 <= len(value["grades"]) <= 16)
    for one in value["grades"]:
        shaped(one, ("method", "grade"))
        matches(method, one["method"])
        want(one["grade"] is None or one["grade"] in tuple(LETTERS))
    methods = [one["method"] for one in value["grades"]]
    want(len(set(methods)) == len(methods) and value["method"] in methods)
    shaped(value["coverage"], ("advertised", "called", "succeeded", "calls"))
    for number in value["coverage"].values():
        whole(number, 0)
    coverage = value["coverage"]
    want(coverage["succeeded"] <= coverage["called"] <= min(coverage["advertised"], coverage["calls"]))
    shaped(value["evidence"], ("digest",), ("bundleDigest", "uri"))
    for name in ("digest", "bundleDigest"):
        matches(DIGEST, value["evidence"].get(name, value["evidence"]["digest"]))
    matches("https://[\x21-\x7e]{1,2000}", value["evidence"].get("uri", "https://x"))
    ran, issued, expires = (instant(value[name]) for name in ("ranAt", "issuedAt", "expiresAt"))
    want(ran <= issued < expires <= issued + 366 * 86_400_000)
    whole(value["serial"], 1)
    if "litmus" in value:
        shaped(value["litmus"], ("c01", "c02", "c03", "overall", "fingerprint"))
        for name in ("c01", "c02", "c03"):
            whole(value["litmus"][name], 0)
            want(value["litmus"][name] <= 2)
        want(value["litmus"]["overall"] is None or value["litmus"]["overall"] in tuple(LETTERS))
        if value["litmus"]["fingerprint"] is not None:
            matches("0x[0-9a-f]{64}", value["litmus"]["fingerprint"])
    if "clearance" in value:
        shaped(value["clearance"], ("level", "sad"))
        plain_text(value["clearance"]["level"], 128)
        matches(DIGEST, value["clearance"]["sad"])
    if "command" in value:
        shaped(value["command"], ("program", "digest"))
        plain_text(value["command"]["program"], 1024)
        matches(DIGEST, value["command"]["digest"])
    if "extensions" in value:
        want(isinstance(value["extensions"], dict))
        for name, text in value["extensions"].items():
            plain_text(name, 128)
            want(is_text(text, 4096, 0))


def read_statement(payload):
    value = strict_json(payload, 786_432, 6)
    shaped(value, ("_type", "subject", "predicateType", "predicate"))
    want(value["_type"] == "https://in-toto.io/Statement/v1" and value["predicateType"] == PREDICATE_TYPE)
    want(isinstance(value["subject"], list) and 1 <= len(value["subject"]) <= 4096)
    for one in value["subject"]:
        check_subject(one)
    check_predicate(value["predicate"])
    subjects = {one["name"]: one["digest"] for one in value["subject"]}
    want(len(subjects) == len(value["subject"]))
    for head in ("npm:", "server.json:"):
        want(sum(name.startswith(head) for name in subjects) <= 1)
    want("command" in value["predicate"] or any(name.startswith(("origin:", "npm:")) for name in subjects))
    print_of = value["predicate"].get("litmus", {}).get("fingerprint")
    want(not print_of or "0x" + subjects.get("fingerprint", {}).get("sha256", "") == print_of)
    return subjects, value["predicate"]


def integrity(text):
    found = re.fullmatch(r"sha512-([A-Za-z0-9+/]{86}==)", text)
    return base64.b64decode(found[1]).hex() if found else None


def canonical_words(words):
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


def verify(raw, root, policy, live):
    now, skew, threshold = policy["nowMs"], policy.get("skewMs", 60_000), policy["threshold"]

    def check(is_good, reason):
        if not is_good:
            raise Refused(reason)

    check(threshold >= 1 and policy["acceptedMethods"], "policy-invalid")
    try:
        envelope = read_envelope(raw)
    except Misshapen as error:
        raise Refused("malformed") from error
    digest = "sha256:" + sha256(envelope[1])
    check(envelope[0] == STATEMENT_TYPE, "wrong-payload-type")
    check(now < instant(root["expiresAt"]), "root-expired")
    good, broken = signed_by(envelope, root["keys"])
    check(not broken, "bad-signature")
    check(good, "no-trusted-signature")
    check(digest not in root["revokedStatements"], "statement-revoked")

    def left(signers, faults):
        usable = [key for key in signers if not any(is_wrong(key) for _, is_wrong in faults)]
        if len(usable) < threshold:
            told = [reason for reason, is_wrong in faults if any(map(is_wrong, signers))]
            raise Refused(told[0] if told else "too-few-signatures")
        return usable

    states = ("revoked", "retired", "expired", "not-yet-valid")
    faults = [("signer-" + state, lambda key, state=state: standing(key, now, skew) == state) for state in states]
    faults.append(("signer-not-for-grades", lambda key: "grade" not in key["roles"]))
    good = left(good, faults)
    try:
        subjects, said = read_statement(envelope[1])
    except Misshapen as error:
        raise Refused("malformed") from error
    origins = {name[7:] for name in subjects if name.startswith("origin:")}
    tools = {name[5:]: "sha256:" + value["sha256"] for name, value in subjects.items() if name.startswith("tool:")}
    issued = instant(said["issuedAt"])
    good = left(
        good,
        [
            ("signer-not-yet-valid", lambda key: issued + skew < key.get("msnotBefore", float("-inf"))),
            ("signer-not-for-origin", lambda key: "origins" in key and not (origins and origins <= set(key["origins"]))),
        ],
    )
    check(issued <= now + skew, "not-yet-valid")
    check(now - skew < instant(said["expiresAt"]), "expired")
    check(said["serial"] >= policy.get("highestSerial", 0), "serial-rollback")
    check("origin" not in policy or policy["origin"] in origins, "wrong-origin")
    if "package" in policy:
        package = policy["package"]
        held = subjects.get(f"npm:{package['name']}@{package['version']}", {}).get("sha512")
        check(held is not None and held == integrity(package["integrity"]), "wrong-package")
    if "command" in policy:
        words = "sha256:" + sha256(canonical_words(policy["command"]))
        check(said.get("command", {}).get("digest") == words, "wrong-command")
    if "sadDigest" in policy:
        check(said.get("clearance", {}).get("sad") == policy["sadDigest"], "swapped-statement")
    grades = [one["grade"] for one in said["grades"] if one["method"] in policy["acceptedMethods"]]
    check(grades, "method-not-accepted")
    if "minGrade" in policy:
        least = LETTERS.index(policy["minGrade"])
        check(all(grade is not None and LETTERS.index(grade) <= least for grade in grades), "grade-too-low")
    if "maxAgeMs" in policy:
        check(now - instant(said["ranAt"]) <= policy["maxAgeMs"], "too-old")
    check(set(policy.get("requireTools", [])) <= set(tools), "tool-not-attested")
    shown = live.get("toolDigests", [])
    check(all(name in tools for name, _ in shown), "tool-unknown")
    check(all(tools[name] == value for name, value in shown), "tool-changed")
    if "fingerprint" in live:
        check(live["fingerprint"] == "0x" + subjects.get("fingerprint", {}).get("sha256", ""), "fingerprint-differs")
    if "surfaceDigest" in live:
        check(live["surfaceDigest"] == "sha256:" + subjects.get("surface", {}).get("sha256", ""), "surface-differs")
    return [key["id"] for key in good]


# The cases.


def written(value):
    return value["text"].encode() if "text" in value else base64.b64decode(value["base64"])


def root_outcome(case):
    old = case.get("old")
    lenient = {"nowMs": case["options"]["nowMs"], "allowTestKeys": True, "allowExpired": True}
    before = None if old is None else read_root(old.encode(), lenient)
    try:
        return {"status": "read", "version": read_root(written(case["root"]), case["options"], before)["version"]}
    except Refused as refused:
        return {"status": "refused", "reason": str(refused), "code": ROOT_CODES[str(refused)]}


def statement_outcome(case):
    lenient = {"nowMs": case["policy"]["nowMs"], "allowTestKeys": True, "allowExpired": True}
    root = read_root(case["root"].encode(), lenient)
    try:
        return {"status": "accepted", "signers": verify(written(case["envelope"]), root, case["policy"], case["live"])}
    except Refused as refused:
        return {"status": "refused", "reason": str(refused), "code": CODES[str(refused)]}


def main():
    differing = total = 0
    for folder, outcome in (("trust-root", root_outcome), ("statement", statement_outcome)):
        for path in sorted((VECTORS / folder).glob("*.json")):
            case = json.loads(path.read_text("utf-8"))
            total += 1
            found = outcome(case)
            if found != case["expect"]:
                differing += 1
                print(f"{folder}/{path.name}: {found}, expected {case['expect']}")
    print(f"{total - differing} of {total} cases agree")
    return 1 if differing or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
