# SPDX-License-Identifier: MIT
"""The progress of a student: the files that differ from the original ones, and the end of each one's last run. It also
holds the device of the last message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable, Dict, Mapping, Optional, Sequence

from ..base import errors, files
from ..build import inputs
from ..course import todo_file
from ..course.stages import Stage
from ..machine.device import Choice
from ..simulator import findings
from . import expected_counters
from .counts import Counts
from .verdict import Verdict

BUILD_FOLDER = Path("build/default")
RECORDS = "workbook-results.json"
UNTOUCHED = "untouched"
SOLVED = "solved"

WRONG_RESULT = "wrong result"

Records = Dict[str, Dict[str, object]]
Met = Dict[str, Dict[str, object]]


def read_records(folder: Path) -> Records:
    try:
        found = json.loads((folder / RECORDS).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def write_records(folder: Path, records: Records, choice: Optional[Choice], say: Callable[[str], None]) -> None:
    """Writes the records, with the device of the last message."""
    if choice and not choice.is_asked_for:
        records = {**records, "device": {"reason": choice.reason}}
    try:
        files.write_atomically(folder / RECORDS, json.dumps(records, indent=1, sort_keys=True))
    except OSError as error:
        say(f"warning: `scripts/workbook list` will not know of this run: {folder / RECORDS}: {error.strerror}")


def symptom(records: Records, stage: Stage) -> Dict[str, str]:
    """The symptom of the last run of the student's file (symptom.py). Empty where there was no run, or no mistake."""
    return dict(records.get(f"todo {stage.name}", {}).get("symptom") or {})


def is_edited_since(records: Records, root: Path, stage: Stage) -> bool:
    """Whether the student's file, or a file that it includes, has changed since the last run."""
    found = records.get(f"todo {stage.name}")
    return bool(found) and found.get("made_of") != inputs.current(root, root / BUILD_FOLDER, stage)


def hints_taken(records: Records, stage: Stage, hint: str = "") -> int:
    """The tiers of this hint that were shown. Without a hint, those of all hints of the stage."""
    taken = records.get(f"hints {stage.name}", {})
    return int(taken.get(hint, 0)) if hint else sum(map(int, taken.values()))


def take_hint(records: Records, stage: Stage, hint: str, tiers: int) -> bool:
    """Takes one more tier. False: all were taken before."""
    taken = records.setdefault(f"hints {stage.name}", {})
    is_more = int(taken.get(hint, 0)) < tiers
    taken[hint] = min(int(taken.get(hint, 0)) + 1, tiers)
    return is_more


def add(records: Records, rows: Sequence[Verdict], made_of: Mapping[str, str], course: str, is_verdict: bool) -> None:
    """Adds the results of these students' files. Their keys are the digests of the programs' inputs (inputs.py) and of
    the course's sources. One right run does not replace a verdict on the same text. Wrong usage does not count."""
    for row in rows:
        old = records.get(f"todo {row.stage}", {})
        found = met(old.get("met", {}), row)
        is_same = old.get("made_of") == made_of[row.stage] and old.get("course") == course
        is_proved = old.get("solved") and is_same and row.status == errors.MATCHES
        if row.status != errors.USAGE and (is_verdict or not is_proved):
            is_half_way = is_verdict and row.status == errors.MATCHES and not row.is_solved
            records[f"todo {row.stage}"] = {
                "outcome": expected_counters.NOT_YET if is_half_way else row.outcome,
                "solved": is_verdict and row.is_solved,
                "tried": row.tried,
                "made_of": made_of[row.stage],
                "course": course,
                "figures": row.figures(),
                "symptom": row.symptom,
                "met": found,
            }
        elif old:
            old["met"] = found


def met(before: Met, row: Verdict) -> Met:
    """The mistakes in the file's runs so far, by kind: how often, and the last place. For the report."""
    found = dict(before)

    def add_kind(kind: str, place: str, words: str) -> None:
        found[kind] = {"times": found.get(kind, {}).get("times", 0) + 1, "place": place, "words": words}

    for finding in row.findings:
        add_kind(str(finding["kind"]), findings.line_of(finding), str(finding.get("message", "")))
    if not row.findings and row.status not in (errors.MATCHES, errors.UNSOLVED, errors.USAGE):
        add_kind(WRONG_RESULT if row.outcome == "NO" else row.outcome, "", row.why)
    return found


def of_todo(records: Records, root: Path, stage: Stage) -> str:
    """The progress of the student with this stage."""
    file = root / stage.source("todo")
    if not file.is_file():
        return "no todo.cu"
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
    counts = Counts(**figures["counts"]) if figures["counts"] else None
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
    later = [stage for stage in open_stages if stage.number > max(solved, default=0)]
    return (later or open_stages or [None])[0]


def template_has_changed(root: Path, stage: Stage) -> bool:
    """Whether the course's original file has changed since the student began."""
    file, answer = root / stage.source("todo"), root / stage.source("answer")
    if not (file.is_file() and answer.is_file()):
        return False
    try:
        newest = todo_file.make_todo(todo_file.read(answer), str(answer), stage.number)
    except todo_file.MarkError:
        return False
    return todo_file.handed_out(todo_file.read(file)) not in ("", todo_file.handed_out(newest))


def is_untouched(root: Path, stage: Stage) -> bool:
    """Whether this stage's file is unchanged."""
    file = root / stage.source("todo")
    return file.is_file() and todo_file.is_untouched(todo_file.read(file))


def device_words(records: Records, choice: Choice) -> str:
    """The device with its name. Where that is news, the reason why it is the simulator."""
    if choice.device == "gpu":
        return f"the GPU ({choice.reason})"
    is_known = choice.is_asked_for or records.get("device") == {"reason": choice.reason}
    return "the simulator" if is_known else f"the simulator ({choice.reason})"
