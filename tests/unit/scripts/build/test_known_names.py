# SPDX-License-Identifier: MIT
"""Where a name is declared that the compiler does not know."""

import unittest

import support  # noqa: F401  (puts the scripts on the path)
from workbook_lib.build import known_names


class KnownNames(unittest.TestCase):
    def test_a_name_of_the_workbook_is_found_in_its_headers_and_a_member_is_not(self):
        included = '#include "workbook/student/find.h"\n'
        self.assertEqual(known_names.where_is("kNoHit", included), "there is workbook::kNoHit: put workbook:: before it")
        self.assertIn('#include "workbook/student/find.h"', known_names.where_is("kNoHit", ""))
        self.assertEqual(known_names.where_is("count", included), "")

    def test_a_header_of_another_header_is_included(self):
        self.assertIn("key_order.h", known_names.included('#include "workbook/student/binary_search.h"\n'))

    def test_a_letter_of_the_lesson_is_one_of_the_constants(self):
        code = "template <unsigned kSide>\nvoid f();\nconstexpr unsigned kTerms = 8;\n"
        self.assertIn("is it kSide or kTerms?", known_names.where_is("T", code))
        self.assertEqual(known_names.where_is("Total", code), "")

    def test_a_header_of_the_language_is_named_once(self):
        self.assertIn("#include <cstdint>", known_names.where_is("uintptr_t", ""))
        self.assertEqual(known_names.where_is("uintptr_t", "#include <cstdint>"), "")


if __name__ == "__main__":
    unittest.main()
