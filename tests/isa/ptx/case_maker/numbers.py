# SPDX-License-Identifier: MIT
"""Operand values, 32 a pool (one a lane): the edges of each type, arranged so that pairs of operands meet at edges.

pool(name, slot) gives 32 integers (bits). Names are PTX types, and roles that need values of their own: "count" for
shift amounts and field positions, "to_integer.f32" for conversions, and so on.
"""
import random
import struct

LANES = 32


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f64(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def f16(x):
    return struct.unpack("<H", struct.pack("<e", x))[0]


def _integer_pairs(width):
    low, high, ones = 1 << (width - 1), (1 << (width - 1)) - 1, (1 << width) - 1
    minus = lambda x: (1 << width) - x
    generator = random.Random(width)
    fixed = [(0, 0), (0, 1), (1, 0), (1, 1), (ones, 1), (1, ones), (ones, ones), (low, ones), (low, low), (low, 1),
             (low, 0), (high, 1), (high, high), (high, low), (high, ones), (high, 0), (ones, 0), (0, low), (0, ones),
             (5, 3), (minus(5), 3), (5, minus(3)), (minus(5), minus(3)), (100, 10), (low + 1, 2), (high - 1, minus(2))]
    while len(fixed) < LANES:
        # Every third divisor is small. Only getrandbits() gives the same numbers in every Python.
        narrower = width // 2 if len(fixed) % 3 == 0 else 0
        fixed.append((generator.getrandbits(width), generator.getrandbits(width) >> narrower))
    return fixed


def _integers(width, slot):
    pairs = _integer_pairs(width)
    if slot == "a":
        return [a for a, _ in pairs]
    if slot == "b":
        return [b for _, b in pairs]
    # The third and fourth operand: the same edges in another order, so that triples differ from lane to lane.
    step = 11 if slot == "c" else 13
    return [pairs[(i * step + 5) % LANES][i % 2] for i in range(LANES)]


# Positions and lengths side by side, for bit fields; shifts use the positions alone.
_FIELDS = [(0, 0), (0, 1), (1, 0), (0, 8), (4, 4), (8, 8), (15, 1), (16, 16), (31, 1), (31, 2), (31, 31), (32, 1),
           (33, 8), (63, 1), (63, 2), (64, 1), (0, 31), (0, 32), (0, 33), (0, 63), (0, 64), (0, 255), (1, 31), (1, 32),
           (7, 64), (255, 255), (256, 8), (8, 256), (5, 62), (48, 16), (0x80000000, 4), (0xffffffff, 0xffffffff)]


def _counts(slot):
    return [(position if slot in "b" else length) for position, length in _FIELDS]


# ---- f32 ----
_INF, _NINF, _QNAN, _SNAN, _NQNAN = 0x7f800000, 0xff800000, 0x7fc00123, 0x7f812345, 0xffc54321
_MAX, _MIN_NORMAL, _MIN_SUB, _MAX_SUB = 0x7f7fffff, 0x00800000, 0x00000001, 0x007fffff
_F32_TRIPLES = [  # each row is one lane: a, b, c
    (0, 0x80000000, 0x80000000), (0x80000000, 0x80000000, 0x80000000), (0x80000000, 0, 0), (_INF, _NINF, f32(1)),
    (_INF, _INF, _NINF), (_INF, 0, f32(1)), (0, _NINF, _QNAN), (_QNAN, f32(1), f32(2)), (f32(1), _SNAN, f32(2)),
    (_SNAN, _NQNAN, _QNAN), (_MAX, _MAX, _NINF), (_MAX, 0xff7fffff, _MAX), (_MAX, 0x73000000, f32(1)),
    (_MIN_SUB, _MIN_SUB, _MIN_SUB), (_MAX_SUB | 0x80000000, _MIN_NORMAL, _MIN_SUB), (_MIN_NORMAL, f32(0.5), _MIN_SUB),
    (_MIN_NORMAL, 0x80000001, 0x80800000), (f32(1), 0x33800000, f32(-1)), (0x3f800001, 0x33800000, 0xbf800001),
    (f32(1), 0xb3000000, _NQNAN), (0x3f800001, 0x3f7fffff, f32(-1)), (f32(3), f32(7), f32(-21)),
    (f32(0.1), f32(0.2), f32(0.3)), (0x1e3ce508, 0x1e3ce508, 0x80000001), (0x1a000001, 0x19800001, _MIN_SUB),
    (f32(1), 0, _INF), (f32(-1), 0, 0x80000000), (f32(1), f32(3), f32(0.25)), (f32(2), f32(-2), f32(4)),
    (0x4b000001, f32(0.5), f32(0.5)), (0x7f000000, f32(4), _NINF), (0xc2f6e979, 0x40490fdb, 0x42f6e979)]
_F32_SINGLE = [0, 0x80000000, f32(1), f32(-1), _INF, _NINF, _QNAN, _SNAN, _NQNAN, _MAX, 0xff7fffff, _MIN_NORMAL,
               0x80800000, _MIN_SUB, 0x80000001, _MAX_SUB, f32(2), f32(3), f32(4), f32(0.5), f32(0.1), 0x3f800001,
               0x3f7fffff, 0x00400000, 0x7e800000, 0x7e800001, 0x7f000000, 0x4b800001, 0x3eaaaaab, f32(1e-10),
               f32(1e10), 0x00000100]
_F32_FUNCTION = [0, 0x80000000, f32(1), f32(-1), _INF, _NINF, _QNAN, _SNAN, _MAX, _MIN_NORMAL, _MIN_SUB, 0x807fffff,
                 f32(0.5), f32(-0.5), 0x3fc90fdb, 0x40490fdb, 0xc0490fdb, 0x40c90fdb, f32(0.1), f32(2), f32(3),
                 f32(-7.75), f32(10), f32(100), f32(127.99), f32(128), f32(-126), f32(-126.5), f32(-140.25), f32(-150),
                 f32(1e-4), f32(1.001)]


# ---- f64 ----
_DINF, _DNINF, _DQNAN, _DSNAN = 0x7ff << 52, 0xfff << 52, 0x7ff8000000000123, 0x7ff0000012345678
_DNQNAN, _DMAX, _DMIN_NORMAL, _DMAX_SUB = 0xfff8000000054321, 0x7fefffffffffffff, 1 << 52, (1 << 52) - 1
_SIGN = 1 << 63
_F64_TRIPLES = [
    (0, _SIGN, _SIGN), (_SIGN, _SIGN, _SIGN), (_SIGN, 0, 0), (_DINF, _DNINF, f64(1)), (_DINF, _DINF, _DNINF),
    (_DINF, 0, f64(1)), (0, _DNINF, _DQNAN), (_DQNAN, f64(1), f64(2)), (f64(1), _DSNAN, f64(2)),
    (_DSNAN, _DNQNAN, _DQNAN), (_DMAX, _DMAX, _DNINF), (_DMAX, _DMAX | _SIGN, _DMAX), (_DMAX, f64(2.0**970), f64(1)),
    (1, 1, 1), (_DMAX_SUB | _SIGN, _DMIN_NORMAL, 1), (_DMIN_NORMAL, f64(0.5), 1),
    (_DMIN_NORMAL, _SIGN | 1, _DMIN_NORMAL | _SIGN), (f64(1), f64(2.0**-53), f64(-1)),
    (f64(1) + 1, f64(2.0**-53), (f64(1) + 1) | _SIGN), (f64(1), f64(-2.0**-54), _DNQNAN),
    (f64(1) + 1, f64(1) - 1, f64(-1)), (f64(3), f64(7), f64(-21)), (f64(0.1), f64(0.2), f64(0.3)),
    (f64(1e-160), f64(1e-160), _SIGN | 1), (f64(2.0**-537) + 1, f64(2.0**-537) + 1, 1), (f64(1), 0, _DINF),
    (f64(-1), 0, _SIGN), (f64(1), f64(3), f64(0.25)), (f64(2), f64(-2), f64(4)),
    (f64(2.0**52) + 1, f64(0.5), f64(0.5)), (f64(2.0**1023), f64(4), _DNINF), (f64(-123.456), f64(3.14159265358979), f64(9))]
_F64_SINGLE = [0, _SIGN, f64(1), f64(-1), _DINF, _DNINF, _DQNAN, _DSNAN, _DNQNAN, _DMAX, _DMAX | _SIGN, _DMIN_NORMAL,
               _DMIN_NORMAL | _SIGN, 1, _SIGN | 1, _DMAX_SUB, f64(2), f64(3), f64(4), f64(0.5), f64(0.1), f64(1) + 1,
               f64(1) - 1, 1 << 51, f64(2.0**1022), f64(2.0**1022) + 1, f64(2.0**1023), f64(2.0**54) + 1, f64(1 / 3),
               f64(1e-100), f64(1e100), 0x0000000100000000]


# ---- f16 and bf16 ----
_F16_TRIPLES = [
    (0, 0x8000, 0x8000), (0x8000, 0x8000, 0x8000), (0x8000, 0, 0), (0x7c00, 0xfc00, 0x3c00), (0x7c00, 0x7c00, 0xfc00),
    (0x7c00, 0, 0x3c00), (0, 0xfc00, 0x7e01), (0x7e01, 0x3c00, 0x4000), (0x3c00, 0x7d23, 0x4000),
    (0x7d23, 0xfe54, 0x7e01), (0x7bff, 0x7bff, 0xfc00), (0x7bff, 0xfbff, 0x7bff), (0x7bff, 0x4c00, 0x3c00),
    (1, 1, 1), (0x83ff, 0x0400, 1), (0x0400, 0x3800, 1), (0x0400, 0x8001, 0x8400), (0x3c00, 0x1000, 0xbc00),
    (0x3c01, 0x1000, 0xbc01), (0x3c00, 0x8c00, 0xfe54), (0x3c01, 0x3bff, 0xbc00), (f16(3), f16(7), f16(-21)),
    (f16(0.1), f16(0.2), f16(0.3)), (f16(1e-4), f16(1e-4), 0x8001), (0x0a01, 0x3001, 1), (0x3c00, 0, 0x7c00),
    (0xbc00, 0, 0x8000), (0x3c00, f16(3), f16(0.25)), (f16(2), f16(-2), f16(4)), (0x6401, 0x3800, 0x3800),
    (0x7800, f16(4), 0xfc00), (f16(-123.4), f16(3.14), f16(9))]
_BF16_TRIPLES = [
    (0, 0x8000, 0x8000), (0x8000, 0x8000, 0x8000), (0x8000, 0, 0), (0x7f80, 0xff80, 0x3f80), (0x7f80, 0x7f80, 0xff80),
    (0x7f80, 0, 0x3f80), (0, 0xff80, 0x7fc1), (0x7fc1, 0x3f80, 0x4000), (0x3f80, 0x7f92, 0x4000),
    (0x7f92, 0xffd4, 0x7fc1), (0x7f7f, 0x7f7f, 0xff80), (0x7f7f, 0xff7f, 0x7f7f), (0x7f7f, 0x7b00, 0x3f80), (1, 1, 1),
    (0x807f, 0x0080, 1), (0x0080, 0x3f00, 1), (0x0080, 0x8001, 0x8080), (0x3f80, 0x3b80, 0xbf80),
    (0x3f81, 0x3b80, 0xbf81), (0x3f80, 0xbb00, 0xffd4), (0x3f81, 0x3f7f, 0xbf80), (0x4040, 0x40e0, 0xc1a8),
    (0x3dcd, 0x3e4d, 0x3e9a), (0x1e3d, 0x1e3d, 0x8001), (0x1a01, 0x1981, 1), (0x3f80, 0, 0x7f80), (0xbf80, 0, 0x8000),
    (0x3f80, 0x4040, 0x3e80), (0x4000, 0xc000, 0x4080), (0x4301, 0x3f00, 0x3f00), (0x7f00, 0x4080, 0xff80),
    (0xc2f7, 0x4049, 0x4110)]


# ---- operands of conversions ----
_TO_INTEGER = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.75, -0.75, 127.5, 128.0, -128.5, -129.0, 255.5, 256.0, 32767.5,
               -32769.0, 65535.5, 70000.0]
