# SPDX-License-Identifier: MIT
"""A library that CMake downloads: a download that was cut off does not stay."""

import hashlib
import io
import re
import subprocess
import tarfile
import unittest

import support

CMAKE = (support.ROOT / "scripts/cmake/Dependencies.cmake").read_text(encoding="utf-8")
MACRO = re.search(r"macro\(workbook_library .*?endmacro\(\)", CMAKE, re.DOTALL)[0]
PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(t LANGUAGES NONE)
include(FetchContent)
{macro}
workbook_library(tiny WorkbookNoSuchPackage {digest} "file://{folder}/tiny.tar.gz")
"""


class Download(support.ScratchCase):
    def test_what_is_not_whole_is_downloaded_again(self):
        text = b'message(STATUS "tiny is here")\n'
        with tarfile.open(self.folder / "tiny.tar.gz", "w:gz") as archive:
            entry = tarfile.TarInfo("tiny/CMakeLists.txt")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
        digest = hashlib.sha256((self.folder / "tiny.tar.gz").read_bytes()).hexdigest()
        self.write("source/CMakeLists.txt", PROJECT.format(macro=MACRO, digest=digest, folder=self.folder))
        kept = self.write("build/downloads/tiny-tiny.tar.gz", "half of it")
        command = ["cmake", "-G", support.GENERATOR, "-S", self.folder / "source", "-B", self.folder / "build"]
        answer = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("tiny is here", answer.stdout)
        self.assertEqual([file.name for file in kept.parent.iterdir()], [kept.name])
        (self.folder / "tiny.tar.gz").unlink()
        kept.unlink()
        answer = subprocess.run(command, capture_output=True, text=True)
        self.assertIn("could not be downloaded", answer.stderr)
        self.assertEqual(list(kept.parent.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
