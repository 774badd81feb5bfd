# SPDX-License-Identifier: MIT
"""From a simulator's report to a row, and from rows to the table."""

import unittest

import support  # noqa: F401 - the import path
from workbook_lib.judge import results
from workbook_lib.judge.counts import Counts, summarize
from workbook_lib.judge.verdict import Verdict


def launch(grid, block, **counters):
    every = dict.fromkeys(
        (
            *("global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors"),
            *("shared_bank_conflicts", "atomic_requests", "barriers", "warp_instructions"),
        ),
        0,
    )
    return {"grid": grid, "block": block, "counters": {**every, **counters}}


def from_launches(launches):
    """A report whose launches are of different kernels."""
    return {"launches": launches, "kernels": [{"counters": one["counters"]} for one in launches]}


class Summarize(unittest.TestCase):
    def test_sums_over_launches_and_barriers_of_the_largest(self):
        report = from_launches(
            [
                launch(
                    [4, 1, 1],
                    [256, 1, 1],
                    barriers=4 * 8 * 9,
                    global_load_requests=30,
                    global_load_sectors=100,
                    global_store_requests=2,
                    global_store_sectors=64,
                    warp_instructions=3000,
                    shared_bank_conflicts=5,
                ),
                launch(
                    [1, 1, 1],
                    [256, 1, 1],
                    barriers=8 * 2,
                    global_load_requests=10,
                    global_load_sectors=60,
                    warp_instructions=1096,
                    shared_bank_conflicts=2,
                    atomic_requests=3,
                ),
            ]
        )
        counts = summarize(report, 1024)
        self.assertEqual(counts, Counts(4.0, 7, 9.0, 4.0, 160 / 1024, 2, 32.0, 3))

    def test_a_block_that_is_no_multiple_of_a_warp(self):
        report = from_launches([launch([2, 3, 1], [11, 3, 1], barriers=6 * 2 * 5)])
        self.assertEqual(summarize(report, 1).barriers_per_block, 5.0)

    def test_nothing_launched_and_nothing_to_divide_by(self):
        self.assertEqual(summarize(from_launches([]), 0), Counts())
        counts = summarize(from_launches([launch([1, 1, 1], [32, 1, 1])]), 0)
        self.assertEqual(counts, Counts(None, 0, 0.0, None, None, 1, None, 0))


class Table(unittest.TestCase):
    rows = [
        Verdict("stage01", "global memory only", 0, "yes", 1.25e-8, 1234.5, counts=Counts(2.7, 0, 9.0, 8.789)),
        Verdict("stage02", "no filter", 1, results.NOT_COMPILED),
    ]

    def test_columns_line_up(self):
        lines = results.table(self.rows, "simulator").splitlines()
        self.assertEqual(len(lines), 6)
        for line in lines[4:]:
            self.assertEqual(line.index("global" if "global" in line else "no filter"), lines[2].index("idea"))
        self.assertIn("1,234.500", lines[4])
        self.assertIn("2.70", lines[4])
        self.assertIn("does not compile", lines[5])

    def test_atomics_have_a_column_where_there_are_any(self):
        self.assertNotIn("atomic", results.table(self.rows, "simulator"))
        adding = Verdict("stage09", "atomics", 0, "yes", counts=Counts(atomic_requests=4096))
        lines = results.table([*self.rows, adding], "simulator").splitlines()
        end = lines[1].index("atomic") + len("atomic")
        self.assertIn("4,096", lines[-1][:end + len("requests")])

    def test_the_time_is_named_for_what_it_is(self):
        simulated, real = (results.table(self.rows, device) for device in ("simulator", "gpu"))
        self.assertIn("simulation", simulated)
        self.assertNotIn("GPU", simulated)
        self.assertIn("GPU", real)
        self.assertNotIn("simulation", real)

    def test_settings_are_said_once_where_they_are_equal_and_in_columns_where_they_differ(self):
        def row(stage, size, block_size, unit="floats"):
            work = {"unit": unit, "elements": 1}
            return Verdict(stage, "", 0, "yes", size=size, block_size=block_size, work=work)

        def said(*rows):
            lines = results.table(rows, "gpu").splitlines()
            return results.headline(rows, "the answers"), "threads" in lines[1], " size " in lines[2]

        equal = [row("stage01", 4096, 256), row("stage02", 4096, 256)]
        self.assertEqual(said(*equal), ("4,096 floats, 256 threads a block: the answers", False, False))
        self.assertEqual(said(*equal, row("stage07", 4096, 1024)), ("4,096 floats: the answers", True, False))
        self.assertEqual(said(*equal, row("stage09", 64, 1024, "intervals")), ("The answers", True, True))
        mixed = [row("stage01", 64, 2), row("stage09", 64, 2, "intervals")]
        self.assertEqual(said(*mixed)[0], "64 elements, 2 threads a block: the answers")
        self.assertEqual(said(row("stage11", "64x48", "32x8"))[0], "64x48 floats, 32x8 threads a block: the answers")
        self.assertEqual(said(self.rows[1]), ("The answers", False, False))
        text = results.table([*equal, row("stage07", 4096, 1024), row("stage11", "64x48", "32x8")], "gpu")
        self.assertRegex(text, r"07 +yes +4,096 +1,024 ")
        self.assertRegex(text, r"11 +yes +64x48 +32x8 ")

    def test_what_was_tried_is_said_of_the_rows_that_match(self):
        rows = [Verdict(f"stage{n:02}", "", status, "", tried=tried) for n, status, tried in (
            (1, 0, "71 cases"), (2, 0, "71 cases"), (3, 1, "71 cases"), (4, 0, "9 cases"), (5, 0, ""),
        )]  # fmt: skip
        self.assertEqual(results.tried(rows), "Tried: 71 cases (stages 01 and 02)\nTried: 9 cases (stage 04)")


class ExitStatus(unittest.TestCase):
    def test_zero_only_if_all_match(self):
        for statuses, expected in (
            ([0, 0], 0),
            ([0, 1], 1),
            ([77], 1),
            ([0, 3], 3),
            ([1, -11], 3),
            ([2, 3], 2),
            ([1, 77, 0], 1),
        ):
            rows = [Verdict("stage01", "", status, "") for status in statuses]
            self.assertEqual(results.exit_status(rows), expected, statuses)


if __name__ == "__main__":
    unittest.main()
