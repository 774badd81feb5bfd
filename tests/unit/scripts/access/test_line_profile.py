# SPDX-License-Identifier: MIT
"""The source with counters in its margin, from a report made up for it."""

import os
import re
import unittest
from unittest import mock

import support
from workbook_lib.access import line_profile

NAMES = (
    "warp_instructions thread_instructions global_load_requests global_load_sectors global_store_requests "
    "global_store_sectors shared_requests shared_wavefronts shared_bank_conflicts atomic_requests barriers branches "
    "divergent_branches"
).split()


class Profile(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "kernel.cu"
        self.source.write_text("".join(f"\tcode {i};\n" for i in range(1, 41)), encoding="utf-8")

    def line(self, number, file=None, kernel="k()", executions=1, **counters):
        every = {**dict.fromkeys(NAMES, 0), "warp_instructions": 10, "thread_instructions": 320, **counters}
        path = f"{self.folder}/./{(file or self.source).relative_to(self.folder)}"
        return {"kernel": kernel, "file": path, "line": number, "executions": executions, "counters": every}

    def rows(self, *lines, width=100):
        text = line_profile.text({"launches": [{}], "lines": list(lines)}, width)
        return text, {row.split("code")[1].strip(" ;"): row for row in text.splitlines() if "code" in row}

    def test_figures(self):
        _, rows = self.rows(
            self.line(5, executions=4, global_load_requests=4, global_load_sectors=128),
            self.line(6, executions=4, shared_requests=8, shared_bank_conflicts=12_345, atomic_requests=3),
            self.line(7, executions=8, thread_instructions=50, branches=8, divergent_branches=2, barriers=8),
        )
        # share, times run, active lanes, load sectors, conflicts, atomics, split branches, barriers
        self.assertEqual(rows["5"].split()[:4], ["33%!", "4", "32.0", "32.0!"])
        self.assertEqual(rows["6"].split()[:5], ["33%", "4", "32.0", "12.3k!", "3"])
        self.assertEqual(rows["7"].split()[:5], ["33%", "8", "5.0!", "25%!", "8"])

    def test_best_possible_accesses_are_not_marked(self):
        for sectors in (4, 8, 16):  # float, double, float4
            _, rows = self.rows(self.line(5, global_load_requests=10, global_load_sectors=10 * sectors))
            self.assertNotIn("!", rows["5"].replace("100%!", ""))

    def test_the_legend_names_every_column(self):
        legend = " ".join(line_profile.LEGEND.split())
        for column in line_profile.COLUMNS:
            first, last = column.head
            before = rf"\b{re.escape(first)}[^:;]*" if first else ""  # "load, store sect.:" names two columns
            self.assertRegex(legend, rf"{before} {re.escape(last)}:")

    def test_columns_without_a_figure_are_left_out(self):
        text, _ = self.rows(self.line(5))
        table = text[text.index("kernel.cu") :]
        self.assertNotIn("sect.", table)
        self.assertNotIn("barr.", table)

    def test_kernels_that_share_a_line_are_added_up(self):
        _, rows = self.rows(self.line(5, executions=3), self.line(5, kernel="j()", executions=4))
        self.assertEqual(rows["5"].split()[:2], ["100%!", "7"])

    def test_instantiations_of_a_template_are_kept_apart(self):
        kernels = ("void k<256>(float*)", "void k<64>(float*)", "void once<8>(int)", "j()")
        text, _ = self.rows(*(self.line(5, kernel=kernel, executions=n) for n, kernel in enumerate(kernels, 3)))
        tables = text.split("kernel.cu")[1:]
        self.assertEqual([table.splitlines()[0] for table in tables], ["", ", " + kernels[0], ", " + kernels[1]])
        rows = [next(row for row in table.splitlines() if "code 5" in row) for table in tables]
        self.assertEqual([row.split()[:2] for row in rows], [["50%!", "11"], ["25%!", "3"], ["25%!", "4"]])
        self.assertEqual(text.count("active lanes:"), 1, "the legend stands there once")

    def test_the_width_is_the_terminals(self):
        self.source.write_text("".join(f"code {i};{'x' * 300}\n" for i in range(1, 41)), encoding="utf-8")
        for width in (100, 180):
            text, _ = self.rows(self.line(5), width=width)
            self.assertEqual(max(map(len, text.splitlines())), width)
        for columns, width in ((200, 200), (60, 100)):
            with mock.patch.dict(os.environ, COLUMNS=str(columns)):
                self.assertEqual(line_profile.terminal_width(), width)

    def test_only_the_surroundings_are_shown_and_code_is_cut_at_the_right(self):
        self.source.write_text("".join(f"code {i};{'x' * 200}\n" for i in range(1, 41)), encoding="utf-8")
        text, _ = self.rows(self.line(5), self.line(30), width=110)
        shown = [int(row.split("code ")[1].split(";")[0]) for row in text.splitlines() if "code" in row]
        self.assertEqual(shown, [2, 3, 4, 5, 6, 27, 28, 29, 30, 31])
        table = text[text.index("kernel.cu") :].splitlines()
        self.assertEqual(max(map(len, table)), 110)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_a_line_past_the_end_of_a_file_that_changed(self):
        text, _ = self.rows(self.line(99))
        self.assertIn("  99", text)

    def test_headers_of_a_toolkit_are_not_shown(self):
        header = self.folder / "include" / "cub" / "scan.cuh"
        header.parent.mkdir(parents=True)
        header.write_text("code of others;\n", encoding="utf-8")
        lines = [self.line(1, header), self.line(5), self.line(0)]
        self.assertIn("of others", self.rows(*lines)[1])  # a user's own include folder
        (self.folder / "include" / "cuda_runtime.h").write_text("", encoding="utf-8")
        text, rows = self.rows(*lines)
        self.assertNotIn("of others", rows)
        self.assertIn("67% of the instructions are in headers", text)

    def test_nothing_ran(self):
        self.assertIn("No kernel was run", self.rows()[0])

    def test_kernels_without_lines(self):
        report = {"lines": [self.line(0), self.line(0, kernel="j()"), self.line(3, kernel="j()")]}
        self.assertEqual(line_profile.kernels_without_lines(report), ["k()"])


class Compact(unittest.TestCase):
    def test_at_most_five_characters(self):
        for number, text in ((0, "0"), (9999, "9999"), (10_000, "10.0k"), (99_999, "100k"), (999_999, "1.0M")):
            self.assertEqual(line_profile.compact(number), text)
        for exponent in range(18):
            for digits in (1, 1.5, 9.99, 9.999999):
                self.assertLessEqual(len(line_profile.compact(int(digits * 10**exponent))), 5)


if __name__ == "__main__":
    unittest.main()
