# SPDX-License-Identifier: MIT
"""A todo.cu that no compiler can read is told in words, and nothing waits for it or reads without an end."""

import os
import subprocess
import unittest
from pathlib import Path

import support
from workbook_lib.course import todo_file
from workbook_lib.course.stages import Stage

TEXT = "// a file\nvoid f();\n"
BYTES = {
    b"": "is empty: `scripts/workbook reset N` brings back the original",
    TEXT.encode("utf-16"): "is UTF-16: save it as UTF-8",
    TEXT.encode("utf-16-be"): "has zero bytes, as in UTF-16: save it as UTF-8",
    b"//" * todo_file.MOST_BYTES: "has 2 MB, which is too much: remove it, and `scripts/workbook reset N` brings the original back",
}
NO_FILE = "is no regular file: remove it, and `scripts/workbook reset N` brings the original back"


class Unreadable(support.CommandCase):
    STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]

    def setUp(self):
        super().setUp()
        lines = ["// SPDX-License-Identifier: MIT", "// BEGIN SOLUTION: it", "f();", "// END SOLUTION", '// UNTIL SOLVED: WORKBOOK_TODO("x");']
        self.write("answers/stage01/solution.cu", "\n".join(lines) + "\n")

    def told(self, file, words):
        name = file.relative_to(self.folder)
        status, output, said = self.workbook("list")
        self.assertEqual((status, said), (0, ""))
        self.assertRegex(output, "first +(.*)\n")
        if file.name == "todo.cu":
            self.assertIn(f"first   todo.cu {words}\n", output)
        self.assertEqual(self.workbook("run", "1", "--todo")[::2], (2, f"workbook: {name} {words}\n"))
        self.assertEqual(self.built, [])
        self.assertEqual(self.workbook("hint", "1")[0], 0)

    def test_other_bytes(self):
        file = self.folder / "stages/stage01/todo.cu"
        for data, words in BYTES.items():
            file.write_bytes(data)
            self.told(file, words)
        for data in (TEXT.encode("utf-8-sig"), TEXT.encode() + b"// \xe9\n", TEXT.replace("\n", "\r\n").encode()):
            file.write_bytes(data)
            self.assertEqual(todo_file.problem(file), "")

    def test_no_file(self):
        file = self.folder / "stages/stage01/todo.cu"
        for make in (lambda: os.mkfifo(file), file.mkdir, lambda: file.symlink_to("/dev/zero")):
            if file.is_dir():
                file.rmdir()
            else:
                file.unlink()
            make()
            self.told(file, NO_FILE)
            status, _, said = self.workbook("reset", "1")
            self.assertEqual(status, 2, said)

    def test_a_pipe_beside_it(self):
        pipe = self.folder / "stages/stage01/mine.h"
        os.mkfifo(pipe)
        self.told(pipe, "is no regular file: remove it")
        pipe.unlink()
        Path(pipe.parent / ".#todo.cu").symlink_to("an editor's lock")
        self.assertEqual(self.workbook("run", "1", "--todo")[2].count("no regular file"), 0)

    def test_the_other_stages_are_run(self):
        (self.folder / "stages/stage01/todo.cu").write_bytes(b"")
        self.program("build/default/bin/todo-stage02", {"matches": True, "cases": 71}, 0, {"findings": [], "kernels": [{}]})
        status, output, said = self.workbook("run", "1-2", "--todo")
        self.assertEqual(self.built, [["cudasim", "todo_stage02"]])
        self.assertIn("stages/stage01/todo.cu is empty", said)

    def test_reset_brings_back_a_given_header_and_keeps_the_students(self):
        given = self.write("stages/stage01/tile.cuh", "int tile;\n")
        def git(*words):
            subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=self.folder, check=True, capture_output=True)

        git("init")
        git("add", "stages/stage01/tile.cuh")
        git("commit", "-m", "handed out")
        given.write_text("int mine;\n", encoding="utf-8")
        _, output, _ = self.workbook("reset", "1")
        self.assertIn("Your header is kept as stages/stage01/tile.cuh.kept-1\nstages/stage01/tile.cuh is as git has it now\n", output)
        kept = given.with_name("tile.cuh.kept-1").read_text(encoding="utf-8")
        self.assertEqual((given.read_text(encoding="utf-8"), kept), ("int tile;\n", "int mine;\n"))
        self.assertNotIn("header", self.workbook("reset", "1")[1])

    def test_reset_puts_a_file_in_place_of_a_link(self):
        decoy, file = self.write("decoy", "of somebody else"), self.folder / "stages/stage01/todo.cu"
        file.unlink()
        file.symlink_to(decoy)
        self.assertEqual(self.workbook("reset", "1")[0], 0)
        self.assertEqual((file.is_symlink(), decoy.read_text(encoding="utf-8")), (False, "of somebody else"))


if __name__ == "__main__":
    unittest.main()
