# SPDX-License-Identifier: MIT
"""What the tests of grades share: a class of a few students whose results are written by hand."""

import json

import support
from workbook_lib.course.stages import Stage
from workbook_lib.grade import book, grading, tasks
from workbook_lib.grade.grading import StageGrade
from workbook_lib.grade.rules import Rules
from workbook_lib.grade.submissions.roster import Student
from workbook_lib.grade.submissions.submissions import Collection, Submission
from workbook_lib.grade.tasks import Part, Setting

STAGES = [Stage("stage01", 1, "the first idea"), Stage("stage03", 3, "shared memory")]
SEED = 271828182845904523536028747135266249775
# What a student could write into his file so that a reader of an export believes something else.
FORGED = "</failure>\n| evil | 10 |\n=cmd()\x1b[2J\u202e]]><script>alert(1)</script>\n```\n::error::x\nGrade :=>> 100"
COUNTER = {"idea": "loads once", "counter": "global_load_sectors", "yours": 4.5, "answer": 2, "least": None, "most": 3, "holds": False}
RACE = {"kind": "race", "line": 6, "text": f"a race [race] {grading.shown(FORGED)}"}
REASON = f"with --size 33: expected -36, got 501.5 {grading.shown(FORGED)}"
REPLAY = "scripts/workbook run 3 --todo -- --seed 12345 --size 33"
GRADES = {
    "ada": [StageGrade("stage01", grading.SOLVED, "right in 108 cases"), StageGrade("stage03", grading.SOLVED, counters=[{**COUNTER, "holds": True}])],
    "ben": [
        StageGrade("stage01", grading.NOT_COMPILED, "todo.cu does not compile", "not-compiled", messages=f"stages/stage01/todo.cu(7): error: {grading.shown(FORGED)}"),
        StageGrade("stage03", grading.FINDINGS, REASON, "race-in-block", [RACE], REPLAY),
    ],
    "=cleo,\"x\"": [StageGrade("stage01", grading.NOT_THE_STEP, "not yet", "step-sectors", counters=[COUNTER]), StageGrade("stage03", grading.MISSING)],
    "dora": [StageGrade("stage01", grading.WRONG, REASON, "tail", replay=REPLAY), StageGrade("stage03", "time", "the program stopped")],
}


class BookCase(support.ScratchCase):
    def setting(self, **changes):
        return Setting(**{"root": support.ROOT, "build": self.folder, "out": self.folder / "out", "seed": SEED, "course": "course", **changes})

    def made(self, rules=Rules(), grades=GRADES, roster=(), course="course", todo=b"text"):
        """The book of results that are kept as a run keeps them."""
        setting = self.setting(course=course)
        parts = []
        for name, rows in grades.items():
            for stage, row in zip(STAGES, rows):
                content = None if row.status == grading.MISSING else todo + name.encode()
                parts.append(Part(name, stage, content))
                file = tasks.result_file(setting, parts[-1])
                file.parent.mkdir(parents=True, exist_ok=True)
                if row.status == grading.GRADER_ERROR:  # is not kept
                    file.unlink(missing_ok=True)
                else:
                    file.write_text(json.dumps(row.to_json()), encoding="utf-8")
        handed = [Submission(name, name, hints={"stage03": 2} if name == "ben" else {}) for name in grades]
        return book.make(setting, rules, STAGES, Collection(handed, [], []), roster, parts)

    def roster(self, **columns):
        return [Student("ada", {"Submitted": "2027-03-02 12:00", **columns})]
