# SPDX-License-Identifier: MIT
"""The work of grading, in parts that do not know of each other: a part is one stage of one student. Its result is a file
that is named by what it depends on. So a part that runs twice does no harm, a run that was stopped goes on where it was,
and several machines can share the work."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Sequence

from ..base.errors import WorkbookError
from ..base.files import write_atomically
from ..course.stages import Stage
from . import grading
from .grading import StageGrade
from .wall.wall import Wall

RESULTS = "results"


@dataclass(frozen=True)
class Part:
    student: str
    stage: Stage
    todo: Optional[bytes]  # None: not handed in


@dataclass(frozen=True)
class Setting:
    """What all parts share."""

    root: Path
    build: Path
    out: Path
    seed: int
    course: str  # a digest of all that the grade depends on beside the submission


def result_name(setting: Setting, part: Part) -> str:
    """A digest of all that the result depends on. Equal files of two students share a result."""
    text = b"missing" if part.todo is None else b"todo" + part.todo
    made_of = hashlib.sha256(f"{grading.VERSION} {setting.course} {setting.seed} {part.stage.name}\n".encode() + text)
    rules = (setting.root / "stages" / part.stage.name).glob("*.[cj]*")  # technique.json and given headers
    for file in sorted(each for each in rules if each.name != "todo.cu"):
        made_of.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return f"{part.stage.name}-{made_of.hexdigest()[:40]}"


def result_file(setting: Setting, part: Part) -> Path:
    return setting.out / RESULTS / f"{result_name(setting, part)}.json"


def known(setting: Setting, part: Part) -> Optional[StageGrade]:
    try:
        return StageGrade(**json.loads(result_file(setting, part).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise WorkbookError(f"{result_file(setting, part)} is no result of a grade ({error}): remove it") from error


def grade(setting: Setting, wall: Wall, part: Part) -> StageGrade:
    """The result of a part, from its file where it is there. A fault of the grader itself is not kept."""
    found = known(setting, part)
    if found is None:
        try:
            found = grading.of_stage(wall, setting.root, setting.build, part.stage, part.todo, setting.seed)
        except WorkbookError as error:
            return StageGrade(part.stage.name, grading.GRADER_ERROR, reason=str(error))
        if found.status != grading.GRADER_ERROR:
            keep(result_file(setting, part), json.dumps(found.to_json(), indent=1) + "\n")
            found = known(setting, part)
    return found


def keep(file: Path, text: str) -> None:
    """The first result counts. Another run of the part may have ended meanwhile, as for an equal file, or where a scheduler
    starts a lost task again. A program that draws numbers from the clock has other results there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text)


def chosen(parts: Sequence[Part], task: Optional[str]) -> List[Part]:
    """The parts of task "K/N": every N-th, from the K-th on. Without a task, all of them."""
    if task is None:
        return list(parts)
    number, _, count = task.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise WorkbookError(f"--task {task}: give K/N, as 1/8 for the first of eight parts")
    return list(parts[int(number) - 1 :: int(count)])


def use_one_core() -> None:
    """Each core has a part of its own. A simulator that waits for a second one costs a tenth more."""
    os.environ.setdefault("CUDASIM_WORKERS", "1")


def grade_all(setting: Setting, wall: Wall, parts: Sequence[Part], jobs: int, tell: Callable[[int], None]) -> Iterator[StageGrade]:
    """The results in the order of the parts. `tell`: how many are there."""
    if jobs == 1:
        for number, part in enumerate(parts, start=1):
            yield grade(setting, wall, part)
            tell(number)
        return
    # A part changes the environment of its process.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), use_one_core) as pool:
        waiting = [pool.submit(grade, setting, wall, part) for part in parts]
        try:
            for number, each in enumerate(waiting, start=1):
                yield each.result()
                tell(number)
        finally:
            for each in waiting:
                each.cancel()
