# SPDX-License-Identifier: MIT
"""What a student has done so far: which files differ from the ones handed out, and how each stage's last run ended."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Dict, Sequence

from . import run_report, todo_file
from .results import Result
from .stages import Stage

RECORDS = "workbook-results.json"
UNTOUCHED = "untouched"


def source(root: Path, stage: Stage, kind: str) -> Path:
    if kind == "todo":
        return root / "stages" / stage.name / "todo.cu"
    return root / "answers" / stage.name / "solution.cu"


def read_records(folder: Path) -> Dict[str, Dict[str, object]]:
    try:
        found = json.loads((folder / RECORDS).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def record(folder: Path, kind: str, rows: Sequence[Result]) -> None:
    """Keeps the outcome of these stages for `list`. A later run of the same stage replaces it."""
    records = read_records(folder)
    for row in rows:
        records[f"{kind} {row.stage}"] = {
            "outcome": row.outcome,
            "matches": row.status == 0,
            "findings": [finding["kind"] for finding in row.findings],
            "time": time.time(),
        }
    run_report.write_atomically(folder / RECORDS, json.dumps(records, indent=1, sort_keys=True))


def todo_state(root: Path, stage: Stage) -> str:
    """Whether the student has begun with this stage's file."""
    try:
        text = source(root, stage, "todo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "no todo.cu"
    return UNTOUCHED if todo_file.is_untouched(text) else "edited"


def last_result(records: Dict[str, Dict[str, object]], root: Path, stage: Stage) -> str:
    """How the student's file, or else the answer, ended when it was run last; says so where the file has changed
    since."""
    for kind, words in (("todo", "your file"), ("answer", "answer")):
        found = records.get(f"{kind} {stage.name}")
        file = source(root, stage, kind)
        if not found or not file.exists():
            continue
        outcome = "matches" if found.get("matches") else found.get("outcome")
        return f"{words}: {outcome}" + (" (changed since)" if file.stat().st_mtime > found.get("time", 0) else "")
    return ""
