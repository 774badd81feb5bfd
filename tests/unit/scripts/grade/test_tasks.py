# SPDX-License-Identifier: MIT
"""The parts of grading: which belong to a task, and what a kept result depends on."""

import contextlib
import json
import unittest
from dataclasses import replace
from types import SimpleNamespace
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course import stages
from workbook_lib.grade import grading, program, tasks
from workbook_lib.grade.grading import StageGrade
from workbook_lib.grade.tasks import Part, Setting
from workbook_lib.grade.wall.result import Status


class Tasks(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.stage = next(stage for stage in stages.read_stages(support.ROOT) if stage.number == 3)
        self.setting = Setting(support.ROOT, self.folder, self.folder / "out", 7, "course")
        self.part = Part("ada", self.stage, b"text")

    def test_all_tasks_together_have_each_part_once(self):
        parts = [replace(self.part, student=str(number)) for number in range(11)]
        together = [part.student for number in range(1, 5) for part in tasks.chosen(parts, f"{number}/4")]
        self.assertEqual(sorted(together, key=int), [part.student for part in parts])
        self.assertEqual(tasks.chosen(parts, None), parts)
        for wrong in ("0/4", "5/4", "a/4", "3", "1/0", "-1/2"):
            with self.assertRaisesRegex(WorkbookError, "give K/N"):
                tasks.chosen(parts, wrong)

    def test_a_result_depends_on_all_that_makes_it(self):
        file = tasks.result_file(self.setting, self.part)
        self.assertEqual(tasks.result_file(self.setting, replace(self.part, student="bob")), file)
        others = [
            tasks.result_file(replace(self.setting, seed=8), self.part),
            tasks.result_file(replace(self.setting, course="other"), self.part),
            tasks.result_file(self.setting, replace(self.part, todo=b"text ")),
            tasks.result_file(self.setting, replace(self.part, todo=None)),
            tasks.result_file(self.setting, replace(self.part, stage=replace(self.stage, name="stage04"))),
        ]
        self.assertEqual(len({file, *others}), 6)

    def test_a_part_is_graded_once_and_a_fault_of_the_grader_again(self):
        with mock.patch.object(grading, "of_stage", return_value=StageGrade("stage03", grading.GRADER_ERROR)) as of_stage:
            tasks.grade(self.setting, None, self.part)
            of_stage.return_value = StageGrade("stage03", grading.SOLVED, counters=[{"idea": "one"}])
            first = tasks.grade(self.setting, None, self.part)
            self.assertEqual(tasks.grade(self.setting, None, self.part), first)
            self.assertEqual(of_stage.call_count, 2)

    def test_a_program_that_the_clock_has_stopped_has_a_second_try(self):
        """The machine may have had other work. A program that used its processor time up has none."""
        slow, dear = StageGrade("stage03", "time", "slow"), StageGrade("stage03", "time", "dear")
        right = StageGrade("stage03", grading.SOLVED)
        for ends, grades, wanted in (
            ([Status.WALL, Status.OK], [slow, right], right),
            ([Status.WALL, Status.WALL], [slow, slow], slow),
            ([Status.CPU], [dear], dear),
            ([Status.OK], [right], right),
        ):
            servers = iter([SimpleNamespace(address="", device_code="", ended=[SimpleNamespace(status=each)]) for each in ends])
            with contextlib.ExitStack() as stack:
                stack.enter_context(mock.patch.object(grading, "build_in_wall", lambda *_: SimpleNamespace(program=b"x")))
                stack.enter_context(mock.patch.object(grading, "students", lambda *_: contextlib.nullcontext(next(servers))))
                judged = stack.enter_context(mock.patch.object(grading.Judge, "grade", side_effect=grades))
                self.assertEqual(grading.of_stage(None, support.ROOT, self.folder, self.stage, b"text", 7), wanted)
                self.assertEqual(judged.call_count, len(ends))

    def test_a_file_that_is_no_result_is_named(self):
        file = tasks.result_file(self.setting, self.part)
        file.parent.mkdir(parents=True)
        for text in ("{", "[]", json.dumps({"stage": "stage03", "pips": 1})):
            file.write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(WorkbookError, f"{file.name} is no result"):
                tasks.known(self.setting, self.part)


class StartedPrograms(unittest.TestCase):
    def test_a_thread_is_waited_for_only_when_it_has_started(self):
        students, known_at_start = program.Students.__new__(program.Students), []
        students.threads, students.listener = [], mock.Mock()
        students.listener.accept.side_effect = [(mock.Mock(), ""), OSError]
        with mock.patch.object(program.threading, "Thread") as thread:
            thread.return_value.start.side_effect = lambda: known_at_start.append(len(students.threads))
            students.accept()
        self.assertEqual((known_at_start, len(students.threads)), ([0], 1))
