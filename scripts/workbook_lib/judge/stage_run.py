# SPDX-License-Identifier: MIT
"""Runs the program of one stage. It runs once for a row of the table, or with all its cases for a verdict."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable, Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple

from ..base import errors
from ..base.errors import WorkbookError
from ..base.progress import Progress, speaker
from ..course import stages, todo_file
from ..course.stages import Stage
from ..simulator import programs, simulator
from ..simulator.locator import Locator
from ..simulator.programs import Run
from ..simulator.run_report import Report
from . import expected_counters, history, results, shrink, symptom, verdict
from .expected_counters import Rule
from .verdict import Replay, Verdict

TIME_LIMIT_S = 600.0  # of one run at any size; a user at a terminal may stop it earlier
LONGEST_OUTPUT_LINES = 40
REPORT = re.compile(r"^Stage \d+ \w[\w ]* (?:does not match|matches) reference", re.MULTILINE)
# What common/workbook/problem/sorts says of a key of the output that looks like memory that nobody wrote.
UNWRITTEN_KEY = re.compile(r"what memory holds that nobody wrote, (?P<bits>0x[0-9a-f]+), which is the last of all keys, too")
OWN_OPTIONS = ("--size", "--block-size", "--seed")  # of scripts/workbook run; other options come after "--"


@dataclass(frozen=True)
class How:
    """The conditions of runs."""

    kind: str  # answer, todo or variant
    options: Sequence[str]
    device: str  # gpu or simulator
    count_on_gpu: bool = False  # after a run on a GPU, once more on the simulator for the counters
    checks: str = "none"  # of the simulator, as in --check; for a GPU, in a second run
    shows_output: bool = False  # whether to show the output of the program and its kernels
    asked_device: str = "auto"  # the typed options
    asked_gpu: Optional[str] = None
    tells_why: bool = False  # whether to show the history of a wrong element
    rules: Mapping[str, Sequence[Rule]] = field(default_factory=dict)  # for a verdict, by stage: the expected counters

    @property
    def is_checked(self) -> bool:
        return self.checks != "none"


def locator(stage: Stage, name: str, build_folder: Path, progress: Progress) -> Locator:
    root = build_folder.parents[1]
    kept: Dict[str, FrozenSet[str]] = {}

    def given(file: str) -> FrozenSet[str]:
        if file not in kept:
            is_todo = Path(file) == stage.source("todo")
            kept[file] = todo_file.given_lines(root / stage.source("answer"), stage.number) if is_todo else frozenset()
        return kept[file]

    return Locator(speaker(name, progress), root, given)


def run_once(stage: Stage, how: How, build_folder: Path, progress: Progress) -> Verdict:
    """One run, on the simulator or a GPU. Where a GPU needs counters or checks, a second run."""
    command = [str(build_folder / "bin" / stage.program(how.kind)), *how.options]
    simulated = simulator.environment(build_folder / "simulator", "", how.checks)
    show = locator(stage, stage.name, build_folder, progress)
    ending = Run(command, simulated if how.device == "simulator" else os.environ, TIME_LIMIT_S).to_its_end(show.say)
    judged = verdict.of_run(ending, how.is_checked and how.device == "simulator")
    show.tell(judged.findings, ending.messages)
    if how.device == "gpu" and not judged.matches and judged.status not in (errors.UNSOLVED, errors.USAGE):
        judged = verdict.explained_by_the_simulator(judged, command, build_folder / "simulator")
        if judged.findings:
            show.tell_leading(judged.findings, judged.ending.messages)
    elif how.device == "gpu" and (how.count_on_gpu or how.is_checked) and judged.matches:
        progress.show(f"{stage.name}: on the simulator")
        second = Run(command, simulated, TIME_LIMIT_S).to_its_end(show.say if how.is_checked else None)
        if how.is_checked:
            judged = verdict.of_run(second, must_be_checked=True)
            show.tell(judged.findings, second.messages)
        judged = replace(judged, ending=replace(ending, counted=second.counted))
    tried = f"one case, checks: {how.checks}" if how.is_checked else "one case"
    judged = replace(judged, tried=tried, is_checked=how.checks.split(",")[0] == "all")
    if judged.status != errors.DOES_NOT_MATCH:
        rules = how.rules.get(stage.name, ())
        counted = expected_counters.with_other_inputs(
            rules, judged.ending.counted, lambda own: Run([*command, *own], simulated, TIME_LIMIT_S).to_its_end().counted
        )
        step = expected_counters.figures(rules, counted)
        row = shown(stage, judged, how.shows_output, show.say)
        return replace(row, step=step, symptom=symptom.of_verdict(judged, step))
    return shown_smaller(stage, how, judged, build_folder, show)


def shown_smaller(stage: Stage, how: How, judged: Verdict, build_folder: Path, show: Locator) -> Verdict:
    """The row of a run that does not match. Shows the smallest case found, and the command that repeats it."""
    settings = {name: os.environ[name] for name in verdict.CHOSEN_HERE if name in os.environ}
    checks = {"CUDASIM_CHECK": how.checks} if how.is_checked else {}
    asked = Replay({**settings, **checks}, how.options, how.device == "gpu")
    program, simulator_folder = build_folder / "bin" / stage.program(how.kind), build_folder / "simulator"
    described = description(program, simulator_folder)
    found = with_its_case(verdict.smallest_case(replace(judged, replay=asked), program, simulator_folder), described)
    names = ["size", "seed", "block_size", *(option["name"] for option in described["options"])]
    case, smallest = ([ending.report.get(name) for name in names] for ending in (judged.ending, found.ending))
    if case != smallest:
        show.say(f"The smallest case found that fails, {found.where}:")
    texts = [[each.get("text") for each in verdict.findings] for verdict in (found, judged)]
    if texts[0] != texts[1] or found.ending.messages != judged.ending.messages:
        show.tell_leading(found.findings, found.ending.messages)
    figures = replace(found.ending, report=judged.ending.report, counted=judged.ending.counted)
    row = shown(stage, replace(found, ending=figures, tried=judged.tried, where=""), how.shows_output, show.say)
    if how.tells_why:
        show_why(found, program, simulator_folder, show.say)
    if case == smallest and found.replay.settings.keys() <= asked.settings.keys():
        return row  # it was just done
    return replace(row, command=replay_words(stage, how, found.replay, described))


def judge(stage: Stage, how: How, build_folder: Path, progress: Progress) -> Verdict:
    """Runs all cases. Where they pass, one run at the stage's own size gives the figures of the row."""
    program, simulator_folder = build_folder / "bin" / stage.program(how.kind), build_folder / "simulator"
    needs = stages.needs(build_folder.parents[1] / stage.source(how.kind))
    judged = verdict.judge(program, simulator_folder, how.device, needs=needs)
    judged = shrink.of_failure(judged, program, simulator_folder)
    if judged.matches:
        progress.verdict(f"Right in {judged.tried}.")
        progress.show(f"{stage.name}: right in {judged.tried}; now the figures")
        how = replace(how, shows_output=False, count_on_gpu=how.count_on_gpu or bool(how.rules))
        row = replace(run_once(stage, how, build_folder, progress), tried=judged.tried, remarks=judged.remarks)
        words = stage_words(stage, how, how.device == "gpu")
        return row if row.status == errors.MATCHES else replace(row, command=shlex.join([*words, "--quick"]))
    described = description(program, simulator_folder)
    judged = with_its_case(judged, described)
    name = f"{stage.name}, {judged.where}" if judged.where else stage.name
    show = locator(stage, name, build_folder, progress)
    show.tell_leading(judged.findings, judged.ending.messages)
    silent = replace(judged, error=stored_after_all(judged), ending=replace(judged.ending, report={}, counted={}))
    row = shown(stage, silent, True, show.say)
    row = replace(row, symptom=symptom.of_verdict(judged))
    if how.tells_why:
        show_why(judged, program, simulator_folder, show.say)
    if judged.replay is None:
        return row
    return replace(row, command=replay_words(stage, how, judged.replay, described))


