# SPDX-License-Identifier: MIT
"""The requirements of a build: what is missing on this machine, and the packages for it. Every check looks at the
machine itself and is quick. So no result is kept between runs, and a removed tool is noticed."""

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
TOO_OLD = "older than 3.25"
NOT_IN_A_PATH = "'\"&$;\n"

# Libraries, by a header that shows their presence.
HEADERS = {
    "GoogleTest": "gtest/gtest.h",
    "zstd": "zstd.h",
    "nlohmann-json": "nlohmann/json.hpp",
    "CLI11": "CLI/CLI.hpp",
}
DEBIAN, FEDORA, ARCH, SUSE = "apt-get install", "dnf install", "pacman -S", "zypper install"
# The required packages: for these four package managers, in this order.
PACKAGES = {
    "CMake": ("cmake", "cmake", "cmake", "cmake"),
    "C++ compiler": ("g++", "gcc-c++", "gcc", "gcc-c++"),
    "Ninja or make": ("ninja-build", "ninja-build", "ninja", "ninja"),
    "GoogleTest": ("libgtest-dev", "gtest-devel", "gtest", "gtest"),
    "zstd": ("libzstd-dev", "libzstd-devel", "zstd", "libzstd-devel"),
    "nlohmann-json": ("nlohmann-json3-dev", "json-devel", "nlohmann-json", "nlohmann_json-devel"),
    "CLI11": ("libcli11-dev", "cli11-devel", "cli11", "cli11-devel"),
    "pip": ("python3-venv", "python3-pip", "python-pip", "python3-pip"),
}
# Where a distribution has no package, CMake downloads these itself, to this folder of a build's _deps.
COME_AS_WHEELS = ("CMake", "Ninja or make")
DOWNLOADED_BY_CMAKE = {"GoogleTest": "googletest-src", "nlohmann-json": "nlohmann_json-src", "CLI11": "cli11-src"}


@dataclass
class Tool:
    """One requirement: its place and its version, or that it is missing."""

    name: str
    path: str = ""
    version: str = ""
    problem: str = ""  # empty: no problem


@dataclass
class Machine:
    """All requirements of a build, as found."""

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
        """The environment for CMake and the compilers. CMake's own variables name the found compilers. PWD is the
        root's real name, as CMake expects. Messages are in English, which editors and this module read."""
        changed = {**os.environ, "PWD": str(self.root)}
        if "LC_ALL" in changed:  # it has priority over LC_MESSAGES
            changed["LANG"] = changed.pop("LC_ALL")
        changed["LC_MESSAGES"] = "C"
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
        tool = Tool("CMake", path, version, problem=TOO_OLD)
    return tool


def find_compiler() -> Tool:
    """The C++ compiler. nvcc starts gcc by that name, unless an option names another one."""
    has_gcc = shutil.which("gcc") or os.environ.get("CUDAHOSTCXX") or os.environ.get("NVCC_CCBIN")
    problem = "" if has_gcc else "nvcc needs g++ beside it"
    for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++"):
        path = shutil.which(name) if name else None
        if path:
            return Tool("C++ compiler", path, version_in([path, "--version"]), problem)
    return Tool("C++ compiler", problem="not installed")


def find_generator(root: Path) -> Tool:
    """Ninja or make on PATH, or the Ninja in .toolkit."""
    for path in (shutil.which("ninja"), shutil.which("make"), str(root / ".toolkit" / "ninja" / "bin" / "ninja")):
        if path and os.access(path, os.X_OK):
            return Tool("Ninja or make", path, version_in([path, "--version"]))
    return Tool("Ninja or make", problem="not installed")


def find_libraries(root: Path, compiler: Tool) -> List[Tool]:
    """Asks the compiler which of the headers it can see, in one call. Earlier downloads of CMake count as well."""
    if not compiler.path:
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
    tools = [find_cmake(root), compiler, find_generator(root), *find_libraries(root, compiler)]
    return Machine(root, {tool.name: tool for tool in tools}, toolkit.find_nvcc(root, environment))


def choose_device(wanted: str, nvcc: Optional[Nvcc]) -> device.Choice:
    """The device for programs of this toolkit. Raises where a GPU is wanted and none can be used."""
    probed = (None, "") if wanted == "simulator" else device.probe()
    try:
        return device.choose(wanted, nvcc.release if nvcc else None, probed)
    except ValueError as error:
        raise WorkbookError(f"{error}. Use --device auto or simulator") from error


def package_names(missing: List[str], manager: str = DEBIAN) -> str:
    names = [PACKAGES[name][(DEBIAN, FEDORA, ARCH, SUSE).index(manager)] for name in missing]
    return " ".join(dict.fromkeys(names))


def command_for(missing: List[str]) -> str:
    """The command that installs them with this machine's package manager. Elsewhere, it has Debian's names."""
    known = (DEBIAN, FEDORA, ARCH, SUSE)
    manager = next((each for each in known if shutil.which(each.split()[0])), DEBIAN)
    return f"{manager} {package_names(missing, manager)}"


