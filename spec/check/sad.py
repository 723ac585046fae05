"""A second reading of spec/sad.md: reads the cases of spec/vectors/sad and says where it disagrees.

Standard library only. Ed25519 is verified by the equations of RFC 8032, slowly. Written from the page, not from the
TypeScript: only the vectors and the specification are shared. Exit code 0 when all cases agree.
"""

import base64
import datetime
import hashlib
import ipaddress
import json
import pathlib
import re
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors" / "sad"

REASON = {
    0: "unsupported_version",
    1: "not_mcp_server",
    2: "unsigned",
    3: "signer_not_trusted",
    4: "signer_expired",
    5: "signer_not_approved",
    6: "bad_signature",
    7: "below_required",
    8: "host_not_bound",
    9: "tool_not_admitted",
}
UNDER = {109: 0, 110: 0, 112: 5, 116: 2, 117: 6, 118: 8, 119: 8, 130: 3, 131: 4, 132: 4, 133: 5, 134: 6, 135: 9}


class Denied(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code

    def answer(self):
        base = self.code if self.code < 100 else UNDER.get(self.code, 1)
        return {"status": "denied", "reason": REASON[base], "code": self.code}


# --- Ed25519 (RFC 8032, 5.1), extended homogeneous coordinates ---

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def recover_x(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(raw):
    number = int.from_bytes(raw, "little")
    y, sign = number & (2**255 - 1), number >> 255
    x = recover_x(y, sign) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def add(one, two):
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


NEUTRAL = (0, 1, 1, 0)


def times(number, a):
    total = NEUTRAL
    while number:
        if number & 1:
            total = add(total, a)
        a = add(a, a)
        number >>= 1
    return total


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def encoded(a):
    inverse = pow(a[2], P - 2, P)
    x, y = a[0] * inverse % P, a[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def is_usable(raw):
    """Canonical and not of small order. What is no point at all is left to the signature to fail."""
    if len(raw) != 32 or int.from_bytes(raw, "little") & (2**255 - 1) >= P:
        return False
    # The sign of x = 0 is no reason to let a point of small order through.
    found = point(raw) or point(raw[:31] + bytes([raw[31] ^ 0x80]))
    return found is None or encoded(times(8, found)) != encoded(NEUTRAL)


def verifies(raw, message, signature):
    key = point(raw)
    s = int.from_bytes(signature[32:], "little")
    if key is None or len(signature) != 64 or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + raw + message).digest(), "little") % L
    negative = (P - key[0], key[1], 1, P - key[3])
    return encoded(add(times(s, BASE), times(k, negative))) == signature[:32]


# --- The signed bytes (SAD-2) ---

SIGNED = ["v", "id", "publisher", "version", "clearance", "capabilities", "signerKeyId", "netAllowedHosts", "verification"]
FIELDS = SIGNED + ["signature"]


def units(text):
    return text.encode("utf-16-be", "surrogatepass")


def written(value):
    if isinstance(value, list):
        return "[" + ",".join(sorted(map(written, value), key=units)) + "]"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # Python escapes DEL as little as ECMAScript does, and writes the same short forms.
    return json.dumps(value, ensure_ascii=False)


def body(sad):
    members = {name: sad[name] for name in SIGNED if name in sad}
    members.setdefault("signerKeyId", None)
    names = sorted(members, key=units)
    return ("{" + ",".join(f'"{name}":{written(members[name])}' for name in names) + "}").encode("utf-8")


# --- Intake (SAD-7 to SAD-15) ---

FORBIDDEN = {"__proto__", "prototype", "constructor"}
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"')


class Text:
    """JSON by RFC 8259, read from the beginning, with the faults of SAD-8 where they stand."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def document(self):
        value = self.value(0)
        self.space()
        if self.at != len(self.text):
            raise Denied(103)
        return value

    def space(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n\r":
            self.at += 1

    def peek(self):
        self.space()
        return self.text[self.at : self.at + 1]

    def take(self, sign):
        if self.peek() != sign:
            return False
        self.at += 1
        return True

    def need(self, sign):
        if not self.take(sign):
            raise Denied(103)

    def value(self, depth):
        if depth > 8:
            raise Denied(105)
        start = self.peek()
        if start == "{":
            return self.object(depth)
        if start == "[":
            return self.list(depth)
        if start == '"':
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        found = NUMBER.match(self.text, self.at)
        if not found:
            raise Denied(103)
        self.at = found.end()
        # All numbers are doubles, as in ECMAScript.
        return float(found.group())

    def object(self, depth):
        members = {}
        self.need("{")
        if self.take("}"):
            return members
        while True:
            if self.peek() != '"':
                raise Denied(103)
            name = self.string()
            if name in FORBIDDEN:
                raise Denied(106)
            if name in members:
                raise Denied(104)
            self.need(":")
            members[name] = self.value(depth + 1)
            if not self.take(","):
                self.need("}")
                return members

    def list(self, depth):
        items = []
        self.need("[")
        if self.take("]"):
            return items
        while True:
            items.append(self.value(depth + 1))
            if not self.take(","):
                self.need("]")
                return items

    def string(self):
        found = STRING.match(self.text, self.at)
        if not found:
            raise Denied(103)
        self.at = found.end()
        value = json.loads(found.group())
        if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
            raise Denied(107)
        return value


def major(version):
    if isinstance(version, bool):
        return None
    if isinstance(version, float):
        return str(int(version)) if version.is_integer() and 0 <= version < 2**53 else ""
    if not isinstance(version, str):
        return None
    found = re.fullmatch(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)", version)
    if found:
        return found.group(1)
    return None if re.fullmatch(r"[0-9]+\.[0-9]+", version) else ""


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def look(name):
    # White space as ECMAScript knows it: Python counts four separators more, and not the byte order mark.
    return re.sub("[-_\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]", "", name).lower()


def check_shape(sad):
    names = {look(name) for name in FIELDS}
    if any(name not in FIELDS and look(name) in names for name in sad):
        raise Denied(120)
    for names, code in ((("id", "publisher", "version"), 111), (("clearance",), 112)):
        for name in names:
            if not isinstance(sad.get(name), str) or sad[name] == "":
                raise Denied(code)
    if not is_texts(sad.get("capabilities")):
        raise Denied(113)
    if not all(re.fullmatch(r"[ !#-\[\]-~]+", item) for item in sad["capabilities"]):
        raise Denied(114)
    if not isinstance(sad.get("verification", ""), str):
        raise Denied(115)
    if not isinstance(sad.get("signerKeyId", ""), str) or not isinstance(sad.get("signature", ""), str):
        raise Denied(116)
    if sad.get("signature"):
        try:
            raw = base64.b64decode(sad["signature"], validate=True)
        except ValueError:
            raise Denied(117) from None
        if base64.b64encode(raw).decode() != sad["signature"]:
            raise Denied(117)
    if not is_texts(sad.get("netAllowedHosts", [])):
        raise Denied(118)
    if not all(map(origin, sad.get("netAllowedHosts", []))):
        raise Denied(119)


def origin(text):
    """Scheme, host and port as values that can be compared, or None (SAD-14, SAD-25)."""
    found = re.fullmatch(r"([A-Za-z]+)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([1-9][0-9]{0,4}))?", text)
    scheme = found and found.group(1).lower()
    if scheme not in ("http", "https"):
        return None
    host, port = found.group(2).lower(), int(found.group(3) or {"http": 80, "https": 443}[scheme])
    labels = host.split(".")
    try:
        if host[0] == "[":
            host = ipaddress.IPv6Address(host[1:-1])
        elif re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]):
            host = ipaddress.IPv4Address(host)
        elif "" in labels:
            return None
    except ValueError:
        return None
    return (scheme, host, port) if port <= 65535 else None


def read(raw):
    if len(raw) > 65536:
        raise Denied(100)
    if raw.startswith(b"\xef\xbb\xbf"):
        raise Denied(101)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Denied(102) from None
    sad = Text(text).document()
    if not isinstance(sad, dict):
        raise Denied(108)
    spoken = major(sad.get("v"))
    if spoken is None:
        raise Denied(109)
    try:
        check_shape(sad)
    except Denied:
        if spoken != "1":
            raise Denied(110) from None
        raise
    return sad


# --- Rules (SAD-16 to SAD-27) ---


def instant(text):
    """None stands for a time that cannot be read, and fails every comparison below."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})?Z", text):
        return None
    try:
        return datetime.datetime.fromisoformat(text[:-1] + "+00:00")
    except ValueError:
        return None


