#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The counters in the lessons, of inputs that are not the lesson's own, are those that the simulator counts for the answers. The
lines of counted_in_lessons.txt have formulas in place of figures, as scripts/measured/sentences.txt, with one function more:
ran(12, "--padding 1", "global_load_sectors") runs the answer of stage 12 with these options, and adds up the counters.

Usage: counted_in_lessons.py SIMULATOR_FOLDER STAGE=PROGRAM..."""

from __future__ import annotations

import functools
import shlex
import sys
from pathlib import Path
from typing import Dict, Iterator, Mapping

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.base.errors import WorkbookError  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.judge import expected_counters  # noqa: E402
from workbook_lib.measure import sentences  # noqa: E402
from workbook_lib.measure.lesson_blocks import Figures  # noqa: E402
from workbook_lib.simulator import programs, simulator  # noqa: E402


def names_with_runs(folder: Path, answers: Mapping[str, str]) -> Dict[str, object]:
    @functools.lru_cache(maxsize=None)
    def counted(stage: int, options: str) -> Mapping[str, object]:
        command = [answers[f"stage{stage:02}"], *shlex.split(options)]
        ending = programs.Run(command, simulator.environment(folder, ""), time_limit=100).to_its_end()
        if ending.status != 0:
            raise WorkbookError(f"{' '.join(command)} ended with {ending.status}: {ending.error}")
        return ending.counted

    def ran(stage: int, options: str, *counters: str) -> float:
        return sum(expected_counters.count(counter, counted(stage, options)) for counter in counters)

    def load(stage: int, options: str) -> float:
        """Sectors a load request."""
        return ran(stage, options, "global_load_sectors") / ran(stage, options, "global_load_requests")

    def store(stage: int, options: str) -> float:
        return ran(stage, options, "global_store_sectors") / ran(stage, options, "global_store_requests")

    formulas = sentences.Formulas(Figures(ROOT / "scripts" / "measured"))
    return {**formulas.names(), "ran": ran, "load": load, "store": store}


def problems(names: Dict[str, object], answers: Mapping[str, str]) -> Iterator[str]:
    for file, listed in sentences.read(Path(__file__).with_suffix(".txt")).items():
        text = (ROOT / file).read_text(encoding="utf-8")
        for sentence in listed:
            try:
                right = sentences.with_figures(text, sentence, names)
            except WorkbookError as error:
                yield f"{file}: {error}"
                continue
            changed = [pair for pair in zip(text.splitlines(), right.splitlines()) if pair[0] != pair[1]]
            yield from (f"{file}: {is_there}\n  the simulator counts: {counted}" for is_there, counted in changed)


def main() -> int:
    answers = dict(argument.split("=", 1) for argument in sys.argv[2:])
    found = list(problems(names_with_runs(Path(sys.argv[1]), answers), answers))
    print("\n".join(found) if found else "the lessons have the figures that the simulator counts")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
