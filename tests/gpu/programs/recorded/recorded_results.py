#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what a program of cases (recorded.h) prints with what it printed on an H200.

Usage: recorded_results.py PROGRAM FILE [--record]. FILE has the cases, each behind a line "== NAME"; --record writes it.
Exit status 0: the same."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path
from typing import Dict, List


def output_of(program: str, *arguments: str) -> str:
    ended = subprocess.run(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, timeout=120
    )
    return ended.stdout + ("" if ended.returncode == 0 else f"exit status {ended.returncode}\n")


def read(file: Path) -> Dict[str, List[str]]:
    cases: Dict[str, List[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            cases[line[3:]] = []
        elif cases:
            cases[list(cases)[-1]].append(line)
    return cases


def main(program: str, name: str, *options: str) -> int:
    file = Path(name)
    got = {case: output_of(program, case).splitlines() for case in output_of(program).split()}
    if options == ("--record",):
        lines = [line for case, printed in got.items() for line in (f"== {case}", *printed)]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    expected = read(file)
    complaints = [f"{case}: only one of program and file has it" for case in sorted(set(got) ^ set(expected))]
    for case in got:
        differences = difflib.unified_diff(expected.get(case, []), got[case], "H200", "here", lineterm="", n=1)
        complaints += [f"{case}: {line}" for line in differences]
    print("\n".join(complaints) or f"{len(got)} cases, {sum(map(len, got.values()))} lines: as on an H200")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
