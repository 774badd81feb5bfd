# SPDX-License-Identifier: MIT
"""The picture of one access: rows of words, what is moved in vain, passes over banks; which access is chosen, and its text
in a terminal. That the pictures equal the counters is tests/course/contract/pictures_count.py."""

import io
import os
import unittest
from unittest import mock

import support
from support import traced, traced_event
from workbook_lib.access import access_choice, access_picture, access_text, access_trace
from workbook_lib.base import colour
from workbook_lib.base.errors import WorkbookError


class AccessCase(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.file = self.write("todo.cu", "\n".join(f"line {number} = a[{number}];" for number in range(1, 40)))

    def launches(self, *events):
        return access_trace.read(traced(list(events)))

    def event(self, action, memory, offsets, **more):
        return traced_event(self.file, 7, action, memory, offsets, **more)

    def picture(self, *args, **more):
        launches = self.launches(self.event(*args, **more))
        return access_choice.by_line(launches)[0].picture(0)

    def cells(self, *args, **more):
        return [row.cells for row in self.picture(*args, **more).rows]


class Rows(AccessCase):
    def test_neighbours_use_all_that_is_moved(self):
        made = self.picture("load", "global", range(0, 128, 4))
        self.assertEqual([row.cells for row in made.rows], [access_picture.LANES])
        self.assertIn("4 sectors of 32 bytes: 128 bytes, of which no lane touches 0 (0%)", made.sentence)

    def test_a_stride_moves_words_for_no_lane(self):
        self.assertEqual(
            self.cells("load", "global", range(0, 256, 32)),
            ["0.......1.......2.......3.......", "4.......5.......6.......7......."],
        )

    def test_one_row_of_four_sectors_for_each_128_bytes(self):
        made = self.picture("store", "global", [512, 4])
        self.assertEqual(
            [(row.label, row.cells) for row in made.rows],
            [("0", ".1......" + " " * 24), ("512", "0......." + " " * 24)],
        )
        self.assertIn("64 bytes, of which no lane touches 56 (88%)", made.sentence)

    def test_wide_elements_have_a_letter_in_each_word_and_several_lanes_a_sign(self):
        self.assertEqual(self.cells("load", "global", [0, 16], bytes=16), ["00001111" + " " * 24])
        self.assertEqual(self.cells("load", "global", [0, 0, 4]), ["+2......" + " " * 24])

    def test_an_unpadded_column_is_a_pass_for_each_lane_and_a_padded_one_is_one(self):
        column = self.picture("load", "shared", range(0, 1024, 128), wavefronts=8)
        self.assertEqual([row.cells.strip() for row in column.rows], list("01234567"))
        self.assertEqual(column.rows, [access_picture.Row(str(i + 1), f"{i}" + " " * 31) for i in range(8)])
        self.assertIn("8 passes, where 1 would do", column.sentence)
        padded = self.picture("load", "shared", range(0, 8 * 132, 132))
        self.assertEqual([row.cells for row in padded.rows], ["01234567" + " " * 24])
        self.assertEqual([row.cells.index(str(i)) for i, row in enumerate(padded.places)], list(range(8)))

    def test_wide_accesses_are_served_in_parts(self):
        rows = self.cells("store", "shared", range(0, 512, 16), bytes=16, wavefronts=4, least_wavefronts=4)
        self.assertEqual([row[::4] for row in rows], ["01234567", "89abcdef", "ghijklmn", "opqrstuv"])
        pairs = [16 * (lane // 2) for lane in range(32)]  # of which one is asked for
        self.assertEqual(len(self.cells("load", "shared", pairs, bytes=16, wavefronts=2, least_wavefronts=2)), 2)

    def test_what_a_gpu_makes_of_neighbours_is_drawn_where_it_is_counted(self):
        """Four numbers of 4 bytes, loaded as one of 16 bytes from 8 bytes before this one."""
        joined = {"counted_bytes": 16, "counted_from": -8, "wavefronts": 4, "least_wavefronts": 4}
        made = self.picture("load", "shared", range(8, 520, 16), **joined)
        self.assertEqual([row.cells[::4] for row in made.rows], ["01234567", "89abcdef", "ghijklmn", "opqrstuv"])
        self.assertIn("4 bytes each, 16 with the neighbours that a GPU loads or stores with them: 4 passes", made.sentence)
        other = self.picture("load", "shared", range(0, 512, 16), counted_bytes=0, counted_from=0, wavefronts=0, least_wavefronts=0)
        self.assertEqual(other.rows, [])
        self.assertIn("a GPU counts no access here", other.sentence)

    def test_a_matrix_is_drawn_by_its_rows(self):
        """Two matrices, of which the second is the first: no lane is spared for another one's row."""
        rows = [16 * (lane % 8) for lane in range(16)]
        made = self.picture("load", "shared", rows, bytes=16, in_rows=True, wavefronts=2, least_wavefronts=2)
        self.assertEqual([row.cells[::4] for row in made.rows], ["01234567", "89abcdef"])
        self.assertIn("2 matrices of 8 rows: 16 rows of 16 bytes, by the lane that gives a row's address: 2 passes", made.sentence)

    def test_lanes_that_are_only_counted_are_one_pass(self):
        self.assertEqual([row.strip() for row in self.cells("atomic", "shared", [4, 4, 4], wavefronts=1)], ["+"])

    def test_atomics_of_one_word_take_turns(self):
        self.assertEqual([row.strip() for row in self.cells("atomic", "shared", [4, 4, 4], wavefronts=3)], list("012"))

    def test_atomics_of_one_word_in_global_memory_count_a_sector_each(self):
        made = self.picture("atomic", "global", [8] * 32, sectors=32)
        self.assertIn("32 sectors of 32 bytes; lanes that update one word take turns", made.sentence)
        self.assertEqual([row.cells[:8] for row in made.rows], ["..+....."])

    def test_passes_that_are_not_those_that_were_counted_are_not_drawn(self):
        self.assertEqual(self.cells("load", "shared", [0, 4], wavefronts=5), [])


class Choice(AccessCase):
    def test_the_line_that_wastes_most_at_its_worst_time(self):
        events = [
            traced_event(self.file, 3, "load", "global", range(0, 128, 4)),
            traced_event(self.file, 5, "load", "global", range(0, 64, 8), warp=1),
            traced_event(self.file, 5, "load", "global", range(0, 256, 32), warp=1),
            traced_event(self.file, 9, "store", "global", [0]),  # a lane alone wastes nothing
        ]
        listed = access_choice.by_line(self.launches(*events))
        (chosen,) = access_choice.choose(listed, self.file, None)
        made = chosen.picture(0)
        self.assertEqual((made.line, made.warp, made.time, made.times, made.sectors), (5, 1, 2, 2, 8))
        self.assertEqual(chosen.text, "line 5 = a[5];")
        self.assertEqual([each.wasted_bytes for each in listed], [0, 32 + 7 * 32, 0])

    def test_a_line_is_all_that_it_does_and_a_warp_is_what_it_does(self):
        events = [
            traced_event(self.file, 3, "load", "global", range(0, 256, 32)),
            traced_event(self.file, 3, "store", "shared", range(0, 128, 4)),
            traced_event(self.file, 3, "load", "global", range(0, 128, 4), warp=2),
        ]
        launches = self.launches(*events)
        self.assertEqual(
            [each.kind[2:] for each in access_choice.choose(access_choice.by_line(launches), self.file, 3)],
            [("load", "global"), ("store", "shared")],
        )
        self.assertEqual([each.worst.warp for each in access_choice.by_line(launches, 2)], [2])
        with self.assertRaisesRegex(WorkbookError, "line 4 touches no memory.*give one of 3"):
            access_choice.choose(access_choice.by_line(launches), self.file, 4)

    def test_the_counterpart_does_the_same_and_looks_most_like_it(self):
        other = self.write("solution.cu", "x\nline 3 = b[3];\nout[i] = t;\n")
        mine = access_choice.by_line(self.launches(traced_event(self.file, 3, "load", "global", [0])))[0]
        events = [traced_event(other, line, "load", "global", [0]) for line in (1, 2, 3)]
        events += [traced_event(other, 2, "store", "global", [0])]
        self.assertEqual(
            access_choice.counterpart(mine, access_choice.by_line(self.launches(*events))).kind[1:],
            (2, "load", "global"),
        )
        self.assertIsNone(access_choice.counterpart(mine, access_choice.by_line(self.launches(events[-1]))))

    def test_lines_of_the_toolkit_and_lines_that_are_not_known_are_left_out(self):
        header = self.write("cuda/include/cuda_fp16.h", "x")
        self.write("cuda/include/cuda_runtime.h", "x")
        events = [traced_event(header, 1, "load", "global", [0]), traced_event(self.file, 0, "load", "global", [0])]
        self.assertEqual(access_choice.by_line(self.launches(*events)), [])

    def test_another_format_is_refused(self):
        with self.assertRaisesRegex(WorkbookError, "another version"):
            access_trace.read({"format": 2, "launches": []})


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Text(AccessCase):
    def text(self, stream, *events, beside=False):
        pictures = [each.picture(0) for each in access_choice.by_line(self.launches(*events))]
        return access_text.text(pictures, pictures if beside else [None] * len(pictures), stream)

    def events(self):
        yield self.event("load", "global", range(0, 1024, 32))
        yield self.event("load", "shared", range(0, 4096, 128), wavefronts=32)

    def test_fits_into_80_columns(self):
        for beside in (False, True):
            text = self.text(io.StringIO(), *self.events(), beside=beside)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
            self.assertIn("... and 16 rows more" if not beside else "... and 24 rows more", text)
            self.assertIn("|0.......|1.......|2.......|3.......|", text)
            self.assertEqual("our answer, line 7" in text, beside)

    def test_colours_where_the_terminal_has_them_and_nobody_says_no(self):
        with mock.patch.dict(os.environ, {"TERM": "xterm", "NO_COLOR": ""}):
            painted = self.text(Terminal(), *self.events())
            self.assertIn("\033[32m0\033[0m\033[90m░░░░░░░\033[0m|", painted)
            os.environ["NO_COLOR"] = "1"
            plain = self.text(Terminal(), *self.events())
        self.assertNotIn("\033", plain)
        self.assertEqual(plain, self.text(io.StringIO(), *self.events()))
        self.assertEqual(colour.paint_cells("|0.|", io.StringIO()), "|0.|")


if __name__ == "__main__":
    unittest.main()