def stored_after_all(judged: Verdict) -> str:
    """The reason of a wrong result. A value may look like memory that nobody wrote. Where a check of the simulator has seen
    that it was stored, the reason says so."""
    is_found = any(each["kind"] == "uninitialised" for each in judged.findings)
    is_known = judged.is_checked and not is_found and not verdict.may_have_gaps(judged.error)
    return UNWRITTEN_KEY.sub(r"\g<bits>, the last of all keys, which a kernel has stored there", judged.error) if is_known else judged.error


def with_its_case(judged: Verdict, described: Report) -> Verdict:
    """The verdict with the settings of its case: "in plain order, with --size 33 --block-size 32 --misalign 2"."""
    if judged.replay is None or "--size" not in judged.replay.options:
        return judged
    order = judged.where.split("with --")[0].rstrip(", ")
    case = shlex.join(word for pair in needed(judged.replay, described) if pair[0] != "--poison" for word in pair)
    return replace(judged, where=", ".join(filter(None, (order, f"with {case}"))))


def needed(replay: Replay, described: Report) -> List[Tuple[str, str]]:
    """The options of the case and their values, without defaults of the program."""
    standard = {(f"--{option['name']}", option["standard"]) for option in described["options"]}
    standard.add(("--seed", str(described.get("seed"))))
    return [pair for pair in zip(replay.options[::2], replay.options[1::2]) if pair not in standard]


