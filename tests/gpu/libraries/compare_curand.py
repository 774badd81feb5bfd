#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares two outputs of curand_numbers.cu: NVIDIA's on a GPU, and the simulator's.

Usage: compare_curand.py EXPECTED GOT. Integers and uniform numbers must be equal in all bits. Numbers behind "~" may
differ by 1e-5, relative to the larger of 1 and the number. Exit status 0: they agree."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict, List

TOLERANCE = 1e-5


def read(name: str) -> Dict[str, List[str]]:
    """By case, what follows the colon. A case that is repeated has a number behind it."""
    cases: Dict[str, List[str]] = {}
    for line in Path(name).read_text(encoding="utf-8").splitlines():
        case, _, rest = line.partition(": ")
        while case in cases:
            case += "'"
        cases[case] = rest.split()
    return cases


def agree(expected: List[str], got: List[str]) -> bool:
    if "~" not in expected:
        return expected == got
    pairs = list(zip(expected[2:], got[2:]))
    return len(expected) == len(got) and got[1] == "~" and all(
        abs(float(one) - float(other)) <= TOLERANCE * max(1.0, abs(float(one))) for one, other in pairs
    )


def main(first: str, second: str) -> int:
    expected, got = read(first), read(second)
    wrong = [case for case in expected if not agree(expected[case], got.get(case, []))]
    wrong += [case for case in got if case not in expected]
    for case in wrong:
        print(f"{case}:\n  expected {' '.join(expected.get(case, ['nothing']))}\n  got      {' '.join(got.get(case, ['nothing']))}")
    same = sum(expected[case] == got.get(case) for case in expected)
    print(f"{len(expected) - len(wrong)} of {len(expected)} cases agree, {same} of them in all bits")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
