# SPDX-License-Identifier: MIT
"""Sizes of inputs and of blocks in the form of programs: a number, or "64x48" for several extents."""

from __future__ import annotations

import math
import re
from typing import Iterable, List, Optional, Tuple, Union

Size = Union[int, str]

NUMBER = r"\d+|2\^\d{1,2}"
TYPED = re.compile(rf"({NUMBER})(?:x({NUMBER}))?(?:x({NUMBER}))?", re.ASCII)


def parse(text: str) -> Optional[Size]:
    """Parses 1024, 64x48, 2^12 or 2^12x2^12. None: the text is no size."""
    found = TYPED.fullmatch(text)
    if found is None:
        return None
    numbers = [2 ** int(word[2:]) if word.startswith("2^") else int(word) for word in found.groups() if word]
    return numbers[0] if len(numbers) == 1 else "x".join(map(str, numbers))


def extents(size: Size) -> Tuple[int, ...]:
    return tuple(map(int, str(size).split("x")))


def elements(size: Size) -> int:
    return math.prod(extents(size))


def order(size: Size) -> Tuple[object, ...]:
    """The order for sorting: by elements first."""
    return elements(size), extents(size)


def distinct(values: Iterable[Optional[Size]]) -> List[Size]:
    return sorted({value for value in values if value is not None}, key=order)


def text(size: Optional[Size]) -> str:
    """The text for people: 1,000,003, or 64x48."""
    return "-" if size is None else size if isinstance(size, str) else f"{size:,}"


def power(size: Size) -> str:
    """The text 2^24 for a power of two, else as text()."""
    if isinstance(size, int) and size > 0 and size & (size - 1) == 0:
        return f"2^{size.bit_length() - 1}"
    return text(size)
