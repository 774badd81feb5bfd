# SPDX-License-Identifier: MIT
"""The content of the page about a class, as plain data: who has solved what, which mistakes stop a stage, hints, and the
best counters."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Dict, List, Mapping

from .. import book, grading
from ..book import Book

Data = Dict[str, object]
Grade = Mapping[str, object]
SIGNS = {grading.SOLVED: "yes", grading.NOT_THE_STEP: "step", grading.MISSING: "", grading.NOT_SOLVED: "begun", grading.GRADER_ERROR: "?"}
WRONG = "no"
LEGEND = (
    ("yes", "solved"),
    ("step", "right, but not yet this stage's step"),
    ("no", "a mistake, or stopped"),
    ("begun", "not all steps are written"),
    ("", "nothing was handed in"),
    ("?", "the grader's own error"),
)
MOST_MISTAKES = 6  # of a stage
LESS_IS_BETTER_BUT_FOR = ("blocks", "shared_loads_during_copies")  # expected_counters.NO_COST


def gather(found: Book, hides_names: bool) -> Data:
    """Without names, students stand in the order of their points, so that no list of names gives them away."""
    students = list(found["students"])
    if hides_names:
        students.sort(key=lambda each: (-each["points"], hashlib.sha256(each["name"].encode()).hexdigest()))
    labels = [f"student {number}" for number in range(1, len(students) + 1)] if hides_names else [each["name"] for each in students]
    return {
        "version": found["version"],
        "hides_names": hides_names,
        "legend": [{"sign": sign, "words": words} for sign, words in LEGEND],
        "students": [of_student(label, each) for label, each in zip(labels, students)],
        "stages": [of_stage(each, number, students) for number, each in enumerate(found["stages"])],
        "problems": [] if hides_names else found["problems"],
    }


def of_student(label: str, student: Grade) -> Data:
    return {
        "label": label,
        "points": "?" if book.has_grader_error(student) else book.points(student["points"]),
        "of": book.points(student["of"]),
        "late": student["lost_percent"] or "",
        "cells": [SIGNS.get(each["status"], WRONG) for each in student["stages"]],
    }


def of_stage(stage: Grade, place: int, students: List[Grade]) -> Data:
    rows = [each["stages"][place] for each in students]
    handed = [each for each in rows if each["status"] != grading.MISSING]
    solved = [each for each in handed if each["status"] == grading.SOLVED]
    stopped = Counter(each["mistake"] or each["status"] for each in handed if each["status"] not in (grading.SOLVED, grading.GRADER_ERROR))
    known = [each["hints"] for each in rows if each["hints"] is not None]
    return {
        "number": stage["number"],
        "title": stage["title"],
        "handed": len(handed),
        "solved": len(solved),
        "percent": f"{100 * len(solved) // len(handed)} %" if handed else "",
        "mistakes": [{"kind": kind, "times": times} for kind, times in sorted(stopped.items(), key=lambda each: (-each[1], each[0]))[:MOST_MISTAKES]],
        "more": max(0, len(stopped) - MOST_MISTAKES),
        "records": len(known),
        "hints": sum(known) if known else "",
        "best": best(solved),
    }


def best(solved: List[Grade]) -> List[Data]:
    """For each counter of the step that is a cost, the smallest of the class beside our answer's."""
    found: Dict[str, Data] = {}
    for grade in solved:
        for counter in grade["counters"]:
            if counter["counter"] in LESS_IS_BETTER_BUT_FOR:
                continue
            row = found.setdefault(counter["idea"], {"counter": counter["counter"].replace("_", " "), "best": counter["yours"], "answer": counter["answer"]})
            row["best"] = min(row["best"], counter["yours"])
    return [{**row, "best": figure(row["best"]), "answer": figure(row["answer"])} for row in found.values()]


def figure(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"
