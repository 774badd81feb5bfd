# SPDX-License-Identifier: MIT
"""Beginners' errors, as the compiler says them and as they are shown. compiler_errors/NAME.cu has the error; its first line
says at which place it is shown, and with which sentence. NAME.txt is what nvcc 13.0 said of it with g++ 12 for the host, and
in NAME_clang.txt with clang 14."""

import re
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import support
from workbook_lib.build.compiler_messages import shortened
from workbook_lib.machine import toolkit

CASES = sorted((Path(__file__).parent / "compiler_errors").glob("*.cu"))
TODO = Path("stages/stage01/todo.cu")


def put(case, folder):
    (folder / TODO.parent).mkdir(parents=True)
    (folder / TODO).write_text(case.read_text(encoding="utf-8"), encoding="utf-8")


def errors(text):
    return re.findall(r"error: .*", text)


class CompilerErrors(unittest.TestCase):
    def test_each_is_at_its_place_and_has_its_sentence(self):
        sentences = set()
        for case in CASES:
            with tempfile.TemporaryDirectory() as name, self.subTest(case.stem):
                put(case, Path(name))
                place, sentence = re.match(r"// (\S+) -> (.*)", case.read_text(encoding="utf-8")).groups()
                shown = shortened(case.with_suffix(".txt").read_text(encoding="utf-8"), Path(name)).splitlines()
                self.assertRegex(shown[0], rf"^{TODO}:{place}: (fatal )?error: ")
                said = [line.partition("-> ")[2] for line in shown if line.startswith("    -> ")]
                self.assertEqual(said, [sentence] if sentence != "?" else [])
                sentences.update(said)
        self.assertGreaterEqual(len(sentences), 20)

    def test_the_compiler_of_this_machine_says_the_same(self):
        nvcc = toolkit.find_nvcc(support.ROOT)
        if nvcc is None or nvcc.release != (13, 0):
            self.skipTest("recorded with CUDA 13.0")
        cases = [case for case in CASES if not case.stem.endswith("_clang")]
        with ThreadPoolExecutor(2) as pool:
            for case, said in zip(cases, pool.map(lambda case: self.compiled(nvcc, case), cases)):
                recorded = case.with_suffix(".txt").read_text(encoding="utf-8")
                self.assertEqual(errors(said), errors(recorded), case.stem)

    def compiled(self, nvcc, case):
        options = ["-std=c++17", "-arch=compute_75", "--diag-error=940", f"-I{support.ROOT}/common", "-x", "cu"]
        options += ["-c", str(TODO), "-o", "todo.o"]
        with tempfile.TemporaryDirectory() as name:
            put(case, Path(name))
            return subprocess.run([str(nvcc.path), *options], cwd=name, capture_output=True, text=True, timeout=60).stderr


if __name__ == "__main__":
    unittest.main()
