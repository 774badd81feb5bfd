# SPDX-License-Identifier: MIT
"""Python 3.9 is enough: no file has syntax that its grammar does not document."""

import ast
import unittest

import support


class Syntax(unittest.TestCase):
    def test_of_all_files(self):
        listed = [*(support.ROOT / "scripts").rglob("*.py"), *(support.ROOT / "tests").rglob("*.py")]
        scripts = [file for file in (support.ROOT / "scripts").iterdir() if file.is_file() and file.read_bytes().startswith(b"#!")]
        for file in [*listed, *scripts]:
            # `with (a, b):` is the grammar of 3.10. CPython's own parser takes it from 3.9 on.
            ast.parse(file.read_text(encoding="utf-8"), str(file), feature_version=(3, 8))


if __name__ == "__main__":
    unittest.main()
