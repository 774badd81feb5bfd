# SPDX-License-Identifier: MIT
"""What `scripts/workbook list` says of each stage, and what it remembers of runs."""

import json
import unittest

import support
from workbook_lib import state, todo_file
from workbook_lib.stages import Stage

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
        """Of stage 1, and the last line."""
        status, output, _ = self.workbook("list")
        lines = output.splitlines()
        self.assertEqual((status, len(lines)), (0, 4), output)
        return lines[0].partition("first   ")[2], lines[3]

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
        self.assertEqual(self.said(), ("solved (71 cases in three orders, all checks)", "1 of 2 solved"))

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
        (self.folder / STAGES[0].source("todo")).write_bytes(b"\xff\xfe")
        self.assertEqual(self.said()[0], "edited, not run yet")
        (self.folder / STAGES[0].source("todo")).unlink()
        self.assertEqual(self.said()[0], "no todo.cu")

    def test_records_of_another_version_or_none_are_no_fault(self):
        self.edit()
        self.write(f"build/default/{state.RECORDS}", json.dumps({"todo stage01": {"outcome": "yes", "matches": True}}))
        self.assertEqual(self.said(), ("edited since its last run, which ended with: yes", "0 of 2 solved"))
        self.write(f"build/default/{state.RECORDS}", "[")
        self.assertEqual(self.said()[0], "edited, not run yet")

    def test_where_nothing_can_be_kept_the_run_counts_all_the_same(self):
        self.edit()
        (self.build_folder / state.RECORDS).mkdir()
        status, output, messages = self.workbook("run", "1", "--todo")
        self.assertEqual(status, 0)
        self.assertIn("yes", output)
        self.assertRegex(messages, r"(?m)^warning: `scripts/workbook list` will not know of this run: .*: Is a directory$")
        self.assertEqual(self.said()[0], "edited, not run yet")


if __name__ == "__main__":
    unittest.main()
