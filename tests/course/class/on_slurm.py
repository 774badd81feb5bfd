#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A class graded on a cluster: Slurm's own daemons, two nodes on this machine, and one of them is killed while it grades. All
grades must be there, as they must be, and the same bytes as those of this machine alone. It takes about three minutes.

    on_slurm.py [--students 24] [--stages 3]

It needs root, and what `apt-get install slurm-wlm munge` installs. The course must be built for grading these stages, as a run of
scripts/workbook grade does. Exit status 77: something of that is missing."""

from __future__ import annotations

import argparse
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Iterator, List, Optional

ROOT = Path(__file__).resolve().parents[3]
MAKER = Path(__file__).with_name("make_class.py")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo")
MISSING = 77
SEED = 20261128
NODES = ("n1", "n2")
PORTS = 3  # of the controller, then of the nodes
LIMIT_S = 600
# One core a node. A node that says nothing for ten seconds is down, and its task is put back into the queue.
CONFIGURATION = """\
ClusterName=workbook
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 RealMemory=8000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 RealMemory=8000
PartitionName=main Nodes=ALL Default=YES MaxTime=00:30:00
"""


class Problem(Exception):
    """What is not as it must be, in a sentence."""


def wait_for(what: str, is_there: Callable[[], object]) -> None:
    end = time.monotonic() + LIMIT_S
    while not is_there():
        if time.monotonic() > end:
            raise Problem(f"{what}: not within {LIMIT_S} seconds")
        time.sleep(0.2)


def free_ports(count: int) -> List[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def environment_of(process: Path) -> List[bytes]:
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def lines_of(file: Path) -> List[str]:
    """Nothing where the process has ended."""
    try:
        return file.read_text(errors="replace").splitlines()
    except OSError:
        return []


class Cluster:
    """Daemons with all their files in one folder."""

    def __init__(self, folder: Path):
        self.folder, self.file = folder, folder / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.file), "NO_COLOR": "1"}
        folder.mkdir()
        for name in ("state", "spool", "munge"):
            (folder / name).mkdir()
        host = socket.gethostname().split(".")[0]
        self.file.write_text(CONFIGURATION.format(host=host, folder=folder, ports=free_ports(PORTS)), encoding="utf-8")

    def said(self, *command: object) -> str:
        done = subprocess.run([*map(str, command)], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise Problem(f"{command[0]}: {(done.stderr or done.stdout).strip()}")
        return done.stdout.strip()

    def start(self) -> None:
        place = self.folder / "munge"
        key = place / "key"
        key.write_bytes(os.urandom(128))
        user = pwd.getpwnam("munge")
        for path in (place, key):
            os.chown(path, user.pw_uid, user.pw_gid)
        key.chmod(0o400)
        names = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={place / name}" for option, name in names.items()]
        self.said("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "munged", *options)
        self.said("slurmctld", "-f", self.file)
        for node in NODES:
            self.said("slurmd", "-f", self.file, "-N", node)
        wait_for("two idle nodes", lambda: self.said("sinfo", "--noheader", "--format=%T").splitlines() == ["idle"])

    def processes(self, *wanted: bytes) -> List[int]:
        """Tasks that have all of these variables, and the daemons that have started them."""
        found = list(self.tasks(*wanted))
        lines = [line for pid in found for line in lines_of(Path(f"/proc/{pid}/status"))]
        parents = {int(line.split()[1]) for line in lines if line.startswith("PPid:")}
        return [*(pid for pid in parents if any("slurmstepd" in line for line in lines_of(Path(f"/proc/{pid}/cmdline")))), *found]

    def tasks(self, *wanted: bytes) -> Iterator[int]:
        for process in Path("/proc").glob("[0-9]*"):
            known = environment_of(process)
            if f"SLURM_CONF={self.file}".encode() in known and all(each in known for each in wanted):
                yield int(process.name)

    def kill_node(self, node: str) -> None:
        """As a machine that loses its power: its daemon, the tasks' daemons and the tasks."""
        daemon = int((self.folder / f"slurmd.{node}.pid").read_text())
        for pid in [daemon, *self.processes(f"SLURMD_NODENAME={node}".encode())]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def states(self) -> List[str]:
        return self.said("squeue", "--noheader", "--array", "--format=%i %T %N %r").splitlines()

    def stop(self) -> None:
        for pid in [*self.processes(), *(int(file.read_text()) for file in self.folder.rglob("*pid"))]:
            if pid != os.getpid():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)


def command(cluster: Cluster, script: Path, *words: object) -> str:
    return cluster.said(sys.executable, "-B", script, *words)


def grade_it(cluster: Cluster, folder: Path, students: int, chosen: List[str]) -> None:
    workbook = ROOT / "scripts" / "workbook"
    print(command(cluster, MAKER, folder, "--students", students, "--stages", *chosen, "--alike"))
    words = ["grade", folder / "class", "--built", "--stages", *chosen, "--seed", SEED, "--roster", folder / "roster.csv"]
    out, alone = folder / "grades", folder / "alone"
    said = command(cluster, workbook, *words, "--out", out, "--slurm")
    print(said)
    runs = (b"SLURMD_NODENAME=n2",)
    wait_for("a task on the second node", lambda: any("RUNNING n2" in line for line in cluster.states()) and cluster.processes(*runs))
    time.sleep(5)  # it has tried its wall, and grades
    print("the second node is killed")
    cluster.kill_node("n2")
    wait_for("the lost task in the queue again", lambda: any("BeginTime" in line for line in cluster.states()))
    lost = next(line.split()[0] for line in cluster.states() if "BeginTime" in line)
    cluster.said("scontrol", "update", f"JobId={lost}", "StartTime=now")  # Slurm holds it back for two minutes
    wait_for("the end of all tasks", lambda: not cluster.states())
    print("all tasks have ended on the first node")
    command(cluster, workbook, *words, "--out", out, "--collect")
    print(command(cluster, MAKER, folder, "--check", out / "grade.json"))
    command(cluster, workbook, *words, "--out", alone)
    if (out / "grade.json").read_bytes() != (alone / "grade.json").read_bytes():
        raise Problem("the grades of the cluster are other bytes than those of this machine alone")
    print("this machine alone writes the same bytes")


def missing() -> Optional[str]:
    if os.geteuid() != 0:
        return "it needs root"
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"{', '.join(absent)} is not installed: apt-get install slurm-wlm munge"
    return None if (ROOT / "build/default/bin/workbook-wall-tries").exists() else "the course is not built for grading"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=24)
    parser.add_argument("--stages", nargs="+", default=["3"])
    given = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin"
    reason = missing()
    if reason:
        print(f"on_slurm.py: skipped, because {reason}")
        return MISSING
    with tempfile.TemporaryDirectory(prefix="slurm-", dir="/var/tmp") as scratch:
        Path(scratch).chmod(0o755)  # munge's own user goes through it
        cluster = Cluster(Path(scratch) / "cluster")
        try:
            cluster.start()
            grade_it(cluster, Path(scratch) / "work", given.students, given.stages)
        except Problem as problem:
            print(f"on_slurm.py: {problem}")
            return 1
        finally:
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
