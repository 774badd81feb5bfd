# SPDX-License-Identifier: MIT
"""Which differences are such as another order of additions makes."""

import struct
import unittest

import support  # noqa: F401 - the import path
from workbook_lib.base import rounding


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


class OfBytes(unittest.TestCase):
    def check(self, first, other, expected):
        found = rounding.of_bytes(first, other)
        self.assertEqual(found is not None, expected, found)

    def test_floats_and_doubles_that_differ_by_a_tiny_part(self):
        self.assertAlmostEqual(rounding.of_bytes(floats(1, 1000), floats(1, 1000.001)), 1e-6, 7)
        self.check(struct.pack("<d", 1 / 3), struct.pack("<d", 1 / 3 + 1e-12), True)
        self.check(floats(*range(3000)), floats(*range(2999), 2999.001), True)
        self.assertEqual(rounding.of_bytes(floats(1, 2), floats(1, 2)), 0.0)

    def test_what_no_rounding_makes(self):
        self.check(floats(1, 1), floats(1, 2), False)
        self.check(floats(1, 1), floats(1, -1), False)
        self.check(floats(1, 1), floats(1, 0), False)
        self.check(floats(1, 1), floats(1, float("nan")), False)
        self.check(floats(1, 1), floats(1, 1, 1, 1), False)

    def test_whole_numbers_are_no_floats(self):
        self.check(struct.pack("<2i", 1, 100_000), struct.pack("<2i", 1, 100_001), False)
        self.check(struct.pack("<q", 100_000), struct.pack("<q", 100_001), False)


class OfText(unittest.TestCase):
    def test_only_numbers_with_a_point_may_differ(self):
        for first, other, expected in (
            (b"sum 3.1415926\n", b"sum 3.1415927\n", True),
            (b"sum 1e+10", b"sum 1.0000001e+10", True),
            (b"sum 3.14", b"sum 3.15", False),
            (b"count 100000", b"count 100001", False),
            (b"sum 3.14 yes", b"sum 3.14 no", False),
            (b"sum 3.14", b"sum 3.14 3.14", False),
        ):
            self.assertEqual(rounding.of_text(first, other) is not None, expected, (first, other))


if __name__ == "__main__":
    unittest.main()
