# SPDX-License-Identifier: MIT
"""The formats by name, and their files."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence

from ...base.files import write_own
from .. import book
from . import classroom50, exercism, gradescope, junit, markdown, prairielearn, sarif, table
from .feedback import Book, Writer

FOLDER = "exports"
MOST_NAME = 150  # characters


class Format(NamedTuple):
    write: Writer
    ending: str


# A file for each student.
FORMATS: Dict[str, Format] = {
    "gradescope": Format(gradescope.text, ".json"),
    "prairielearn": Format(prairielearn.text, ".json"),
    "exercism": Format(exercism.text, ".json"),
    "classroom50": Format(classroom50.text, ".json"),
    "junit": Format(junit.text, ".xml"),
    "sarif": Format(sarif.text, ".sarif"),
    "markdown": Format(markdown.text, ".md"),
}
CSV = "csv"  # one file for the instructor
NAMES = (*FORMATS, CSV)


def file_name(student: str) -> str:
    """A name that stays in its folder on every system, and that no other student has."""
    safe = re.sub(r"[^A-Za-z0-9_@-]", lambda found: "".join(f"%{byte:02x}" for byte in found[0].encode("utf-8", "surrogateescape")), student)
    safe = re.sub(r"^(?=-)", "%", safe) or "%"
    return safe if len(safe) <= MOST_NAME else f"{safe[:MOST_NAME]}%{hashlib.sha256(safe.encode()).hexdigest()[:16]}"


def write(found: Book, names: Sequence[str], out: Path) -> List[str]:
    """Writes out/exports/FORMAT/STUDENT. Returns sentences: a student with the grader's own error has no file."""
    said = []
    if "classroom50" in names:
        classroom50.check_environment()  # before anything is written
    for name in dict.fromkeys(names):
        if name == CSV:
            write_own(out / "grades.csv", table.text(found))
            said.append(f"{out}/grades.csv")
            continue
        folder = out / FOLDER / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"*{FORMATS[name].ending}"):  # of a student who has no grade now
            old.unlink()
        graded = [each for each in found["students"] if not book.has_grader_error(each)]
        for student in graded:
            write_own(folder / f"{file_name(student['name'])}{FORMATS[name].ending}", FORMATS[name].write(found, student))
        said.append(f"{folder}: {len(graded)} file{'' if len(graded) == 1 else 's'}")
        left = [each["name"] for each in found["students"] if book.has_grader_error(each)]
        said += [f"{name}: no file for {', '.join(left)}, because of the grader's own error"] if left else []
    return said
