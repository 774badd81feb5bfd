# SPDX-License-Identifier: MIT
"""What commands show of estimates: beside the table, never in it, and never in a verdict."""

import json
import unittest

import support
from estimate import counted
from workbook_lib.course.stages import Stage
from workbook_lib.judge import records

STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]


class Commands(support.CommandCase):
    STAGES = STAGES

    def setUp(self):
        super().setUp()
        self.make("stage01", 4)
        self.make("stage02", 1)

    def make(self, stage, gigabytes, **changes):
        """A file and an answer that read this much memory."""
        report = {"matches": True, "cases": 71, "size": 64, "problem": "sum", "work": {"elements": 64.0, "unit": "floats"}}
        found = counted.report(counted.launch(bytes_read=gigabytes * 10**9), **changes)
        for kind, times in (("todo", 1), ("answer", 2)):
            self.program(f"build/default/bin/{kind}-{stage}", report, counted={**found, "launches": found["launches"] * times})

    def test_run_has_a_line_for_each_stage_and_what_a_step_buys(self):
        status, output, _ = self.workbook("run", "1-2", "--estimate", "h200")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"(?m)^stage01: estimate for an NVIDIA H200: [\d,]+ to [\d,]+ µs, not measured; limited by bytes from DRAM; eight of ten ")
        self.assertRegex(output, r"(?m)^    beside stage01: about .* times as fast \(.* to .*\)$")
        self.assertNotIn("estimate", self.workbook("run", "1-2")[1])

    def test_it_changes_no_verdict_and_no_record(self):
        self.workbook("run", "1", "--todo")
        plain = records.read(self.folder)
        status, output, _ = self.workbook("run", "1", "--todo", "--estimate", "h200", "--json")
        found = json.loads(output)
        self.assertEqual((status, found["estimates"]["stage01"]["limit"]), (0, "dram"))
        self.assertNotIn("estimate", json.dumps(found["stages"]))
        self.assertEqual(records.read(self.folder).keys(), plain.keys())
        self.assertNotIn("estimate", json.dumps(records.read(self.folder)))

    def test_it_says_why_there_is_none(self):
        self.make("stage01", 1, library_calls=[{"name": "cublasSgemm_v2", "calls": 1}])
        status, output, _ = self.workbook("run", "1", "--estimate", "h200")
        self.assertIn("no estimate for an NVIDIA H200: it calls cublasSgemm_v2", output)
        self.assertEqual(status, 0)

    def test_what_is_not_right_has_none(self):
        self.program("build/default/bin/todo-stage01", {"matches": False, "cases": 71, "size": 64}, status=1)
        status, output, _ = self.workbook("run", "1", "--todo", "--estimate", "h200")
        self.assertIn("no estimate for an NVIDIA H200: it is not right yet", output)
        self.assertEqual(status, 1)

    def test_compare_has_both_and_the_ratio(self):
        output = self.workbook("compare", "1", "--anyway", "--estimate", "h200")[1]
        self.assertRegex(output, r"(?m)^your file: estimate .*\n^our answer: estimate .*\n^our answer beside your file: about 2 times as slow")
        self.broken = {"todo_stage01": "todo.cu:1:1: error"}
        self.assertNotIn("estimate", self.workbook("compare", "1", "--anyway", "--estimate", "h200")[1])

    def test_list_draws_the_solved_stages(self):
        self.workbook("run", "1-2", "--todo")
        output = self.workbook("list", "--estimate", "h200")[1]
        self.assertRegex(output, r"(?m)^  1  first +░+·* [\d,.]+ to [\d,.]+ µs$")
        self.assertNotIn("µs", self.workbook("list", "--estimate", "t4")[1])

    def test_an_unknown_gpu(self):
        status, _, messages = self.workbook("run", "1", "--estimate", "h20")
        self.assertEqual(status, 2)
        self.assertRegex(messages, "there are no parameters of 'h20': give a100, h100, h200, .*did you mean")


if __name__ == "__main__":
    unittest.main()
