# SPDX-License-Identifier: MIT
"""The measured figures in the sentences of lessons. scripts/measured/sentences.txt has these sentences, with formulas in
place of their figures:

    # stages/stage33/README.md
    With 2^24 keys this stage takes {over(33, "2^24"):.2f} times as long
    if over(33, "2^24") > 1

A line "# FILE" begins a file. Sentences stand between empty lines, and may be parts of the lesson's sentences. A line "if
FORMULA" says what must hold, for a sentence that says it in words. A formula is one of Python, with the functions of
`Formulas`. Sizes are texts as in the tables. A file that is not there (a course without answers) is left out."""

from __future__ import annotations

import re
import statistics
import string
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

from ..base import sizes
from ..base.errors import WorkbookError
from ..judge import expected_counters
from . import bench_data
from .bench_data import Point, Program
from .lesson_blocks import USUAL, Figures

NUMBER = r"([\d.,]*\d)"


class Formulas:
    """What formulas may call. `stage`: its number. `case`: "hits none" for one of several inputs."""

    def __init__(self, figures: Figures):
        self.figures = figures

    def names(self) -> Dict[str, object]:
        own = {name: getattr(self, name) for name in dir(self) if not name.startswith("_") and name not in ("names", "figures")}
        return {**own, "min": min, "max": max, "abs": abs, "all": all, "__builtins__": {}}

    def _program(self, stage: int, case: str, variant: str, file: str, block: Optional[int]) -> Program:
        name = f"variant-stage{stage:02}-{variant}" if variant else f"answer-stage{stage:02}"
        found = self.figures.bench(file or USUAL).find(name, block, f"--{case}" if case else None)
        if found is None:
            raise KeyError(f"{name} {case}")
        return found

    def _point(self, stage: int, size: str, case: str = "", variant: str = "", file: str = "", block: Optional[int] = None) -> Point:
        return self._program(stage, case, variant, file, block).points[sizes.parse(size)]

    def us(self, *where: object, **which: object) -> float:
        """The time in µs."""
        return self._point(*where, **which).time_us

    def peer(self, stage: int, size: str, number: int = 0, **which: object) -> float:
        """The time of the library, or of another function beside the stage."""
        return self._point(stage, size, **which).peer_us(number)

    def over(self, stage: int, size: str, number: int = 0, **which: object) -> float:
        """The stage's time over that of the library."""
        return self._point(stage, size, **which).over_peer(number)

    def of_copy(self, *where: object, **which: object) -> float:
        """The rate, as a share of that of a copy."""
        return self._point(*where, **which).of_copy

    def error(self, *where: object, **which: object) -> float:
        """As in the last column of the tables."""
        return self._point(*where, **which).figures["error_u"]

    def peer_error(self, *where: object, **which: object) -> float:
        return self._point(*where, **which).figures["peers"][0]["error_u"]

    def gflop_s(self, *where: object, **which: object) -> float:
        return self._point(*where, **which).gflop_s

    def of_peak(self, *where: object, **which: object) -> float:
        """The share of the peak of all FP32 lanes."""
        return self._point(*where, **which).of_peak

    def copy_gb_s(self, stage: int = 0) -> float:
        """The rate of a copy, in the run of this stage, or in all runs."""
        return self._program(stage, "", "", "", None).copy_gb_s if stage else bench_data.copy_gb_s(self.figures.bench().programs)

    def cpu_over(self, stage: int, function: str) -> float:
        """The time of a plain loop on a core of the CPU over that of the stage."""
        mine = [row for row in self.figures.reports("cpu_ratios_h200") if row["function"] == function]
        times = [row["time_ms"] for row in mine if row["stage"] == stage]
        return statistics.median(row["cpu_time_ms"] for row in mine) / statistics.median(times)

    def clock_mhz(self, *where: object, **which: object) -> float:
        return self._point(*where, **which).clock_mhz

    def measured(self, stage: int, first: str, last: str, case: str = "") -> List[str]:
        """The sizes with times, from the first to the last one."""
        points = self._program(stage, case, "", "", None).points
        ends = [sizes.elements(sizes.parse(end)) for end in (first, last)]
        return [sizes.power(size) for size in points if ends[0] <= sizes.elements(size) <= ends[1]]

    def counted(self, stage: int, *names: str) -> float:
        """The sum of counters over all kernels, on the simulator, at the lesson's size. Where the stage is held to a
        counter, it is that of today's answer."""
        name = f"stage{stage:02}"
        kernels = self.figures.counters["stages"][name]["simulator"]
        counted = {one: sum(kernel[one] for kernel in kernels) for one in names if one in kernels[0]}
        rules = expected_counters.read_rules(self.figures.folder.parents[1], name)
        counted.update({rule.counter: rule.answer for rule in rules if rule.counter in names and not rule.options})
        return sum(counted[one] for one in names)

    def instructions(self, stage: int) -> float:
        """Warp instructions an element."""
        return self.counted(stage, "warp_instructions") / self.figures.counters["stages"][f"stage{stage:02}"]["work"]["elements"]

    def elements(self, size: str) -> int:
        return sizes.elements(sizes.parse(size))


class Sentence(NamedTuple):
    text: str  # with formulas
    conditions: List[str]


def read(path: Path) -> Dict[str, List[Sentence]]:
    """The sentences of each file."""
    found: Dict[str, List[Sentence]] = {}
    file = ""
    for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
        lines = paragraph.strip().splitlines()
        for line in lines:
            file = line[2:] if line.startswith("# ") else file
        conditions = [line[3:] for line in lines if line.startswith("if ")]
        text = " ".join(line.strip() for line in lines if not line.startswith(("# ", "if ")))
        if text:
            found.setdefault(file, []).append(Sentence(text, conditions))
    return found


def value(formula: str, names: Dict[str, object]) -> object:
    try:
        return eval(formula, names)  # noqa: S307 - a formula of this repository
    except (KeyError, TypeError, ZeroDivisionError, NameError, SyntaxError) as error:
        raise WorkbookError(f"{formula}: {type(error).__name__}: {error}") from error


def with_figures(text: str, sentence: Sentence, names: Dict[str, object]) -> str:
    """The lesson with the figures of one sentence. Raises WorkbookError."""
    for condition in sentence.conditions:
        if not value(condition, names):
            raise WorkbookError(f"this does not hold any more: {sentence.text}\n  {condition}")
    pattern, figures = "", []
    for literal, formula, form, _ in string.Formatter().parse(sentence.text):
        pattern += re.sub(r"(?:\\ )+", r"\\s+", re.escape(literal))
        if formula is not None:
            pattern += NUMBER
            figures.append(format(value(formula, names), form))
    places = list(re.finditer(pattern, text))
    if len(places) != 1:
        raise WorkbookError(f"this sentence is there {len(places)} times: {sentence.text}")
    for number, figure in reversed(list(enumerate(figures, 1))):
        begin, end = places[0].span(number)
        text = text[:begin] + figure + text[end:]
    return text


def fill(root: Path, figures: Figures, texts: Dict[Path, str]) -> None:
    """Puts the figures into `texts`, by path. Raises WorkbookError."""
    names = Formulas(figures).names()
    for name, listed in read(figures.folder / "sentences.txt").items():
        path = root / name
        if not path.is_file():
            continue
        text = texts.get(path) or path.read_text(encoding="utf-8")
        for sentence in listed:
            try:
                text = with_figures(text, sentence, names)
            except WorkbookError as error:
                raise WorkbookError(f"scripts/measured/sentences.txt, {name}: {error}", 1) from error
        texts[path] = text
