#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Seconds from a save to the verdict in scripts/workbook watch: medians, of a file that compiles and of one that does not,
with the median until the figures are there, too, and the CPU time that all took. In a copy of the course, which is built first. Between a verdict and the next save lie
four seconds, as a person needs more: the compilers read the headers in them. Where all lines have moved, the host's code is another for g++;
where a comment has changed, as where only a kernel has, it is not asked again.

    tests/benchmark/save_to_verdict.py [--saves 7] [--twice 0.5] [--course FOLDER] [STAGE ...]

Without stages 3 and 7, which includes <cuda/atomic>. --twice: every second save comes so many seconds behind another one,
whose verdict is not there yet: a row for the single ones, and one from the second save on."""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Dict, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/course/learner")]
from learn import copy_course  # noqa: E402
from workbook_lib.base.screen import END, VERDICT  # noqa: E402

PAUSE_S = 4.0


def with_comment(text: str, number: int) -> str:
    return f"{text}// save {number}\n"


def with_lines_moved(text: str, number: int) -> str:
    head, include, rest = text.rpartition("#include")
    line, _, rest = rest.partition("\n")
    return head + include + line + "\n" * (number + 1) + rest


def broken(text: str, number: int) -> str:
    return f"{text}// save {number}\nint broken = ;\n"


CHANGES: Dict[str, Callable[[str, int], str]] = {
    "that is right": with_comment,
    "all of whose lines have moved": with_lines_moved,
    "that does not compile": broken,
}


def cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wait_for_verdict(watch: "subprocess.Popen[str]") -> Tuple[float, float]:
    """When it was there, and when all was."""
    at = None
    for line in watch.stdout:
        if line.startswith(VERDICT):
            at = time.monotonic()
        if line.rstrip("\n") == END:
            end = time.monotonic()
            return at or end, end
    sys.exit("scripts/workbook watch has ended")


def measure(root: Path, stage: int, saves: int, what: str, twice: float) -> str:
    """A row: of saves of a file `what`. With `twice` a second row."""
    name = f"stage{stage:02}"
    todo = root / "stages" / name / "todo.cu"
    text = (root / "answers" / name / "solution.cu").read_text(encoding="utf-8")
    command = [sys.executable, str(root / "scripts" / "workbook"), "watch", str(stage), "--plain", "--device", "simulator"]
    times, whole, of_second, used = [], [], [], cpu_s()
    texts = (CHANGES[what](text, number) for number in itertools.count(1))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as watch:
        wait_for_verdict(watch)  # builds what is missing
        for _ in range(saves + 1):
            time.sleep(PAUSE_S)
            todo.write_text(next(texts), encoding="utf-8")
            begin = time.monotonic()
            verdict, end = wait_for_verdict(watch)
            times.append(verdict - begin)
            whole.append(end - begin)
            if twice:
                time.sleep(PAUSE_S)
                for pause in (twice, 0.0):
                    todo.write_text(next(texts), encoding="utf-8")
                    begin = time.monotonic()
                    time.sleep(pause)
                of_second.append(wait_for_verdict(watch)[0] - begin)
        watch.terminate()
    saved = 1 + (saves + 1) * (3 if twice else 1)
    times, whole, used = times[1:], whole[1:], cpu_s() - used  # the first one builds more
    figures = (statistics.median(times), min(times), max(times), statistics.median(whole), used / saved)
    row = f"stage {stage:02}, a file {what:29}" + "".join(f"{figure:9.2f}" for figure in figures)
    if not twice:
        return row
    figures = (statistics.median(of_second[1:]), min(of_second[1:]), max(of_second[1:]))
    return f"{row}\n{'  the second of two saves':46}" + "".join(f"{figure:9.2f}" for figure in figures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", type=int, default=[3, 7], metavar="STAGE")
    parser.add_argument("--saves", type=int, default=7)
    parser.add_argument("--twice", type=float, default=0.0, metavar="S")
    parser.add_argument("--course", type=Path, help="a copy of the course to work in, which may be built already")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        course = arguments.course or Path(name)
        copy_course(course)
        print(f"Seconds from save to verdict, {arguments.saves} saves, {len(os.sched_getaffinity(0))} cores")
        print(f"{'':46}   median    least     most  figures      CPU")
        for stage in arguments.stages:
            for what, change in CHANGES.items():
                if not (change is broken and arguments.twice):  # that one is told at once
                    print(measure(course, stage, arguments.saves, what, arguments.twice), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
