# SPDX-License-Identifier: MIT
"""Sizes as people type them, as programs take them, and as tables show them."""

import unittest

import support  # noqa: F401 - the import path
from workbook_lib.base import sizes


class Sizes(unittest.TestCase):
    def test_what_is_typed(self):
        for text, size in (
            ("0", 0),
            ("1003", 1003),
            ("2^10", 1024),
            ("64x48", "64x48"),
            ("2^12x2^3", "4096x8"),
            ("2x3x4", "2x3x4"),
        ):
            self.assertEqual(sizes.parse(text), size)
        for text in ("", "x", "64x", "x48", "-1", "1e6", "2^", "2^100", "1 2", "1x2x3x4", "\u0663"):
            self.assertIsNone(sizes.parse(text), text)

    def test_what_is_shown(self):
        self.assertEqual([sizes.power(size) for size in (0, 1, 1024, 1000003)], ["0", "2^0", "2^10", "1,000,003"])
        self.assertEqual([sizes.text(size) for size in (1000003, "4096x4096", None)], ["1,000,003", "4096x4096", "-"])

    def test_order_is_by_elements(self):
        self.assertEqual(sizes.distinct([4096, "64x48", None, "48x64", 8, "64x48"]), [8, "48x64", "64x48", 4096])


if __name__ == "__main__":
    unittest.main()
