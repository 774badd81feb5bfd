# SPDX-License-Identifier: MIT
"""The measured blocks of lessons. The beginning of a block names its kind and its figures:

    <!-- measured:begin KIND [FILE] [OPTION ...] -->
    ...written by scripts/tables...
    <!-- measured:end -->

FILE is one of scripts/measured, without its ending. The default is that of the usual benchmark.

    step [--OPTION ...]          The time of the stage, and the step gain, with the values of these options.
    sizes                        The stage and the library at every size.
    variants                     The stage's variants beside it.
    block-sizes FILE             The stage with each block size, and the picture of it.
    cpu-ratios FILE --OPTION     Stages beside a CPU, one row for each value of the option.
    roofline [SIZE]              The stage in the roofline. SIZE of the time; the default is the lesson's.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Callable, Dict, List, Optional

from ..base.errors import WorkbookError
from ..base.sizes import Size
from . import bench_data, measured_text, roofline
from .bench_data import Bench

USUAL = "bench_h200"
BLOCK = re.compile(r"<!-- measured:begin ([^\n]*?) -->\n(.*?)<!-- measured:end -->", re.DOTALL)


class Figures:
    """The files of scripts/measured."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.counters = json.loads((folder / "h200.json").read_text(encoding="utf-8"))

    @functools.lru_cache(maxsize=None)  # noqa: B019 - one object a process
    def bench(self, name: str = USUAL) -> Bench:
        return bench_data.read(self.folder / f"{name}.json")

    def reports(self, name: str) -> List[Dict[str, object]]:
        """The reports of a stage's program, one a line."""
        lines = (self.folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def lesson_sizes(self) -> Dict[str, Size]:
        """The size at which each stage's counters were measured, which is that of its lesson."""
        return {name: stage["size"] for name, stage in self.counters["stages"].items()}


def block(figures: Figures, stage: str, mark: str) -> Optional[str]:
    """The text of the block with this mark. None: it was not measured."""
    kind, *words = mark.split()
    options = [word[2:] for word in words if word.startswith("--")]
    files = [word for word in words if not word.startswith("--")]
    name = files[0] if files else USUAL
    lesson = figures.lesson_sizes().get(stage)
    kinds: Dict[str, Callable[[], Optional[str]]] = {
        "step": lambda: measured_text.step(figures.bench(name), stage, lesson, options) if lesson else None,
        "sizes": lambda: measured_text.all_sizes(figures.bench(name), stage),
        "variants": lambda: measured_text.variants(figures.bench(name), stage, lesson) if lesson else None,
        "block-sizes": lambda: measured_text.block_sizes(figures.bench(name), stage, picture(name)),
        "roofline": lambda: roofline.text(figures.bench(), figures.counters["stages"], stage, *files),
        "cpu-ratios": lambda: measured_text.cpu_ratios(figures.reports(name), *options),
    }
    if kind not in kinds:
        raise WorkbookError(f"'{kind}' is no block: there are {', '.join(kinds)}")
    return kinds[kind]()


def picture(name: str) -> str:
    return f"../../scripts/measured/{name}.png"  # as in a lesson's link


def fill(text: str, figures: Figures, stage: str) -> str:
    """A lesson with all its blocks from the figures. A block without figures stays as it is."""

    def filled(found: "re.Match[str]") -> str:
        body = block(figures, stage, found[1])
        return found[0] if body is None else f"<!-- measured:begin {found[1]} -->\n{body}\n<!-- measured:end -->"

    return BLOCK.sub(filled, text)
