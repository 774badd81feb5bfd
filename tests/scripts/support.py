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


def bench_report(stage, sizes=(1024, 2**24), us=20.0, **changes):
    """What bin/bench-answer-stageNN prints: times that grow with the size, around `us` at 2^24."""
    points = []
    for size in sizes:
        time = 2.5 + us * size / 2**24
        times, peer = ({"median": t, "min": 0.9 * t, "max": 1.5 * t, "q1": 0.98 * t, "q3": 1.02 * t} for t in (time, 2.5 + 20 * size / 2**24))
        points.append(
            {"size": size, "input_bytes": 4 * size, "buffers": 4, "batch": 20, "samples": 21, "time_us": times, "peer_time_us": peer}
            | {"error": 1e-3, "error_u": 0.25, "peer_error_u": 0.5, "matches": True}
        )
    report = {"stage": stage, "title": f"idea {stage}", "source": f"answers/stage{stage:02}/solution.cu", "problem": "reduction"}
    report |= {"device": "NVIDIA H200", "simulated": False, "block_size": 256, "peer": "cub::DeviceReduce::Sum, CUB 3.0.1"}
    return {**report, "copy_gb_s": 4266.1, "l2_bytes": 62914560, "sizes": points, **changes}
