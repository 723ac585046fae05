"""Ed25519 by the equations of RFC 8032, in pure Python: small and slow, for checking vectors only."""

import functools
import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
NEUTRAL = (0, 1, 1, 0)


def add(one, two):
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c = 2 * one[3] * two[3] * D % P
    d = 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(factor, point):
    total = NEUTRAL
    while factor > 0:
        if factor & 1:
            total = add(total, point)
        point = add(point, point)
        factor >>= 1
    return total


def encode(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(raw):
    """The point, or None where the bytes are no canonical form of one."""
    number = int.from_bytes(raw, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def weakness(raw):
    """Why a public key must not be used; None for one that may be."""
    if raw == bytes(32):
        return "placeholder"
    height = int.from_bytes(raw, "little") & (2**255 - 1)
    if height >= P:
        return "not-canonical"
    point = decode(height.to_bytes(32, "little"))
    if point is not None and encode(times(8, point)) == encode(NEUTRAL):
        return "small-order"
    return None


@functools.lru_cache(maxsize=None)
def verifies(public_key, message, signature):
    if len(signature) != 64 or len(public_key) != 32 or weakness(public_key):
        return False
    point = decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    k = int.from_bytes(digest, "little") % ORDER
    minus = (P - point[0], point[1], 1, P - point[3])
    return encode(add(times(s, BASE), times(k, minus))) == signature[:32]


def public_key(seed):
    half = bytearray(hashlib.sha512(seed).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 127 | 64
    return encode(times(int.from_bytes(half, "little"), BASE))