_TO_INTEGER_F32 = ([f32(x) for x in _TO_INTEGER] +
                   [f32(2.0**31), 0x4effffff, f32(-2.0**31), f32(2.0**32), 0x5effffff, f32(2.0**63), 0x5f7fffff,
                    f32(2.0**64), 0x80000000, _INF, _NINF, _QNAN, _MIN_SUB, 0x3f7fffff])
_TO_INTEGER_F64 = ([f64(x) for x in _TO_INTEGER] +
                   [f64(2147483647.5), f64(2147483648.5), f64(-2147483648.5), f64(4294967295.5), f64(-2.0**63),
                    f64(2.0**63), f64(2.0**63) - 1, f64(2.0**64), f64(2.0**64) - 1, _DINF, _DNINF, _DQNAN, 1, _SIGN])
_TO_INTEGER_F16 = ([f16(x) for x in _TO_INTEGER[:14]] +
                   [0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e01, 0x7d23, 0, 0x8000, 1, 0x83ff, 0x3bff, 0x3801, 0x6400,
                    0x63ff, 0x77ff, f16(1000.5), f16(-1000.5), f16(33000)])
_TO_INTEGER_BF16 = ([f32(x) >> 16 for x in _TO_INTEGER[:10] + [255.0, -255.0, 256.0]] +
                    [0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc1, 0x7f92, 0xffd4, 0, 0x8000, 1, 0x807f, 0x3f7f, 0x3f01,
                     0x3eff, 0xbeff, 0x4300, 0x42ff, 0x4281, 0xc281])
