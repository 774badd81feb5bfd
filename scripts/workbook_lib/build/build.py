# SPDX-License-Identifier: MIT
"""Configures and builds into build/<preset> with one line of progress. Picks the compiler's own messages out of a
failed build, and its warnings about the students' files out of any build."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterable, List, Sequence, Set, Tuple

from ..base.errors import WorkbookError
from ..base.files import create, write_own
from ..base.progress import Progress
from ..machine.requirements import Machine
from . import compiler_limits, compiler_messages, inputs
from .build_lock import lock_of

PROGRESS_LINE = re.compile(r"\[\s*\d+(/\d+|%)\]")
LOOKING = re.compile(r"\[0/")  # "Re-checking globbed directories", in each build
BUILD_TOOL_LINE = re.compile(r"ninja: |g?make(\[\d+\])?: |Consolidate compiler generated|Scanning dependencies")
RELATIVE = re.compile(r"(?:\.\./)+(?=(?:stages|answers|common|tests)/)")  # from the build folder, as some caches print it
STAGE_WARNING = re.compile(r"stages/[^(:]+[(:]\d+(:\d+)?\)?: warning\b")  # for nvcc, or for the host's compiler
LONGEST_MESSAGE_LINES = 60
UNUSED = re.compile(r"warning #(?:177|550)-D|\[-Wunused-")
NOT_SOLVED = "WORKBOOK_TODO("
SIMULATOR = "cudasim"  # its target
COMPILERS = "workbook-compilers.txt"  # in the build folder
MOST_TRIES = 3  # if a file is saved during its compilation


def processors() -> int:
    return len(os.sched_getaffinity(0))


def as_typed(line: str, root: Path) -> str:
    """The text with paths as a user types them at the repository's root."""
    return RELATIVE.sub("", line.replace(f"{root}{os.sep}", ""))


def failure_messages(lines: Iterable[str], root: Path) -> str:
    """The compiler's messages on the files that failed, without progress, commands and the build tool's own lines.
    Paths are as a user types them at the repository's root."""
    lines = list(lines)
    by_ninja = any(line.startswith("FAILED: ") for line in lines)
    kept: List[str] = []
    inside = not by_ninja  # make does not print the step of a line
    command_follows = False
    for line in lines:
        if line.startswith("FAILED: "):
            inside, command_follows = True, True
        elif command_follows:
            command_follows = False
        elif PROGRESS_LINE.match(line):
            inside = not by_ninja
        elif inside and not BUILD_TOOL_LINE.match(line):
            kept.append(as_typed(line, root))
    return compiler_messages.shortened("\n".join(kept), root)


def stage_warnings(lines: Iterable[str], root: Path) -> List[str]:
    """The compiler's warnings about files in stages/, each once. The compiler may repeat a warning, because nvcc
    compiles a file for the device and for the host."""
    found: List[List[str]] = []
    inside = False
    for line in lines:
        line = as_typed(line, root)
        if STAGE_WARNING.match(line):
            found.append([line])
            inside = True
        elif inside and (line[:1].isspace() or ": note: " in line):
            found[-1].append(line)
        else:
            inside = False
    said = dict.fromkeys("\n".join(warning) for warning in found)
    return ["\n".join(compiler_messages.located(each, root)) for each in said if not is_of_missing_lines(each, root)]


def is_of_missing_lines(warning: str, root: Path) -> bool:
    """Whether the warning reports an unused name in a file with missing lines. The missing lines will use it."""
    return bool(UNUSED.search(warning)) and any(NOT_SOLVED in line for line in compiler_messages.source_of(warning, root))


def what_is_built(targets: Sequence[str], steps: "str | None") -> str:
    """The text "todo_stage01 and the simulator", where one of the steps is for the simulator."""
    programs = [target for target in targets if target != SIMULATOR]
    named = programs if len(programs) <= 1 else [f"{len(programs)} programs"]
    if SIMULATOR in targets and (not programs or SIMULATOR in (steps or "")):
        named = [*named, "the simulator"]
    return " and ".join(named) or "everything"


@dataclass
class BuildFailure(Exception):
    """Some targets could not be built; the compiler's messages by target."""

    messages: Dict[str, str] = field(default_factory=dict)


