#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Seconds from a save to the verdict in scripts/workbook watch: medians, of a file that compiles and of one that does not,
with the median until the figures are there, too, and the CPU time that all took. In a copy of the course, which is built first. Between a verdict and the next save lie
four seconds, as a person needs more: the compilers read the headers in them.

    tests/benchmark/save_to_verdict.py [--saves 7] [--twice 0.5] [--course FOLDER] [STAGE ...]

Without stages 3 and 7, which includes <cuda/atomic>. --twice: every second save comes so many seconds behind another one,
whose verdict is not there yet: a row for the single ones, and one from the second save on."""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests" / "learner")]
from learn import copy_course  # noqa: E402
from workbook_lib.screen import END, VERDICT  # noqa: E402

BROKEN = "\nint broken = ;\n"
PAUSE_S = 4.0


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


def measure(root: Path, stage: int, saves: int, behind: str, twice: float) -> str:
    """A row: of saves that differ in a comment, with `behind` at the end of the file. With `twice` a second row."""
    name = f"stage{stage:02}"
    todo = root / "stages" / name / "todo.cu"
    text = (root / "answers" / name / "solution.cu").read_text(encoding="utf-8")
    command = [sys.executable, str(root / "scripts" / "workbook"), "watch", str(stage), "--plain", "--device", "simulator"]
    times, whole, of_second, used = [], [], [], cpu_s()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as watch:
        wait_for_verdict(watch)  # builds what is missing
        for save in range(saves + 1):
            time.sleep(PAUSE_S)
            todo.write_text(f"{text}// save {save}{behind}\n", encoding="utf-8")
            begin = time.monotonic()
            verdict, end = wait_for_verdict(watch)
            times.append(verdict - begin)
            whole.append(end - begin)
            if twice:
                time.sleep(PAUSE_S)
                for other in ("one", "another"):
                    todo.write_text(f"{text}// {other} behind save {save}{behind}\n", encoding="utf-8")
                    begin = time.monotonic()
                    time.sleep(twice if other == "one" else 0)
                of_second.append(wait_for_verdict(watch)[0] - begin)
        watch.terminate()
    saved = 1 + (saves + 1) * (3 if twice else 1)
    times, whole, used = times[1:], whole[1:], cpu_s() - used  # the first one builds more
    what = "that does not compile" if behind else "that is right"
    figures = (statistics.median(times), min(times), max(times), statistics.median(whole), used / saved)
    row = f"stage {stage:02}, a file {what:21}" + "".join(f"{figure:9.2f}" for figure in figures)
    if not twice:
        return row
    figures = (statistics.median(of_second[1:]), min(of_second[1:]), max(of_second[1:]))
    return f"{row}\n{'  the second of two saves':38}" + "".join(f"{figure:9.2f}" for figure in figures)


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
        print(f"{'':38}   median    least     most  figures      CPU")
        for stage in arguments.stages:
            for behind in ("", BROKEN):
                if not (behind and arguments.twice):  # that one is told at once
                    print(measure(course, stage, arguments.saves, behind, arguments.twice), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
