# SPDX-License-Identifier: MIT
"""The output of scripts/workbook bench without a GPU: the simulator's counters, which are the same on every machine,
and no times."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import List, Optional, Sequence

from ..base import colour, errors, sizes, text_table
from ..base.progress import Progress
from ..base.sizes import Size, power
from ..base.text_table import Column, number
from ..build.build import Build, build_programs
from ..judge import progress_file, records, results, stage_run
from ..judge.counts import Counts
from ..judge.verdict import Verdict
from ..machine.device import Choice
from ..simulator import programs, simulator
from . import bench_data
from .bench_run import Wanted
from .bench_table import differ


def run(
    build: Build,
    wanted: Sequence[Wanted],
    asked: Optional[Sequence[Size]],
    block_sizes: Sequence[Optional[Size]],
    own: Sequence[str],
    choice: Choice,
    progress: Progress,
) -> int:
    refused = {program: why for program in wanted if (why := not_simulated(build.machine.root, program))}
    wanted = [program for program in wanted if program not in refused]
    targets = [program.stage.target(program.kind) for program in wanted]
    broken = build_programs(build, targets)
    rows: List[Verdict] = []
    for program in wanted:
        if program.stage.target(program.kind) in broken:
            label = bench_data.label(program.name)
            rows.append(Verdict(label, program.stage.title, errors.DOES_NOT_MATCH, results.NOT_COMPILED))
            continue
        described = programs.describe(
            build.folder / "bin" / program.name, simulator.environment(build.folder / "simulator", "")
        )
        for size in asked or map(sizes.parse, described["bench"]["simulated_sizes"]):
            for block_size in block_sizes:
                progress.show(f"{program.name}, size {power(size)}")
                # A program that refuses the size reports neither size nor problem.
                given = {"size": size, "problem": described["problem"]}
                row = run_one(build, program, size, block_size, own, progress)
                rows.append(replace(row, **{name: getattr(row, name) or value for name, value in given.items()}))
    rows.sort(key=lambda row: sizes.order(row.size) if row.size is not None else ())
    progress.clear()
    with records.change(build.machine.root, progress.say) as found:
        print(f"No times on {progress_file.device_words(found, choice)}; what it counts instead:")
        progress_file.note_device(found, choice)
    for problem in dict.fromkeys(row.problem for row in rows):
        head = f"{problem}\n\n" if problem else ""  # none: rows of programs without a result
        shown = table([row for row in rows if row.problem == problem])
        print(f"\n{head}{colour.paint(shown, colour.VERDICTS, sys.stdout)}")
    if refused:
        names = [f"{bench_data.label(program.name)} ({why})" for program, why in refused.items()]
        print(f"\nNot simulated, these need a GPU: {', '.join(names)}")
    return results.exit_status(rows)


def not_simulated(root: Path, program: Wanted) -> str:
    """The feature of a variant that the simulator refuses, from the head of its file. Empty: none."""
    stage, _, variant = program.stage.name.partition("-")
    file = root / "answers" / stage / "variants" / f"{variant}.cu"
    if program.kind != "variant" or not file.exists():
        return ""
    line = re.search(r"^// not simulated: (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return line[1] if line else ""


def run_one(
    build: Build, program: Wanted, size: Size, block_size: Optional[Size], own: Sequence[str], progress: Progress
) -> Verdict:
    options = ["--size", str(size), *(["--block-size", str(block_size)] if block_size is not None else []), *own]
    how = stage_run.How(program.kind, options, "simulator")
    found = stage_run.run_once(program.stage, how, build.folder, progress)
    return replace(found, stage=bench_data.label(program.name))


def table(rows: Sequence[Verdict]) -> str:
    counts = [row.counts or Counts() for row in rows]
    columns = [
        Column(("size",), ["-" if row.size is None else power(row.size) for row in rows]),
        Column(("stage",), [row.stage for row in rows], words=True),
        Column(("idea",), [row.title for row in rows], words=True),
    ]
    if differ([row.block_size for row in rows]):
        columns.append(Column(("threads", "a block"), [sizes.text(row.block_size) for row in rows]))
    columns += [
        Column(("matches",), [row.outcome for row in rows], words=True),
        *results.counter_columns(counts),
        Column(("global load", "sectors", "an element"), [number(row.sectors_per_element, ".3f") for row in counts]),
        Column(("", "launches"), [number(row.launches, ",d") for row in counts]),
    ]
    return text_table.lay_out(
        columns, [index for index in range(1, len(rows)) if rows[index].size != rows[index - 1].size]
    )
