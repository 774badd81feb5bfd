# SPDX-License-Identifier: MIT
"""What the counters of a right result say of the stage's idea: to a student, and of an answer in tests/course/contract."""

import importlib.util
import json
import unittest

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course.stages import Stage
from workbook_lib.judge import expected_counters
from workbook_lib.judge.expected_counters import Rule
from workbook_lib.machine.device import Gpu
from workbook_lib.simulator.programs import Ending

spec = importlib.util.spec_from_file_location("must_hold", support.ROOT / "tests/course/contract/must_hold.py")
must_hold = importlib.util.module_from_spec(spec)
spec.loader.exec_module(must_hold)


def counted(conflicts=0, instructions=1000, launches=1):
    counters = {"shared_bank_conflicts": conflicts, "warp_instructions": instructions, "barriers": 48}
    counters.update(global_atomic_sectors=2, global_reduction_sectors=3, atomic_requests=5)
    counters.update({f"global_{way}_{unit}": 8 for way in ("load", "store") for unit in ("requests", "sectors")})
    launch = {"grid": [4, 1, 1], "block": [128, 1, 1], "counters": counters}
    return {"kernels": [{"counters": counters}], "launches": [launch] * launches}


CONFLICTS = Rule("has no bank conflict", "shared_bank_conflicts", 0, 0)
INSTRUCTIONS = Rule("executes few instructions", "warp_instructions", 1000)


class Technique(support.ScratchCase):
    def lines(self, rules, **changes):
        return expected_counters.lines(expected_counters.figures(rules, counted(**changes)))

    def test_a_missed_step_is_named_with_three_figures(self):
        lines = self.lines([CONFLICTS, INSTRUCTIONS], conflicts=4096, instructions=10)
        self.assertEqual(lines[:2], ["Right, but not yet this stage's step. Still to come:", "  has no bank conflict"])
        self.assertRegex(lines[2], r"yours +our answer +at most$")
        self.assertRegex(lines[4], r"^  shared bank conflicts  4,096 +0 +0$")
        self.assertEqual(len(lines), 5)  # nothing is celebrated beside it

    def test_an_answer_that_is_beaten_is_told_with_both_figures(self):
        self.assertRegex(self.lines([CONFLICTS, INSTRUCTIONS], instructions=900)[-1], r"^  warp instructions +900 +1,000 +-$")
        for instructions in (995, 1000, 1001):
            self.assertEqual(self.lines([CONFLICTS, INSTRUCTIONS], instructions=instructions), [])
        self.assertEqual(self.lines([Rule("is cut", "blocks", 8)]), [])  # fewer blocks are not better
        self.assertEqual(self.lines([Rule("is short", "warp_instructions", 1000, praised=False)], instructions=900), [])

    def test_less_of_one_thing_for_more_of_another_is_no_better(self):
        compared = Rule("has no bank conflict", "shared_bank_conflicts", 0)
        self.assertEqual(self.lines([compared, INSTRUCTIONS], conflicts=3, instructions=900), [])

    def test_a_limit_may_be_the_least(self):
        lines = self.lines([CONFLICTS, Rule("keeps every SM at work", "blocks", 8, least=6), INSTRUCTIONS], instructions=900)
        self.assertEqual(lines[1], "  keeps every SM at work")
        self.assertRegex(lines[-1], r"^  blocks +4 +8 +- +6$")
        self.assertEqual(self.lines([Rule("keeps every SM at work", "blocks", 8, least=4)]), [])

    def test_the_shared_memory_of_a_launch_is_counted(self):
        rule = Rule("takes the smallest pitch", "dynamic_shared_bytes", 4224, most=4224)
        report = counted()
        report["launches"][0]["dynamic_shared_bytes"] = 8064
        found = expected_counters.figures([rule], report)
        self.assertEqual((found[0].yours, found[0].holds), (8064, False))

    def test_a_file_that_loads_nothing_is_not_better(self):
        loads = Rule("loads each number", "shared_bank_conflicts", 100, 120, least=90)
        lines = self.lines([loads, INSTRUCTIONS], conflicts=0, instructions=1)
        self.assertEqual(lines[:2], ["Right, but not yet this stage's step. Still to come:", "  loads each number"])

    def test_what_the_compiler_makes_must_be_less_by_more(self):
        self.assertEqual(self.lines([INSTRUCTIONS], instructions=960), [])
        self.assertTrue(self.lines([INSTRUCTIONS], instructions=940))

    def test_what_is_derived_from_the_report(self):
        for counter, value in (("launches", 3), ("blocks", 4), ("barriers_a_block", 3), ("atomic_updates", 5), ("global_read_sectors", 10)):
            self.assertEqual(expected_counters.count(counter, counted(launches=3)), value)
        with self.assertRaisesRegex(WorkbookError, "no counter 'bank_conflict'"):
            expected_counters.count("bank_conflict", counted())

    def test_a_rule_may_be_about_another_input(self):
        early = Rule("ends early", "shared_bank_conflicts", 2, 3, options="--hits one")
        asked = []

        def run(options):
            asked.append(options)
            return counted(conflicts=9)

        report = expected_counters.with_other_inputs([CONFLICTS, early, early], counted(), run)
        self.assertEqual(asked, [["--hits", "one"]])
        self.assertEqual([figure.yours for figure in expected_counters.figures([CONFLICTS, early], report)], [0, 9])
        lines = expected_counters.lines(expected_counters.figures([CONFLICTS, early], report))
        self.assertRegex(lines[-1], r"^  shared bank conflicts, --hits one +9 +2 +3$")
        self.assertEqual(expected_counters.figures([early], counted()), [])  # that input was not run
        self.assertEqual(expected_counters.with_other_inputs([early], {}, run)["also"], {})

    def test_nothing_is_said_where_nothing_was_counted_or_asked(self):
        self.assertEqual(expected_counters.figures([CONFLICTS], {}), [])
        self.assertEqual(expected_counters.read_rules(self.folder, "stage01"), [])
        self.write("stages/stage01/technique.json", '[{"idea": "x"}]')
        with self.assertRaisesRegex(WorkbookError, "stage01/technique.json"):
            expected_counters.read_rules(self.folder, "stage01")