# Ties and limits of e4m3 (448, 2^-9) and e5m2 (57344, 2^-16).
_TO_EIGHT = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), 0.0, 65504, 448, -448, 463, 464, 465, -480, 57344,
             61408, 61440, 61472, 1, 1.0625, 1.1875, 1.0635, 1.125, 1.375, 2**-6, 2**-9, 2**-10, 1.5 * 2**-9, 2**-14,
             2**-16, 2**-17, 1.5 * 2**-16, -0.3]
_FROM_EIGHT = [0x00, 0x80, 0x01, 0x81, 0x03, 0x04, 0x07, 0x08, 0x0f, 0x10, 0x38, 0xb8, 0x39, 0x3c, 0x55, 0xaa, 0x77, 0x78,
               0x79, 0x7a, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f, 0xf7, 0xf8, 0xfb, 0xfc, 0xfd, 0xfe, 0xff]
# Ties and limits of e2m1 (6, 0.5), e2m3 (7.5, 0.125) and e3m2 (28, 0.0625).
_TO_SMALLER = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), 0.0, 65504, -28, 30, 28.5, -6, 5, -5.004, 7, 7.5, 7.75, 8,
               0.25, 0.2502, -0.75, 0.0625, 0.03125, -0.0313, 0.09375, 0.1875, 1.75, 2.5, -2.502, 3.5, 3.375, 1.0625, 18]
