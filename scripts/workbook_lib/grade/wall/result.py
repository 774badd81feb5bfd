# SPDX-License-Identifier: MIT
"""What became of a task, with words for a person."""

from __future__ import annotations

import enum
import re
import signal
from dataclasses import dataclass, field
from typing import Dict, List, Optional

from ...base.harmless import harmless
from .task import Limits

SIGNALLED = 128  # plus the signal's number, as in shells
# What a program says that has seen the limit, or whose child has. The words decide only which sentence is shown.
OUT_OF_MEMORY = re.compile(rb"bad_alloc|out of memory|[Cc]annot allocate memory")
OUT_OF_ROOM = re.compile(rb"File size limit exceeded|File too large|No space left on device|died due to signal 25")
NAMES = {
    signal.SIGSEGV: "used an address that is not its own",
    signal.SIGBUS: "used memory that is not there",
    signal.SIGFPE: "divided by zero",
    signal.SIGILL: "ran an instruction that does not exist",
    signal.SIGABRT: "called abort(), or an exception was not caught",
}


class Status(enum.Enum):
    OK = "ok"  # it ended by itself; its exit status is another question
    CPU = "time (cpu)"
    WALL = "time (wall)"
    MEMORY = "memory"
    OUTPUT = "output"
    CRASH = "crash"
    REFUSED = "refused by the wall"
    ERROR = "grader's own error"


@dataclass(frozen=True)
class WallRecord:
    """Which wall it was, for each result."""

    level: str
    cgroup: str = "none"  # v1, v2 or none
    weaker: List[str] = field(default_factory=list)  # what this wall has less than the strongest one
    held: List[str] = field(default_factory=list)  # by the probe
    failed: List[str] = field(default_factory=list)

    def to_json(self) -> Dict[str, object]:
        return {"level": self.level, "cgroup": self.cgroup, "weaker": self.weaker, "held": self.held, "failed": self.failed}


@dataclass(frozen=True)
class Ended:
    """The facts of a run, as the supervisor and the watch have them."""

    stopped: Optional[Status] = None  # why the watch has stopped it
    error: str = ""  # of the wall itself
    code: int = 0  # exit status, or 128 and the signal
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_bytes: int = 0
    is_out_of_memory: bool = False  # by the kernel


@dataclass(frozen=True)
class Result:
    status: Status
    words: str
    exit_code: Optional[int]  # None where a signal or the grader has ended it
    signal: str  # its name, or ""
    stdout: bytes
    stderr: bytes
    cpu_s: float
    wall_s: float
    peak_bytes: int
    wall: WallRecord

    @property
    def output(self) -> str:
        return harmless(self.stdout)

    @property
    def messages(self) -> str:
        return harmless(self.stderr)


def signal_of(code: int) -> Optional[signal.Signals]:
    try:
        return signal.Signals(code - SIGNALLED) if code > SIGNALLED else None
    except ValueError:
        return None


def judge(ended: Ended, limits: Limits, stderr: bytes) -> Status:
    number = signal_of(ended.code)
    if ended.error:
        return Status.ERROR
    if ended.is_out_of_memory:
        return Status.MEMORY
    if ended.stopped:
        return ended.stopped
    if number == signal.SIGXCPU or ended.cpu_s >= limits.cpu_s:
        return Status.CPU
    if number == signal.SIGXFSZ:
        return Status.OUTPUT
    if number == signal.SIGSYS:
        return Status.REFUSED
    if ended.code and OUT_OF_MEMORY.search(stderr):
        return Status.MEMORY
    if ended.code and OUT_OF_ROOM.search(stderr):
        return Status.OUTPUT
    return Status.CRASH if number else Status.OK


def words(status: Status, ended: Ended, limits: Limits) -> str:
    number = signal_of(ended.code)
    if status is Status.CRASH:
        return f"crashed: it {NAMES.get(number, 'was ended by a signal')} ({number.name})"
    return {
        Status.OK: f"ended by itself, with status {ended.code}",
        Status.CPU: f"stopped: it used {limits.cpu_s:g} s of processor time, which is the limit",
        Status.WALL: f"stopped: it had not ended after {limits.wall_s:g} s, which is the limit",
        Status.MEMORY: f"stopped: it wanted more than {limits.memory_bytes >> 20} MB of memory, which is the limit",
        Status.OUTPUT: f"stopped: it wrote more than is allowed: {limits.output_bytes >> 10} KB of text, or files of "
        f"{limits.scratch_bytes >> 20} MB",
        Status.REFUSED: "stopped: it asked the system for something that no program of a stage needs (SIGSYS)",
        Status.ERROR: f"the grader could not run it: {ended.error}",
    }[status]


def result_of(ended: Ended, limits: Limits, stdout: bytes, stderr: bytes, wall: WallRecord) -> Result:
    status = judge(ended, limits, stderr)
    number = signal_of(ended.code)
    own = status in (Status.OK, Status.CPU, Status.MEMORY, Status.OUTPUT) and not ended.stopped and not number
    return Result(
        status=status,
        words=words(status, ended, limits),
        exit_code=ended.code if own else None,
        signal=number.name if number and not ended.stopped else "",
        stdout=stdout,
        stderr=stderr,
        cpu_s=ended.cpu_s,
        wall_s=ended.wall_s,
        peak_bytes=ended.peak_bytes,
        wall=wall,
    )
