# SPDX-License-Identifier: MIT
"""Runs a stage's program and collects its output: its own report (--json FILE), the simulator's (CUDASIM_REPORT), and
all printed text."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Callable, List, Mapping, Optional, Sequence, TextIO, Tuple

from ..base import errors, scratch
from ..base.errors import WorkbookError
from . import findings, run_report
from .findings import Finding
from .locator import NOTICE
from .run_report import Report

OUTCOMES = {
    errors.MATCHES: "yes",
    errors.DOES_NOT_MATCH: "NO",
    errors.USAGE: "wrong usage",
    errors.CUDA_ERROR: "error",
    errors.UNSOLVED: "not solved yet",
}
GRACE_S = 10.0  # a program stops at its own time limit; after these seconds it is killed
MOST_OUTPUT = 16 << 20  # bytes that are kept of what it prints: kernels may print without end


def outcome(status: int) -> str:
    return OUTCOMES.get(status) or (f"crashed (signal {-status})" if status < 0 else f"exit status {status}")


def crash(status: int, is_explained: bool) -> str:
    """The message for a program that a signal has ended. `is_explained`: the simulator has a finding."""
    text = f"the program was ended by signal {-status}"
    if -status == signal.SIGSEGV and not is_explained:
        return f"{text}: did its host code use a pointer to device memory, a null pointer, or an index outside an array?"
    return f"{text} (see above)" if is_explained else text


@dataclass
class Ending:
    """How a program ended."""

    status: int  # negative: the signal that ended it
    report: Report = field(default_factory=dict)  # its own report
    counted: Report = field(default_factory=dict)  # the simulator's; empty: it was not used
    messages: str = ""  # its standard error, without findings
    output: str = ""  # printed by it and its kernels

    @property
    def findings(self) -> List[Finding]:
        """The simulator's findings, one for each mistake."""
        return findings.distinct(self.counted.get("findings", []))

    @property
    def error(self) -> str:
        return str(self.report.get("error") or "")


class Run:
    """One run of a program. Another thread may stop it, even before its start."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], time_limit: Optional[float] = None):
        self.command, self.environment, self.time_limit = list(command), dict(environment), time_limit
        self.process: Optional[subprocess.Popen] = None
        self.is_stopped = self.is_late = False
        self.lock = threading.Lock()

    def stop(self) -> None:
        with self.lock:
            self.is_stopped = True
            if self.process is not None:
                self.process.kill()

    def give_up(self) -> None:
        self.is_late = True
        self.stop()

    def to_its_end(self, say: Optional[Callable[[str], None]] = None) -> Ending:
        """Runs it to its end. `say` gets the simulator's lines of standard error at once."""
        with scratch.folder() as folder:
            own, simulator = folder / "program.json", folder / "simulator.json"
            try:
                process = self.start(own, simulator)
            except OSError as error:
                reason = f"{self.command[0]} could not be started: {error.strerror}"
                return Ending(errors.CUDA_ERROR, {"error": reason})
            output = io.BytesIO()
            status, messages = self.watch(process, output, say)
            output.seek(0)
            ending = Ending(status, run_report.read(own), run_report.read(simulator), messages, as_text(output).read())
        if self.is_late:
            reason = f"the program did not end within {self.time_limit + GRACE_S:g} seconds"
            return Ending(errors.CUDA_ERROR, {"error": reason}, ending.counted, messages)
        return ending

    def start(self, own: Path, simulator: Path) -> subprocess.Popen:
        limit = [] if self.time_limit is None else ["--time-limit", f"{self.time_limit:g}"]
        with self.lock:
            self.process = subprocess.Popen(
                [*self.command, *limit, "--json", str(own)],
                env={**self.environment, "CUDASIM_REPORT": str(simulator), "CUDASIM_FINDINGS": "report"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            if self.is_stopped:
                self.process.kill()
            return self.process

    def watch(self, process: subprocess.Popen, output: BinaryIO, say: Optional[Callable[[str], None]]) -> Tuple[int, str]:
        """Its exit status, and its standard error, without what `say` has got. `output`: gets what it prints."""
        timer = threading.Timer((self.time_limit or 0) + GRACE_S, self.give_up)
        if self.time_limit is not None:
            timer.start()
        messages: List[str] = []
        reader = threading.Thread(target=keep_begin, args=(process.stdout, output), daemon=True)
        reader.start()
        with process, as_text(process.stderr) as lines:
            try:
                for line in map(str.rstrip, lines):
                    if say is not None and line.startswith(NOTICE):
                        say(line)
                    else:
                        messages.append(line)
                process.wait()
                reader.join(GRACE_S)  # what it has started may still hold its output
            finally:
                timer.cancel()
                process.kill()  # still running only where Ctrl-C has ended the loop
        return process.returncode, "\n".join(messages)


def as_text(stream: BinaryIO) -> TextIO:
    return io.TextIOWrapper(stream, encoding="utf-8", errors="replace")


def keep_begin(stream: BinaryIO, kept: BinaryIO) -> None:
    """Reads a stream to its end, or until somebody closes it."""
    with contextlib.suppress(OSError, ValueError):
        while True:
            piece = os.read(stream.fileno(), 1 << 16)
            if not piece:
                return
            kept.write(piece[: MOST_OUTPUT - kept.tell()])


def describe(program: Path, environment: Mapping[str, str], chosen: Sequence[str] = ()) -> Report:
    """The program's description of its problem: sizes, block sizes, options, cases
    (common/workbook/program/report.cpp). `chosen`: one kernel of a collection."""
    ending = Run([str(program), *chosen, "--describe"], environment).to_its_end()
    if ending.status != errors.MATCHES or not ending.report:
        raise WorkbookError(f"{program.name} does not describe itself: {ending.messages or outcome(ending.status)}")
    return ending.report
