# SPDX-License-Identifier: MIT
"""What --seeds says of runs that differ."""

import unittest

import support  # noqa: F401 - the import path
from workbook_lib.simulator.schedules import Comparison, Run, differences
from workbook_lib.simulator.simulator import Schedule


def run(output, kernel, number=0):
    report = {"kernels": [{"name": "k", **kernel}], "checks": ["race"], "findings": []}
    made = Run(Schedule("random", number), 0, report, output)
    return made


def compared(kernel, *outputs):
    runs = [run(output, kernel, number) for number, output in enumerate(outputs)]
    texts = []
    for other in runs[1:]:
        different = differences(runs[0], other)
        other.differences = list(different)
        texts = texts or list(different.values())
    return " ".join(Comparison(runs, texts).agreement(lambda schedule: "again"))


class Seeds(unittest.TestCase):
    def test_a_cause_is_asked_for_only_where_a_kernel_has_it(self):
        atomics = compared({"has_atomics": True}, b"1\n", b"2\n")
        self.assertIn("does a result depend on the order of atomics or an address?", atomics)
        self.assertIn("the order of atomics, a clock", compared({"has_atomics": True, "reads_clock": True}, b"1\n", b"2\n"))
        neither = compared({}, b"1\n", b"2\n")
        self.assertIn("no kernel has an atomic or reads a clock", neither)
        self.assertIn("before it has waited", neither)

    def test_the_order_of_lines_is_free_where_kernels_print(self):
        self.assertIn("one result", compared({"prints": True}, b"a\nb\n", b"b\na\n"))
        self.assertIn("the results DIFFER", compared({}, b"a\nb\n", b"b\na\n"))
        self.assertIn("the results DIFFER", compared({"prints": True}, b"a\nb\n", b"b\nc\n"))

    def test_text_that_printf_lost_is_no_difference(self):
        lost = compared({"prints": True, "lost_text": True}, b"a\nb\n", b"b\nc\n")
        self.assertIn("one result", lost)
        self.assertIn("cudaLimitPrintfFifoSize", lost)


if __name__ == "__main__":
    unittest.main()