def level(scheme, text):
    found = [one for one in scheme["levels"] if text == one["name"] or text in one.get("aliases", [])]
    return found[0] if len(found) == 1 else None


def holds(origins, text):
    wanted = origin(text)
    return wanted is not None and wanted in [origin(one) for one in origins]


def verify(sad, root, context):
    now = instant(context["now"])
    if major(sad["v"]) != "1":
        raise Denied(0)
    if "mcp-server" not in sad["capabilities"]:
        raise Denied(1)
    if not sad.get("signerKeyId") or not sad.get("signature"):
        raise Denied(2)

    key = next((one for one in root["keys"] if one["id"] == sad["signerKeyId"]), None)
    if key is None:
        raise Denied(3)
    state = key.get("state", "active")
    if state == "revoked":
        since = instant(key["revokedFrom"]) if "revokedFrom" in key else None
        if since is None or now >= since:
            raise Denied(130)
    if state == "retired":
        raise Denied(131)
    if "notBefore" in key:
        begin = instant(key["notBefore"])
        if begin is None or now + datetime.timedelta(milliseconds=context.get("skewMs", 0)) < begin:
            raise Denied(132)
    if "notAfter" in key:
        end = instant(key["notAfter"])
        if end is None or now >= end:
            raise Denied(4)

    asserted = level(root["scheme"], sad["clearance"])
    if asserted is None or asserted["name"] not in key["approvedClearances"]:
        raise Denied(5)
    if "origins" in key and not holds(key["origins"], context["origin"]):
        raise Denied(133)

    raw = base64.b64decode(key["publicKey"])
    if not is_usable(raw):
        raise Denied(134)
    if not verifies(raw, body(sad), base64.b64decode(sad["signature"])):
        raise Denied(6)

    required = level(root["scheme"], context["requiredClearance"])
    if required is None or asserted["rank"] < required["rank"]:
        raise Denied(7)
    bound = sad.get("netAllowedHosts", [])
    if bound and not holds(bound, context["origin"]):
        raise Denied(8)
    return {"status": "admitted", "level": asserted["name"], "rank": asserted["rank"], "keyId": sad["signerKeyId"]}