class Build:
    """The build folder of one preset."""

    def __init__(self, machine: Machine, preset: str, progress: Progress):
        self.machine = machine
        self.preset = preset
        self.progress = progress
        self.folder = machine.root / "build" / preset
        self.log = self.folder / "workbook-build.log"
        self.status = 0  # of the build tool's last run
        self.warnings: List[str] = []  # of the running build, about files in stages/

    def cached(self) -> Dict[str, str]:
        """CMake's cache, by variable; empty where there is none."""
        try:
            text = (self.folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return {}
        return dict(re.findall(r"^([\w.-]+):\w+=(.*)$", text, re.MULTILINE))

    def is_stale(self, cached: Dict[str, str]) -> bool:
        """Whether the folder was configured for something that no longer exists. Then CMake must start afresh."""
        # Where CUDACXX names no nvcc, scripts/cmake/Toolkit.cmake finds one, and caches it under its own name.
        nvcc = cached.get("CMAKE_CUDA_COMPILER") or cached.get("WORKBOOK_NVCC", "")
        programs = [nvcc, *(cached.get(name, "") for name in ("CMAKE_CXX_COMPILER", "CMAKE_MAKE_PROGRAM"))]
        if not all(name and Path(name).exists() for name in programs):
            return True
        if Path(cached.get("CMAKE_HOME_DIRECTORY", "")) != self.machine.root:
            return True
        if self.machine.nvcc and Path(programs[0]).resolve() != self.machine.nvcc.path.resolve():
            return True
        return self.noted_compilers() not in ("", self.compilers())

    def compilers(self) -> str:
        """The compilers that were found, with their versions. An upgrade may keep their paths."""
        nvcc, compiler = self.machine.nvcc, self.machine.tools.get("C++ compiler")
        found = [f"{each.path} {each.version}\n" for each in (nvcc, compiler) if each]
        return "".join(found)

    def noted_compilers(self) -> str:
        """The compilers that the folder was configured with. Empty where CMake chose them."""
        try:
            return (self.folder / COMPILERS).read_text(encoding="utf-8")
        except OSError:
            return ""

    def is_configured(self) -> bool:
        written = any((self.folder / name).exists() for name in ("build.ninja", "Makefile"))
        return written and not self.is_stale(self.cached())

    @property
    def is_ninja(self) -> bool:
        return (self.folder / "build.ninja").exists()

    def ninja(self) -> List[str]:
        return [self.cached().get("CMAKE_MAKE_PROGRAM", "ninja"), "-C", str(self.folder)]

    def targets(self) -> Set[str]:
        """The names of all targets of this folder."""
        command = [self.machine.cmake, "--build", str(self.folder), "--target", "help"]
        listed = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
        return set(re.findall(r"^(?:\.\.\. )?([^\s:]+)", listed, re.MULTILINE))

    def configure(self) -> None:
        """Runs CMake. Raises with CMake's own error where it fails."""
        cached = self.cached()
        command = [self.machine.cmake, "--preset", self.preset]
        fresh = not cached or self.is_stale(cached)
        if fresh:
            # The same Python. CMake starts it seven times, and its own choice may be a script that searches for one.
            command += ["--fresh", f"-DPython3_EXECUTABLE={sys.executable}"]
            generator = Path(self.machine.tools["Ninja or make"].path)
            if not os.environ.get("CMAKE_GENERATOR") and generator.name == "ninja":
                command += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={generator}"]
            if not os.environ.get("CI"):
                # A warning that only a newer compiler knows must not stop a student.
                command.append("-DWORKBOOK_WERROR=OFF")
        self.progress.show(f"Configuring build/{self.preset}")
        answer = subprocess.run(
            command,
            cwd=self.machine.root,
            env=self.machine.environment(),
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if answer.returncode != 0:
            start = answer.stdout.find("CMake Error")
            raise WorkbookError(
                f"CMake could not configure build/{self.preset}:\n{answer.stdout[max(start, 0):].strip()}", 1
            )
        if fresh:
            write_own(self.folder / COMPILERS, self.compilers())

    def build(self, targets: Sequence[str] = ()) -> None:
        """Builds these targets, or everything, and shows the compiler's warnings about files in stages/. Raises
        BuildFailure with the compiler's messages on each failed target."""
        self.warnings = []
        messages = self.failures(targets)
        # A file with an error gets no warnings: they may follow from the error, and return after its repair.
        said = "\n".join(messages.values())
        unsaid = [text for text in self.warnings if re.match(r"[^(:]+", text)[0] not in said]
        if unsaid:
            self.progress.say(self.shorten("\n".join(dict.fromkeys(unsaid))))
        if messages:
            raise BuildFailure(messages)

    def failures(self, targets: Sequence[str]) -> Dict[str, str]:
        """Builds the targets; student files must have their present text. Returns the compiler's messages by failed
        target."""
        root, ninja = self.machine.root, self.ninja() if self.is_ninja else []
        todos = inputs.students_files(root, targets)
        for _ in range(MOST_TRIES):
            with lock_of(self.folder).for_build(self.progress.say):
                begun_ns = inputs.stamp_ns(self.folder)
                for stage in todos:
                    inputs.forget_if_changed(root, self.folder, stage)
                messages = self.failures_of_tool(targets)
                if not todos or inputs.have_settled(root, self.folder, ninja, todos, begun_ns):
                    return messages
        raise WorkbookError("A file changes all the time while it is compiled: save it, and try again", 1)

    def failures_of_tool(self, targets: Sequence[str]) -> Dict[str, str]:
        """The failures of Ninja or make, which go by the time of files."""
        message = self.run_build(targets, "Building")
        if message is None:
            return {}
        if len(targets) <= 1:
            return {(targets or ["all"])[0]: message}
        # Builds once more, one by one. The good targets are done, so each failure appears alone.
        messages: Dict[str, str] = {}
        together = message
        for index, target in enumerate(targets):
            if self.is_ninja and self.steps([target]) == "":
                continue  # it is built
            if target == targets[-1] and not messages:
                return {target: together}  # the message can be about no other target
            message = self.run_build([target], "Looking at")
            if message is None:
                continue
            messages[target] = message
            if index == 1 and messages.get(targets[0]) == message:  # a shared part is broken
                messages.update((other, message) for other in targets)
                break
        return messages

    def try_targets(self, targets: Sequence[str]) -> Dict[str, str]:
        """Builds them. Returns and shows the compiler's messages on those that fail."""
        try:
            self.build(targets)
        except BuildFailure as failure:
            for message in dict.fromkeys(failure.messages.values()):
                self.progress.say(message)
            return failure.messages
        return {}

    def steps(self, targets: Sequence[str]) -> "str | None":
        """The steps that Ninja would do, one line each. "" where all is built, None where it cannot tell."""
        # With the file's own name Ninja would first look for new files, and stop.
        command = [*self.ninja(), "-f", "/dev/stdin", "-n", *targets]
        try:
            answer = subprocess.run(command, input="include build.ninja\n", capture_output=True, text=True)
        except OSError:
            return None
        return "" if "ninja: no work to do." in answer.stdout else answer.stdout if answer.returncode == 0 else None

    def run_build(self, targets: Sequence[str], doing: str) -> "str | None":
        """Returns None where the build succeeds, else the compiler's messages. Keeps warnings about files in stages/."""
        if self.is_ninja:
            # Does not use cmake --build. An interrupt of it kills Ninja, which then cannot stop the compiler and remove
            # incomplete files.
            command = [*self.ninja(), "-j", str(processors()), "-k", "0", *targets]
        else:
            command = [self.machine.cmake, "--build", str(self.folder), "--parallel", str(processors())]
            command += [*(["--target", *targets] if targets else []), "--", "-k"]
        steps = self.steps(targets) if self.is_ninja else None
        if steps != "":
            # Shown at once: without a terminal, the next seconds show nothing more.
            self.progress.show(f"{doing} {what_is_built(targets, steps)} in build/{self.preset}")
        is_students = bool(targets and inputs.students_files(self.machine.root, targets))
        lines, stopped = self.output_of(command, is_students)
        self.warnings += stage_warnings(lines, self.machine.root)
        if not stopped and self.status == 0:
            return None
        message = self.shorten(failure_messages(lines, self.machine.root) or "\n".join(lines[-20:]))
        return "\n".join(filter(None, (message, stopped)))

    def output_of(self, command: Sequence[str], is_students: bool) -> Tuple[List[str], str]:
        """The output of the build tool, and the sentence where a limit for a student's file has stopped a compiler."""
        lines: List[str] = []
        settings = {"cwd": self.machine.root, "env": self.machine.environment(), "text": True, "errors": "replace"}
        settings.update({"preexec_fn": compiler_limits.limit_this_process} if is_students else {})
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with create(self.log) as log, subprocess.Popen(command, **settings, **streams) as process:
            silence = compiler_limits.Silence(process) if is_students else None
            try:
                for line in process.stdout:
                    log.write(line)
                    lines.append(line.rstrip("\n"))
                    if silence:
                        silence.has_output()
                    if PROGRESS_LINE.match(line) and not LOOKING.match(line):
                        self.progress.show(line.rstrip("\n"))
            except BaseException:
                process.send_signal(signal.SIGINT)  # it then ends its compilers, and removes incomplete files
                process.wait()
                raise
            finally:
                if silence:
                    silence.end()
        self.status = process.returncode
        if silence and silence.has_ended_it:
            return lines, compiler_limits.why()
        return lines, compiler_limits.advice(lines) if is_students and self.status else ""

    def shorten(self, message: str) -> str:
        lines = message.splitlines()
        if len(lines) <= LONGEST_MESSAGE_LINES:
            return message
        rest = f"... the rest is in {self.log.relative_to(self.machine.root)}"
        return "\n".join([*lines[:LONGEST_MESSAGE_LINES], rest])


def build_simulator(build: Build) -> None:
    """The simulator's library, which replaces the CUDA runtime. Configures first where necessary."""
    build_programs(build, [])


def build_programs(build: Build, programs: Sequence[str]) -> Dict[str, str]:
    """Builds these programs and the simulator together. Configures first where necessary. Returns and shows the
    compiler's messages on those that fail."""
    # Ninja itself looks for new and removed files.
    if not build.is_configured() or not (build.is_ninja or build.targets() >= set(programs)):
        build.configure()
    broken = build.try_targets([SIMULATOR, *programs])
    if SIMULATOR in broken:
        first = next((line for line in broken[SIMULATOR].splitlines() if "error" in line), "")
        raise WorkbookError(f"The simulator does not compile, whatever your file says: {first} ({build.log})", 1)
    return broken
