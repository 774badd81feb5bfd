# SPDX-License-Identifier: MIT
"""What `scripts/workbook list` says of each stage, and what it remembers of runs."""

import json
import os
import unittest

import support
from workbook_lib.course import todo_file
from workbook_lib.course.stages import Stage
from workbook_lib.judge import records

STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]


class List(support.CommandCase):
    STAGES = STAGES

    def setUp(self):
        super().setUp()
        lines = [todo_file.SPDX, "// Yours to finish."]
        lines.append(todo_file.HANDED_OUT.format(todo_file.digest(lines)))
        self.handed_out = "\n".join(lines) + "\n"
        for stage in self.STAGES:
            self.write(stage.source("todo"), self.handed_out)
        self.program_of("answer-stage01")
        self.program_of("todo-stage01")

    def program_of(self, name, status=0):
        self.program(f"build/default/bin/{name}", {"matches": status == 0, "cases": 71}, status, {"findings": [], "kernels": [{}]})

    def edit(self, text="// begun\n"):
        self.write(STAGES[0].source("todo"), self.handed_out + text)

    def said(self):
        """Of stage 1, and of all."""
        status, output, _ = self.workbook("list")
        lines = output.splitlines()
        self.assertEqual((status, len(lines)), (0, 5), output)
        return lines[0].partition("first   ")[2], lines[3].partition("  ")[2]

    def test_of_an_untouched_stage_it_says_nothing_that_the_answer_did(self):
        self.workbook("run", "1")
        self.workbook("run", "1", "--todo")
        self.assertEqual(self.said(), ("untouched", "0 of 2 solved"))
        self.edit()
        self.assertTrue(self.said()[0].startswith("edited since its last run, which ended with: yes"))

    def test_only_a_verdict_on_all_cases_is_solved(self):
        self.edit()
        self.assertEqual(self.said(), ("edited, not run yet", "0 of 2 solved"))
        one_run = "yes, in one run only: scripts/workbook run 1 --todo tries all cases"
        for words in (["--size", "0"], ["--quick"], ["--check", "all"], ["--", "--distribution", "exact"]):
            self.workbook("run", "1", "--todo", *words)
            self.assertEqual(self.said(), (one_run, "0 of 2 solved"), words)
        self.workbook("run", "1", "--todo")
        self.assertEqual(self.said(), ("solved", "1 of 2 solved"))

    def test_what_was_met_on_the_way_is_kept(self):
        self.edit()
        race = {"kind": "race", "file": "todo.cu", "line": 7, "message": "two warps"}
        self.program("build/default/bin/todo-stage01", {"matches": True, "cases": 71}, 0, {"findings": [race], "kernels": [{}]})
        self.workbook("run", "1", "--todo")
        self.workbook("run", "1", "--todo")
        self.broken["todo_stage01"] = "todo.cu:1:1: error: no"
        self.workbook("run", "1", "--todo")
        self.broken.clear()
        self.program_of("todo-stage01", 1)
        self.workbook("run", "1", "--todo", "--size", "1")
        self.program_of("todo-stage01")
        self.workbook("run", "1", "--todo")
        met = records.read(self.folder)["todo stage01"]["met"]
        self.assertEqual({kind: found["times"] for kind, found in met.items()}, {"race": 2, "does not compile": 1, "wrong result": 1})
        self.assertEqual(met["race"]["place"], "todo.cu:7")
        self.assertEqual(self.said(), ("solved", "1 of 2 solved"))

    def test_one_run_does_not_replace_a_verdict_on_the_same_text_unless_it_fails(self):
        self.edit()
        self.workbook("run", "1", "--todo")
        self.workbook("run", "1", "--todo", "--quick")
        self.program_of("todo-stage01", 2)
        self.assertEqual(self.workbook("run", "1", "--todo", "--size", "2^40")[0], 2)
        self.assertEqual(self.said()[1], "1 of 2 solved")
        self.program_of("todo-stage01", 1)
        self.workbook("run", "1", "--todo", "--quick")
        self.assertEqual(self.said(), ("NO", "0 of 2 solved"))

    def test_another_text_is_not_solved_whatever_its_time(self):
        self.edit()
        self.workbook("run", "1", "--todo")
        self.edit("// another\n")
        self.assertEqual(self.said(), ("edited since its last run, which ended with: yes", "0 of 2 solved"))
        self.edit()
        self.assertEqual(self.said()[1], "1 of 2 solved")

    def test_a_missing_file_and_bytes_that_are_no_text(self):
        (self.folder / STAGES[0].source("todo")).write_bytes(b"// \xe9\n")
        self.assertEqual(self.said()[0], "edited, not run yet")
        (self.folder / STAGES[0].source("todo")).unlink()
        self.assertEqual(self.said()[0], "no todo.cu")

    def test_records_of_another_version_or_none_are_no_fault(self):
        self.edit()
        self.write(records.FILE, json.dumps({"todo stage01": {"outcome": "yes", "matches": True}}))
        self.assertEqual(self.said(), ("edited since its last run, which ended with: yes", "0 of 2 solved"))
        self.write(records.FILE, "[")
        self.assertEqual(self.said()[0], "edited, not run yet")

    def test_where_nothing_can_be_kept_the_run_counts_all_the_same(self):
        self.edit()
        self.write(records.FOLDER, "no folder")
        status, output, messages = self.workbook("run", "1", "--todo")
        self.assertEqual(status, 0)
        self.assertIn("yes", output)
        self.assertRegex(messages, r"(?m)^warning: `scripts/workbook list` will not know of this run: .*: File exists$")
        self.assertEqual(self.said()[0], "edited, not run yet")

    def test_where_one_is_and_what_to_type_next(self):
        status, output, _ = self.workbook()
        self.assertEqual(status, 0)
        self.assertTrue(output.startswith("[..]  0 of 2 solved\n\nStage 1: first\n  lesson  stages/stage01/README.md\n"), output)
        self.assertIn("stages/stage01/todo.cu: untouched\n\nNext: scripts/workbook watch 1\n", output)
        self.edit()
        self.workbook("run", "1", "--todo")
        self.assertIn("[#.]  1 of 2 solved\n\nStage 2: second\n", self.workbook()[1])
        self.edit("// again\n")
        output = self.workbook()[1]
        self.assertIn("edited since its last run, which ended with: yes\n\nNext: scripts/workbook watch 1\n", output)

    def test_the_file_that_was_saved_last_is_where_one_is(self):
        self.edit()
        self.write(STAGES[1].source("todo"), self.handed_out + "// begun\n")
        for late, number in ((0, 1), (1, 2)):
            for index, stage in enumerate(STAGES):
                os.utime(self.folder / stage.source("todo"), (1000, 1000 + (index == late)))
            self.assertIn(f"Next: scripts/workbook watch {number}\n", self.workbook()[1])

    def test_when_all_is_solved(self):
        self.program_of("todo-stage02")
        for stage in STAGES:
            self.write(stage.source("todo"), self.handed_out + "// begun\n")
        self.workbook("run", "1-2", "--todo")
        for words in ([], ["list"]):
            output = self.workbook(*words)[1]
            self.assertIn("[##]  2 of 2 solved", output)
            self.assertIn("All stages are solved. Next: scripts/workbook bench", output)

    def answer(self, hint):
        lines = [todo_file.SPDX, "// BEGIN SOLUTION: " + hint, "f();", "// END SOLUTION", '// UNTIL SOLVED: WORKBOOK_TODO("x");']
        self.write(STAGES[0].source("answer"), "\n".join(lines) + "\n")

    def test_another_file_that_is_handed_out_is_told_and_yours_stays(self):
        self.answer("write it")
        file = self.folder / STAGES[0].source("todo")
        file.unlink()
        self.assertEqual(self.workbook("reset", "1")[1], "stages/stage01/todo.cu is as it is handed out now\n")
        self.assertEqual(self.said()[0], "untouched")
        self.answer("write them")
        another = "untouched; the course hands out another file by now (scripts/workbook reset 1 makes it)"
        self.assertEqual(self.said()[0], another)  # there is nothing to keep
        self.answer("write it")
        file.write_text(file.read_text(encoding="utf-8") + "// mine\n", encoding="utf-8")
        self.workbook("run", "1", "--todo")
        self.assertEqual(self.said()[0], "solved")
        self.answer("write it, and shorter")
        text = file.read_text(encoding="utf-8")
        self.assertEqual(
            self.said(),
            ("solved; the course hands out another file by now (scripts/workbook reset 1 makes it, and keeps yours)", "1 of 2 solved"),
        )
        self.assertEqual(file.read_text(encoding="utf-8"), text)
        self.assertEqual(
            self.workbook("reset", "1")[1],
            "Your file is kept as stages/stage01/todo.cu.kept-1\nstages/stage01/todo.cu is as it is handed out now\n",
        )
        self.assertEqual(file.with_name("todo.cu.kept-1").read_text(encoding="utf-8"), text)
        self.assertIn("and shorter", file.read_text(encoding="utf-8"))
        self.assertEqual(self.said()[0], "untouched")
        self.assertEqual(self.workbook("reset", "1")[1], "stages/stage01/todo.cu is as it is handed out\n")
        self.assertFalse(file.with_name("todo.cu.kept-2").exists())

    def test_without_the_answers_a_reset_says_what_brings_the_file_back(self):
        (self.folder / STAGES[0].source("answer")).unlink()
        status, output, messages = self.workbook("reset", "1")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("git checkout stages/stage01/todo.cu", messages)


if __name__ == "__main__":
    unittest.main()
