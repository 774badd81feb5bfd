# SPDX-License-Identifier: MIT
"""Each file of tests/cheats gets the status that its third line says, and no points. The answer is solved, and the file
that is handed out is not. WORKBOOK_CHEATS=all takes all cheats; otherwise every third one is taken."""

import json
import multiprocessing
import os
import re
import unicodedata
import unittest
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from unittest import mock

import support
from grade import walls
from workbook_lib.base.errors import WorkbookError
from workbook_lib.build.build import processors
from workbook_lib.course import stages
from workbook_lib.grade import grading, program
from workbook_lib.grade.wall.wall import open_wall

CHEATS = support.ROOT / "tests" / "cheats"
HEAD = re.compile(r"// cheat: .+\n// stage: (\d+)\n// says: (.+)\n")
SEED = 20261128
ASLEEP_S = 3  # how long a process that sleeps may do so here


def graded(wall, number, text):
    stage = next(each for each in stages.read_stages(support.ROOT) if each.number == number)
    return grading.of_stage(wall, support.ROOT, walls.BUILD, stage, text, SEED)


def graded_cheat(file):
    text = file.read_text(encoding="utf-8")
    limits = replace(program.RUN_LIMITS, wall_s=ASLEEP_S) if file.stem == "sleeps" else program.RUN_LIMITS
    with open_wall(walls.HELPER) as wall, mock.patch.object(program, "RUN_LIMITS", limits):
        return graded(wall, int(HEAD.match(text)[1]), text.encode())


class Cheats(walls.WallCase):
    def test_cheats(self):
        files = sorted(CHEATS.glob("*.cu"))
        self.assertGreaterEqual(len(files), 60)
        files = files if os.environ.get("WORKBOOK_CHEATS") == "all" else files[::3]
        # Each in a process of its own, as a part of a class: it changes the environment.
        with ProcessPoolExecutor(processors(), mp_context=multiprocessing.get_context("fork")) as pool:
            for file, found in zip(files, pool.map(graded_cheat, files)):
                with self.subTest(file.stem):
                    status = HEAD.match(file.read_text(encoding="utf-8"))[2]
                    self.assertEqual(found.status, status, found)
                    self.assertNotEqual(status, grading.SOLVED)
                    told = json.dumps(found.to_json(), ensure_ascii=False)
                    self.assertFalse([each for each in told if unicodedata.category(each) in ("Cc", "Cf")], told)
                    self.assertNotIn(str(grading.drawn_number(SEED, f"numbers {found.stage}", 32)), told)

    def test_what_the_grader_cannot_start_is_no_zero(self):
        answer = (support.ROOT / "answers/stage03/solution.cu").read_bytes()
        with open_wall(walls.HELPER) as wall, mock.patch.object(program, "WINDOW_BYTES", -1):
            with self.assertRaisesRegex(WorkbookError, "could not be started"):
                graded(wall, 3, answer)

    def test_each_level_says_the_same(self):
        """Findings have lines and names of files, which differ behind each wall."""
        text = (CHEATS / "behind_shared_memory.cu").read_bytes()
        found = [graded(wall, 3, text) for wall in self.each_wall()]
        self.assertEqual(found, found[:1] * len(found))
        self.assertEqual([each["line"] for each in found[0].findings], [10])

    def test_a_copy_to_a_symbol_is_no_wait_of_the_host(self):
        text = (support.ROOT / "answers/stage03/solution.cu").read_text(encoding="utf-8")
        text = text.replace("// Adds up the segments", "__constant__ unsigned factor;\n// Adds up the segments", 1)
        text = text.replace("tid % (2 * stride)", "tid % (factor * stride)")
        copy = "  const unsigned two = 2;\n  CUDA_CHECK(cudaMemcpyToSymbolAsync(factor, &two, sizeof two, 0, cudaMemcpyHostToDevice));\n  do {\n"
        text = text.replace("  do {\n", copy, 1)
        stage = next(each for each in stages.read_stages(support.ROOT) if each.number == 3)
        with open_wall(walls.HELPER) as wall:
            built = program.build_in_wall(wall, support.ROOT, walls.BUILD, text.encode(), stage)
            with program.students(wall, walls.BUILD, built.program, 1) as server, grading.asked_at(server):
                found = grading.Judge(support.ROOT, walls.BUILD, stage, server, 60).judged([])
        self.assertTrue(found.matches, found.error)

    def test_answer_and_todo(self):
        with open_wall(walls.HELPER) as wall:
            for number in (1, 3):
                answer = (support.ROOT / f"answers/stage{number:02}/solution.cu").read_bytes()
                todo = (support.ROOT / f"stages/stage{number:02}/todo.cu").read_bytes()
                found = graded(wall, number, answer)
                self.assertEqual(found.status, grading.SOLVED, found)
                self.assertEqual(graded(wall, number, answer), found)  # the same once more
                self.assertEqual(graded(wall, number, todo).status, grading.NOT_SOLVED)
            self.assertEqual(graded(wall, 1, None).status, grading.MISSING)


if __name__ == "__main__":
    unittest.main()
