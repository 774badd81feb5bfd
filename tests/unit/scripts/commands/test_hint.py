# SPDX-License-Identifier: MIT
"""Symptoms of verdicts, the hints that they draw, and scripts/workbook hint, which tells one tier more each time."""

import json
import shutil
import unittest

import support
from workbook_lib.base import errors
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course import todo_file
from workbook_lib.course.stages import Stage
from workbook_lib.judge import hints, symptom
from workbook_lib.judge.expected_counters import Figure, Rule
from workbook_lib.judge.verdict import Replay, Verdict
from workbook_lib.simulator import findings
from workbook_lib.simulator.programs import Ending

RACE = {"kind": "race", "severity": "defect", "scope": "block", "message": "a race in shared memory", "access_bytes": 4}
MISSED = {"kind": "barrier-divergence", "severity": "error", "message": "a barrier in divergent code"}
OUTSIDE = {"kind": "out-of-bounds", "severity": "error", "message": "a read", "access_bytes": 4, "is_store": False}
UNWRITTEN = {"kind": "uninitialised", "severity": "defect", "message": "4 bytes that cudaMemcpy copies to the host were never written"}


def of(status, report=None, found=(), **changes):
    ending = Ending(status, report or {}, {"findings": list(found)})
    return symptom.of_verdict(Verdict(status=status, outcome="NO", findings=ending.findings, ending=ending, **changes))


class Symptoms(unittest.TestCase):
    def test_what_is_right_has_none(self):
        self.assertEqual(of(errors.MATCHES, {"matches": True}), {})

    def test_a_right_result_without_the_step_names_the_first_counter_above_its_limit(self):
        figures = [Figure(Rule("i", "launches", 1, 1), 1), Figure(Rule("i", "barriers_a_block", 3, 4), 9)]
        verdict = Verdict(status=errors.MATCHES, outcome="yes", ending=Ending(0, {"matches": True}))
        self.assertEqual(symptom.of_verdict(verdict, figures), {"ends": "no-step", "counter": "barriers_a_block", "limit": "most"})
        figures = [Figure(Rule("i", "global_load_sectors", 100, 120, least=90), 0)]
        self.assertEqual(symptom.of_verdict(verdict, figures)["limit"], "least")

    def test_a_wrong_result_has_its_pattern_its_lead_and_its_case(self):
        replay = Replay({}, ["--size", "33"], False)
        found = of(1, {"matches": False, "error": "3 of 9 are wrong"}, diagnosis="the last 3", replay=replay)
        self.assertEqual(found["ends"], "no-match")
        self.assertEqual(found["result"], "3 of 9 are wrong\nthe last 3")
        self.assertEqual(found["case"], "--size 33")

    def test_a_pattern_of_one_multiprocessor_says_nothing_of_the_tail(self):
        wrong, small = {"matches": False, "error": "elements 8192 to 8447, the last 256"}, {"CUDASIM_MULTIPROCESSORS": "1"}
        found = of(1, wrong, replay=Replay(small, [], False))
        self.assertEqual(found["device"], wrong["error"])
        self.assertFalse({"result", "pattern"} & found.keys())
        self.assertIn("result", of(1, wrong, replay=Replay({**small, "CUDASIM_SCHEDULE": "random"}, [], False)))

    def test_a_finding_comes_before_the_result_which_only_unwritten_values_leave_to_be_asked(self):
        wrong = {"matches": False, "error": "all from row 1, column 0 on"}
        race, unwritten = of(1, wrong, [RACE]), of(1, wrong, [UNWRITTEN])
        self.assertEqual((race["finding"], race["space"], race["scope"]), ("race", "shared", "block"))
        self.assertFalse({"result", "pattern"} & race.keys())
        self.assertEqual(unwritten["pattern"], wrong["error"])
        self.assertNotIn("result", unwritten)

    def test_the_finding_to_look_at_first(self):
        self.assertEqual(findings.leading([RACE, OUTSIDE])["kind"], "out-of-bounds")
        self.assertEqual(findings.leading([RACE, OUTSIDE, MISSED])["kind"], "barrier-divergence")
        self.assertEqual(findings.leading([UNWRITTEN, RACE])["kind"], "uninitialised")

    def test_how_it_ends(self):
        self.assertEqual(of(errors.UNSOLVED), symptom.NOT_SOLVED)
        self.assertEqual(of(-11)["ends"], "crash")
        self.assertEqual(of(1, {"matches": True}, [RACE])["ends"], "finding")
        self.assertEqual(of(errors.CUDA_ERROR, error="cudaMalloc failed"), {"ends": "error", "error": "cudaMalloc failed"})


