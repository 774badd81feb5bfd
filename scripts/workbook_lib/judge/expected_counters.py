# SPDX-License-Identifier: MIT
"""The expected counters of a stage: whether a right program takes the stage's step. Its counters are compared with our
answer's and with limits. The limits are data of the stage (stages/stageNN/technique.json). Our answer must keep them
too (tests/course/contract/must_hold.py)."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Optional, Sequence

from ..base import text_table
from ..base.errors import WorkbookError
from ..base.text_table import Column, number

FILE = "technique.json"
COUNTED_WITH = "13.0"  # the answers' figures
BEATEN_BY = 0.01  # of the answer's figure; less is chance
BEATEN_BY_COMPILER = 0.05  # the same of what the compiler makes, as it shortens an index whose factor is a constant
MADE_BY_COMPILER = ("warp_instructions", "divergent_branches")  # so that they differ between versions of nvcc
NO_COST = ("blocks", "shared_loads_during_copies", "unordered_operations", "graph_launches")  # fewer of them are not better

STREAM_COUNTERS = ("unordered_operations", "most_operations_in_a_stream", "graphs", "graph_launches")  # of the whole program

NOT_YET = "right, but not yet this stage's step"


@dataclass(frozen=True)
class Rule:
    """The counter that shows the stage's idea, at the lesson's size. Without limits it is only compared. `options`:
    those of the program, where another input than the lesson's shows it. `given`: the given code of the stage decides it.
    `praised`: less than the answer's figure is shown as better."""

    idea: str
    counter: str
    answer: float
    most: Optional[float] = None
    least: Optional[float] = None
    options: str = ""
    given: bool = False
    praised: bool = True


@dataclass(frozen=True)
class Figure:
    """A rule, and the counted figure."""

    rule: Rule
    yours: float

    @property
    def holds(self) -> bool:
        least, most = self.rule.least or 0.0, math.inf if self.rule.most is None else self.rule.most
        return least <= self.yours <= most

    @property
    def is_too_small(self) -> bool:
        return self.yours < (self.rule.least or 0.0)

    @property
    def beats_answer(self) -> bool:
        least_gain = BEATEN_BY_COMPILER if self.rule.counter in MADE_BY_COMPILER else BEATEN_BY
        return self.rule.praised and self.rule.counter not in NO_COST and self.yours < self.rule.answer * (1 - least_gain)

    @property
    def costs_more(self) -> bool:
        return self.rule.counter not in NO_COST and self.yours > self.rule.answer * (1 + BEATEN_BY)


def read_rules(root: Path, stage: str) -> List[Rule]:
    file = root / "stages" / stage / FILE
    try:
        return [Rule(**fields) for fields in json.loads(file.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError) as error:
        raise WorkbookError(f"{file}: {error}") from error


def count_warps(launch: Dict[str, object]) -> int:
    """The warps of a launch: its blocks, times the warps of a block."""
    blocks, threads = math.prod(launch["grid"]), math.prod(launch["block"])
    return blocks * ((threads + 31) // 32)


def count(counter: str, counted: Mapping[str, object]) -> float:
    """A figure from a report of the simulator: the sum of a counter over all launches, or a derived one."""
    launches: Sequence[Dict] = counted["launches"]
    if counter == "launches":
        return len(launches) + counted.get("launches_left_out", 0)
    if counter in STREAM_COUNTERS:
        return counted["streams"][counter]
    if counter == "blocks":  # of the first launch
        return math.prod(launches[0]["grid"])
    if counter == "dynamic_shared_bytes":  # of a block of the largest launch
        return max(launches, key=count_warps)["dynamic_shared_bytes"]
    if counter == "barriers_a_block":  # each warp that executes one counts; of the largest launch, as in the table
        largest = max(launches, key=count_warps)
        return largest["counters"]["barriers"] / count_warps(largest)
    if counter == "global_read_sectors":  # by loads, and by atomics that give back what was there
        return count("global_load_sectors", counted) + count("global_atomic_sectors", counted)
    if counter == "atomic_updates":  # lanes that update one word: a sector each
        return count("global_atomic_sectors", counted) + count("global_reduction_sectors", counted)
    try:
        return sum(kernel["counters"][counter] for kernel in counted["kernels"])
    except KeyError as error:
        raise WorkbookError(f"{FILE}: the simulator has no counter '{counter}'") from error


def with_other_inputs(
    rules: Sequence[Rule], counted: Mapping[str, object], run: Callable[[List[str]], Mapping[str, object]]
) -> Dict[str, object]:
    """A report, together with the reports of the runs that some rules need beside the lesson's. `run`: counts with
    these options."""
    wanted = dict.fromkeys(rule.options for rule in rules if rule.options)
    return {**counted, "also": {options: run(shlex.split(options)) for options in wanted if counted.get("launches")}}


def figures(rules: Sequence[Rule], counted: Mapping[str, object]) -> List[Figure]:
    """The figures of the counters. Empty where there are none."""
    reports = {"": counted, **counted.get("also", {})}
    return [
        Figure(rule, count(rule.counter, reports[rule.options]))
        for rule in rules
        if reports.get(rule.options, {}).get("launches")
    ]


def lines(found: Sequence[Figure]) -> List[str]:
    """The lines for a student beside a verdict "solved"."""
    missed, beaten = [each for each in found if not each.holds], [each for each in found if each.beats_answer]
    if missed:
        ideas = [f"  {each.rule.idea}" for each in missed]
        head = f"{NOT_YET[0].upper()}{NOT_YET[1:]}. Still to come:"
        return [head, *ideas, *table(missed).splitlines()]
    if beaten and not any(each.costs_more for each in found):  # less of one thing for more of another is no better
        return [f"Better than our answer, as CUDA {COUNTED_WITH} compiles it:", *table(beaten).splitlines()]
    return []


def table(found: Sequence[Figure]) -> str:
    columns = [
        Column(("",), [f"  {counter_text(each.rule)}" for each in found], words=True),
        Column(("yours",), [text(each.yours) for each in found]),
        Column(("our answer",), [text(each.rule.answer) for each in found]),
        Column(("at most",), ["-" if each.rule.most is None else text(each.rule.most) for each in found]),
        Column(("at least",), ["-" if each.rule.least is None else text(each.rule.least) for each in found]),
    ]
    if all(each.rule.least is None for each in found):
        columns.pop()
    return text_table.lay_out(columns)


def counter_text(rule: Rule) -> str:
    return ", ".join(filter(None, (rule.counter.replace("_", " "), rule.options)))


def text(value: float) -> str:
    return number(value, ",.0f" if value == int(value) else ",.2f")
