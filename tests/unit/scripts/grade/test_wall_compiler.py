# SPDX-License-Identifier: MIT
"""The compiler behind the wall: a file of a student reads no secret, and each way not to end has its status."""

import json
import unittest
from dataclasses import replace
from pathlib import Path

import support
from grade import walls
from grade.walls import HELPER
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course import stages
from workbook_lib.grade.wall import ahead, compiler
from workbook_lib.grade.wall.result import Status
from workbook_lib.grade.wall.task import MB
from workbook_lib.grade.wall.wall import open_wall

COMMANDS = walls.BUILD / "compile_commands.json"
LIMITS = replace(compiler.LIMITS, cpu_s=20, wall_s=100)
SECRET = "the expected result is 42"


class Commands(support.ScratchCase):
    def test_folders_of_the_checkout_move_and_those_of_the_toolkit_stay(self):
        root = Path("/home/a/course")
        words = ["-I/home/a/course/common", "-isystem=/home/a/course/common", "-DX=/home/a/course", "/home/a/course/.toolkit/cuda/bin/nvcc"]
        words.append("-Xcompiler=-fmacro-prefix-map=/home/a/course/=")
        moved = compiler.moved(words, root, Path("/w"))
        self.assertEqual(moved, ["-I/w/common", "-isystem=/w/common", *words[2:4], "-Xcompiler=-fmacro-prefix-map=/w/="])

    def test_a_host_compiler_that_the_command_names_can_be_read(self):
        words = ["/opt/cuda/bin/nvcc", "-ccbin=/opt/gcc/bin/g++", "-O3"]
        self.assertEqual(compiler.folders_of(words), [Path("/opt/cuda"), Path("/opt/gcc")])
        self.assertEqual(compiler.folders_of(["/usr/bin/nvcc", "-ccbin=/usr/bin/g++"]), [], "the wall shows it anyway")

    def test_a_file_that_the_build_does_not_know(self):
        file = self.write("compile_commands.json", json.dumps([{"file": "/r/a.cu", "command": "nvcc -O0 -c /r/a.cu -o a.o"}]))
        self.assertEqual(compiler.command_of(Path("/r"), file, Path("a.cu")), ["nvcc", "-O0"])
        with self.assertRaisesRegex(WorkbookError, "does not know b.cu: configure"):
            compiler.command_of(Path("/r"), file, Path("b.cu"))
        with self.assertRaisesRegex(WorkbookError, "can't be read"):
            compiler.command_of(Path("/r"), self.folder / "none.json", Path("b.cu"))

    def test_messages_have_no_name_that_a_run_makes(self):
        text = "/w/x/course-ab_c/stages/stage03/todo.cu:1: /tmp/ccSYjaLT.s:162: tmpxft_000055f9_00000000-6_todo.cudafe1.cpp"
        shown = compiler.shown(text, Path("/w/x"))
        self.assertEqual(shown, "stages/stage03/todo.cu:1: todo.s:162: todo.cudafe1.cpp")