class Chosen(support.ScratchCase):
    SHARED = {
        "race": {"when": {"finding": "^race$"}, "question": "Which?", "idea": "A barrier."},
        "wrong": {"when": {"ends": "no-match"}, "question": "What?", "idea": "Look."},
    }

    def read(self, own):
        self.write("stages/hints.json", json.dumps(self.SHARED))
        for folder, parts in hints.IN.items():
            found = {name: {part: value for part, value in entry.items() if part in parts} for name, entry in own.items()}
            self.write(f"{folder}/stage01/hints.json", json.dumps({name: entry for name, entry in found.items() if entry}))
        return hints.read(self.folder, "stage01")

    def test_a_stage_adds_a_tier_to_a_shared_hint(self):
        hint = hints.drawn(self.read({"race": {"line": "here"}}), {"ends": "finding", "finding": "race"})
        self.assertEqual(hint.tiers, {"question": "Which?", "idea": "A barrier.", "line": "here"})

    def test_a_stages_own_hints_come_first(self):
        own = {"tail": {"when": {"ends": "no-match", "result": "the last"}, "question": "Whose?", "idea": "Round up."}}
        listed = self.read(own)
        self.assertEqual(hints.drawn(listed, {"ends": "no-match", "result": "the last 3"}).name, "tail")
        self.assertEqual(hints.drawn(listed, {"ends": "no-match", "result": "all"}).name, "wrong")
        self.assertIsNone(hints.drawn(listed, {"ends": "crash"}), "a fact that is not there is no match")

    def test_what_cannot_be_read_is_said(self):
        with self.assertRaisesRegex(WorkbookError, "no shared hint is called 'rase'"):
            self.read({"rase": {"line": "x"}})
        for file, own, words in (
            ("stages/stage01/hints.json", {"race": {"ideas": "x"}}, "'ideas'"),
            ("stages/stage01/hints.json", {"race": {"when": {"reslt": "x"}}}, "'reslt'"),
            ("stages/stage01/hints.json", {"race": {"line": "x"}}, "'line'"),
            ("answers/stage01/hints.json", {"race": {"idea": "x"}}, "'idea'"),
        ):
            self.read({})
            self.write(file, json.dumps(own))
            with self.assertRaisesRegex(WorkbookError, f"{file}: 'race' has {words}"):
                hints.read(self.folder, "stage01")


class HintCommand(support.CommandCase):
    STAGES = [Stage("stage01", 1, "first")]

    def setUp(self):
        super().setUp()
        self.write("stages/hints.json", (support.ROOT / "stages/hints.json").read_text(encoding="utf-8"))
        self.write("answers/stage01/hints.json", '{"tail-lost": {"line": "(n + size - 1) / size"}}')
        self.write("stages/stage01/README.md", "## One question\n\nWhy?\n")
        self.edit("begun")

    def edit(self, text):
        self.write("stages/stage01/todo.cu", f"// {text}\n")

    def fail(self, report=None, **changes):
        found = {"matches": False, "error": "1 of the 33 elements is not in the sum: element 32, the last.", **(report or {})}
        self.program("build/default/bin/todo-stage01", found, status=1, **changes)
        self.workbook("run", 1, "--todo")

    def test_the_facts_that_choose_a_hint_are_shown_on_request_and_take_none(self):
        self.fail()
        _, shown, _ = self.workbook("hint", 1, "--facts")
        self.assertRegex(shown, "(?m)^ends: no-match$")
        self.assertRegex(shown, "(?m)^result: 1 of the 33 elements is not")
        self.assertRegex(shown, r"\nhint: tail-lost\n$")
        self.assertNotIn("hint taken", self.workbook("list")[1])
        self.assertIn("Hint 1 of 3", self.workbook("hint", 1)[1])

    def test_a_tier_more_each_time_and_how_many_were_taken(self):
        self.fail()
        _, first, _ = self.workbook("hint", 1)
        self.assertIn("Hint 1 of 3, a question:\n  The last elements are missing.", first)
        self.assertNotIn("Hint 2", first)
        self.assertNotIn("at its last run", first)
        self.assertIn("1 hint taken", self.workbook("list")[1])
        self.assertIn("Hint 2 of 3, the idea:", self.workbook("hint")[1])
        _, last, _ = self.workbook("hint", 1)
        self.assertIn("Hint 3 of 3, nearly the line:\n  (n + size - 1) / size", last)
        self.assertIn("That was the last one", last)
        self.assertIn("3 hints taken", self.workbook("list")[1])
        self.assertIn("compare 1 --anyway", self.workbook("hint", 1)[1])
        self.assertIn("3 hints taken", self.workbook("list")[1], "there were no more")

    def test_without_answers_there_is_no_last_tier(self):
        shutil.rmtree(self.folder / "answers")
        self.fail()
        self.assertIn("Hint 1 of 2, a question:", self.workbook("hint", 1)[1])
        self.workbook("hint", 1)
        last = self.workbook("hint", 1)[1]
        self.assertIn("nearly the line is with your instructor", last)
        self.assertNotIn("compare", last)

    def test_another_symptom_begins_with_its_question(self):
        self.fail()
        self.workbook("hint", 1)
        self.fail({"error": "the sum is NaN"})
        self.assertIn("Hint 1 of 2, a question:\n  The result is not a number.", self.workbook("hint", 1)[1])
        self.assertIn("2 hints taken", self.workbook("list")[1])

    def test_hints_that_are_older_than_the_file_say_so(self):
        self.fail()
        self.edit("mended")
        self.assertIn("as it was at its last run", self.workbook("hint", 1)[1])

    def test_before_a_first_run_and_behind_a_compiler_error(self):
        self.assertIn("Before you write", self.workbook("hint", 1)[1])
        self.broken = {"todo_stage01": "todo.cu:1: error"}
        self.workbook("run", 1, "--todo")
        self.assertIn("The first error in your file", self.workbook("hint", 1)[1])
        self.broken = {"todo_stage01": 'stages/stage01/todo.cu:1:1: error: identifier "sums" is undefined'}
        self.workbook("run", 1, "--todo")
        self.assertIn("does not know the name", self.workbook("hint", 1)[1])

    def test_a_failure_says_where_hints_are(self):
        self.program("build/default/bin/todo-stage01", {"matches": False, "error": "wrong"}, status=1)
        self.assertIn("A hint: scripts/workbook hint 1", self.workbook("run", 1, "--todo")[2])
        self.assertNotIn("hint", self.workbook("run", 1, "--todo", "--brief")[2])


if __name__ == "__main__":
    unittest.main()