def apt_prefix() -> Optional[List[str]]:
    """The command that starts apt-get here. None where that is impossible."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    # Without a user to type a password, sudo must fail at once and not wait.
    return ["sudo"] if sys.stdin.isatty() else ["sudo", "-n"]


def install_packages(missing: List[str], say: Say) -> None:
    """Installs missing packages through apt. Where that does not work, names the packages and stops. It does not stop
    for packages that come without root: CMake's downloads, and wheels."""
    needed = [name for name in missing if name not in DOWNLOADED_BY_CMAKE and name not in COME_AS_WHEELS]
    prefix = apt_prefix()
    if prefix is None:
        if needed:
            message = "Missing: {}.\nInstall the packages and run the command again:\n  {}"
            raise WorkbookError(message.format(", ".join(missing), command_for(missing)))
        return
    # `sudo VARIABLE=value` may be forbidden where `sudo env VARIABLE=value` is not.
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    say(
        "Missing: " + ", ".join(missing) + ". Installing the distribution's packages" + (" with sudo" if prefix else "")
    )
    run_quietly([*apt, "update"], say)  # a failure shows in the installation
    wanted = [name for name in missing if has_candidate(package_names([name])) or name not in DOWNLOADED_BY_CMAKE]
    words = [*apt, "install", "--yes", "--no-install-recommends", *package_names(wanted).split()]
    if wanted and not run_quietly(words, say) and needed:
        message = "apt-get failed.\nMissing: {}.\nInstall the packages and run the command again:\n  {}"
        raise WorkbookError(message.format(", ".join(missing), command_for(missing)))


def has_candidate(package: str) -> bool:
    answer = subprocess.run(["apt-cache", "show", package], capture_output=True, text=True)
    return answer.returncode == 0 and bool(answer.stdout.strip())


def run_quietly(command: List[str], say: Say) -> bool:
    """Shows the command and its progress. Shows the end of its output only where it failed."""
    say("  " + " ".join(command))
    progress, lines = Progress(), []
    try:
        # Standard input stays, because sudo may ask for a password.
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
    """A machine with all requirements of a build. Installs missing ones, or raises with the next step. A process checks
    once, because `watch` would check at every save."""
    if root in SET_UP:
        return SET_UP[root]
    if path_problem(root):
        raise WorkbookError(path_problem(root))
    machine = inspect(root, environment)
    missing = [name for name in machine.missing if machine.tools[name].problem != TOO_OLD]
    parts = ["packages of the distribution"] * bool(missing) + ["NVIDIA's compiler (100 MB)"] * (machine.nvcc is None)
    if parts:
        numbered = ", ".join(f"{number}. {part}" for number, part in enumerate([*parts, "the build"], 1))
        say(f"The first run sets up what is missing, which takes some minutes: {numbered}")
    if missing:
        install_packages(missing, say)
        machine = inspect(root, environment)
    if machine.nvcc is None or any(name in COME_AS_WHEELS for name in machine.missing):
        install_wheels(machine, say)
        machine = inspect(root, environment)
    left = [name for name in machine.missing if name not in DOWNLOADED_BY_CMAKE]
    if left:
        raise WorkbookError("Still missing after the installation: " + ", ".join(left))
    if toolkit.glibc_problem(machine.nvcc):
        say(toolkit.glibc_problem(machine.nvcc))
    SET_UP[root] = machine
    return machine


def path_problem(root: Path) -> str:
    """Why a build is impossible here. Empty where it is possible. In the file lists of Ninja and compilers, these
    characters have another meaning."""
    found = next((character for character in NOT_IN_A_PATH if character in str(root)), "")
    shown = "a line break" if found == "\n" else found
    return f"The path of this folder has {shown} in it, with which compilers do not work: move it to another place" if found else ""


def install_wheels(machine: Machine, say: Say) -> None:
    if not pip_works():
        install_packages(["pip"], say)
    if machine.tools["CMake"].problem:
        toolkit.install_cmake(machine.root, say)
    if machine.tools["Ninja or make"].problem:
        toolkit.install_ninja(machine.root, say)
    if machine.nvcc is None:
        toolkit.install_toolkit(machine.root, say)


def pip_works() -> bool:
    """Whether pip works: pip itself, or the module that gives a virtual environment its pip."""
    for module in ("pip", "ensurepip"):
        if subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True).returncode == 0:
            return True
    return False


def run_visibly(command: List[str], folder: Path) -> int:
    """Runs a program whose output is for the user. It gets no standard input, so that it cannot wait for any."""
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL).returncode


def advice(machine: Machine) -> str:
    """Advice on all missing requirements. Empty when there are none."""
    lines = []
    packages = [name for name in machine.missing if machine.tools[name].problem != TOO_OLD]
    if packages:
        by_itself = "scripts/workbook run does this by itself:" if apt_prefix() is not None else "Install what is missing:"
        lines.append(f"{by_itself}\n  {command_for(packages)}")
    wheels = [name for name, where in (("a newer CMake", "CMake"), ("Ninja", "Ninja or make")) if machine.tools[where].problem]
    wheels += ["NVIDIA's toolkit"] if machine.nvcc is None else []
    if wheels:
        lines.append(f"scripts/workbook run installs {' and '.join(wheels)} into .toolkit, without root.")
    return "\n".join(lines)
