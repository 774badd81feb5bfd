# SPDX-License-Identifier: MIT
"""Compiles a file as nvcc does, but its two halves side by side, and the host's to its end (host_ahead.py). CMake puts it before
nvcc's command for the students' files (scripts/cmake/WorkbookStage.cmake). What it does not know it leaves to nvcc, and so what
a signal has ended: cicc, which optimises several kernels at once (-split-compile), ended so once in some hundred files on a busy
machine. It then takes them one after the other.

With `--into FOLDER` before nvcc's command the object is for another launcher, which takes it from there (compile_ahead.py)."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import List, Mapping, Optional, Sequence, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from workbook_lib import compiled_headers, made_object, nvcc_steps  # noqa: E402
from workbook_lib.host_ahead import HostAhead  # noqa: E402
from workbook_lib.known_headers import KnownHeaders  # noqa: E402

INTERRUPTED = 130
INTO = "--into"


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


def compile_halves(steps: nvcc_steps.Steps, folder: Path, made: Path) -> Tuple[int, bytes]:
    """Into `made`. The exit status, negative where a signal has ended a step, and what is said."""
    environment = {**os.environ, **steps.settings}
    are_known = preprocess_rest(steps, environment, folder)
    host = Half([steps.front] if are_known else [steps.preprocess, steps.front], environment)
    device = Half(steps.device[are_known:], environment)
    ahead: Optional[HostAhead] = None
    try:
        # In nvcc's order: of a file that its host's half refuses, nvcc does not say what the device's half thinks.
        host.join()
        if host.status != 0:
            return host.status, host.said
        text = Path(nvcc_steps.option(steps.front, "--gen_c_file_name") or os.devnull).read_bytes()
        target, short = Path(nvcc_steps.option(steps.last, "-o")), compiled_headers.CompiledHeaders(Path.cwd()).with_rest(steps, text)
        compiled_headers.note(target, are_missing=short is None or not are_known)
        ahead = HostAhead(steps, short or text, folder, target, environment, Path.cwd())
        device.join()
        said = host.said + device.said
        if device.status != 0:
            return device.status, said
        said_last = ahead.make(made)
        if said_last is None:
            words = [str(made) if word == str(target) else word for word in steps.last]
            last = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return last.returncode, said + last.stdout
        return 0, said + said_last
    finally:
        host.stop()
        device.stop()
        device.join()
        if ahead is not None:
            ahead.stop()


def preprocess_rest(steps: nvcc_steps.Steps, environment: Mapping[str, str], folder: Path) -> bool:
    """The first step of both halves, where it is known what the headers define."""
    outputs = [nvcc_steps.option(words, "-o") or "" for words in (steps.preprocess, steps.device[0])]
    source = Path(steps.preprocess[steps.preprocess.index("-o") - 1])
    known = KnownHeaders.find(source, nvcc_steps.preprocessing(steps), environment, Path.cwd(), folder)
    rests = known and known.rests()
    if not rests:
        return False
    for output, begin, rest in zip(outputs, known.begins, rests):
        Path(output).write_bytes(begin + rest)
    listed = nvcc_steps.option(steps.preprocess, "-MF")
    if listed is not None:
        shutil.copyfile(known.listed, listed)
    return True


def compile_by_steps(command: List[str], made: Path) -> Tuple[Optional[int], bytes]:
    """The exit status, None where it is left to nvcc, and what is said."""
    with tempfile.TemporaryDirectory(prefix="workbook-nvcc-") as folder:
        steps = nvcc_steps.read(command, Path(folder), os.environ, Path.cwd())
        status, said = compile_halves(steps, Path(folder), made) if steps is not None else (-1, b"")
        return (None, b"") if status < 0 else (status, said)


def main(command: List[str]) -> int:
    if command[0] == INTO:
        folder = Path(command[1])
        status, said = compile_by_steps(command[2:], folder / made_object.OBJECT)
        made_object.end(folder, status, said.decode(errors="replace"))
        return 0
    taken = made_object.take(command)
    if taken is not None:
        return taken
    status, said = compile_by_steps(command, Path(nvcc_steps.option(command, "-o") or os.devnull))
    if status is None:
        os.execvp(command[0], [word for word in command if not word.startswith("-split-compile")])
    sys.stderr.buffer.write(said)
    return status


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(INTERRUPTED)
