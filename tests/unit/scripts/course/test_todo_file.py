# SPDX-License-Identifier: MIT
"""The student's file: how it is made of an answer, and how one is known that nobody has begun with."""

import shutil
import subprocess
import sys
import unittest

import support
from workbook_lib.course import todo_file
from workbook_lib.course.todo_file import MarkError, make_todo

ANSWER = """\
// SPDX-License-Identifier: MIT
// Stage 03: an idea.
__global__ void kernel() {
  // BEGIN SOLUTION: what to write.
  //     More of it.
  // UNTIL SOLVED: return;
  const int x = 1;

  use(x);
  // END SOLUTION
}
// UNTIL SOLVED: WORKBOOK_TODO("write it");
"""


class MakeTodo(unittest.TestCase):
    def test_regions_become_hints_and_the_head_says_what_it_is(self):
        lines = make_todo(ANSWER, "solution.cu", 3).splitlines()
        self.assertEqual(lines[0], todo_file.SPDX)
        self.assertIn("`scripts/workbook run 3 --todo`", lines[1])
        self.assertRegex(lines[2], r"^// As handed out: [0-9a-f]{12}\. ")
        self.assertEqual(
            lines[3:],
            [
                "// Stage 03: an idea.",
                "__global__ void kernel() {",
                "  // TODO (roughly 2 lines): what to write.",
                "  //     More of it.",
                "  return;",
                "}",
                'WORKBOOK_TODO("write it");',
            ],
        )

    def test_a_repair_leaves_its_wrong_lines_and_nothing_else(self):
        answer = ANSWER.replace("  // BEGIN SOLUTION: what to write.\n  //     More of it.\n", "  // BEGIN REPAIR\n")
        answer = answer.replace("END SOLUTION", "END REPAIR")
        self.assertEqual(make_todo(answer, "solution.cu", 3).splitlines()[4:7], ["__global__ void kernel() {", "  return;", "}"])

    def test_lines_until_solved_keep_their_indentation(self):
        answer = ANSWER.replace("  // UNTIL SOLVED: return;", "  // UNTIL SOLVED: for (;;) {\n  // UNTIL SOLVED:   f();\n  // UNTIL SOLVED: }")
        self.assertIn("\n  for (;;) {\n    f();\n  }\n", todo_file.make_todo(answer, "solution.cu", 3))

    def test_marks_that_are_wrong_are_named_with_their_line(self):
        for old, new, words in (
            ("  // END SOLUTION\n", "", "solution.cu:4: BEGIN SOLUTION without its END"),
            ("  const int x = 1;\n\n  use(x);\n", "", "solution.cu:4: a region without code"),
            ("BEGIN SOLUTION: what", "BEGIN SOLUTION what", "solution.cu:4: a mark that cannot be read here"),
            ("// UNTIL SOLVED: WORKBOOK_TODO", "// WORKBOOK", "so the unsolved todo would run"),
            ("what to write.", "w" * 120, "120 are allowed"),
            ("// SPDX", "// spdx", "solution.cu:1: the first line"),
        ):
            with self.assertRaisesRegex(MarkError, words):
                make_todo(ANSWER.replace(old, new), "solution.cu", 3)

    def test_a_file_is_untouched_until_anything_in_it_changes(self):
        todo = make_todo(ANSWER, "solution.cu", 3)
        self.assertTrue(todo_file.is_untouched(todo))
        self.assertTrue(todo_file.is_untouched(todo.replace("\n", "\r\n")))  # another system's ends of lines
        for changed in (todo + "// mine\n", todo.replace("return", "go"), todo.replace("As handed", "as handed"), ""):
            self.assertFalse(todo_file.is_untouched(changed))


