# SPDX-License-Identifier: MIT
"""Reads what a run writes, and stops it at the first limit that it reaches."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import time
from pathlib import Path
from typing import Dict, Optional, Tuple

from . import usage
from .cgroup import Group
from .result import Ended, Status
from .task import Limits

POLL_S = 0.02
HELD_POLL_S = 0.1  # where the kernel holds memory, and no folder grows
GRACE_S = 15.0  # the supervisor needs less to end everything
LAST_WORDS_S = 1.0  # behind the supervisor's end nobody should write
NOT_ENDED = "the wall did not end what it had started"
PIECE = 1 << 16


class Watch:
    """One run: a supervisor that has just been started, and the end of its status pipe."""

    def __init__(self, process: "subprocess.Popen[bytes]", status: int, limits: Limits, group: Group, scratch: Optional[Path]):
        self.process, self.limits, self.group, self.scratch = process, limits, group, scratch
        self.texts: Dict[int, bytearray] = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
        self.status_pipe, self.status = status, bytearray()
        self.begun = time.monotonic()
        self.stopped: Optional[Status] = None
        self.stopped_at = 0.0
        self.gone_at = 0.0  # when the supervisor has ended
        self.is_cut = False  # a stream was still open then
        self.cpu_s, self.peak_bytes = 0.0, 0

    def run(self) -> Tuple[Ended, bytes, bytes]:
        """Waits for the end. Returns what became of the run, and its two streams."""
        try:
            self.read_all()
        except BaseException:  # Ctrl-C: nothing is left running
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(GRACE_S)
            raise
        self.process.wait()
        return (self.ended(), *map(bytes, self.texts.values()))

    def read_all(self) -> None:
        with selectors.DefaultSelector() as selector:
            for pipe in (*self.texts, self.status_pipe):
                selector.register(pipe, selectors.EVENT_READ)
            polled, pause = 0.0, HELD_POLL_S if self.group.folders and not self.scratch else POLL_S
            while selector.get_map() and not self.is_abandoned():
                for key, _ in selector.select(pause):
                    piece = os.read(key.fd, PIECE)
                    if not piece:
                        selector.unregister(key.fd)
                    self.take(key.fd, piece)
                now = time.monotonic()
                if now - polled >= pause:
                    polled = now
                    self.look(now)
            self.is_cut = bool(selector.get_map())

    def is_abandoned(self) -> bool:
        """Whether somebody still holds a stream, though the supervisor has ended."""
        if not self.gone_at and self.process.poll() is not None:
            self.gone_at = time.monotonic()
        return bool(self.gone_at) and time.monotonic() - self.gone_at > LAST_WORDS_S

    def take(self, pipe: int, piece: bytes) -> None:
        if pipe == self.status_pipe:
            self.status += piece
            return
        room = self.limits.output_bytes - sum(map(len, self.texts.values()))
        self.texts[pipe] += piece[:room]
        if len(piece) > room:
            self.stop(Status.OUTPUT)

    def look(self, now: float) -> None:
        """Compares what is used with the limits."""
        if self.stopped:
            if now - self.stopped_at > GRACE_S:
                self.process.kill()
            return
        if self.group.folders:
            self.cpu_s, self.peak_bytes = self.group.cpu_s(), self.group.peak_bytes()
        else:
            cpu_s, in_memory = usage.of_tree(self.process.pid, self.limits.memory_bytes)
            self.cpu_s, self.peak_bytes = max(self.cpu_s, cpu_s), max(self.peak_bytes, in_memory)
        if self.group.is_out_of_memory() or self.peak_bytes > self.limits.memory_bytes:
            self.stop(Status.MEMORY)
        elif self.cpu_s >= self.limits.cpu_s:
            self.stop(Status.CPU)
        elif now - self.begun >= self.limits.wall_s:
            self.stop(Status.WALL)
        elif self.scratch and usage.of_folder(self.scratch, self.limits.scratch_bytes) > self.limits.scratch_bytes:
            self.stop(Status.OUTPUT)

    def stop(self, why: Status) -> None:
        if not self.stopped:
            self.stopped, self.stopped_at = why, time.monotonic()
            self.process.send_signal(signal.SIGTERM)

    def ended(self) -> Ended:
        told = self.status.decode(errors="replace")
        end = re.search(r"^ended (\d+) (\d+) (\d+)$", told, re.MULTILINE)
        error = re.search(r"^error (.*)$", told, re.MULTILINE)
        problem = error[1] if error else ""
        if not problem and not self.stopped and (not end or "started" not in told.split()):
            problem = bytes(list(self.texts.values())[1]).decode(errors="replace").strip()[-500:] or "the wall did not start"
        if self.is_cut or (self.stopped and not end):
            problem = NOT_ENDED
        cpu_s, largest_bytes = (int(end[2]) / 1e6, int(end[3]) << 10) if end else (0.0, 0)
        return Ended(
            stopped=self.stopped,
            error=problem,
            code=int(end[1]) if end else 0,
            cpu_s=max(cpu_s, self.cpu_s, self.group.cpu_s()),
            wall_s=time.monotonic() - self.begun,
            peak_bytes=self.group.peak_bytes() or max(self.peak_bytes, largest_bytes),
            is_out_of_memory=self.group.is_out_of_memory(),
        )
