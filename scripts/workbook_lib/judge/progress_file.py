# SPDX-License-Identifier: MIT
"""The progress of a student: the files that differ from the original ones, and the end of each one's last run. It also
holds the hints that were shown, and the device of the last message. records.py keeps all of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Dict, Mapping, Optional, Sequence, Tuple

from ..base import errors, files
from ..build import inputs
from ..build.inputs import Inputs
from ..course import todo_file
from ..course.stages import Stage
from ..machine.device import Choice
from ..simulator import findings
from . import expected_counters
from .counts import Counts
from .records import Records
from .verdict import Verdict

BUILD_FOLDER = Path("build/default")
UNTOUCHED = "untouched"
SOLVED = "solved"

WRONG_RESULT = "wrong result"

Met = Dict[str, Dict[str, object]]
Mistake = Dict[str, str]


def note_device(records: Records, choice: Choice) -> None:
    """Keeps the device of the last message."""
    if not choice.is_asked_for:
        records["device"] = {"reason": choice.reason}


def symptom(records: Records, stage: Stage) -> Dict[str, str]:
    """The symptom of the last run of the student's file (symptom.py). Empty where there was no run, or no mistake."""
    return dict(records.get(f"todo {stage.name}", {}).get("symptom") or {})


def is_edited_since(records: Records, root: Path, stage: Stage) -> bool:
    """Whether the student's file, or a file that it includes, has changed since the last run."""
    found = records.get(f"todo {stage.name}")
    return bool(found) and found.get("made_of") != inputs.digest(root, stage, found.get("files") or [])


def hints_taken(records: Records, stage: Stage) -> int:
    """How many tiers of the stage's hints were shown so far."""
    return records.get(f"hints {stage.name}", {}).get("total") or 0


def take_hint(records: Records, stage: Stage, hint: str, tiers: int) -> Tuple[int, bool]:
    """Takes one more tier. Returns how many of this hint are taken now, and whether this one is new. After another
    mistake they begin with the first."""
    mistake = records.get(f"todo {stage.name}", {}).get("mistake") or {}
    kept = records.setdefault(f"hints {stage.name}", {})
    if not is_same(kept.get("mistake") or {}, mistake):
        kept["taken"] = {}
    kept["mistake"] = mistake
    kept["taken"] = kept.get("taken") or {}
    before = kept["taken"].get(hint) or 0
    kept["taken"][hint] = min(before + 1, tiers)
    kept["total"] = hints_taken(records, stage) + (before < tiers)
    return kept["taken"][hint], before < tiers


def forget_hints(records: Records, stage: Stage) -> None:
    """The next hint begins with the first tier. Their number stays."""
    records.get(f"hints {stage.name}", {}).update(mistake={}, taken={})


def mistake_of(root: Path, row: Verdict) -> Mistake:
    """The mistake that a hint is for: its kind, and the line with its text where a finding has one."""
    if not row.findings:
        return {"kind": " ".join(filter(None, map(row.symptom.get, ("ends", "counter"))))} if row.symptom else {}
    found = findings.leading(row.findings)
    place, text = findings.line_of(found), ""
    try:
        data = files.read_regular(root / str(found["file"]), todo_file.MOST_BYTES)
        text = data.decode(errors="replace").splitlines()[int(found["line"]) - 1].strip()
    except (OSError, KeyError, IndexError, TypeError, ValueError):
        pass  # a finding without a line, or in a header that was removed
    return {"kind": str(found["kind"]), "place": place, "text": text}


def is_same(one: Mistake, other: Mistake) -> bool:
    """Whether it is the same mistake, though the student has edited the file: a line may have moved, or changed."""
    is_there = one.get("place") == other.get("place") or bool(one.get("text")) and one.get("text") == other.get("text")
    return one.get("kind") == other.get("kind") and is_there


def add(
    records: Records, root: Path, rows: Sequence[Verdict], made_of: Mapping[str, Inputs], course: str, is_verdict: bool
) -> None:
    """Adds the results of these students' files. Their keys are the digests of the programs' inputs (inputs.py) and of
    the course's sources. One right run does not replace a verdict on the same text. Wrong usage does not count."""
    for row in rows:
        old = records.get(f"todo {row.stage}", {})
        found = met(old.get("met") or {}, row)
        of_this_text = old.get("made_of") == made_of[row.stage].digest and old.get("course") == course
        is_proved = old.get("solved") and of_this_text and row.status == errors.MATCHES
        if row.status != errors.USAGE and (is_verdict or not is_proved):
            is_half_way = is_verdict and row.status == errors.MATCHES and not row.is_solved
            records[f"todo {row.stage}"] = {
                "outcome": expected_counters.NOT_YET if is_half_way else row.outcome,
                "solved": is_verdict and row.is_solved,
                "tried": row.tried,
                "made_of": made_of[row.stage].digest,
                "files": inputs.names(root, made_of[row.stage].files),
                "course": course,
                "figures": row.figures(),
                "symptom": row.symptom,
                "mistake": mistake_of(root, row),
                "met": found,
            }
            follow_hints(records, row.stage, is_verdict and row.is_solved)
        elif old:
            old["met"] = found


