# SPDX-License-Identifier: MIT
"""A student's records: none is lost, none outlives what it says, and what is no record is told in a sentence."""

import json
import os
import shutil
import subprocess
import sys
import threading
import unittest
from unittest import mock

import support
from workbook_lib.build import inputs
from workbook_lib.course.stages import Stage
from workbook_lib.judge import progress_file, records

STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]
RACE = {"kind": "race", "file": "stages/stage01/todo.cu", "line": 3, "message": "two warps"}
AT_ONCE = 16
TAKE_HINT = """
import sys
from pathlib import Path
sys.path.insert(0, {scripts!r})
from workbook_lib.course.stages import Stage
from workbook_lib.judge import progress_file, records
with records.change(Path({folder!r}), print) as kept:
    progress_file.take_hint(kept, Stage(sys.argv[1], 1, ""), "race", 3)
"""
GOOD = {"outcome": "NO", "solved": False, "symptom": {"ends": "no-match"}}


def of_todo(**changes):
    return json.dumps({"todo stage01": {**GOOD, **changes}, "hints stage02": {"total": 2}}).encode()


UNFIT = {  # what is there, and what the sentence names
    "empty": (b"", "holds no records"),
    "cut off": (b'{"todo stage01": {"outc', "holds no records"),
    "a list": (b"[]", "holds no records"),
    "no text": (b"\xff\xfe{\x00}\x00", "holds no records"),
    "deep": (b"[" * 100000, "holds no records"),
    "a long number": (b'{"hints stage01": {"total": ' + b"9" * 100000 + b"}}", "holds no records"),
    "endless": (b'{"hints stage01": {"total": Infinity}}', "holds no records"),
    "another name": (b'{"x": {}}', "'x'"),
    "escape codes in a name": (b'{"\\u001b[2J": {}}', "'\N{REPLACEMENT CHARACTER}[2J'"),
    "a record of nothing": (b'{"todo stage01": null}', "'todo stage01'"),
    "a symptom that is a list": (of_todo(symptom=["a"]), "'todo stage01'"),
    "an outcome that is a list": (of_todo(outcome=[1]), "'todo stage01'"),
    "solved as text": (of_todo(solved="no"), "'todo stage01'"),
    "figures that are none": (of_todo(figures={"counts": {"launches": "x"}}), "'todo stage01'"),
    "hints as text": (b'{"hints stage01": {"taken": {"a": "x"}}}', "'hints stage01'"),
}