# Ties and limits of exponents: what is between 2^-127 and 2^-126, and above 2^127.
_TO_EXPONENT_BF16 = [0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffff, 0x7f7f, 0xff7f, 0x7f00, 0x7f01, 0x3f80, 0x3f81, 0xbfff, 1, 0x003f,
                     0x0040, 0x0041, 0x807f, 0x0080, 0x0081, 0x00ff, 0x8040, 0x8041, 0x4000, 0xc001, 0x4049, 0x7eff, 0x0100,
                     0x7f81, 0xff81, 0x3f00, 0x3eff]
_FROM_INTEGER = {
    8: [0, 1, 2, 127, 128, 129, 255, 254] * 4,
    16: [0, 1, 0xffff, 0x8000, 0x7fff, 0x8001, 2047, 2049, 2050, 2051, 4097, 4099, 255, 256, 257, 259, 385, 0xfff0,
         0xff01, 0xffef, 0x7ff0, 0xfeff, 513, 0x5555, 0xaaaa, 10000, 10001, 20001, 127, 128, 0x80, 0xff80],
    32: [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80000001, 2049, 2051, 65504, 65519, 65520, 65535, 65536, 0xffff8000,
         0xffff0010, 0xffff000f, 0x01000001, 0x01000003, 0x01000002, 0xfeffffff, 0xfefffffd, 0x7fffff80, 0x7fffffc0,
         0x7fffffbf, 0xffffff7f, 0xffffff80, 0xfffffe80, 257, 259, 128, 0x80, 123456789],
    64: [0, 1, (1 << 64) - 1, 1 << 63, (1 << 63) - 1, (1 << 63) + 1, 65519, 65520, (1 << 64) - 65520, 0x01000001,
         0x01000003, (1 << 53) + 1, (1 << 53) + 3, (1 << 54) + 2, (1 << 64) - (1 << 53) - 1, 0x8000000000000401,
         0x8000000000000400, 0x7ffffffffffffdff, 0x7ffffffffffffe00, 0xfffffffffffffbff, 0xfffffffffffffc00,
         0x8000008000000000, 0x8000008000000001, 0xffffff7fffffffff, 0xffffff8000000000, 0x80000000, 0xffffffff,
         0x100000000, 0xffffffff80000000, 0xffffffff7fffffff, 0x123456789abcdef0, 0xfedcba9876543210]}
