# SPDX-License-Identifier: MIT
"""The skeleton of a new stage, for each problem that the course has, in a copy of what it is made from."""

import json
import shutil
import sys
import unittest

import support
from workbook_lib.course import stages, todo_file

sys.path.insert(0, str(support.ROOT / "tests/course/contract"))
import kinds  # noqa: E402  (its folder has just been put on the path)
import todo_in_step  # noqa: E402

PROBLEMS = sorted(path.stem for path in (support.ROOT / "common/workbook/problem").glob("*/*/entry/*.cpp"))


@unittest.skipUnless((support.ROOT / "answers").is_dir(), "there are no answers here")
class NewStage(support.ScratchCase):
    def setUp(self):
        super().setUp()
        for name in ("stages", "answers", "common/workbook"):
            shutil.copytree(support.ROOT / name, self.folder / name)
        self.last = stages.read_stages(self.folder)[-1].number

    def make(self, *words):
        return support.run_workbook(self.folder, "new-stage", *words)

    def read(self, path):
        return (self.folder / path).read_text(encoding="utf-8")

    def test_each_problem_gives_a_stage_that_is_in_order(self):
        problems_before = kinds.check(self.folder)
        for number, problem in enumerate(PROBLEMS, self.last + 1):
            status, output, _ = self.make(f"with {problem}", "--problem", problem)
            self.assertEqual(status, 0)
            self.assertIn(f"1. answers/stage{number}/solution.cu: the answer", output)
            todo = self.read(f"stages/stage{number}/todo.cu")
            self.assertTrue(todo_file.is_untouched(todo))
            self.assertIn("WORKBOOK_TODO(", todo)
            self.assertNotIn("not written yet", todo)
            self.assertGreaterEqual(len(json.loads(self.read(f"answers/stage{number}/hints.json"))), 5)
            self.assertIn("<!-- measured:begin step -->", self.read(f"stages/stage{number}/README.md"))
        self.assertEqual(kinds.check(self.folder), problems_before)
        self.assertEqual(list(todo_in_step.problems(self.folder)), [])
        made = [stage for stage in stages.read_stages(self.folder) if stage.number > self.last]
        self.assertEqual([stage.title for stage in made], [f"with {problem}" for problem in PROBLEMS])
        self.assertEqual(made[0].number, self.last + 1)

    def test_what_a_stage_defines_is_that_of_its_header(self):
        self.make("tiles", "--problem", "transpose")
        self.make("many", "--problem", "statistics")
        self.make("sums", "--problem", "reduction")
        answer, wrong = (self.read(f"answers/stage{self.last + 1}/{name}.cu") for name in ("solution", "wrong/nothing_launched"))
        signature = (
            "\nvoid transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, "
            "cudaStream_t stream) {\n"
        )
        for text in (answer, wrong):
            self.assertIn('#include "workbook/student/matrix.h"\n', text)
            self.assertIn(signature, text)
        self.assertTrue(wrong.endswith("  (void)input, (void)output, (void)block, (void)stream;\n}\n"), wrong)
        template = self.read(f"answers/stage{self.last + 2}/solution.cu")
        self.assertIn("template void statistic_on_device(workbook::Operation operation, const double* numbers,", template)
        self.assertIn("  return numbers;\n}\n", self.read(f"answers/stage{self.last + 3}/wrong/nothing_launched.cu"))

    def test_what_cannot_be_made_is_refused_and_changes_nothing(self):
        listed = self.read("stages/CMakeLists.txt")
        for words, said in (
            (("x", "--problem", "knapsack"), f"there is no problem 'knapsack': there are {', '.join(PROBLEMS)}"),
            (('a "b"', "--problem", "copy"), "without quotes"),
            (("long " * 30, "--problem", "copy"), "120 are allowed"),
        ):
            status, _, messages = self.make(*words)
            self.assertEqual(status, 2)
            self.assertIn(said, messages)
        self.write(f"stages/stage{self.last + 1}/README.md", "begun")
        self.assertIn("is there already", self.make("x", "--problem", "copy")[2])
        self.assertEqual(self.read("stages/CMakeLists.txt"), listed)
        self.assertFalse((self.folder / f"answers/stage{self.last + 1}").exists())


if __name__ == "__main__":
    unittest.main()