def call_tool(allowed, name):
    if not re.fullmatch(r"[A-Za-z0-9_\-./]{1,64}", name):
        raise Denied(135)
    if name not in allowed:
        raise Denied(9)
    return {"status": "admitted"}


# --- Cases ---


def answer(case):
    try:
        if "tool" in case:
            return call_tool(case["allowed"], case["tool"])
        if case["document"] is None:
            raise Denied(1)
        text = case["document"]
        raw = base64.b64decode(text) if case.get("encoding") == "base64" else text.encode("utf-8", "surrogatepass")
        sad = read(raw.ljust(case.get("padTo", 0)))
        if "canonicalBody" in case and body(sad).decode("utf-8") != case["canonicalBody"]:
            return {"status": "other canonical body", "body": body(sad).decode("utf-8")}
        root = json.loads((VECTORS / "roots" / f"{case['root']}.json").read_text("utf-8"))
        return verify(sad, root, case["context"])
    except Denied as denied:
        return denied.answer()


def main():
    agreed, wrong = 0, []
    for path in sorted(VECTORS.glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        if "inspect" in case:
            continue
        found = answer(case)
        if found == case["expect"]:
            agreed += 1
        else:
            wrong.append(f"{path.name}: want {case['expect']}, found {found}")
    print("\n".join([*wrong, f"{agreed} cases agree, {len(wrong)} do not"]))
    return 1 if wrong or agreed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
