# SPDX-License-Identifier: MIT
"""A program's output is kept up to a limit: kernels may print without end."""

import os
import unittest
from unittest import mock

import support  # noqa: F401  (puts scripts on the path)
from workbook_lib.simulator import programs
from workbook_lib.simulator.programs import Run


class Output(unittest.TestCase):
    def ending(self, script):
        return Run(["sh", "-c", script, "sh"], os.environ).to_its_end()

    def test_all_of_a_short_one(self):
        ending = self.ending("printf 'one\\r\\ntwo\\n'; echo note >&2; exit 3")
        self.assertEqual((ending.status, ending.output, ending.messages), (3, "one\ntwo\n", "note"))

    def test_the_begin_of_a_long_one(self):
        with mock.patch.object(programs, "MOST_OUTPUT", 100_000):
            ending = self.ending("yes | head -c 1000000")
        self.assertEqual((ending.status, ending.output), (0, "y\n" * 50_000))


if __name__ == "__main__":
    unittest.main()
