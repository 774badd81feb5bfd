# SPDX-License-Identifier: MIT
"""nvcc's steps in another order: the front end that has read the headers, and both halves at once."""

import json
import os
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

import support
from workbook_lib import nvcc_steps, toolkit
from workbook_lib.build import compiler_messages
from workbook_lib.front_end import FrontEnd

ERRORS = Path(__file__).parent / "compiler_errors"
LAUNCHER = [sys.executable, "-I", "-S", "-B", str(support.ROOT / "scripts/workbook_lib/compile_launcher.py")]
RIGHT = """#include "workbook/reduction.h"
namespace { __device__ int hidden; }
__global__ void k(int* out) { *out = hidden; }
void launch(int* out) { k<<<1, 32>>>(out); }
"""
DRY_RUN = """_SPACE_=
CICC_PATH=/cuda/nvvm/bin
gcc -E -x c++ "todo.cu" -o "{folder}/a.cpp4.ii"
cudafe++ --gen_module_id_file --module_id_file_name "{folder}/a.module_id" "{folder}/a.cpp4.ii"
gcc -D__CUDA_ARCH__=750 -E "todo.cu" -o "{folder}/a.cpp1.ii"
"$CICC_PATH/cicc" --module_id_file_name "{folder}/a.module_id" "{folder}/a.cpp1.ii" -o "{folder}/a.ptx"
rm {folder}/a.fatbin
gcc -c "{folder}/a.cudafe1.cpp" -o "todo.o"
"""


class Steps(support.ScratchCase):
    def read(self, *replaced):
        text = DRY_RUN.format(folder=self.folder)
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return nvcc_steps.known_steps(text.splitlines(), ["nvcc", "-MD", "-MF", "todo.d", "-c", "todo.cu", "-o", "todo.o"])

    def test_the_halves_are_told_apart(self):
        steps = self.read()
        self.assertEqual(steps.preprocess[-3:], ["-MD", "-MF", "todo.d"])
        self.assertNotIn("--gen_module_id_file", steps.front)
        self.assertEqual([Path(words[0]).name for words in steps.device], ["gcc", "cicc"])
        self.assertEqual(steps.device[1][0], "/cuda/nvvm/bin/cicc")
        self.assertEqual(steps.last[-1], "todo.o")
        self.assertRegex((self.folder / "a.module_id").read_text(), r"^_[0-9a-f]{8}_7_todo_cu$")

    def test_what_is_unknown_is_left_to_nvcc(self):
        self.assertIsNone(self.read(("--gen_module_id_file ", "")))
        self.assertIsNone(self.read(("cudafe++", "cudafe--")))
        self.assertIsNone(self.read(('-o "todo.o"', '-o "other.o"')))
        self.assertIsNone(self.read(("gcc -E", "gcc -M")))


class WithCompiler(support.ScratchCase):
    def setUp(self):
        super().setUp()
        nvcc = toolkit.find_nvcc(support.ROOT)
        if nvcc is None:
            self.skipTest("no nvcc")
        self.is_known = nvcc.release == (13, 0)  # of others it may be that nothing is told, and nvcc is asked
        self.source = self.folder / "stages/stage01/todo.cu"
        self.source.parent.mkdir(parents=True)
        self.command = [str(nvcc.path), "-std=c++17", "-arch=compute_75", f"-I{support.ROOT}/common", "--diag-error=940"]
        self.command += ["-MD", "-MF", "todo.d", "-x", "cu", "-c", str(self.source), "-o", "todo.o"]

    def front_end(self, before):
        self.source.write_text(before, encoding="utf-8")
        listed = [{"file": str(self.source), "command": shlex.join(self.command)}]
        (self.folder / "compile_commands.json").write_text(json.dumps(listed), encoding="utf-8")
        made = FrontEnd(self.folder, self.source, os.environ)
        self.addCleanup(made.close)
        made.thread.join()
        return made

    def errors(self, before, text):
        made = self.front_end(before)
        self.source.write_text(text, encoding="utf-8")
        return made.errors()

    def test_its_words_are_nvcc_s(self):
        include = '#include "workbook/reduction.h"\n'
        for name in ("const_write", "missing_brace", "missing_semicolon", "result_of_kernel", "template"):
            text = include + (ERRORS / f"{name}.cu").read_text(encoding="utf-8")
            self.source.write_text(text, encoding="utf-8")
            asked = subprocess.run(self.command, cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertNotEqual(asked.returncode, 0)
            said = self.errors(include, text)
            if said or self.is_known:
                shown, known = (compiler_messages(text.splitlines(), self.folder) for text in (said, asked.stderr))
                # Of a template's note the line is shown as it is written, and not as the preprocessor leaves it.
                known = re.sub(r"__attribute__\(\(global\)\) (.*)\n *\^\n", r"__global__ \1\n", known)
                self.assertEqual(shown, known, name)

    def test_nothing_is_told_of_a_right_file_and_of_other_headers(self):
        self.assertEqual(self.errors(RIGHT, RIGHT + "// another word\n"), "")
        self.assertEqual(self.errors(RIGHT, "#include <array>\n" + RIGHT + "int broken = ;\n"), "")
        self.assertEqual(self.errors("int no_header;\n", "int broken = ;\n"), "")

    def test_it_ends_when_nobody_asks(self):
        made = self.front_end(RIGHT)
        made.hand_over()
        self.assertFalse(made.is_ready)
        if made.process is not None:
            made.process.wait(timeout=20)

    def test_both_halves_make_the_object_that_nvcc_makes(self):
        self.source.write_text(RIGHT, encoding="utf-8")
        made = {}
        for name, launcher in (("nvcc", []), ("launcher", LAUNCHER)):
            subprocess.run([*launcher, *self.command], cwd=self.folder, check=True, timeout=60)
            symbols = subprocess.run(["nm", "-C", "todo.o"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
            listed = (self.folder / "todo.d").read_text(encoding="utf-8")
            made[name] = [line.split(maxsplit=1)[1] for line in symbols.splitlines() if "_GLOBAL_" not in line], listed
        self.assertEqual(len(made["nvcc"][0]), len(made["launcher"][0]))
        self.assertIn("workbook/reduction.h", made["launcher"][1])
        self.assertTrue(made["launcher"][1].startswith("todo.o:"))

    def test_what_makes_no_object_is_left_to_nvcc(self):
        self.source.write_text(RIGHT, encoding="utf-8")
        words = [self.command[0], "-ptx", "-arch=compute_75", f"-I{support.ROOT}/common", str(self.source), "-o", "todo.ptx"]
        subprocess.run([*LAUNCHER, *words], cwd=self.folder, check=True, timeout=60)
        self.assertIn(".visible .entry", (self.folder / "todo.ptx").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
