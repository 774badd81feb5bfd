# SPDX-License-Identifier: MIT
"""What this machine must have for a build, what it lacks, and the packages that bring it. Every check looks at the
machine itself and takes a moment, so nothing is remembered from run to run and something that was removed is
noticed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional

from ..base.errors import WorkbookError
from ..base.progress import Progress
from . import device, toolkit
from .toolkit import Nvcc, Say

OLDEST_CMAKE = (3, 25)

# Libraries by the header that shows they are there.
HEADERS = {
    "GoogleTest": "gtest/gtest.h",
    "zstd": "zstd.h",
    "nlohmann-json": "nlohmann/json.hpp",
    "CLI11": "CLI/CLI.hpp",
}
DEBIAN_PACKAGES = {
    "CMake": "cmake",
    "C++ compiler": "g++",
    "Ninja or make": "ninja-build",
    "GoogleTest": "libgtest-dev",
    "zstd": "libzstd-dev",
    "nlohmann-json": "nlohmann-json3-dev",
    "CLI11": "libcli11-dev",
    "pip": "python3-venv",
}
# Where a distribution has no package, CMake downloads these itself, to this folder of a build's _deps.
DOWNLOADED_BY_CMAKE = {"GoogleTest": "googletest-src", "nlohmann-json": "nlohmann_json-src", "CLI11": "cli11-src"}


@dataclass
class Tool:
    """One thing that is needed: where it is and what it is, or that it is missing."""

    name: str
    path: str = ""
    version: str = ""
    problem: str = ""  # empty: fine


@dataclass
class Machine:
    """All that a build needs, as found."""

    root: Path
    tools: Dict[str, Tool]
    nvcc: Optional[Nvcc]

    @property
    def missing(self) -> List[str]:
        return [tool.name for tool in self.tools.values() if tool.problem]

    @property
    def cmake(self) -> str:
        return self.tools["CMake"].path

    @property
    def ctest(self) -> str:
        return str(Path(self.cmake).with_name("ctest"))

    def environment(self) -> Dict[str, str]:
        """For CMake: the compilers that were found, by CMake's own variables."""
        changed = dict(os.environ)
        if self.nvcc is not None:
            changed["CUDACXX"] = str(self.nvcc.path)
        return changed


def version_in(command: List[str]) -> str:
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    match = re.search(r"\d+\.\d+(\.\d+)*", answer)
    return match[0] if match else ""


def find_cmake(root: Path) -> Tool:
    """CMake on PATH, or the one in .toolkit."""
    tool = Tool("CMake", problem="not installed")
    for path in (shutil.which("cmake"), str(root / ".toolkit" / "cmake" / "bin" / "cmake")):
        version = version_in([path, "--version"]) if path and os.access(path, os.X_OK) else ""
        if not version:
            continue
        if tuple(int(part) for part in version.split(".")[:2]) >= OLDEST_CMAKE:
            return Tool("CMake", path, version)
        tool = Tool("CMake", path, version, problem="older than 3.25")
    return tool


def find_compiler() -> Tool:
    for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++"):
        path = shutil.which(name) if name else None
        if path:
            return Tool("C++ compiler", path, version_in([path, "--version"]))
    return Tool("C++ compiler", problem="not installed")


def find_generator() -> Tool:
    for name in ("ninja", "make"):
        path = shutil.which(name)
        if path:
            return Tool("Ninja or make", path, version_in([path, "--version"]))
    return Tool("Ninja or make", problem="not installed")


def find_libraries(root: Path, compiler: Tool) -> List[Tool]:
    """Asks the compiler which of the headers it can see, in one call; what CMake has downloaded before counts as
    well."""
    if compiler.problem:
        return [Tool(name, problem="not known without a compiler") for name in HEADERS]
    source = "".join(f"#if __has_include(<{header}>)\nworkbook_has {header}\n#endif\n" for header in HEADERS.values())
    command = [compiler.path, "-std=c++17", "-E", "-P", "-x", "c++", "-"]
    answer = subprocess.run(command, input=source, capture_output=True, text=True, timeout=60).stdout
    seen = {line.split()[1] for line in answer.splitlines() if line.startswith("workbook_has ")}
    found = []
    for name, header in HEADERS.items():
        downloaded = (
            sorted(root.glob(f"build/*/_deps/{DOWNLOADED_BY_CMAKE[name]}")) if name in DOWNLOADED_BY_CMAKE else []
        )
        if header in seen:
            found.append(Tool(name, f"<{header}>"))
        elif downloaded:
            found.append(Tool(name, str(downloaded[0])))
        else:
            found.append(Tool(name, problem="not installed"))
    return found


def inspect(root: Path, environment: Mapping[str, str] = os.environ) -> Machine:
    compiler = find_compiler()
    tools = [find_cmake(root), compiler, find_generator(), *find_libraries(root, compiler)]
    return Machine(root, {tool.name: tool for tool in tools}, toolkit.find_nvcc(root, environment))


def choose_device(wanted: str, nvcc: Optional[Nvcc]) -> device.Choice:
    """The device for programs of this toolkit; raises where a GPU is asked for and none can be used."""
    probed = (None, "") if wanted == "simulator" else device.probe()
    try:
        return device.choose(wanted, nvcc.release if nvcc else None, probed)
    except ValueError as error:
        raise WorkbookError(f"{error}. Use --device auto or simulator") from error


