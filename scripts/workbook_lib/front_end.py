# SPDX-License-Identifier: MIT
"""Whether a file compiles, in a tenth of the time: nvcc's own front end, cudafe++, has read the file's headers before the
file is saved, and waits for the rest. It reads standard input, so the headers are written to it as soon as there is time, and
what the student has written when it is saved. The words are nvcc's own.

Headers that are compiled beforehand were weighed: nvcc has none, cudafe++ ends with a segmentation fault where it is told to
use its own, and what another compiler says differs from nvcc's words.

Told are errors only. Of a file without one, and whenever anything is not as expected, nothing is known, and nvcc is asked."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import List, Mapping, Optional

from . import nvcc_steps

STATUS = re.compile(r"^status (\d+)\n\Z", re.MULTILINE)
NOTE = re.compile(r"^(?P<file>[^\s(]+)\((?P<line>\d+)\): note #[^\n]*$(?!\n )", re.MULTILINE)
ERRORS = "2"  # how cudafe++ ends where the file has some


def command_of(build_folder: Path, source: Path) -> List[str]:
    """How the file is compiled; empty where that is not known."""
    try:
        listed = json.loads((build_folder / "compile_commands.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    commands = [shlex.split(each["command"]) for each in listed if each["file"] == str(source)]
    return next((words[index:] for words in commands for index, word in enumerate(words) if Path(word).name == "nvcc"), [])


class FrontEnd:
    """For one save of one file. It gets ready by itself, in a thread; a process that is forked then asks it."""

    def __init__(self, build_folder: Path, source: Path, environment: Mapping[str, str]):
        self.build_folder, self.source, self.environment = build_folder, source, dict(environment)
        self.folder = tempfile.TemporaryDirectory(prefix="workbook-nvcc-")
        self.steps: Optional[nvcc_steps.Steps] = None
        self.headers = b""  # what cudafe++ has read
        self.process: Optional[subprocess.Popen] = None
        self.is_ready = self.is_handed_over = False
        self.thread = threading.Thread(target=self.get_ready, daemon=True)
        self.thread.start()

    def get_ready(self) -> None:
        with contextlib.suppress(OSError):  # then it does not get ready
            command = command_of(self.build_folder, self.source)
            folder = Path(self.folder.name)
            self.steps = command and nvcc_steps.read(command, folder, self.environment, self.build_folder) or None
            if self.steps is None or self.is_handed_over:
                return
            self.environment.update(self.steps.settings)
            text = self.preprocessed()
            returned = f'"{self.source}" 2\n'.encode()  # from a header, as the preprocessor says it
            self.headers = text[: text.rfind(returned) + len(returned)] if returned in text else b""
            # All it writes is errors, and the host's code, which is not needed.
            words = shlex.join([*self.steps.front[:-1], "-"])
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", f'{words} 2>&1 >/dev/null; echo "status $?"'],
                env=self.environment,
                cwd=self.build_folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self.process.stdin.write(self.headers)
            self.process.stdin.flush()
            self.is_ready = bool(self.headers)
        if self.is_handed_over:
            self.let_go()

    def preprocessed(self) -> bytes:
        words, output = self.steps.preprocess, nvcc_steps.option(self.steps.preprocess, "-o")
        subprocess.run(words, env=self.environment, cwd=self.build_folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        try:
            text = Path(output).read_bytes()
            os.unlink(output)
        except OSError:
            return b""
        return text

    def errors(self) -> str:
        """What nvcc would say of the file as it is now, if it has errors; else nothing. To be asked once."""
        text = self.preprocessed() if self.is_ready else b""
        if not text.startswith(self.headers) or not text:
            return ""  # there are other headers now
        try:
            self.process.stdin.write(text[len(self.headers) :])
            self.process.stdin.close()
            said = self.process.stdout.read().decode(errors="replace")
        except OSError:
            return ""
        ended = STATUS.search(said)
        return self.with_lines(said[: ended.start()]) if ended and ended[1] == ERRORS else ""

    def with_lines(self, said: str) -> str:
        """Notes on earlier lines have none below them, where cudafe++ cannot go back to read it."""
        lines = self.source.read_text(encoding="utf-8", errors="replace").splitlines()
        return NOTE.sub(lambda note: f"{note[0]}\n  {lines[int(note['line']) - 1]}" if note["file"] == str(self.source) else note[0], said)

    def hand_over(self) -> None:
        """To a process that was forked before. Where it was not ready, nobody asks it."""
        self.is_handed_over = True
        if self.is_ready:
            self.let_go()

    def let_go(self) -> None:
        """cudafe++ ends when there is nobody left who could write to it."""
        self.is_ready = False
        if self.process is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
            self.process.stdout.close()

    def close(self) -> None:
        """When nobody asks it any more."""
        self.hand_over()
        while self.thread.is_alive():
            self.kill()
            self.thread.join(0.05)
        self.kill()
        self.folder.cleanup()

    def kill(self) -> None:
        """The shell, with what it has started."""
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
