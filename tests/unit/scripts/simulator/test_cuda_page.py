# SPDX-License-Identifier: MIT
"""stages/cuda.md: its program is stages/first.cu, compiles with the command that the page says, and prints what the page shows."""

import re
import unittest

import support

STAGES = support.ROOT / "stages"
PAGE = (STAGES / "cuda.md").read_text(encoding="utf-8")
SOURCE = (STAGES / "first.cu").read_text(encoding="utf-8")
COMMAND = re.search(r"^    nvcc (.*) stages/first\.cu -o build/first\n    scripts/simulate -- build/first\n\n```\n(.*?)```", PAGE, re.M | re.S)
GUARD = "if (i < n) {"


class CudaPage(support.CudaCase):
    PROGRAMS = {
        "first": (SOURCE, COMMAND[1].split()),
        "unguarded": (SOURCE.replace(GUARD, "{"), COMMAND[1].split()),
    }

    def test_the_page_shows_the_whole_program(self):
        shown = re.search(r"```cpp\n(.*?)```", PAGE, re.S)[1]
        self.assertEqual(SOURCE.split("\n", 2)[2], shown)

    def test_its_output_is_what_the_page_shows(self):
        answer = self.simulate("--", "./first")
        self.assertEqual((answer.stdout + answer.stderr, answer.returncode), (COMMAND[2], 0))

    def test_without_the_guard_the_simulator_names_the_thread(self):
        self.assertIn(f"`{GUARD[:-2]}` away", PAGE)
        line = SOURCE.splitlines().index("    numbers[i] = 2.0f * numbers[i];") + 1
        self.assertRegex(self.simulate("--", "./unguarded").stderr, rf"unguarded.cu:{line}\n  where +block \(3, 0, 0\), thread \(232, 0, 0\)")


if __name__ == "__main__":
    unittest.main()
