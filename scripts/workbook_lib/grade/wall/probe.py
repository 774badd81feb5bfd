# SPDX-License-Identifier: MIT
"""Tries what the wall must prevent, each time before students' programs run. A wall that silently does nothing is found
here, and nowhere else."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Tuple

from ...base.errors import WorkbookError
from .identity import own_uid
from .result import Status, WallRecord
from .task import MB, Limits, Task
from .wall import FOR_ALL, Wall

FOR_EVERYBODY = 0o777
LIMITS = Limits(cpu_s=20, wall_s=40, memory_bytes=64 * MB, processes=32, files=64, scratch_bytes=8 * MB)
BEYOND = 4  # times the limit
LINE = re.compile(r"^([^:\n]+): (.+)$", re.MULTILINE)

# By name of the try: how an instructor reads that it worked.
TRIES = {
    "secret file": "reads a file that only the grader may read",
    "readable file": "reads a file of the grader that everybody may read, as answers are",
    "passwords": "reads /etc/shadow",
    "users": "reads /etc/passwd",
    "folder of the grader": "lists a folder of the grader",
    "new file outside": "makes a file in a folder of the grader",
    "writable file": "writes into a file of the grader",
    "cut file": "cuts a file of the grader",
    "mode of a file": "changes the mode of a file of the grader",
    "removed file": "removes a file of the grader",
    "hard link": "links a file of the grader into its scratch folder",
    "foreign shared memory": "opens shared memory of the grader",
    "new shared memory": "makes shared memory in /dev/shm",
    "environment of process 1": "reads the environment of process 1",
    "memory of the grader as a file": "opens /proc/PID/mem of the grader",
    "nameless file": "makes a file without a name",
    "device": "opens /dev/zero",
    "memory of the grader": "reads the grader's memory (process_vm_readv)",
    "tracing the grader": "traces the grader (ptrace)",
    "limits of the grader": "changes the grader's limits (prlimit)",
    "ending the grader's process": "kills a process of the grader",
    "ending another user's process": "kills a process of another run",
    "tcp": "connects by TCP",
    "udp": "sends by UDP",
    "unix socket": "connects to a socket in the file system",
    "abstract socket": "connects to an abstract socket",
    "open descriptor": "has a descriptor that nobody gave it",
    "foreign environment": "sees the grader's environment",
    "processes": "makes more processes than it may",
    "files": "opens more files than it may",
    "memory as a file": "has memory that no limit counts (memfd_create)",
    "shared memory segment": "has memory that outlives it (shmget)",
    "new namespace": "makes a user namespace (unshare)",
    "new namespace by clone": "makes a user namespace (clone)",
    "mount": "mounts a file system",
    "becoming root": "becomes root",
    "io_uring": "uses io_uring",
    "userfaultfd": "uses userfaultfd",
    "bpf": "uses bpf",
    "perf": "uses perf_event_open",
    "keys": "uses the kernel's keys",
    "typing into a terminal": "types into a terminal (TIOCSTI)",
    "32-bit calls": "makes system calls that the filter does not know",
    "memory": "uses more memory than it may",
    "scratch folder": "writes more than its scratch folder may hold",
    "left process": "leaves a process running",
    "hidden": "reads what the grader keeps from students",
}


@contextlib.contextmanager
def listeners(folder: Path) -> Iterator[Dict[str, object]]:
    """Servers of the grader, by the names of their targets."""
    with contextlib.ExitStack() as stack:
        found: Dict[str, object] = {}
        name = f"@workbook-wall-{os.getpid()}-{folder.name}"
        for target, family, kind, address in (
            ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("socket", socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "socket")),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, name.replace("@", "\0")),
        ):
            made = stack.enter_context(socket.socket(family, kind))
            made.bind(address)
            if kind == socket.SOCK_STREAM:
                made.listen()
            found[target] = made.getsockname()[1] if family == socket.AF_INET else name if target == "abstract" else address
        (folder / "socket").chmod(FOR_EVERYBODY)
        yield found


@contextlib.contextmanager
def files(folder: Path) -> Iterator[Dict[str, object]]:
    """Files of the grader. Only their modes would let everybody use them; the wall must not."""
    folder.chmod(FOR_EVERYBODY)
    found: Dict[str, object] = {"folder": folder}
    for name, mode in (("secret", 0o600), ("readable", 0o644), ("writable", 0o666), ("removable", 0o666)):
        found[name] = folder / name
        found[name].write_text("of the grader")
        found[name].chmod(mode)
    shared = Path("/dev/shm") / f"workbook-wall-{os.getpid()}-{folder.name}"
    with contextlib.suppress(OSError):  # there is no /dev/shm
        shared.write_text("of the grader")
        shared.chmod(0o666)
    try:
        yield {**found, "shared": shared}
    finally:
        shared.unlink(missing_ok=True)


@contextlib.contextmanager
def sleepers() -> Iterator[Dict[str, "subprocess.Popen[bytes]"]]:
    """A process of the grader, and one with the user of another run where there is one."""
    with own_uid() as uid:
        other = {} if uid is None else {"preexec_fn": lambda: os.setresuid(uid, uid, uid)}
        made = {"victim": subprocess.Popen(["sleep", "100"]), "neighbour": subprocess.Popen(["sleep", "100"], **other)}
        try:
            yield made
        finally:
            for each in made.values():
                each.send_signal(signal.SIGKILL)
                each.wait()


def tried_inside(wall: Wall, program: Path) -> Dict[str, str]:
    """What the program says of each try, corrected by what is seen outside. By name: "held", or what happened."""
    folder = Path(tempfile.mkdtemp(prefix="probe-", dir=wall.folder))
    try:
        with files(folder) as targets, listeners(folder) as servers, sleepers() as processes:
            values = {**targets, **servers, **{name: process.pid for name, process in processes.items()}}
            values.update({"grader": os.getpid(), "processes": LIMITS.processes, "files": LIMITS.files})
            words = tuple(f"{name}={value}" for name, value in values.items())
            result = wall.run(Task((str(program), *words), read=(program,), limits=LIMITS))
            found = dict(LINE.findall(result.output))
            if result.status is not Status.OK:
                return {name: result.words for name in TRIES}
            for name, process in (("ending the grader's process", "victim"), ("ending another user's process", "neighbour")):
                if processes[process].poll() is not None:
                    found[name] = "it has ended"
            if (folder / "new").exists():
                found["new file outside"] = "it is there"
        return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def tried_limit(wall: Wall, program: Path, what: str, most: int, statuses: Tuple[Status, ...]) -> str:
    result = wall.run(Task((str(program), what, str(BEYOND * most)), read=(program,), limits=LIMITS))
    is_held = result.status in statuses or (result.status is Status.OK and result.exit_code == 0)
    return "held" if is_held else result.words


def tried_daemon(wall: Wall, program: Path) -> str:
    word = f"left-{os.getpid()}-{time.monotonic_ns()}"
    result = wall.run(Task((str(program), "daemon", word), read=(program,), limits=LIMITS))
    if result.status is not Status.OK:
        return result.words
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if word.encode() in Path("/proc", name, "cmdline").read_bytes():
                return f"process {name} still runs"
    return "held"


def tried_hidden(wall: Wall, hidden: Sequence[Path]) -> str:
    """A course below /usr would be in sight, as the system's programs are."""
    text = 'for path; do if (exec < "$path") 2>/dev/null; then echo "$path"; fi; done'
    result = wall.run(Task(("/bin/sh", "-c", text, "sh", *map(str, hidden)), limits=LIMITS))
    is_held = result.status is Status.OK and result.exit_code == 0 and not result.stdout
    return "held" if is_held else result.output.strip().replace("\n", ", ") or result.words


