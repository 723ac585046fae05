"""A second reader of spec/exemption.md: standard library only, written from that page and those it names.

Reads every case of spec/vectors/exemption and says where it comes to another result. Exit code 0 when there is none.
"""

import json
import sys

from statement import (
    DIGEST, VECTORS, Misshapen, Refused, canonical_words, distinct, instant, is_origin, matches, plain_text,
    read_envelope, read_root, sha256, shaped, signed_by, standing, strict_json, want,
)

EXEMPTION_TYPE = "application/vnd.touchstone.exemption+json"
DAY_MS = 86_400_000
CODES = {
    "malformed": 500, "wrong-type": 501, "root-expired": 502, "bad-signature": 503, "not-signed": 504, "revoked": 505,
    "signer-revoked": 510, "signer-retired": 511, "signer-expired": 512, "signer-not-yet-valid": 513,
    "signer-not-operator": 514, "signer-not-for-origin": 515, "without-end": 520, "too-long": 521,
    "not-yet-valid": 522, "expired": 523, "wrong-server": 530, "wrong-origin": 531, "wrong-command": 532,
    "tool-unknown": 540, "tool-changed": 541, "fingerprint-differs": 542, "surface-differs": 543,
}


def read_exemption(payload):
    value = strict_json(payload, 786_432, 5)
    if isinstance(value, dict) and "expiresAt" not in value:
        raise Refused("without-end")
    shaped(value, ("format", "server", "subject", "waives", "reason", "issuedAt", "expiresAt", "surface"))
    want(value["format"] == "touchstone/exemption/1")
    matches(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", value["server"])
    subject = value["subject"]
    if isinstance(subject, dict) and "origin" in subject:
        shaped(subject, ("origin",))
        want(isinstance(subject["origin"], str) and is_origin(subject["origin"]))
    else:
        shaped(subject, ("command",))
        shaped(subject["command"], ("program", "digest"))
        plain_text(subject["command"]["program"], 1024)
        matches(DIGEST, subject["command"]["digest"])
    distinct(value["waives"], 2, 1)
    want(set(value["waives"]) <= {"grade", "clearance"})
    plain_text(value["reason"], 500)
    want(value["reason"].strip() != "")
    want(instant(value["issuedAt"]) < instant(value["expiresAt"]))
    surface = value["surface"]
    shaped(surface, ("digest", "fingerprint", "tools"))
    matches(DIGEST, surface["digest"])
    if surface["fingerprint"] is not None:
        matches(r"0x[0-9a-f]{64}", surface["fingerprint"])
    want(isinstance(surface["tools"], list) and len(surface["tools"]) <= 4096)
    for tool in surface["tools"]:
        shaped(tool, ("name", "digest"))
        plain_text(tool["name"], 300)
        matches(DIGEST, tool["digest"])
    want(len({tool["name"] for tool in surface["tools"]}) == len(surface["tools"]))
    return value


def verify(raw, root, asked, live):
    now, skew = asked["nowMs"], asked.get("skewMs", 60_000)

    def check(is_good, reason):
        if not is_good:
            raise Refused(reason)

    def left(signers, faults):
        usable = [key for key in signers if not any(is_wrong(key) for _, is_wrong in faults)]
        if not usable:
            raise Refused(next(reason for reason, is_wrong in faults if any(map(is_wrong, signers))))
        return usable

    try:
        envelope = read_envelope(raw)
        check(envelope[0] == EXEMPTION_TYPE, "wrong-type")
        check(now < instant(root["expiresAt"]), "root-expired")
        good, broken = signed_by(envelope, root["keys"])
        check(not broken, "bad-signature")
        check(good, "not-signed")
        check("sha256:" + sha256(envelope[1]) not in root["revokedStatements"], "revoked")
        states = ("revoked", "retired", "expired", "not-yet-valid")
        faults = [("signer-" + state, lambda key, state=state: standing(key, now, skew) == state) for state in states]
        good = left(good, [*faults, ("signer-not-operator", lambda key: "exemption" not in key["roles"])])
        said = read_exemption(envelope[1])
    except Misshapen as error:
        raise Refused("malformed") from error
    issued, expires, subject = instant(said["issuedAt"]), instant(said["expiresAt"]), said["subject"]
    good = left(
        good,
        [
            ("signer-not-yet-valid", lambda key: issued + skew < key.get("msnotBefore", float("-inf"))),
            ("signer-not-for-origin", lambda key: "origins" in key and subject.get("origin") not in key["origins"]),
        ],
    )
    check(expires - issued <= 90 * DAY_MS, "too-long")
    check(issued <= now + skew, "not-yet-valid")
    check(now < expires, "expired")
    check("server" not in asked or said["server"] == asked["server"], "wrong-server")
    check("origin" not in asked or subject.get("origin") == asked["origin"], "wrong-origin")
    if "command" in asked:
        words = "sha256:" + sha256(canonical_words(asked["command"]))
        check(subject.get("command", {}).get("digest") == words, "wrong-command")
    tools = {tool["name"]: tool["digest"] for tool in said["surface"]["tools"]}
    shown = live.get("toolDigests", [])
    check(all(name in tools for name, _ in shown), "tool-unknown")
    check(all(tools[name] == value for name, value in shown), "tool-changed")
    check("fingerprint" not in live or live["fingerprint"] == said["surface"]["fingerprint"], "fingerprint-differs")
    check("surfaceDigest" not in live or live["surfaceDigest"] == said["surface"]["digest"], "surface-differs")
    return [key["id"] for key in good]


def outcome(case):
    lenient = {"nowMs": case["asked"]["nowMs"], "allowTestKeys": True, "allowExpired": True}
    root = read_root(case["root"].encode(), lenient)
    try:
        return {"status": "accepted", "signers": verify(case["envelope"].encode(), root, case["asked"], case["live"])}
    except Refused as refused:
        return {"status": "refused", "reason": f"exemption-{refused}", "code": CODES[str(refused)]}


def main():
    differing = total = 0
    for path in sorted((VECTORS / "exemption").glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        total += 1
        found = outcome(case)
        if found != case["expect"]:
            differing += 1
            print(f"exemption/{path.name}: {found}, expected {case['expect']}")
    print(f"{total - differing} of {total} cases agree")
    return 1 if differing or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