def package_names(missing: List[str]) -> str:
    return " ".join(DEBIAN_PACKAGES[name] for name in missing)


def apt_prefix() -> Optional[List[str]]:
    """How apt-get is started here; None where that is impossible."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    # With nobody there to type a password, sudo must say no at once instead of waiting.
    return ["sudo"] if sys.stdin.isatty() else ["sudo", "-n"]


def install_packages(missing: List[str], say: Say) -> None:
    """Brings what is missing through apt, or names the packages and stops."""
    advice = (
        "Missing: {}.\nInstall the packages and run the command again. On Debian and Ubuntu:\n  apt-get install {}"
    ).format(", ".join(missing), package_names(missing))
    prefix = apt_prefix()
    if prefix is None:
        raise WorkbookError(advice)
    # `sudo VARIABLE=value` may be forbidden where `sudo env VARIABLE=value` is not.
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    say(
        "Missing: " + ", ".join(missing) + ". Installing the distribution's packages" + (" with sudo" if prefix else "")
    )
    run_quietly([*apt, "update"], say)  # a failure shows in the installation
    wanted = [name for name in missing if has_candidate(DEBIAN_PACKAGES[name]) or name not in DOWNLOADED_BY_CMAKE]
    if wanted and not run_quietly(
        [*apt, "install", "--yes", "--no-install-recommends", *map(DEBIAN_PACKAGES.get, wanted)], say
    ):
        raise WorkbookError(f"apt-get failed.\n{advice}")


def has_candidate(package: str) -> bool:
    answer = subprocess.run(["apt-cache", "show", package], capture_output=True, text=True)
    return answer.returncode == 0 and bool(answer.stdout.strip())


def run_quietly(command: List[str], say: Say) -> bool:
    """Shows the command, and what it is doing; the end of its output only where it failed."""
    say("  " + " ".join(command))
    progress, lines = Progress(), []
    try:
        # Standard input stays: sudo may ask for a password.
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        ) as process:
            for line in process.stdout:
                lines.append(line.rstrip())
                progress.show(f"  {line.strip()}")
    except OSError as error:
        say(str(error))
        return False
    progress.clear()
    if process.returncode != 0:
        say("\n".join(lines[-15:]))
    return process.returncode == 0


SET_UP: Dict[Path, Machine] = {}  # by its root


def set_up(root: Path, say: Say, environment: Mapping[str, str] = os.environ) -> Machine:
    """A machine with all that a build needs; installs what is missing, or raises with what to do. A process looks once:
    one that watches would look at every save."""
    if root in SET_UP:
        return SET_UP[root]
    machine = inspect(root, environment)
    missing = [name for name in machine.missing if machine.tools[name].problem != "older than 3.25"]
    parts = ["packages of the distribution"] * bool(missing) + ["NVIDIA's compiler (100 MB)"] * (machine.nvcc is None)
    if parts:
        numbered = ", ".join(f"{number}. {part}" for number, part in enumerate([*parts, "the build"], 1))
        say(f"The first run sets up what is missing, which takes some minutes: {numbered}")
    if missing:
        install_packages(missing, say)
        machine = inspect(root, environment)
    if machine.tools["CMake"].problem == "older than 3.25" or machine.nvcc is None:
        install_wheels(machine, say)
        machine = inspect(root, environment)
    left = [name for name in machine.missing if name not in DOWNLOADED_BY_CMAKE]
    if left:
        raise WorkbookError("Still missing after the installation: " + ", ".join(left))
    SET_UP[root] = machine
    return machine


def install_wheels(machine: Machine, say: Say) -> None:
    if not pip_works():
        install_packages(["pip"], say)
    if machine.tools["CMake"].problem:
        toolkit.install_cmake(machine.root, say)
    if machine.nvcc is None:
        toolkit.install_toolkit(machine.root, say)


def pip_works() -> bool:
    """pip itself, or the module that a virtual environment gets its pip from."""
    for module in ("pip", "ensurepip"):
        if subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True).returncode == 0:
            return True
    return False


def run_visibly(command: List[str], folder: Path) -> int:
    """Runs a program whose output is the user's to read; it gets no standard input, so that it cannot wait for any."""
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL).returncode


def advice(machine: Machine) -> str:
    """What to do about everything that is missing; empty when nothing is."""
    lines = []
    packages = [name for name in machine.missing if machine.tools[name].problem != "older than 3.25"]
    if packages:
        by_itself = (
            "scripts/workbook run does this by itself:"
            if apt_prefix() is not None
            else "Install what is missing. On Debian and Ubuntu:"
        )
        lines.append(f"{by_itself}\n  apt-get install {package_names(packages)}")
    if machine.tools["CMake"].problem == "older than 3.25":
        lines.append("scripts/workbook run installs a newer CMake into .toolkit, without root.")
    if machine.nvcc is None:
        lines.append("scripts/workbook run installs NVIDIA's toolkit into .toolkit, without root.")
    return "\n".join(lines)
