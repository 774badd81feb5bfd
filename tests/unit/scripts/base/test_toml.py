# SPDX-License-Identifier: MIT
"""Settings in TOML: the module's own reader, for a Python without tomllib, says the same as tomllib."""

import unittest
from decimal import Decimal

import support
from workbook_lib.base import toml
from workbook_lib.base.errors import WorkbookError

TEXT = """# a comment
whole = 1_000
negative = -3
decimal = 0.125     # exact
text = "a # b\\n\\u00e4"
plain = 'c:\\d'
yes = true
list = [1, "two", [3.5, false],   # over
  4,

]
empty = []

[table]
"stage 03" = 20
[other]
"""
BROKEN = ("a", "a =", "a = b", "a = [1", "[x", "a = 1 2", "a = 1\na = 2", 'a = "\\q"', "= 3", "[t]\n[t]", "a = 1,", 'a = "', "a = [1 2]", "?")


class Toml(unittest.TestCase):
    def test_both_readers_say_the_same(self):
        found = toml.Small(TEXT, "x").read()
        self.assertEqual(found["decimal"], Decimal("0.125"))
        self.assertEqual((found["list"], found["text"]), ([1, "two", [Decimal("3.5"), False], 4], "a # b\nä"))
        self.assertEqual(toml.parse(TEXT, "x"), found)
        self.assertEqual(toml.Small("", "x").read(), {})
        template = (support.ROOT / "scripts/workbook_lib/grade/class.toml").read_text(encoding="utf-8")
        self.assertEqual(toml.parse(template, "x"), toml.Small(template, "x").read())

    def test_what_is_broken_is_named(self):
        for text in BROKEN:
            for read in (toml.parse, lambda text, name: toml.Small(text, name).read()):
                with self.subTest(text), self.assertRaisesRegex(WorkbookError, "^class.toml:"):
                    read(text, "class.toml")
        with self.assertRaisesRegex(WorkbookError, "^class.toml:3: 'b' is no value"):
            toml.Small("x = 1\n\na = b\n", "class.toml").read()


if __name__ == "__main__":
    unittest.main()