def show_why(judged: Verdict, program: Path, simulator_folder: Path, say: Callable[[str], None]) -> None:
    for line in history.text(judged, program, simulator_folder):
        say(line)


def description(program: Path, simulator_folder: Path) -> Report:
    try:
        return programs.describe(program, simulator.environment(simulator_folder, ""))
    except WorkbookError:  # it may crash before this
        return {"options": []}


def shown(stage: Stage, judged: Verdict, shows_output: bool, say: Callable[[str], None]) -> Verdict:
    """The row. Shows the output of the program and its kernels on request, and the reason of a failure always."""
    output = judged.ending.output
    if judged.status == errors.DOES_NOT_MATCH:
        output = REPORT.split(output)[0]  # the report itself follows, in fewer words
    lines = output.strip("\n").splitlines() if shows_output else []
    for line in lines[:LONGEST_OUTPUT_LINES]:
        say(line)
    if len(lines) > LONGEST_OUTPUT_LINES:
        say(f"... and {len(lines) - LONGEST_OUTPUT_LINES:,} lines more")
    said = "\n".join([judged.ending.messages, *lines[:LONGEST_OUTPUT_LINES]])
    is_usage = judged.status == errors.USAGE and judged.ending.messages  # the program has printed its own message
    if judged.error and judged.error not in said and not is_usage:
        say(judged.error)
    for line in judged.diagnosis.splitlines():
        say(line)
    return results.row(stage, judged)


def stage_words(stage: Stage, how: How, on_gpu: bool) -> List[str]:
    """The command that runs the stage's program on this device."""
    words = ["scripts/workbook", "run", str(stage.number), *(["--todo"] if how.kind == "todo" else [])]
    if how.asked_gpu is not None:
        return [*words, "--gpu", how.asked_gpu]
    is_chosen = on_gpu or (how.device == "simulator" and how.asked_device == "auto")
    return words if is_chosen else [*words, "--device", "simulator"]


def replay_words(stage: Stage, how: How, replay: Replay, described: Report) -> str:
    """The command that repeats a failure, also after a change: it builds first. It omits defaults of the program."""
    settings = dict(replay.settings)
    checks = settings.pop("CUDASIM_CHECK", "")
    words = [f"{name}={value}" for name, value in settings.items()] + stage_words(stage, how, replay.on_gpu)
    words += ["--check", checks] if checks else []
    pairs = needed(replay, described)
    words += [word for pair in pairs if pair[0] in OWN_OPTIONS for word in pair]
    others = [word for pair in pairs if pair[0] not in OWN_OPTIONS for word in pair]
    return shlex.join([*words, *(["--", *others] if others else [])])
