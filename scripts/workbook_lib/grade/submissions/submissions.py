# SPDX-License-Identifier: MIT
"""One submission for each student, of a folder that holds them. Only todo.cu of each stage is taken from what a student hands
in."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Sequence, Tuple

from ...base.errors import WorkbookError
from ...base.harmless import one_line
from ...course.stages import Stage
from ...judge import progress_file, records
from .entries import FILE, LINK, MOST_ARCHIVE_BYTES, REPOSITORY_ENDING, TAR_ENDINGS, ZIP_ENDINGS, Entry, Refused, as_refusal
from .entries import counted, of_disk, of_folder, of_tar, of_zip
from .repository import git_folder, of_repository
from .roster import Student

TODO = re.compile(r"(?:^|/)(stage\d+)/todo\.cu$", re.IGNORECASE)
LONE = re.compile(r"(?:^|/)todo\.cu$", re.IGNORECASE)
RECORDS = re.compile(rf"(?:^|/){re.escape(records.FILE)}$")  # a student's own: for a picture of the class, not for points
OF_A_SYSTEM = re.compile(r"(?:^|/)(?:__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)")
MOST_LISTED = 20


@dataclass
class Submission:
    """What one student has handed in."""

    student: str  # as the roster names him, or his submission
    source: str  # the name of the folder or archive
    files: Dict[str, bytes] = field(default_factory=dict)  # by stage
    missing: List[str] = field(default_factory=list)  # stages
    extra: List[str] = field(default_factory=list)  # files that are not looked at
    problems: List[str] = field(default_factory=list)  # sentences
    hints: Dict[str, int] = field(default_factory=dict)  # by stage, where the student's record is there


@dataclass
class Collection:
    submissions: List[Submission]
    without: List[str]  # students of the roster who have handed in nothing
    problems: List[str]  # what nobody can be given a grade for


def is_outside(path: str) -> bool:
    """Whether a name in an archive leads out of the folder into which it would be unpacked."""
    slashes = path.replace("\\", "/")
    return slashes.startswith("/") or ".." in slashes.split("/") or bool(re.match(r"[A-Za-z]:", slashes)) or "\0" in path


def entries_of(place: Path) -> Iterator[Entry]:
    """All files of a submission. Raises Refused."""
    name = place.name.casefold()
    if place.is_symlink():
        raise Refused("it is a link")
    if place.is_dir():
        repository = git_folder(place)
        return of_repository(repository) if repository else of_folder(place)
    if not place.is_file():
        raise Refused("it is neither a file nor a folder")
    if place.stat().st_size > MOST_ARCHIVE_BYTES:
        raise Refused(f"it has more than {MOST_ARCHIVE_BYTES >> 20} MB")
    if name.endswith(ZIP_ENDINGS):
        return of_zip(place)
    if name.endswith(TAR_ENDINGS):
        return of_tar(place)
    if name.endswith(".cu"):
        return iter([Entry("todo.cu", FILE, lambda: of_disk(place))])
    raise Refused("it is no folder, zip, tar file, git repository or .cu file")


def stage_of(path: str, stages: Sequence[Stage]) -> str:
    """The stage whose todo.cu this is. Empty for another file. Where one stage is graded, its folder need not be there."""
    found = TODO.search(path)
    if found:
        return next((stage.name for stage in stages if stage.name == found[1].lower()), "")
    return stages[0].name if len(stages) == 1 and LONE.search(path) else ""


def read(place: Path, student: str, stages: Sequence[Stage]) -> Submission:
    """What is in one student's folder or archive. Each problem is a sentence; the rest is taken all the same."""
    found = Submission(student, one_line(place.name))
    places: Dict[str, str] = {}
    try:
        with as_refusal():
            for entry in counted(entries_of(place)):
                take(entry, found, places, stages)
    except Refused as problem:
        found.problems.append(f"{found.source}: {one_line(str(problem))}")
    found.missing = [stage.name for stage in stages if stage.name not in found.files]
    left_out = len(found.extra) - MOST_LISTED
    found.extra = [*sorted(found.extra)[:MOST_LISTED], *([f"and {left_out} more"] if left_out > 0 else [])]
    return found


def take(entry: Entry, found: Submission, places: Dict[str, str], stages: Sequence[Stage]) -> None:
    path = one_line(entry.path)
    if OF_A_SYSTEM.search(entry.path):
        return
    if is_outside(entry.path):
        found.problems.append(f"{path} leads out of the submission: it is not taken")
        return
    stage = stage_of(entry.path.replace("\\", "/"), stages)
    if not stage and RECORDS.search(entry.path) and entry.kind == FILE:
        take_hints(entry, found, stages)
    elif not stage:
        found.extra.append(path)
    elif entry.kind != FILE:
        found.problems.append(f"{path} is {'a link' if entry.kind == LINK else 'no regular file'}: it is not taken")
    else:
        try:
            content = entry.read()
        except Refused as problem:
            found.problems.append(f"{path} is not taken: {one_line(str(problem))}")
            return
        if b"\0" in content:  # UTF-16, or no text at all
            found.problems.append(f"{path} has a byte that is 0: it is no text, or not in UTF-8. Save it as UTF-8")
        if stage in places and found.files.get(stage) != content:
            found.problems.append(f"{stage} is there twice, as {places[stage]} and {path}: neither is taken. Hand in one of them")
            found.files.pop(stage, None)
        elif stage not in places:
            found.files[stage] = content
        places.setdefault(stage, path)


def take_hints(entry: Entry, found: Submission, stages: Sequence[Stage]) -> None:
    with contextlib.suppress(Refused):
        kept = records.of_text(entry.read(), "").records
        found.hints = {stage.name: progress_file.hints_taken(kept, stage) for stage in stages}


def key_of(place: Path) -> str:
    """The student's name: that of the folder or archive, without its ending."""
    name = place.name
    for ending in (*ZIP_ENDINGS, *TAR_ENDINGS[::-1], REPOSITORY_ENDING, ".cu"):
        if name.casefold().endswith(ending):
            return name[: -len(ending)]
    return name


def by_student(places: Iterable[Path]) -> Dict[str, List[Path]]:
    found: Dict[str, List[Path]] = {}
    for place in sorted(places):
        if not place.name.startswith("."):
            found.setdefault(key_of(place).casefold(), []).append(place)
    return found


def matched(found: Dict[str, List[Path]], roster: Sequence[Student]) -> Tuple[Dict[str, str], List[str], List[str]]:
    """The student of each submission, who is without one, and submissions of nobody on the roster."""
    names = {student.folded: student.key for student in roster} or {key: one_line(key_of(places[0])) for key, places in found.items()}
    without = [name for key, name in names.items() if key not in found]
    unknown = [one_line(place.name) for key, places in found.items() if key not in names for place in places]
    return names, without, unknown


def collect(folder: Path, stages: Sequence[Stage], roster: Sequence[Student] = ()) -> Collection:
    """The submissions in a folder, in the order of their students' names."""
    if not folder.is_dir():
        raise WorkbookError(f"{folder} is no folder of submissions")
    found = by_student(folder.iterdir())
    names, without, unknown = matched(found, roster)
    problems = [f"{name} is not graded: no username of the roster is its name without the ending" for name in unknown]
    submissions = []
    for key, places in found.items():
        if key not in names:
            continue
        if len(places) > 1:
            listed = ", ".join(one_line(place.name) for place in places)
            problems.append(f"{names[key]} has handed in {len(places)} times ({listed}): none of them is graded")
            continue
        submissions.append(read(places[0], names[key], stages))
    if not found:
        raise WorkbookError(f"{folder} holds no submission")
    return Collection(submissions, without, problems)