@unittest.skipUnless(COMMANDS.exists(), "needs a build folder")
class Compiler(walls.WallCase):
    def setUp(self):
        super().setUp()
        self.stage = next(stage for stage in stages.read_stages(support.ROOT) if stage.name == "stage03")

    def compile(self, wall, text, limits=LIMITS):
        return compiler.compile_in_wall(wall, support.ROOT, walls.BUILD, text.encode(), self.stage, limits)

    def test_an_object_comes_out(self):
        text = '#include "workbook/student/reduction.h"\n__global__ void k(float* x) { *x = 1; }\n'
        for wall in self.each_wall():
            compiled = self.compile(wall, text)
            self.assertEqual((compiled.object[:4], compiled.messages), (b"\x7fELF", ""), compiled.words)

    def test_headers_that_are_compiled_ahead_change_nothing(self):
        right = '#include <cstddef>\n#include <utility>\n#include "workbook/student/reduction.h"\n__global__ void k(float* x) { *x = 1; }\n'
        wrong = right + '#ifndef __CUDA_ARCH__\nasm(".nothing");\n#endif\n'  # an error of the last step
        others = ("#include <cstdint>\n" + right, "// a \\\n" + right, right.replace("#include <utility>\n", ""))
        used = b"rest.cpp"  # the name of the text behind those headers
        with open_wall(HELPER, walls.levels()[-1]) as wall:
            plain = [self.compile(wall, text) for text in (right, wrong)]
            compiler.prepare(wall, support.ROOT, walls.BUILD, {self.stage: ahead.FEWEST})
            made = [self.compile(wall, text) for text in (right, wrong, "// mine\n\n" + right, *others)]
        self.assertEqual([used in each.object for each in (plain[0], *made)], [False, True, False, True, False, False, False])
        self.assertEqual([bool(each.object) for each in made], [True, False, True, True, True, True])
        self.assertEqual([each.messages for each in made[:2]], [each.messages for each in plain])
        self.assertIn("Error: unknown pseudo-op", made[1].messages)

    def test_the_first_headers_are_those_behind_comments_alone(self):
        found = ahead.first_headers("// a\n\n#include <a>\n#include <b/c.h>\n#include \"d.h\"\n#include <e>\n")
        self.assertEqual(found, ["<a>", "<b/c.h>"])
        self.assertEqual(ahead.first_headers("// a \\\n#include <a>\n"), [], "the second line is comment, too")
        self.assertEqual(ahead.first_headers("#define X\n#include <a>\n"), [])

    def test_a_compiler_that_does_not_work_is_no_mistake_of_a_student(self):
        with open_wall(HELPER, walls.levels()[0]) as wall:
            compiler.require_compiler(wall, support.ROOT, walls.BUILD, self.stage)
            file = self.write("compile_commands.json", COMMANDS.read_text().replace(" -c ", " -ccbin /nowhere/g++ -c "))
            with self.assertRaisesRegex(WorkbookError, "(?s)does not work behind the wall.*/nowhere"):
                compiler.require_compiler(wall, support.ROOT, file.parent, self.stage)

    def test_a_mistake_is_shown_with_its_line(self):
        for wall in self.each_wall():
            compiled = self.compile(wall, "\nint x = y;\n")
            self.assertEqual((compiled.object, compiled.result.status), (b"", Status.OK))
            self.assertIn("stages/stage03/todo.cu(2): error: identifier", compiled.messages)
            self.assertIn("does not compile", compiled.words)

    def test_no_secret_is_read(self):
        secret = self.write("secret.h", f"#error {SECRET}\n")
        texts = [f'#include "{path}"\n' for path in (secret, support.ROOT / "README.md", support.ROOT / "common/workbook/judge/compare.h")]
        texts += ['#include "/etc/passwd"\n', '#include "/proc/self/environ"\n', '#include "/dev/zero"\n']
        for wall in self.each_wall():
            for text in texts:
                compiled = self.compile(wall, text)
                self.assertEqual((compiled.object, compiled.result.status), (b"", Status.OK), text)
                self.assertRegex(compiled.messages, "No such file|Permission denied", text)
                self.assertNotIn(SECRET, compiled.messages)
                self.assertNotIn("root:", compiled.messages)

    def test_neither_the_preprocessor_nor_the_assembler_finds_the_answer(self):
        text = '#if __has_include("../../answers/stage03/solution.cu")\n#error there\n#endif\n'
        text += f'#ifndef __CUDA_ARCH__\nasm(".incbin \\"{support.ROOT}/README.md\\"");\n#endif\n'
        with open_wall(HELPER, walls.levels()[-1]) as wall:
            compiled = self.compile(wall, text)
        self.assertEqual((compiled.object, compiled.result.status), (b"", Status.OK))
        self.assertRegex(compiled.messages, "todo.s:[0-9]+: Error: file not found")

    def test_what_does_not_end_is_stopped(self):
        again = '#if __INCLUDE_LEVEL__ < 100\n#include "todo.cu"\n#include "todo.cu"\n#endif\n'
        macros = "#define A " + "x " * 1000 + "\n#define B " + "A " * 1000 + "\nB B B B B B B B B B\n"
        ends = (
            (again, replace(LIMITS, cpu_s=0.5), Status.CPU),
            (again, replace(LIMITS, wall_s=0.5), Status.WALL),
            (again, replace(LIMITS, file_bytes=MB), Status.OUTPUT),
            (macros, replace(LIMITS, memory_bytes=100 * MB), Status.MEMORY),
            ("#warning " + "m" * 1000 + "\n" + again, replace(LIMITS, output_bytes=MB), Status.OUTPUT),
        )
        with open_wall(HELPER, walls.levels()[0]) as wall:
            for text, limits, status in ends:
                compiled = self.compile(wall, text, limits)
                self.assertEqual((compiled.object, compiled.result.status), (b"", status), (text[:80], compiled.result.words, compiled.messages[:500]))

    def test_an_object_has_a_bounded_size(self):
        text = "char big[300 << 20] = {1};\n"
        with open_wall(HELPER, walls.levels()[0]) as wall:
            compiled = self.compile(wall, text, replace(LIMITS, file_bytes=4 * MB))
        self.assertEqual((compiled.object, compiled.result.status), (b"", Status.OUTPUT), compiled.messages)


if __name__ == "__main__":
    unittest.main()