def probe(wall: Wall, tries: Path, hidden: Sequence[Path] = ()) -> Wall:
    """The same wall, with the outcome in its record. `tries`: the program workbook-wall-tries. `hidden`: files and folders
    that no student may read, such as answers."""
    program = wall.folder / tries.name
    shutil.copyfile(tries, program)
    program.chmod(FOR_ALL)
    found = tried_inside(wall, program)
    found["memory"] = tried_limit(wall, program, "memory", LIMITS.memory_bytes, (Status.MEMORY,))
    found["scratch folder"] = tried_limit(wall, program, "files", LIMITS.scratch_bytes, (Status.OUTPUT,))
    found["left process"] = tried_daemon(wall, program)
    found["hidden"] = tried_hidden(wall, hidden)
    held = [name for name in TRIES if found.get(name) == "held"]
    failed = [f"{name}: {found.get(name, 'nothing was said')}" for name in TRIES if name not in held]
    return replace(wall, record=replace(wall.record, held=held, failed=failed))


def checked(wall: Wall, tries: Path, hidden: Sequence[Path] = ()) -> Wall:
    """The same wall, if it holds in all tries. Level C holds nothing, and is asked for by name."""
    probed = probe(wall, tries, hidden)
    if probed.record.failed and wall.level != "C":
        raise WorkbookError(refusal(probed.record))
    return probed


def refusal(record: WallRecord) -> str:
    lines: List[str] = [f"The wall around students' programs (level {record.level}) has a hole, so nothing is graded. Behind it a program"]
    for line in record.failed:
        name, _, what = line.partition(": ")
        lines.append(f"  {TRIES[name]} ({what})")
    return "\n".join(lines)
