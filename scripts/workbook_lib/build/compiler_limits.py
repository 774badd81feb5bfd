# SPDX-License-Identifier: MIT
"""Limits of memory and time for the compilers of a student's file. A template or a constant expression may never end, nor
may a file that is included."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import threading
from typing import Iterable

LIMIT_S = 300  # of a process's CPU time, and between two lines of the build's output
LEAST_MEMORY_BYTES = 4 << 30  # our largest file takes a tenth of that
REACHED = re.compile(r"^Killed$|out of memory|bad_alloc|CPU time limit|Cannot allocate memory|died due to signal", re.MULTILINE)


def memory_bytes() -> int:
    """Half of the machine's memory."""
    return max(LEAST_MEMORY_BYTES, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)


def limit_this_process() -> None:
    """Limits this process and all that it starts, each for itself."""
    for kind, most in ((resource.RLIMIT_AS, memory_bytes()), (resource.RLIMIT_CPU, LIMIT_S)):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def advice(lines: Iterable[str]) -> str:
    """A sentence where a compiler was stopped by a limit. Otherwise empty."""
    return why() if REACHED.search("\n".join(lines)) else ""


def why() -> str:
    return (
        f"The compiler was stopped: it may take {memory_bytes() >> 30} GB of memory and {LIMIT_S} s. Is there a template or "
        "a constant expression that does not end, or an included file that is endless?"
    )


class Silence:
    """Interrupts a build whose output has had no new line for a long time. Time in which this process is stopped (Ctrl-Z)
    does not count."""

    def __init__(self, process: "subprocess.Popen[str]"):
        self.process, self.seconds, self.is_over = process, 0, threading.Event()
        self.has_ended_it = False
        threading.Thread(target=self.watch, daemon=True).start()

    def has_output(self) -> None:
        self.seconds = 0

    def watch(self) -> None:
        while not self.is_over.wait(1):
            self.seconds += 1
            if self.seconds > LIMIT_S and not self.has_ended_it:
                self.has_ended_it = True
                self.process.send_signal(signal.SIGINT)

    def end(self) -> None:
        self.is_over.set()
