# SPDX-License-Identifier: MIT
"""Compiles a file as nvcc does, but its two halves side by side, and the host's to its end (host_ahead.py). CMake puts it before
nvcc's command for the students' files (scripts/cmake/WorkbookStage.cmake). What it does not know it leaves to nvcc, and so what
a signal has ended: cicc, which optimises several kernels at once (-split-compile), ended so once in some hundred files on a busy
machine. It then takes them one after the other."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from workbook_lib import compiled_headers, made_object, nvcc_steps  # noqa: E402
from workbook_lib.host_ahead import HostAhead  # noqa: E402

INTERRUPTED = 130


class Half(threading.Thread):
    """Commands one after the other, until one fails. What they say is kept."""

    def __init__(self, commands: Sequence[Sequence[str]], environment: Mapping[str, str]):
        super().__init__(daemon=True)
        self.commands, self.environment = commands, environment
        self.said, self.status = b"", 0
        self.process: Optional[subprocess.Popen] = None
        self.is_stopped = False
        self.lock = threading.Lock()
        self.start()

    def run(self) -> None:
        for command in self.commands:
            with self.lock:
                if self.is_stopped:
                    return
                self.process = subprocess.Popen(
                    command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
                )
            self.said += self.process.communicate()[0]
            self.status = self.process.returncode
            if self.status != 0:
                return

    def stop(self) -> None:
        with self.lock:
            self.is_stopped = True
            if self.process is not None:
                self.process.kill()


def compile_halves(steps: nvcc_steps.Steps, folder: Path) -> int:
    """The exit status, negative where a signal has ended a step."""
    environment = {**os.environ, **steps.settings}
    host, device = Half([steps.preprocess, steps.front], environment), Half(steps.device, environment)
    ahead: Optional[HostAhead] = None
    try:
        # In nvcc's order: of a file that its host's half refuses, nvcc does not say what the device's half thinks.
        if say(host) != 0:
            return host.status
        text = Path(nvcc_steps.option(steps.front, "--gen_c_file_name") or os.devnull).read_bytes()
        target, short = Path(nvcc_steps.option(steps.last, "-o")), compiled_headers.CompiledHeaders(Path.cwd()).with_rest(steps, text)
        compiled_headers.note(target, are_missing=short is None)
        ahead = HostAhead(steps, short or text, folder, target, environment, Path.cwd())
        if say(device) != 0:
            return device.status
        said = ahead.make(target)
        if said is None:
            return subprocess.run(steps.last, env=environment, stdin=subprocess.DEVNULL).returncode
        sys.stderr.buffer.write(said)
        return 0
    finally:
        host.stop()
        device.stop()
        device.join()
        if ahead is not None:
            ahead.stop()


def say(half: Half) -> int:
    """When it has ended: what it has said, and how it ended."""
    half.join()
    sys.stderr.buffer.write(half.said)
    sys.stderr.flush()
    return half.status


def main(command: List[str]) -> int:
    made = made_object.take(command)
    if made is not None:
        return made
    with tempfile.TemporaryDirectory(prefix="workbook-nvcc-") as folder:
        steps = nvcc_steps.read(command, Path(folder), os.environ, Path.cwd())
        if steps is not None:
            status = compile_halves(steps, Path(folder))
            if status >= 0:
                return status
    os.execvp(command[0], [word for word in command if not word.startswith("-split-compile")])


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(INTERRUPTED)
