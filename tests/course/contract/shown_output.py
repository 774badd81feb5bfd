#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a lesson shows below the command of a wrong kernel is what that prints, on the simulator; lines may end elsewhere.
So is the finding in README.md's picture (scripts/measured/first_sight.txt), but for the file and its lines.

Usage: shown_output.py SIMULATOR_FOLDER STAGE=PROGRAM_OF_WRONG_KERNELS..."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.simulator import simulator  # noqa: E402  (its folder has just been put on the path)

SHOWN = re.compile(r"^ +(?:\S+=\S+ )?build/default/bin/wrong-(stage\d\d) ([^\n]*)\n+ *```\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def problems(folder: Path, programs: "dict[str, str]") -> Iterator[str]:
    found = [(path, shown) for path in sorted(ROOT.glob("stages/stage*/README.md")) for shown in SHOWN.findall(path.read_text(encoding="utf-8"))]
    if not found:
        yield "no lesson shows what a wrong kernel prints: this test looks for nothing"
    for lesson, (stage, options, shown) in found:
        if stage not in programs:
            continue  # a course without its answers has no wrong kernels either
        command = [programs[stage], *options.split()]
        ended = subprocess.run(command, env=simulator.environment(folder, ""), capture_output=True, text=True, timeout=100)
        printed = " ".join((ended.stdout + ended.stderr).split())
        if " ".join(shown.split()) not in printed:
            yield f"{lesson.relative_to(ROOT)} shows\n{shown}\nand wrong-{stage} {options} prints\n{ended.stdout}{ended.stderr}"


def picture_problems(folder: Path, programs: "dict[str, str]") -> Iterator[str]:
    if "stage03" not in programs:
        return
    shown = (ROOT / "scripts/measured/first_sight.txt").read_text(encoding="utf-8").partition("error: ")[2]
    command = [programs["stage03"], "--kernel", "missing_barrier_after_load", "--size", "1", "--block-size", "32"]
    ended = subprocess.run(command, env=simulator.environment(folder, "", "all"), capture_output=True, text=True, timeout=100)
    if not shown or without_places(shown) not in without_places(ended.stderr):
        yield f"scripts/measured/first_sight.txt shows\n{shown}\nand {' '.join(command)} prints\n{ended.stderr}"


def without_places(text: str) -> str:
    """Without the names of files and namespaces, lines and the ends of lines."""
    text = re.sub(r"\S+\.cu:\d+", "FILE", text.replace("missing_barrier_after_load::", ""))
    return " ".join(re.sub(r"lines \d+ and \d+", "lines", text).split())


def main() -> int:
    folder, programs = Path(sys.argv[1]), dict(word.split("=", 1) for word in sys.argv[2:])
    found = [*problems(folder, programs), *picture_problems(folder, programs)]
    print("\n".join(found) if found else "the lessons show what is printed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