def follow_hints(records: Records, stage: str, is_solved: bool) -> None:
    """Hints of a solved stage begin anew. Those of a mistake whose line was edited go on with it."""
    hints, mistake = records.get(f"hints {stage}", {}), records[f"todo {stage}"]["mistake"]
    if is_solved:
        hints.update(mistake={}, taken={})
    elif is_same(hints.get("mistake") or {}, mistake):
        hints["mistake"] = mistake


def met(before: Met, row: Verdict) -> Met:
    """The mistakes in the file's runs so far, by kind: how often, and the last place. For the report."""
    found = dict(before)

    def add_kind(kind: str, place: str, words: str) -> None:
        found[kind] = {"times": ((found.get(kind) or {}).get("times") or 0) + 1, "place": place, "words": words}

    for finding in row.findings:
        add_kind(str(finding["kind"]), findings.line_of(finding), str(finding.get("message", "")))
    if not row.findings and row.status not in (errors.MATCHES, errors.UNSOLVED, errors.USAGE):
        add_kind(WRONG_RESULT if row.outcome == "NO" else row.outcome, "", row.why)
    return found


def of_todo(records: Records, root: Path, stage: Stage) -> str:
    """The progress of the student with this stage."""
    file = root / stage.source("todo")
    if not os.path.lexists(file):
        return "no todo.cu"
    if todo_file.problem(file):
        return f"todo.cu {todo_file.problem(file)}"
    if is_untouched(root, stage):
        return UNTOUCHED
    found = records.get(f"todo {stage.name}")
    if not found:
        return "edited, not run yet"
    if is_edited_since(records, root, stage):
        return f"edited since its last run, which ended with: {found.get('outcome')}"
    if found.get("solved") and found.get("course") != inputs.of_course(root):
        return f"solved before the course changed: scripts/workbook run {stage.number} --todo looks once more"
    if found.get("solved"):
        return SOLVED
    one = f", in one run only: scripts/workbook run {stage.number} --todo tries all cases"
    return f"{found.get('outcome')}{one if found.get('outcome') == 'yes' else ''}"


def is_solved(records: Records, root: Path, stage: Stage) -> bool:
    return of_todo(records, root, stage) == SOLVED


def row(records: Records, root: Path, stage: Stage) -> Optional[Verdict]:
    """The figures with which the student's present file has solved the stage."""
    figures = records.get(f"todo {stage.name}", {}).get("figures")
    if not figures or not is_solved(records, root, stage):
        return None
    counts = Counts(**figures["counts"]) if figures.get("counts") else None
    return Verdict(stage.name, stage.title, errors.MATCHES, "yes", **{**figures, "counts": counts})


def current(records: Records, root: Path, listed: Sequence[Stage]) -> Optional[Stage]:
    """The present stage of the student. This is the stage whose file was saved last, among those that are begun and not
    solved. Otherwise it is the first one after the last solved stage, or the first that is not solved. None: all are
    solved."""
    open_stages = [stage for stage in listed if not is_solved(records, root, stage)]
    begun = [stage for stage in open_stages if (root / stage.source("todo")).is_file() and not is_untouched(root, stage)]
    if begun:
        return max(begun, key=lambda stage: (root / stage.source("todo")).stat().st_mtime)
    solved = [stage.number for stage in listed if stage not in open_stages]
    later = [stage for stage in open_stages if stage.number > max(solved, default=-1)]
    return (later or open_stages or [None])[0]


def template_has_changed(root: Path, stage: Stage) -> bool:
    """Whether the course's original file has changed since the student began."""
    answer = root / stage.source("answer")
    if not answer.is_file():
        return False
    try:
        newest = todo_file.make_todo(todo_file.read(answer), str(answer), stage.number)
    except todo_file.MarkError:
        return False
    return todo_file.handed_out(text_of(root, stage)) not in ("", todo_file.handed_out(newest))


def text_of(root: Path, stage: Stage) -> str:
    """The student's file. Empty where it cannot be read."""
    try:
        return todo_file.read(root / stage.source("todo"))
    except OSError:
        return ""


def is_untouched(root: Path, stage: Stage) -> bool:
    """Whether this stage's file is unchanged."""
    return todo_file.is_untouched(text_of(root, stage))


def device_words(records: Records, choice: Choice) -> str:
    """The device with its name. Where that is news, the reason why it is the simulator."""
    if choice.device == "gpu":
        return f"the GPU ({choice.reason})"
    is_known = choice.is_asked_for or records.get("device") == {"reason": choice.reason}
    return "the simulator" if is_known else f"the simulator ({choice.reason})"