class Command(support.ScratchCase):
    """scripts/make_todo, and the test that finds a file out of step."""

    def setUp(self):
        super().setUp()
        self.write("answers/stage03/solution.cu", ANSWER)
        self.todo = self.folder / "stages/stage03/todo.cu"
        self.make()

    def make(self, *words):
        command = [sys.executable, str(support.ROOT / "scripts/make_todo"), "--root", str(self.folder), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def in_step(self):
        command = [sys.executable, str(support.ROOT / "tests/course/contract/todo_in_step.py"), str(self.folder)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_a_file_that_was_made_of_an_older_answer_is_found_and_made_again(self):
        self.assertEqual(self.in_step().returncode, 0)
        self.write("answers/stage03/solution.cu", ANSWER.replace("an idea", "another idea"))
        answer = self.in_step()
        self.assertEqual(answer.returncode, 1)
        self.assertIn("stages/stage03/todo.cu was made of an older answer: run scripts/make_todo 3", answer.stdout)
        self.assertEqual(self.make("3").returncode, 0)
        self.assertEqual((self.in_step().returncode, self.make("--check").returncode), (0, 0))

    def test_a_students_work_is_no_fault_and_is_not_written_over(self):
        work = self.todo.read_text(encoding="utf-8").replace("return;", "solved();")
        self.todo.write_text(work, encoding="utf-8")
        answer = self.in_step()
        self.assertEqual(answer.returncode, 0)
        self.assertIn("stages/stage03/todo.cu is edited", answer.stdout)
        answer = self.make()
        self.assertEqual(answer.returncode, 1)
        self.assertIn("stays as it is", answer.stdout)
        self.assertEqual(self.todo.read_text(encoding="utf-8"), work)
        self.assertEqual(self.make("--check").returncode, 1)

    def test_what_force_replaces_is_kept_and_no_kept_file_is_replaced(self):
        for number, work in enumerate((b"// mine\n", b"// mine, again\n", b"\xff is no UTF-8\n"), start=1):
            self.todo.write_bytes(work)
            answer = self.make("--force", "3")
            kept = f"todo.cu.kept-{number}"
            self.assertEqual((answer.returncode, answer.stderr), (0, ""))
            self.assertIn(f"stages/stage03/todo.cu that was there is kept as {kept}\n", answer.stdout)
            self.assertEqual(self.todo.with_name(kept).read_bytes(), work)
            self.assertEqual(self.make("--check").returncode, 0)
        self.assertEqual((self.make("--force", "3").stdout, len(list(self.todo.parent.iterdir()))), ("", 4))

    def test_work_that_git_has_in_its_history_is_a_students_work_too(self):
        def git(*words):
            identity = ["-c", "user.name=student", "-c", "user.email=student@localhost"]
            subprocess.run(["git", *identity, *words], cwd=self.folder, check=True, capture_output=True, timeout=60)

        if shutil.which("git") is None:
            self.skipTest("no git here")
        self.todo.write_text("// mine\n", encoding="utf-8")
        git("init")
        git("add", "-A")
        git("commit", "-m", "solved")
        self.assertEqual(self.make().returncode, 1)
        self.assertEqual(self.todo.read_text(encoding="utf-8"), "// mine\n")
        self.make("--force")
        self.assertEqual(self.todo.with_name("todo.cu.kept-1").read_text(encoding="utf-8"), "// mine\n")

    def test_wrong_usage_is_one_line(self):
        for words in (["99"], ["--frce"], ["--stdout", "3", "4"]):
            answer = self.make(*words)
            self.assertEqual((answer.returncode, answer.stdout, answer.stderr.count("\n")), (2, "", 1), words)
        self.assertIn("did you mean --force?", self.make("--frce").stderr)

    def test_an_answer_of_which_no_file_can_be_made_and_a_missing_file_are_found(self):
        self.write("answers/stage03/solution.cu", ANSWER.replace("UNTIL SOLVED", "until solved"))
        self.assertIn("so the unsolved todo would run", self.in_step().stdout)
        self.write("answers/stage03/solution.cu", ANSWER)
        self.todo.unlink()
        self.assertEqual(self.in_step().returncode, 1)


if __name__ == "__main__":
    unittest.main()
