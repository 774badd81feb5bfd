# SPDX-License-Identifier: MIT
"""What the tests of scripts/workbook_lib share: import path, a scratch folder, and scripts that stand in for
programs."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from workbook_lib import simulator, toolkit  # noqa: E402


class ScratchCase(unittest.TestCase):
    """A test with a folder of its own in self.folder."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def script(self, path, text):
        """Writes an executable shell script below the folder."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n" + text + "\n", encoding="utf-8")
        file.chmod(0o755)
        return file

    def nvcc(self, folder, version="13.0.88"):
        """A program that answers like the nvcc of this version."""
        release = ".".join(version.split(".")[:2])
        return self.script(f"{folder}/nvcc", f"echo 'Cuda compilation tools, release {release}, V{version}'")


class CudaCase(ScratchCase):
    """A test over small CUDA programs, compiled once for the class: PROGRAMS has, by name, a source and the options of
    nvcc ("{folder}" is theirs). Needs nvcc and a simulator: those of CUDACXX and WORKBOOK_SIMULATOR, which ctest sets,
    or what is found."""

    PROGRAMS = {}

    @classmethod
    def setUpClass(cls):
        nvcc = toolkit.find_nvcc(ROOT)
        folder = os.environ.get("WORKBOOK_SIMULATOR")
        libraries = list(Path(folder).glob("libcudart.so.[0-9]*")) if folder else simulator.find_libraries(ROOT)
        if nvcc is None or not libraries:
            raise unittest.SkipTest("needs nvcc and a simulator that is built (without sanitizers)")
        cls.nvcc, cls.cudart = nvcc, libraries[0].resolve()
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.programs = Path(scratch.name)
        for name, (source, options) in cls.PROGRAMS.items():
            file = cls.programs / f"{name}.cu"
            file.write_text(source, encoding="utf-8")
            options = [option.replace("{folder}", scratch.name) for option in options]
            command = [str(nvcc.path), *options, file.name, "-o", name]
            subprocess.run(command, cwd=cls.programs, check=True, timeout=100)

    def simulate(self, *words, **settings):
        """The answer of scripts/simulate with these words, in the folder of the programs."""
        environment = {**os.environ, "WORKBOOK_SIMULATOR": str(self.cudart.parent), **settings.pop("env", {})}
        command = [str(ROOT / "scripts/simulate"), *map(str, words)]
        settings = {"stdin": subprocess.DEVNULL, "timeout": 60, **settings}
        return subprocess.run(command, cwd=self.programs, env=environment, capture_output=True, text=True, **settings)
