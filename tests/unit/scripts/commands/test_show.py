# SPDX-License-Identifier: MIT
"""scripts/workbook show: what it records, which access it draws, and what it says where there is nothing to draw."""

import json
import unittest
from types import SimpleNamespace

import support
from support import traced, traced_event
from workbook_lib.access import access_text
from workbook_lib.course.stages import Stage

SOURCE = "kernel\nout[32 * i] = x;\nsum += in[i];\n__shfl_down_sync\n"


class Show(support.CommandCase):
    STAGES = [Stage("stage02", 2, "filter removal")]

    def setUp(self):
        super().setUp()
        self.files = {kind: self.write(self.STAGES[0].source(kind), SOURCE) for kind in ("todo", "answer")}
        self.make("todo", list(range(0, 1024, 32)))
        self.make("answer", list(range(0, 128, 4)))

    def make(self, kind, stored, status=0, error=""):
        events = [
            traced_event(self.files[kind], 2, "store", "global", stored),
            traced_event(self.files[kind], 3, "load", "global", range(0, 128, 4), warp=1),
            traced_event(self.files[kind], 4, "shuffle", "", [1, *range(1, 32)]),
        ]
        text = f"""[ -n "$CUDASIM_TRACE" ] && [ "$CUDASIM_TRACE_BLOCK" = 0 ] && cat > "$CUDASIM_TRACE" <<'TRACE'
{json.dumps(traced(events))}
TRACE
[ "$CUDASIM_TRACE_BLOCK" = 9 ] && echo '{{"format": 1, "block": 9, "launches": []}}' > "$CUDASIM_TRACE"
"""
        self.program(f"build/default/bin/{kind}-stage02", {"matches": True, "error": error}, status, {}, text)

    def test_the_line_that_wastes_most_and_a_list_of_the_others(self):
        status, output, _ = self.workbook("show", "2")
        self.assertEqual(status, 0)
        self.assertEqual(self.built, [["cudasim", "todo_stage02"]])
        self.assertTrue(output.splitlines()[0].endswith("todo.cu:2: out[32 * i] = x;"), output)
        self.assertIn("|0.......|1.......|2.......|3.......|", output)
        self.assertRegex(
            output, r"\n +2  store, global +1 +896  out\[32 \* i\] = x;\n +3  load, global +1 +0  sum \+= in\[i\];\n"
        )
        self.assertNotIn("our answer", output)

    def test_the_list_fits_80_columns(self):
        self.write(self.STAGES[0].source("todo"), SOURCE.replace("x;", "x + y" * 30))
        listed = self.workbook("show", "2")[1].partition("line  access")[2].splitlines()
        self.assertEqual([len(line) for line in listed[1:3]], [80, 80])
        self.assertIn("out[32 * i] = x + yx", listed[2])

    def test_a_line_and_a_warp(self):
        output = self.workbook("show", "2", "--line", "3", "--warp", "1")[1]
        self.assertIn("|01234567|89abcdef|ghijklmn|opqrstuv|", output)
        self.assertIn("block 0, warp 1", output)

    def test_beside_our_answer(self):
        output = self.workbook("show", "2", "--answer")[1]
        self.assertRegex(output, r"your file, line 2: store, global +our answer, line 2: store, global\n")
        self.assertRegex(output, r"\|0\.{7}\|1\.{7}\|2\.{7}\|3\.{7}\| +\|01234567\|89abcdef\|ghijklmn\|opqrstuv\|\n")

    def test_a_long_head_leaves_the_columns_apart(self):
        head = access_text.head(
            SimpleNamespace(line=160, action="load", memory="shared", launch=2, block="0", warp=1, time=95, times=1096), ""
        )
        self.assertEqual(head[1:], ["launch 2, block 0, warp 1, 95 of 1096", "times"])
        self.assertLessEqual(max(map(len, head)), access_text.WIDTH)

    def test_steps(self):
        output = self.workbook("show", "2", "--steps")[1]
        self.assertRegex(output, r" 1     4        1      1  Aa·{30}\n +shuffle: i from i \+ 1; lane i = 0\n")

    def test_what_cannot_be_shown_is_said(self):
        for words, status, expected in (
            (["--line", "4"], 2, "line 4 touches no memory in what was recorded; give one of 2, 3"),
            (["--warp", "7"], 2, "block 0 has no warp 7 that touches memory"),
            (["--block", "9"], 2, "block 9 of no launch touches memory"),
        ):
            ended, output, messages = self.workbook("show", "2", *words)
            self.assertEqual((ended, output), (status, ""), words)
            self.assertIn(expected, messages)

    def test_a_program_that_fails_shows_nothing(self):
        self.make("todo", [0], 3, "an illegal address")
        status, output, messages = self.workbook("show", "2")
        self.assertEqual((status, output), (1, ""))
        self.assertIn(
            "stages/stage02/todo.cu did not run to its end, so there is nothing to show: an illegal address", messages
        )
        self.make("todo", [0], 77)
        self.assertIn("not solved yet", self.workbook("show", "2")[2])

    def test_a_simulator_that_records_nothing(self):
        self.program("build/default/bin/todo-stage02", {"matches": True})
        self.assertIn("the simulator recorded nothing", self.workbook("show", "2")[2])

    def test_a_file_that_does_not_compile_shows_nothing(self):
        self.broken["todo_stage02"] = "stages/stage02/todo.cu:1:1: error: no"
        self.assertEqual(self.workbook("show", "2")[:2], (1, ""))


if __name__ == "__main__":
    unittest.main()
