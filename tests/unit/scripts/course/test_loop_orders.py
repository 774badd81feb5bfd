# SPDX-License-Identifier: MIT
"""stages/stage17/loop_orders.cpp compiles with the command that it and the lesson give, and all six orders give the same bits."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import support

FOLDER = support.ROOT / "stages/stage17"
COMMAND = re.compile(r"g\+\+ (.*) stages/stage17/loop_orders\.cpp -o loop_orders")


class LoopOrders(unittest.TestCase):
    def test_all_orders_give_the_same_bits(self):
        source = FOLDER / "loop_orders.cpp"
        options = {COMMAND.search(path.read_text(encoding="utf-8"))[1] for path in (source, FOLDER / "README.md")}
        self.assertEqual(len(options), 1, "the file and the lesson give the same command")
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "loop_orders"
            subprocess.run(["c++", *options.pop().split(), str(source), "-o", str(program)], check=True)
            lines = subprocess.run([program, "97"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
            self.assertEqual(subprocess.run([program, "-3"], stderr=subprocess.PIPE).returncode, 2)
        self.assertEqual(lines[0], "n = 97")
        self.assertEqual(sorted(line[:3] for line in lines[2:]), ["ijk", "ikj", "jik", "jki", "kij", "kji"])
        self.assertEqual({line[-13:] for line in lines[2:]}, {"the same bits"})


if __name__ == "__main__":
    unittest.main()
