# SPDX-License-Identifier: MIT
"""A student's file beside our answer, and what a stage's step bought."""

import json
import os
import re
import unittest
from unittest import mock

import support
from workbook_lib.base import colour
from workbook_lib.course.stages import Stage
from workbook_lib.judge import records
from workbook_lib.judge.counts import Counts
from workbook_lib.judge.verdict import Verdict
from workbook_lib.measure import step_gain

STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]
ANSWER = """\
// SPDX-License-Identifier: MIT
void kernel() {
  // BEGIN SOLUTION: write it
  //     all of it
  same();
  ours();
  // END SOLUTION
}
// UNTIL SOLVED: WORKBOOK_TODO("write it");
"""
TODO = """\
// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson.
// As handed out: 0123456789ab.
void kernel() {
  same();
  mine();
}
"""


def counted(instructions):
    counters = dict.fromkeys(("shared_bank_conflicts", "barriers", "atomic_requests"), 0)
    counters.update({f"global_{way}_{unit}": 8 for way in ("load", "store") for unit in ("requests", "sectors")})
    counters["warp_instructions"] = instructions
    return {"kernels": [{"counters": counters}], "launches": [{"grid": [1], "block": [32], "counters": counters}], "findings": []}


class Compare(support.CommandCase):
    STAGES = STAGES

    def setUp(self):
        super().setUp()
        self.work = {"elements": 64.0, "unit": "floats"}
        report = {"matches": True, "cases": 71, "size": 64, "problem": "sum", "work": self.work}
        for name, instructions in (("todo-stage01", 640), ("answer-stage01", 320), ("todo-stage02", 128)):
            self.program(f"build/default/bin/{name}", report, counted=counted(instructions))
        self.write(STAGES[0].source("todo"), TODO)
        self.write(STAGES[0].source("answer"), ANSWER)
        self.write(STAGES[1].source("todo"), "// begun\n")

    def test_only_of_a_stage_that_is_solved_or_on_request(self):
        status, output, messages = self.workbook("compare", "1")
        self.assertEqual((status, output), (1, ""))
        self.assertIn("--anyway", messages)
        self.assertEqual(self.workbook("compare", "1", "--anyway")[0], 0)
        self.workbook("run", "1", "--todo")
        self.assertEqual(self.workbook("compare", "1")[0], 0)

    def test_what_differs_and_the_counters_of_both(self):
        output = self.workbook("compare", "1", "--anyway")[1]
        self.assertEqual(re.findall(r"^[-+] .*", output, re.MULTILINE), ["-  mine();", "+  ours();"])
        self.assertRegex(output, r"(?m)^01 +your file +yes .* 10\.000$")
        self.assertRegex(output, r"(?m)^01 +our answer +yes .* 5\.000$")
        self.write(STAGES[0].source("answer"), TODO)
        self.assertIn("the same, to the letter", self.workbook("compare", "1", "--anyway")[1])

    def test_a_narrow_terminal_has_the_counters_side_by_side(self):
        with mock.patch.dict(os.environ, {"COLUMNS": "80"}):
            table = self.workbook("compare", "1", "--anyway")[1].partition("ours();")[2].partition("\n\n")[2]
        self.assertLessEqual(max(map(len, table.splitlines())), 80)
        self.assertRegex(table, r"(?m)^ +your file +our answer$")
        self.assertRegex(table, r"(?m)^matches +yes +yes$")
        self.assertRegex(table, r"(?m)^warp instructions an element +10\.000 +5\.000$")

    def test_colours(self):
        with mock.patch.object(colour, "is_wanted", True), mock.patch.dict(os.environ, clear=False) as environment:
            environment.pop("NO_COLOR", None)
            output = self.workbook("compare", "1", "--anyway")[1]
        self.assertIn("\033[31m-  mine();\033[0m\n\033[32m+  ours();\033[0m", output)
        self.assertTrue(output.startswith("--- your file"), output)

    def test_a_file_that_does_not_compile_is_a_row(self):
        self.broken = {"todo_stage01": "todo.cu:1:1: error"}
        self.assertRegex(self.workbook("compare", "1", "--anyway")[1], r"01 +your file +does not compile")

    def test_the_list_says_what_each_solved_stage_bought(self):
        self.workbook("run", "1-2", "--todo")
        lines = self.workbook("list")[1].splitlines()
        self.assertTrue(lines[0].endswith("first   solved"), lines[0])  # there is none before it
        self.assertTrue(lines[1].endswith("second  solved: 10 to 2 warp instructions an element"), lines[1])

    def test_the_stage_before_is_our_answer_where_it_is_not_solved(self):
        self.workbook("run", "2", "--todo")
        kept = records.read(self.folder)
        self.assertEqual(step_gain.rows(self.folder, STAGES, STAGES[1], kept)[0], None)
        launch = {**counted(960)["launches"][0]["counters"], "grid": [1], "block": [32]}
        measured = {"stages": {"stage01": {"size": 64, "work": self.work, "simulator": [launch]}}}
        self.write("scripts/measured/h200.json", json.dumps(measured))
        step_gain.figures.cache_clear()
        told = "\n".join(step_gain.text(self.folder, STAGES, STAGES[1], kept))
        self.assertRegex(told, r"stage 01 +stage 02\n +our answer +yours\n")
        self.assertRegex(told, r"warp instructions an element +15\.000 +2\.000")
        self.assertIn("The step bought: 15 to 2 warp instructions an element", told)
        measured["stages"]["stage01"]["work"] = {**self.work, "unit": "intervals"}  # it computes something else
        self.write("scripts/measured/h200.json", json.dumps(measured))
        step_gain.figures.cache_clear()
        self.assertIsNone(step_gain.rows(self.folder, STAGES, STAGES[1], kept)[0])

    def test_of_the_counters_that_fell_the_two_that_fell_most(self):
        def row(**counts):
            return Verdict("stage01", "first", 0, "yes", counts=Counts(**counts))

        old = row(bank_conflicts=4, launches=3, barriers_per_block=9.0, warp_instructions_per_element=2.0)
        new = row(bank_conflicts=0, launches=1, barriers_per_block=8.0, warp_instructions_per_element=1.9)
        self.assertEqual(step_gain.words(self.folder, old, new), "4 to 0 bank conflicts, 3 to 1 launches")
        self.assertEqual(step_gain.words(self.folder, new, old), "")

    def test_the_step_has_not_bought_what_the_given_code_decides(self):
        rows = [Verdict("stage01", "first", 0, "yes", counts=Counts(store_sectors_per_request=each)) for each in (16.0, 4.0)]
        self.assertEqual(step_gain.words(self.folder, *rows), "16 to 4 sectors a store request")
        rule = {"idea": "stores full sectors", "counter": "global_store_sectors", "answer": 4, "given": True}
        self.write("stages/stage01/technique.json", json.dumps([rule]))
        self.assertEqual(step_gain.words(self.folder, *rows), "")

    def test_times_of_our_answers_where_they_were_measured(self):
        row = Verdict("stage05", "five", 0, "yes", size=2**24)
        self.assertEqual(
            step_gain.on_a_gpu(support.ROOT, row),
            ["On an NVIDIA H200 our answers of these two stages take 84.3 and 24.2 µs: 3.48 × as fast"],  # as in README.md
        )
        self.assertEqual(step_gain.on_a_gpu(support.ROOT, Verdict("stage01", "one", 0, "yes", size=2**24)), [])


if __name__ == "__main__":
    unittest.main()
