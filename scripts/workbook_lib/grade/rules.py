# SPDX-License-Identifier: MIT
"""How a class is graded: class.toml, with its defaults and what is wrong with it. All points are whole thousandths."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Callable, List, Mapping, Optional, Sequence, Tuple

from ..base import toml
from ..base.errors import WorkbookError
from ..base.options import nearest
from . import grading
from .grading import StageGrade

TEMPLATE = Path(__file__).with_name("class.toml")
THOUSANDTHS = 1000
MOST_POINTS = 1_000_000
FULL, OWN, NAME, NONE = SHOWS = ("full", "own", "name", "none")
LOST_ALL = 100
TABLES = {"weights": None, "late": ("due", "table")}  # None: any stage


@dataclass(frozen=True)
class Rules:
    stages: Sequence[str] = ("0-8",)
    points: int = 10 * THOUSANDTHS
    weights: Mapping[str, int] = field(default_factory=dict)
    technique: int = 50
    shows: str = FULL
    seed: Optional[int] = None
    column: str = "CUDA Workbook"
    due: Optional[datetime] = None
    late: Sequence[Tuple[int, int]] = ()  # hours, and the percent that are lost up to them

    def most(self, stage: str) -> int:
        return self.weights.get(stage, self.points)

    def earned(self, grade: StageGrade, lost_percent: int = 0) -> int:
        """Rounded down to a thousandth."""
        percent = {grading.SOLVED: 100, grading.NOT_THE_STEP: 100 - self.technique}.get(grade.status, 0)
        return self.most(grade.stage) * percent * (LOST_ALL - lost_percent) // (100 * LOST_ALL)

    def lost_percent(self, submitted: str, due: str) -> int:
        """`due`: the student's own, else that of the class."""
        last = time_of(due) if due else self.due
        if not submitted or last is None:
            return 0
        hours = (time_of(submitted) - last).total_seconds() / 3600
        if hours <= 0 or not self.late:
            return 0
        return next((percent for most, percent in self.late if hours <= most), LOST_ALL)


def time_of(text: str) -> datetime:
    """Raises ValueError. Without an offset it is UTC."""
    found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


class Reader:
    """Takes settings out of a table. Whatever is wrong names the file and the setting."""

    def __init__(self, table: Mapping[str, object], name: str, known: Sequence[str] = ()):
        self.table, self.name = table, name
        for key in table:
            if known and key not in known:
                raise WorkbookError(f"{name}: '{key}' is no setting{nearest(key, known)}")

    def take(self, key: str, default: object, made: Callable[[object], object], rule: str) -> object:
        if key not in self.table:
            return default
        try:
            return made(self.table[key])
        except (ValueError, TypeError, InvalidOperation) as error:
            raise WorkbookError(f"{self.name}: {key} = {self.table[key]}: give {rule}") from error


def whole(least: int, most: int) -> Callable[[object], int]:
    def made(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError
        return value

    return made


def thousandths(value: object) -> int:
    if type(value) not in (int, Decimal):
        raise TypeError
    exact = Decimal(value) * THOUSANDTHS
    if exact != int(exact) or not 0 <= exact <= MOST_POINTS * THOUSANDTHS:
        raise ValueError
    return int(exact)


def text(value: object) -> str:
    if type(value) is not str or not value:
        raise TypeError
    return value


def shown(value: object) -> str:
    if value not in SHOWS:
        raise ValueError
    return value


def words(value: object) -> List[str]:
    if type(value) is not list or not value or not all(type(each) in (str, int) for each in value):
        raise TypeError
    return [str(each) for each in value]


def late_table(value: object) -> List[Tuple[int, int]]:
    found = [(whole(1, 10**6)(hours), whole(0, LOST_ALL)(percent)) for hours, percent in value]
    if found != sorted(found):
        raise ValueError
    return found


def parse(content: str, name: str) -> Rules:
    whole_file = toml.parse(content, name)
    top = Reader(whole_file, name, ("stages", "points", "technique", "shows", "seed", "column", *TABLES))
    tables = {}
    for key, known in TABLES.items():
        if type(whole_file.get(key, {})) is not dict:
            raise WorkbookError(f"{name}: {key} is a table: write [{key}]")
        tables[key] = Reader(whole_file.get(key, {}), f"{name}: [{key}]", known or ())
    points = "points from 0 to 1000000 with at most three digits behind the point"
    weights = tables["weights"]
    for key in weights.table:
        if not (key.startswith("stage") and key[5:].isdigit()):
            raise WorkbookError(f"{name}: [weights]: '{key}' is no stage: write stage03 = 20")
    late = tables["late"]
    usual = Rules()
    return Rules(
        stages=top.take("stages", usual.stages, words, 'a list of stages, as ["1-7"]'),
        points=top.take("points", usual.points, thousandths, points),
        weights={key: weights.take(key, 0, thousandths, points) for key in weights.table},
        technique=top.take("technique", usual.technique, whole(0, 100), "a whole number from 0 to 100"),
        shows=top.take("shows", usual.shows, shown, f"one of {', '.join(SHOWS)}"),
        seed=top.take("seed", None, whole(0, (1 << grading.SEED_BITS) - 1), "a whole number below 2^128"),
        column=top.take("column", usual.column, text, "a title between quotes"),
        due=late.take("due", None, lambda value: time_of(text(value)), 'a time, as "2027-03-01 23:59"'),
        late=late.take("table", (), late_table, "pairs of hours and percent, the shortest time first, as [[24, 10], [48, 25]]"),
    )


def read(file: Optional[Path]) -> Rules:
    if file is None:
        return Rules()
    try:
        return parse(file.read_text(encoding="utf-8-sig"), str(file))
    except OSError as error:
        raise WorkbookError(f"{file} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WorkbookError(f"{file} is no UTF-8: save it as UTF-8") from error
