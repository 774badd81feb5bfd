# SPDX-License-Identifier: MIT
"""Runs a program of a user of scripts/simulate, to its end or to its time limit."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from typing import BinaryIO, Dict, Optional, Sequence

from ..base import errors
from ..base.errors import WorkbookError


def exit_status(status: int) -> int:
    """The exit status, as a shell gives it."""
    return 128 - status if status < 0 else status


def start(command: Sequence[str], environment: Dict[str, str], **streams: object) -> subprocess.Popen:
    try:
        return subprocess.Popen(list(command), env=environment, **streams)
    except OSError as error:
        raise WorkbookError(f"{command[0]} could not be started: {error.strerror}") from error


class TimeLimit:
    """Ends a program that exceeds its time limit."""

    def __init__(self, process: subprocess.Popen, seconds: Optional[int]):
        self.process, self.is_over = process, False
        self.timer = threading.Timer(seconds or 0, self.end)
        if seconds is not None:
            self.timer.start()

    def end(self) -> None:
        self.is_over = True
        self.process.kill()

    def status(self) -> int:
        """The status of the ended process."""
        self.timer.cancel()
        return errors.TIMED_OUT if self.is_over else self.process.returncode


def execute(command: Sequence[str], environment: Dict[str, str], time_limit: Optional[int] = None) -> int:
    """Runs the program to its end, on the streams of this process."""
    process = start(command, environment)
    limit = TimeLimit(process, time_limit)
    while True:
        try:
            process.wait()
            return limit.status()
        except errors.Terminated:
            process.terminate()
        except KeyboardInterrupt:
            continue  # the program got the signal too, and handles it


def capture(
    command: Sequence[str],
    environment: Dict[str, str],
    output: BinaryIO,
    messages: Optional[BinaryIO],
    time_limit: Optional[int] = None,
) -> int:
    """Runs the program to its end and keeps its output. `messages` None: also shows both streams."""
    process = start(command, environment, stdin=repeatable_input(), stdout=subprocess.PIPE, stderr=messages)
    limit = TimeLimit(process, time_limit)
    with process:
        for piece in iter(lambda: os.read(process.stdout.fileno(), 1 << 16), b""):
            output.write(piece)
            if messages is None:
                sys.stdout.buffer.write(piece)
                sys.stdout.buffer.flush()
    if process.returncode == -signal.SIGINT:
        raise KeyboardInterrupt
    return limit.status()


def repeatable_input() -> object:
    """A file can be read again by each run. Other inputs cannot, so the runs get an empty one."""
    try:
        if stat.S_ISREG(os.fstat(0).st_mode):
            return open("/proc/self/fd/0", "rb")  # noqa: SIM115 - the program's to close
    except OSError:
        pass
    return subprocess.DEVNULL
