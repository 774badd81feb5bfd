# SPDX-License-Identifier: MIT
"""A job: work in a forked process, a copy of this one. It has no start-up time. Its output is read line by line. It can
be stopped together with all processes that it has started."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from typing import Callable, List

from . import errors
from .progress import Progress

STATUS = "\x1e"  # begins a line with the present step
VERDICT = "\x1d"  # begins a line with an early verdict; all other lines are output
GRACE_S = 2.0  # time for a build to remove incomplete files


class StatusLines(Progress):
    """The progress of a job, as lines for the process that reads its output."""

    def __init__(self) -> None:
        super().__init__(sys.stdout)

    def show(self, text: str) -> None:
        print(f"{STATUS}{text}", flush=True)

    def verdict(self, text: str) -> None:
        print(f"{VERDICT}{text}", flush=True)


class Job:
    def __init__(self, work: Callable[[], int]):
        self.lines: List[str] = []
        self.text = b""  # the beginning of a line
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        if self.process == 0:
            run_as_child(work, writer)
        os.close(writer)
        self.reader = reader

    def fileno(self) -> int:
        return self.reader

    def read(self) -> List[str]:
        """Reads new lines of status and verdict. Call it when there is data to read. Ends with EOFError."""
        piece = os.read(self.reader, 1 << 16)
        *lines, self.text = (self.text + piece).split(b"\n")
        if not piece and self.text:
            lines, self.text = [self.text], b""
        found = [line.decode(errors="replace") for line in lines]
        self.lines += [line for line in found if not line.startswith((STATUS, VERDICT))]
        if not piece:
            self.end()
            raise EOFError
        return [line for line in found if line.startswith((STATUS, VERDICT))]

    def end(self) -> None:
        os.close(self.reader)
        os.waitpid(self.process, 0)
        self.process = 0

    def stop(self) -> None:
        """Stops the job: first by SIGINT, so that it can remove incomplete files."""
        if not self.process:
            return
        latest = time.monotonic() + GRACE_S
        is_there, is_child = self.signal(signal.SIGINT), True
        while is_there or is_child:
            time.sleep(0.005)
            is_child = is_child and os.waitpid(self.process, os.WNOHANG) == (0, 0)
            is_there = self.signal(signal.SIGKILL if time.monotonic() > latest else 0)
        os.close(self.reader)
        self.process = 0

    def signal(self, number: int) -> bool:
        """Sends a signal to the job and to all that it has started. Returns whether any of them still runs."""
        try:
            os.killpg(self.process, number)
        except ProcessLookupError:
            return False
        return True


def run_as_child(work: Callable[[], int], writer: int) -> None:
    """Runs the work in the child. Does not return."""
    status = errors.INTERRUPTED
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for target, source in ((0, nothing), (1, writer), (2, writer)):
            os.dup2(source, target)
        sys.stdout.reconfigure(line_buffering=True)
        status = work()
    except SystemExit as ended:
        status = int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)
