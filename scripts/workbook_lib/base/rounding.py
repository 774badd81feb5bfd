# SPDX-License-Identifier: MIT
"""Tells whether two results differ only by rounding. Sums of floats in different orders differ so, by a tiny part of
each number."""

from __future__ import annotations

import math
import re
import struct
from typing import Iterator, Optional, Tuple

TINY = 1e-4  # relative: an order of additions changes less, unless most of the sum cancels out
SMALLEST = 1e-30  # whole numbers, read as floats, are mostly smaller
PIECE = 4096
WITH_POINT = re.compile(r"([-+]?\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+))")


def largest(pairs: Iterator[Tuple[float, float]]) -> Optional[float]:
    """The largest relative difference of two numbers. None where one is not tiny."""
    most = 0.0
    for a, b in pairs:
        if a == b:
            continue
        scale = max(abs(a), abs(b))
        if not (math.isfinite(scale) and min(abs(a), abs(b)) > SMALLEST and abs(a - b) <= TINY * scale):
            return None
        most = max(most, abs(a - b) / scale)
    return most


def of_bytes(first: bytes, other: bytes) -> Optional[float]:
    """For bytes copied from the device. They may be floats or doubles; the type is not known."""
    if len(first) != len(other) or len(first) % 8:
        return None
    most = 0.0
    for begin in range(0, len(first), PIECE):
        old, new = first[begin : begin + PIECE], other[begin : begin + PIECE]
        for at in range(0, len(old), 8) if old != new else ():
            a, b = old[at : at + 8], new[at : at + 8]
            found = None if a != b else 0.0
            for form in ("<2f", "<d"):
                if found is None:
                    found = largest(zip(struct.unpack(form, a), struct.unpack(form, b)))
            if found is None:
                return None
            most = max(most, found)
    return most


def of_text(first: bytes, other: bytes) -> Optional[float]:
    """For printed text. All of it must be the same, except numbers with a point."""
    old, new = (WITH_POINT.split(text.decode("utf-8", "replace")) for text in (first, other))
    if old[::2] != new[::2]:
        return None
    return largest((float(a), float(b)) for a, b in zip(old[1::2], new[1::2]))