class Kept(support.CommandCase):
    STAGES = STAGES

    def setUp(self):
        super().setUp()
        self.write("stages/stage01/todo.cu", "a\nb\n  c;\n")
        self.write("stages/hints.json", json.dumps({"wrong": {"when": {"ends": ".*"}, "question": "Which?", "idea": "So."}}))
        self.file = self.folder / records.FILE
        self.ends()

    def ends(self, *found, status=0):
        report = {"matches": status == 0, "cases": 71}
        self.program("build/default/bin/todo-stage01", report, status, {"findings": list(found), "kernels": [{}]})

    def test_16_at_once_are_all_kept(self):
        script = TAKE_HINT.format(scripts=str(support.ROOT / "scripts"), folder=str(self.folder))
        names = [f"stage{number:02}" for number in range(AT_ONCE // 2)] + ["stage99"] * (AT_ONCE // 2)
        started = [subprocess.Popen([sys.executable, "-B", "-c", script, name]) for name in names]
        self.assertEqual([process.wait(60) for process in started], [0] * AT_ONCE)
        kept = records.read(self.folder)
        self.assertEqual([kept[f"hints {name}"]["total"] for name in names[: AT_ONCE // 2]], [1] * (AT_ONCE // 2))
        self.assertEqual(kept["hints stage99"]["total"], 3)

    def test_a_change_waits_for_another_one(self):
        with records.change(self.folder, self.fail) as kept:
            other = threading.Thread(target=self.workbook, args=("hint", "1"))
            other.start()
            other.join(0.2)
            self.assertTrue(other.is_alive())
            kept["hints stage02"] = {"total": 5}
        other.join(30)
        self.assertEqual({name for name in records.read(self.folder) if name != "device"}, {"hints stage01", "hints stage02"})

    def test_they_outlive_the_build_folder(self):
        self.workbook("run", "1", "--todo")
        shutil.rmtree(self.build_folder)
        self.assertRegex(self.workbook("list")[1], "first +solved\n")

    def test_those_of_the_build_folder_are_taken_over(self):
        self.workbook("run", "1", "--todo")
        old = json.loads(self.file.read_text(encoding="utf-8"))
        files = old["todo stage01"].pop("files")
        del old["todo stage01"]["mistake"]
        old["hints stage01"] = {"race": 2, "wrong": 1}
        self.write(records.OLD_FILE, json.dumps(old))
        self.write("build/default/stages/todo_stage01.inputs", json.dumps({"files": files, "digest": old["todo stage01"]["made_of"]}))
        shutil.rmtree(self.folder / records.FOLDER)
        self.assertRegex(self.workbook("list")[1], r"first +solved \(3 hints taken\)\n")
        self.workbook("hint", "2")
        shutil.rmtree(self.build_folder)
        self.assertRegex(self.workbook("list")[1], r"first +solved \(3 hints taken\)\n")

    def test_what_is_no_record_is_a_sentence_and_is_kept_aside(self):
        for name, (data, named) in UNFIT.items():
            with self.subTest(name):
                self.file.parent.mkdir(exist_ok=True)
                self.file.write_bytes(data)
                status, output, said = self.workbook("list")
                self.assertEqual((status, len(output.splitlines())), (0, 5), said)
                self.assertRegex(said, r"^warning: [^\n]*: it does not count, and the next run begins anew\n$")
                self.assertIn(named, said)
                self.assertEqual(self.file.read_bytes(), data)
                self.assertRegex(self.workbook("hint", "1")[2], r"^warning: .* is kept as \.workbook/records\.json\.kept\n$")
                self.assertEqual((self.folder / records.ODD).read_bytes(), data)
                self.assertEqual(self.workbook("list")[2], "")
        self.assertRegex(self.workbook("list")[1], r"first .*\(1 hint taken\)\n")  # of the last case; 2 stays unfit

    def test_a_record_beside_one_that_is_unfit_counts(self):
        self.write(records.FILE, of_todo(symptom=["a"]).decode())
        self.assertIn("(2 hints taken)", self.workbook("list")[1])

    def test_what_is_no_file_is_a_sentence(self):
        decoy = self.write("decoy", "of somebody else")
        made = {
            "is no regular file": (lambda: os.mkfifo(self.file), self.file.mkdir),
            "is a link": (lambda: self.file.symlink_to(decoy), lambda: self.file.symlink_to("/dev/zero"), lambda: self.file.symlink_to("no/where")),
        }
        for words, ways in made.items():
            for make in ways:
                shutil.rmtree(self.folder / records.FOLDER, ignore_errors=True)
                self.file.parent.mkdir()
                make()
                self.assertIn(f"warning: {records.FILE} {words}: it does not count", self.workbook("list")[2])
                self.assertIn(f"is kept as {records.ODD}", self.workbook("hint", "1")[2])
                self.assertTrue(self.file.is_file() and not self.file.is_symlink())
        self.assertEqual(decoy.read_text(encoding="utf-8"), "of somebody else")

    def test_no_character_of_a_record_is_for_the_terminal(self):
        self.write(records.FILE, json.dumps({"todo stage01": {"outcome": "\x1b[2Jyes\ud800", "solved": False}}))
        self.assertIn("ended with: \N{REPLACEMENT CHARACTER}[2Jyes\N{REPLACEMENT CHARACTER}\n", self.workbook("list")[1])

    def tier(self):
        return self.workbook("hint", "1")[1].splitlines()[-1]

    def test_hints_go_on_with_a_mistake_and_begin_anew_with_another(self):
        more, last = "Next hint: scripts/workbook hint 1", "That was the last one for this."
        self.ends(RACE, status=1)
        self.workbook("run", "1", "--todo")
        self.assertEqual([self.tier(), self.tier()], [more, last])
        self.write("stages/stage01/todo.cu", "new\na\nb\n  c;\n")  # the line has moved
        self.ends({**RACE, "line": 4}, status=1)
        self.workbook("run", "1", "--todo")
        self.assertNotEqual(self.tier(), more)
        self.write("stages/stage01/todo.cu", "new\na\nb\n  d;\n")  # and is edited
        self.workbook("run", "1", "--todo")
        self.assertNotEqual(self.tier(), more)
        self.ends({**RACE, "line": 2}, status=1)
        self.workbook("run", "1", "--todo")
        self.assertEqual([self.tier(), self.tier()], [more, last])
        self.ends({**RACE, "line": 2, "kind": "out-of-bounds"}, status=1)
        self.workbook("run", "1", "--todo")
        self.assertEqual([self.tier(), self.tier()], [more, last])
        self.assertIn("(6 hints taken)", self.workbook("list")[1])

    def test_a_course_that_was_moved_keeps_what_is_solved(self):
        header = self.write("common/workbook/student/a.h", "int a;\n")
        files = [str(header), "/usr/include/stdio.h"]
        self.assertEqual(inputs.names(self.folder, files), ["common/workbook/student/a.h", "/usr/include/stdio.h"])
        made = inputs.Inputs(files, inputs.digest(self.folder, STAGES[0], files))
        with mock.patch.object(inputs, "last_built", lambda *of: made):
            self.assertEqual(self.workbook("run", "1", "--todo")[0], 0)
        moved = self.folder / "moved"
        shutil.copytree(self.folder, moved, ignore=shutil.ignore_patterns("moved"))
        header.unlink()
        self.assertTrue(progress_file.is_solved(records.read(moved), moved, STAGES[0]))
        (moved / "common/workbook/student/a.h").write_text("int b;\n", encoding="utf-8")
        self.assertFalse(progress_file.is_solved(records.read(moved), moved, STAGES[0]))

    def test_hints_begin_anew_when_the_stage_was_solved_and_at_reset(self):
        more, last = "Next hint: scripts/workbook hint 1", "That was the last one for this."
        for between in ("solved", "reset"):
            self.ends(status=1)
            self.workbook("run", "1", "--todo")
            self.assertEqual([self.tier(), self.tier()], [more, last])
            self.ends()
            if between == "solved":
                self.assertEqual(self.workbook("run", "1", "--todo")[0], 0)
            else:
                lines = ["// SPDX-License-Identifier: MIT", "// BEGIN SOLUTION: it", "f();", "// END SOLUTION", '// UNTIL SOLVED: WORKBOOK_TODO("x");']
                self.write("answers/stage01/solution.cu", "\n".join(lines) + "\n")
                self.assertEqual(self.workbook("reset", "1")[0], 0)
        self.ends(status=1)
        self.workbook("run", "1", "--todo")
        self.assertEqual(self.tier(), more)


class Same(unittest.TestCase):
    def test_a_mistake_without_a_line_is_known_by_its_kind(self):
        self.assertTrue(progress_file.is_same({"kind": "no-match"}, {"kind": "no-match"}))
        self.assertFalse(progress_file.is_same({"kind": "no-match"}, {"kind": "no-step launches"}))
        self.assertFalse(progress_file.is_same({"kind": "race", "place": "a:1", "text": ""}, {"kind": "race", "place": "a:2", "text": ""}))


if __name__ == "__main__":
    unittest.main()
