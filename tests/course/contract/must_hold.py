#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that each answer does what its stage is about, and has not only a right result. The figures are those that students
are held to (stages/stageNN/technique.json). The answer has exactly these, and keeps within their limits. The answer of the
stage before does not, where it computes the same. Some figures are the compiler's work. With the version that they were
counted with, they may differ by as much as does not beat the answer; with another one, by a tenth. Runs on the simulator,
whatever device the other tests use.

Usage: must_hold.py CUDA_VERSION SIMULATOR_FOLDER STAGE=PROGRAM..."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.judge import expected_counters  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.simulator import programs, simulator  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.simulator.programs import Ending  # noqa: E402

COMPILERS_DIFFER_BY = 0.1


def is_exact(figure: expected_counters.Figure, compiler: str) -> bool:
    may_differ_by = 0.0
    if figure.rule.counter in expected_counters.MADE_BY_COMPILER:
        same = f"{compiler}.".startswith(f"{expected_counters.COUNTED_WITH}.")
        may_differ_by = expected_counters.BEATEN_BY if same else COMPILERS_DIFFER_BY
    return abs(figure.yours - figure.rule.answer) <= may_differ_by * figure.rule.answer


def problems(endings: Dict[str, Ending], compiler: str, root: Path = ROOT) -> Iterator[str]:
    """`endings`: how the answers ended, by stage, in course order. `compiler`: version of CUDA that has made them."""
    before: Dict[str, Ending] = {}  # by problem
    for stage, ending in endings.items():
        rules = expected_counters.read_rules(root, stage)
        if not rules:
            totals = {name: expected_counters.count(name, ending.counted) for name in ending.counted["kernels"][0]["counters"]}
            yield f"stages/{stage}/{expected_counters.FILE} is missing: say in it what these counters must show: {totals}"
        for figure in expected_counters.figures(rules, ending.counted):
            said = f"{stage} {figure.rule.idea}: {figure.rule.counter}"
            if not is_exact(figure, compiler):
                yield f"{said} is {expected_counters.text(figure.yours)}, not {expected_counters.text(figure.rule.answer)}"
            if not figure.holds:
                yield f"{said} is {expected_counters.text(figure.yours)}, outside of its limits"
        last = before.get(str(ending.report["problem"]))
        if last and all(figure.holds for figure in expected_counters.figures(rules, last.counted)):
            yield f"{stage}: the answer of the stage before keeps all limits, so that they do not hold to the step"
        before[str(ending.report["problem"])] = ending


def run(program: Sequence[str], simulator_folder: str) -> Ending:
    ending = programs.Run(program, simulator.environment(Path(simulator_folder), ""), time_limit=100).to_its_end()
    if ending.status != 0:
        sys.exit(f"{' '.join(program)} ended with {ending.status}: {ending.error}")
    return ending


def run_all(program: Sequence[str], simulator_folder: str, rules: Sequence[expected_counters.Rule]) -> Ending:
    """At the lesson's size, with all inputs that the rules are about."""
    ending = run(program, simulator_folder)
    counted = expected_counters.with_other_inputs(
        rules, ending.counted, lambda own: run([*program, *own], simulator_folder).counted
    )
    return replace(ending, counted=counted)


def main() -> int:
    compiler, simulator_folder = sys.argv[1:3]
    answers = dict(argument.split("=", 1) for argument in sys.argv[3:])
    endings = {
        stage: run_all([program], simulator_folder, expected_counters.read_rules(ROOT, stage)) for stage, program in answers.items()
    }
    broken = list(problems(endings, compiler))
    print("\n".join(broken) if broken else f"the answers of {len(answers)} stages take their steps")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
