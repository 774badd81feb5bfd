#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that each wrong kernel of a stage draws the hint that a line at its head names, `// hint: NAME`. It is drawn as a
student's file draws it: by the verdict on all cases, and by the smallest case that fails. A kernel that never ends is given
up after fewer steps, before the time limit. A kernel that the verdict does not refuse runs as its line `// shown by` says.

Usage: hint_is_drawn.py FOLDER_OF_THE_SIMULATOR PROGRAM KERNEL..."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts"), str(Path(__file__).resolve().parent)]
import wrong_is_refused  # noqa: E402
from workbook_lib.course import stages  # noqa: E402
from workbook_lib.judge import hints, shrink, symptom, verdict  # noqa: E402
from workbook_lib.judge.symptom import Symptom  # noqa: E402

LINE = re.compile(r"^// hint: (\S+)$", re.MULTILINE)
CHECKED = {"CUDASIM_CHECK": "all"}


def symptom_of(kernel: Path, program: Path, simulator: Path) -> Symptom:
    chosen = ["--kernel", kernel.stem]
    needs = stages.needs(kernel.parents[1] / "solution.cu")
    judged = verdict.judge(program, simulator, "simulator", chosen, at_once=1, needs=needs)
    judged = shrink.of_failure(judged, program, simulator)
    claim = wrong_is_refused.read_claim(kernel)
    shown_by = claim.shown_by
    if judged.matches and claim.reason == "not-the-step":
        return symptom.of_verdict(judged, wrong_is_refused.figures_of(kernel, program))
    if judged.matches and shown_by is not None:
        trial = verdict.Trial("", {**CHECKED, **shown_by[0]})
        run = verdict.start(program, simulator, trial, [*chosen, *shown_by[1]], verdict.TIME_LIMIT_S)
        judged = verdict.of_run(run.to_its_end(), must_be_checked=True)
        judged = replace(judged, replay=verdict.Replay(trial.settings, [*chosen, *shown_by[1]], False))
    return symptom.of_verdict(judged)


def problem(kernel: Path, program: Path, simulator: Path) -> str:
    """What is wrong, or ""."""
    named = LINE.search(kernel.read_text(encoding="utf-8"))
    if named is None:
        return "has no line `// hint: NAME`"
    found = symptom_of(kernel, program, simulator)
    hint = hints.drawn(hints.read(ROOT, kernel.parents[1].name), found)
    if hint is not None and hint.name == named[1]:
        return ""
    return f"draws {hint.name if hint else 'no hint'}, and says {named[1]}: {found}"


def main() -> int:
    simulator, program, *kernels = map(Path, sys.argv[1:])
    os.environ["CUDASIM_STEP_BUDGET"] = wrong_is_refused.STEP_BUDGET
    problems = {kernel: problem(kernel, program, simulator) for kernel in kernels}
    for kernel, text in problems.items():
        print(f"{kernel.name}: {text or 'as it says'}")
    return 1 if any(problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