class MustHold(support.ScratchCase):
    def problems(self, rules, compiler="13.0.48", **endings):
        self.write("stages/stage02/technique.json", json.dumps([vars(rule) for rule in rules]))
        self.write("stages/stage01/technique.json", json.dumps([vars(Rule("is", "launches", 1))]))
        ended = {name: Ending(0, {"problem": "sum"}, report) for name, report in endings.items()}
        return "\n".join(must_hold.problems(ended, compiler, self.folder))

    def test_an_answer_has_its_figures_and_the_one_before_has_not(self):
        both = {"stage01": counted(conflicts=7), "stage02": counted()}
        self.assertEqual(self.problems([CONFLICTS], **both), "")
        self.assertIn("conflicts is 7, not 0", self.problems([CONFLICTS], stage02=counted(conflicts=7)))
        self.assertIn("outside of its limits", self.problems([CONFLICTS], stage02=counted(conflicts=7)))
        self.assertIn("the answer of the stage before keeps", self.problems([INSTRUCTIONS], **both))
        self.assertIn("stage03/technique.json is missing", self.problems([CONFLICTS], stage03=counted()))

    def test_compilers_may_differ_in_instructions_alone(self):
        for compiler, least, most in (("12.4.131", 900, 1100), ("13.10.1", 900, 1100), ("13.0.48", 990, 1010)):
            for count in (least - 10, least, most, most + 10):
                found = self.problems([INSTRUCTIONS], compiler, stage02=counted(instructions=count))
                self.assertEqual(found != "", not least <= count <= most, (compiler, count, found))


class OfAVerdict(support.CommandCase):
    STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]
    PROGRAM = ""

    def run_with(self, conflicts):
        report = {"matches": True, "cases": 71}
        counts = {"findings": [], **counted(conflicts)}
        self.program("build/default/bin/todo-stage01", report, counted=counts, text=self.PROGRAM)
        self.write("stages/stage01/technique.json", json.dumps([vars(CONFLICTS)]))
        self.write("stages/stage01/todo.cu", "// begun\n")
        return self.workbook("run", "1", "--todo")

    def test_a_stage_without_its_step_is_right_and_not_solved(self):
        status, output, messages = self.run_with(conflicts=9)
        self.assertEqual(status, 0)
        self.assertIn("has no bank conflict", messages)
        self.assertNotIn("Next:", messages)
        listed = self.workbook("list")[1]
        self.assertIn("first   right, but not yet this stage's step", listed)
        self.assertIn("0 of 2 solved", listed)

    def test_with_its_step_it_is(self):
        self.assertIn("Next: stage 2", self.run_with(conflicts=0)[2])
        self.assertIn("1 of 2 solved", self.workbook("list")[1])
        figures = json.loads(self.workbook("run", "1", "--todo", "--json")[1])["stages"][0]["step"]
        self.assertEqual((figures[0]["yours"], figures[0]["rule"]["most"]), (0, 0))


class OnAGpu(OfAVerdict):
    """Where counters come from a second run, on the simulator."""

    PROBED = (Gpu("NVIDIA H200", (9, 0), (13, 0)), "")
    PROGRAM = 'case "$LD_LIBRARY_PATH" in *simulator*) ;; *) CUDASIM_REPORT=/dev/null ;; esac'


if __name__ == "__main__":
    unittest.main()