# Ties and limits of narrower formats: f32 to f16, bf16; f64 to f32, f16.
_TO_NARROW_F32 = [0, 0x80000000, _INF, _NINF, _QNAN, _SNAN, _NQNAN, _MAX, _MIN_SUB, 0x80000001, _MIN_NORMAL, f32(65504),
                  0x477fefff, f32(65520), f32(-65520), f32(2.0**-14), f32(2.0**-24), f32(2.0**-25), 0x33000001,
                  f32(-2.0**-25), f32(2.0**-26), 0x387fc000, f32(1), 0x3f801000, 0x3f803000, 0x3f801001, 0x3f808000,
                  0x3f818000, 0x3f808001, 0x7f7f8000, 0xbf7f8001, 0x3effffff]
_TO_NARROW_F64 = [0, _SIGN, _DINF, _DNINF, _DQNAN, _DSNAN, _DMAX, 1, _DMIN_NORMAL, f64(1), f64(1) + 1,
                  0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0xbff0000010000000, 0x47efffffe0000000,
                  0x47effffff0000000, 0x47efffffefffffff, f64(2.0**-149), f64(2.0**-150), f64(2.0**-150) + 1,
                  f64(-2.0**-150), f64(2.0**-126), 0x380fffffffffffff, f64(65504), f64(65519.99), f64(65520),
                  f64(2.0**-25), f64(2.0**-24 * 1.5), 0x3ff0020000000000, 0x3ff0020000000001, f64(0.1)]


def _pack(low, high):
    return [a | (b << 16) for a, b in zip(low, high)]


def _from_triples(triples, slot):
    column = {"a": 0, "b": 1, "c": 2}.get(slot, 0)
    return [triple[column] for triple in triples]


def _turned(values, by):
    return values[by:] + values[:by]


