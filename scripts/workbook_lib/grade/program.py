# SPDX-License-Identifier: MIT
"""A student's program: his todo.cu, compiled and linked behind the wall, and started there whenever a judging program
asks for it. The judging program holds the device, the inputs and the reference; this program has none of them."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Iterator, List

from ..base import scratch
from ..course.stages import Stage
from ..simulator import elf
from .wall.compiler import MOST_MESSAGES, Compiled, compile_in_wall, shown
from .wall.result import Result, Status
from .wall.task import MB, Limits, Task
from ..base.harmless import harmless
from .wall.wall import FOR_ALL, Wall

# For one process, which runs all cases in one order. It only launches; the kernels run elsewhere. A process that sleeps is
# stopped before the judging program has waited long enough (verdict.TIME_LIMIT_S): "time" is then the status.
RUN_LIMITS = Limits(cpu_s=5, wall_s=50, memory_bytes=768 * MB, processes=16, files=64, scratch_bytes=16 * MB, output_bytes=MB)
LINK_LIMITS = Limits(cpu_s=20, wall_s=60, memory_bytes=1024 * MB, scratch_bytes=128 * MB, output_bytes=64 * MB)
# gold takes half of the time. The messages are those of the usual linker, on each machine.
LINK = (
    'cat >/dev/null; c++ -fuse-ld=gold "$@" -o "$TMPDIR/student" 2>/dev/null || c++ "$@" -o "$TMPDIR/student" >&2 || exit; '
    'exec cat "$TMPDIR/student"'
)
SETTLED_S = 2.0  # a process ends as soon as nobody asks it
DEVICE_CODE = ".nv_fatbin"  # the section of a program
WINDOW_BYTES = 64 * MB  # remote/channel.h
F_ADD_SEALS, SEALS = 1033, 1 | 2 | 4  # it can be neither cut nor grown


@dataclass(frozen=True)
class Built:
    """The program, or the reason why there is none."""

    program: bytes
    compiled: Compiled


def build_in_wall(wall: Wall, root: Path, build: Path, todo: bytes, stage: Stage) -> Built:
    compiled = compile_in_wall(wall, root, build, todo, stage)
    if not compiled.object:
        return Built(b"", compiled)
    place = Path(tempfile.mkdtemp(prefix="link-", dir=wall.folder))
    try:
        written = place / "todo.o"
        written.write_bytes(compiled.object)
        parts = copied_parts(build, stage, place)
        for path in (place, *place.iterdir()):
            path.chmod(FOR_ALL)
        command = ("/bin/sh", "-c", LINK, "sh", str(written), *map(str, parts))
        result = wall.run(Task(command=command, read=(place,), limits=LINK_LIMITS, removes_files=True))
    finally:
        shutil.rmtree(place, ignore_errors=True)
    is_whole = result.status is Status.OK and result.exit_code == 0
    messages = shown(harmless(result.stderr, MOST_MESSAGES), wall.folder)
    if not is_whole:
        return Built(b"", replace(compiled, object=b"", messages=messages, result=result))
    return Built(result.stdout, compiled)


def device_code_of(file: Path) -> bytes:
    """All device code of a linked program. Nothing where it is damaged, so that it may run none."""
    try:
        return elf.section(file, elf.read(file), DEVICE_CODE)
    except elf.ElfError:
        return b""


def copied_parts(build: Path, stage: Stage, place: Path) -> List[Path]:
    """The course's half of the program, where the linker can read it."""
    copies = []
    listed = build / "student" / f"{stage.name}.parts"
    for number, line in enumerate(listed.read_text(encoding="utf-8").split()):
        copies.append(place / f"{number}-{Path(line).name}")
        shutil.copyfile(line, copies[-1])
    return copies


class Students:
    """Starts the program, once for each connection. `ended`: what became of each process."""

    def __init__(self, wall: Wall, program: Path, client: Path, address: Path, device_code: Path, limits: Limits):
        self.wall, self.address, self.device_code = wall, address, device_code
        self.task = Task((str(program),), (program, client), limits, environment={"LD_LIBRARY_PATH": str(client)})
        self.ended: List[Result] = []
        self.failures: List[str] = []  # of the grader, in sentences
        self.threads: List[threading.Thread] = []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(address))
        self.listener.listen()
        self.accepting = threading.Thread(target=self.accept)
        self.accepting.start()

    def accept(self) -> None:
        while True:
            try:
                asking, _ = self.listener.accept()
            except OSError:
                return  # closed
            thread = threading.Thread(target=self.serve, args=(asking,))
            thread.start()
            self.threads.append(thread)  # results() waits for these, and none can be waited for before it has started

    def serve(self, asking: socket.socket) -> None:
        try:
            with asking:  # closed in any case: the judging program waits for an answer
                self.start(asking)
        except Exception as error:  # of the grader; the judging program only sees that nobody answers
            self.failures.append(f"the student's program could not be started: {error}")

    def start(self, asking: socket.socket) -> None:
        own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        window = os.memfd_create("workbook-window", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(window, WINDOW_BYTES)
            fcntl.fcntl(window, F_ADD_SEALS, SEALS)
            with own:
                try:
                    socket.send_fds(asking, [b"."], [own.fileno(), window])
                except ConnectionError:
                    return  # the judging program has been stopped
            descriptors = (theirs.fileno(), window)
            channel = {"WORKBOOK_CHANNEL": ",".join(map(str, descriptors))}
            task = replace(self.task, descriptors=descriptors, environment={**self.task.environment, **channel})
            self.ended.append(self.wall.run(task))
        finally:
            theirs.close()
            os.close(window)

    def results(self) -> List[Result]:
        """What became of all processes whose judging program has ended: they end with it."""
        for thread in self.threads:
            thread.join(SETTLED_S)
        return list(self.ended)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.accepting.join()
        for thread in self.threads:
            thread.join()


@contextlib.contextmanager
def students(wall: Wall, build: Path, program: bytes, patience: int) -> Iterator[Students]:
    """A server of this program, which stops it after so many times of the usual time."""
    place = Path(tempfile.mkdtemp(prefix="student-", dir=wall.folder))
    try:
        client = place / "client"
        shutil.copytree(build / "student", client, ignore=shutil.ignore_patterns("*.parts"))
        file = place / "student"
        file.write_bytes(program)
        for path in (place, client, file, *client.iterdir()):
            path.chmod(FOR_ALL)
        with scratch.folder() as private:
            (private / "device_code").write_bytes(device_code_of(file))
            limits = replace(RUN_LIMITS, wall_s=patience * RUN_LIMITS.wall_s)
            made = Students(wall, file, client, private / "socket", private / "device_code", limits)
            try:
                yield made
            finally:
                made.close()
    finally:
        shutil.rmtree(place, ignore_errors=True)