def pool(name, slot):
    """32 values, as integers, for the operand in `slot` (a, b, c, f)."""
    tables = {"f32": _F32_TRIPLES, "f64": _F64_TRIPLES, "f16": _F16_TRIPLES, "bf16": _BF16_TRIPLES}
    singles = {"single.f32": _F32_SINGLE, "function.f32": _F32_FUNCTION, "single.f64": _F64_SINGLE,
               "to_integer.f32": _TO_INTEGER_F32, "to_integer.f64": _TO_INTEGER_F64, "to_integer.f16": _TO_INTEGER_F16,
               "to_narrow.f32": _TO_NARROW_F32, "to_narrow.f64": _TO_NARROW_F64,
               "to_integer.bf16": _TO_INTEGER_BF16,
               "to_smaller.f32": [_NQNAN if i == 5 else f32(x) for i, x in enumerate(_TO_SMALLER)],
               "to_exponent.f32": [x << 16 | (i % 3 == 2) for i, x in enumerate(_TO_EXPONENT_BF16)],
               "to_eight.f32": [_NQNAN if i == 5 else f32(x) for i, x in enumerate(_TO_EIGHT)]}
    if name in tables:
        return _from_triples(tables[name], slot)
    if name in ("f16x2", "bf16x2"):
        column = _from_triples(tables[name[:-2]], slot)
        return _pack(column, _turned(column, 7))
    if name in singles:
        values = singles[name]
        assert len(values) == LANES, (name, len(values))
        return _turned(values, {"a": 0, "b": 9, "c": 17}.get(slot, 3))
    if name.startswith("from_integer."):
        width = int(name.split(".")[1])
        values = _FROM_INTEGER[width]
        assert len(values) == LANES, (name, len(values))
        return values
    if name == "count":
        return _counts(slot)
    if name == "lane":  # 0 to 31 in another order
        return [(i * 7 + 3) % LANES for i in range(LANES)]
    if name == "small":  # -4 to 4
        return [((i * 5) % 9 - 4) & 0xffffffff for i in range(LANES)]
    if name == "mode":  # control values of prmt's named modes, which look at two bits
        return [i % 4 if i < 28 else 0xfffffffc + i % 4 for i in range(LANES)]
    if name == "pred":
        masks = {"a": 0x0f0f3355, "b": 0x33c3a6d2, "c": 0x5a96f00f, "f": 0xcc3355aa}
        return [(masks[slot] >> i) & 1 for i in range(LANES)]
    if name == "to_eight.f16x2":
        column = [0xfe54 if i == 5 else f16(x) for i, x in enumerate(_TO_EIGHT)]
        return _pack(column, _turned(column, 7))
    if name == "to_smaller.f16x2":
        column = [0xfe54 if i == 5 else f16(x) for i, x in enumerate(_TO_SMALLER)]
        return _pack(column, _turned(column, 7))
    if name == "to_exponent.bf16x2":
        return _pack(_TO_EXPONENT_BF16, _turned(_TO_EXPONENT_BF16, 7))
    if name == "fours":  # all 16 numbers, each in both places
        return [i % 16 | ((i * 7 + 3) % 16 << 4) for i in range(LANES)]
    if name == "sixes":  # all 64 numbers
        return [i | (63 - i) << 8 for i in range(LANES)]
    if name == "eights":
        return [a | (b << 8) for a, b in zip(_FROM_EIGHT, _turned(_FROM_EIGHT, 11))]
    if name == "bytes":  # fours of 8-bit integers
        column = _integers(8, slot)
        pairs = [a | (b << 8) for a, b in zip(column, _turned(column, 3))]
        return _pack(pairs, _turned(pairs, 13))
    if name == "halves":  # pairs of 16-bit integers
        column = _integers(16, slot)
        return _pack(column, _turned(column, 5))
    width = int("".join(c for c in name if c.isdigit()))
    return _integers(width, slot)
