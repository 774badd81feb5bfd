# SPDX-License-Identifier: MIT
"""Finds nvcc as the build does. Where there is none, installs NVIDIA's own wheels of the toolkit into .toolkit. No
installation is ever incomplete: pip fills a folder of its own, which gets its final name in one step after all checks."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, List, Mapping, Optional, Tuple

from ..base import scratch
from ..base.errors import WorkbookError

SUPPORTED_MAJORS = (12, 13)

# The packages with their digests: pip takes nothing else.
TOOLKIT_WHEELS, NEWER_TOOLKIT_WHEELS, CMAKE_WHEELS, NINJA_WHEELS = (
    Path(__file__).with_name(f"{name}_requirements.txt") for name in ("toolkit", "newer_toolkit", "cmake", "ninja")
)
NEWER_GLIBC, NEWER_CUDA = (2, 42), (13, 2)  # such a C library takes such a toolkit
STAMP = "workbook-packages.txt"  # the list that a folder in .toolkit was installed from

Say = Callable[[str], None]


@dataclass(frozen=True)
class Nvcc:
    path: Path
    version: str  # 13.0.88
    origin: str  # the way in which it was found

    @property
    def release(self) -> Tuple[int, int]:
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)

    @property
    def supported(self) -> bool:
        return self.release[0] in SUPPORTED_MAJORS


def ask_nvcc(path: Path, origin: str) -> Optional[Nvcc]:
    """The version of the nvcc at this path. None where there is none or it does not run."""
    try:
        answer = subprocess.run([str(path), "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"release (\d+\.\d+), V(\d+\.\d+\.\d+)", answer.stdout)
    return Nvcc(path, match[2], origin) if match and answer.returncode == 0 else None


def toolkit_folder(root: Path) -> Path:
    return root / ".toolkit" / "cuda"


def glibc() -> Tuple[int, int]:
    """The version of this system's C library. (0, 0): another library."""
    try:
        found = re.search(r"glibc (\d+)\.(\d+)", os.confstr("CS_GNU_LIBC_VERSION") or "")
    except (ValueError, OSError):
        found = None
    return (int(found[1]), int(found[2])) if found else (0, 0)


def glibc_problem(nvcc: Optional[Nvcc]) -> str:
    """Why this compiler does not work with this system's C library. Empty where it works. Headers of CUDA before 13.2
    and headers of glibc 2.42 have different declarations of rsqrt()."""
    if nvcc is None or glibc() < NEWER_GLIBC or nvcc.release >= NEWER_CUDA:
        return ""
    return (
        f"CUDA {nvcc.version} may not compile anything beside glibc {glibc()[0]}.{glibc()[1]}: from 2.42 on it takes CUDA 13.2 or "
        "newer. Install one (https://developer.nvidia.com/cuda-downloads) and name its nvcc by CUDACXX"
    )


def toolkit_wheels() -> Path:
    """The toolkit for this system's C library."""
    return NEWER_TOOLKIT_WHEELS if glibc() >= NEWER_GLIBC else TOOLKIT_WHEELS


def candidates(root: Path, environment: Mapping[str, str]) -> List[Tuple[Path, str]]:
    """The possible places of an nvcc, best first: the order of scripts/cmake/Toolkit.cmake."""
    places = []
    on_path = shutil.which("nvcc", path=environment.get("PATH"))
    if on_path:
        places.append((Path(on_path), "PATH"))
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if environment.get(variable):
            places.append((Path(environment[variable]) / "bin" / "nvcc", variable))
    places += [(Path(folder) / "bin" / "nvcc", folder) for folder in ("/usr/local/cuda", "/opt/cuda")]
    places.append((toolkit_folder(root) / "bin" / "nvcc", "installed by scripts/workbook"))
    return places


def find_nvcc(root: Path, environment: Mapping[str, str] = os.environ) -> Optional[Nvcc]:
    """The nvcc for the build, or None. CUDACXX must be used: if it does not work, that is an error."""
    ordered = environment.get("CUDACXX")
    if ordered:
        path = shutil.which(ordered, path=environment.get("PATH"))
        nvcc = ask_nvcc(Path(path), "CUDACXX") if path else None
        if nvcc is None:
            raise WorkbookError(f"CUDACXX names '{ordered}', which is no nvcc that runs")
        if not nvcc.supported:
            raise WorkbookError(f"CUDACXX names CUDA {nvcc.version}; the workbook needs CUDA 12 or 13")
        return nvcc
    for path, origin in candidates(root, environment):
        nvcc = ask_nvcc(path, origin)
        if nvcc is not None and nvcc.supported and not glibc_problem(nvcc):
            return nvcc
    return None


def complete_links(cuda: Path) -> None:
    """Adds the names that the wheels lack: the folder name lib64, and library names without a version, which linkers
    look for."""
    if not (cuda / "lib64").exists():
        (cuda / "lib64").symlink_to("lib")
    for library in sorted((cuda / "lib").glob("lib*.so.*")):
        plain = library.with_name(library.name.split(".so.")[0] + ".so")
        if not plain.exists():
            plain.symlink_to(library.name)


def install_toolkit(root: Path, say: Say) -> Nvcc:
    """Installs the wheels into .toolkit/cuda, without root. A second call changes nothing, even at the same time."""
    target = toolkit_folder(root)
    say(
        "No nvcc of CUDA 12 or 13 that works here is installed. Installing NVIDIA's toolkit into .toolkit "
        "(100 MB to download, no root needed)"
    )
    with staging(root) as folder:
        pip_install(toolkit_wheels(), folder, say)
        cuda = folder / "nvidia" / "cu13"
        complete_links(cuda)
        needed = (
            "bin/nvcc",
            "bin/ptxas",
            "nvvm/bin/cicc",
            "include/cuda_runtime.h",
            "lib64/libcudart.so",
            "include/cccl",
        )
        missing = [name for name in needed if not (cuda / name).exists()]
        if missing or ask_nvcc(cuda / "bin" / "nvcc", "") is None:
            raise WorkbookError(
                f"NVIDIA's wheels did not give a working toolkit ({', '.join(missing) or 'nvcc does not run'})"
            )
        put_in_place(cuda, target, toolkit_wheels())
    nvcc = ask_nvcc(target / "bin" / "nvcc", "installed by scripts/workbook")
    if nvcc is None:
        raise WorkbookError(f"{target}/bin/nvcc does not run")
    return nvcc


def install_cmake(root: Path, say: Say) -> Path:
    """Installs CMake from the Python package index, for distributions whose own is too old."""
    target = root / ".toolkit" / "cmake"
    say("There is no CMake, or one older than 3.25. Installing a newer one into .toolkit")
    with staging(root) as folder:
        pip_install(CMAKE_WHEELS, folder, say)
        put_in_place(folder / "cmake" / "data", target, CMAKE_WHEELS)
    return target / "bin" / "cmake"


def install_ninja(root: Path, say: Say) -> Path:
    """Installs Ninja from the Python package index, for systems with neither Ninja nor make."""
    target = root / ".toolkit" / "ninja"
    say("There is neither Ninja nor make. Installing Ninja into .toolkit")
    with staging(root) as folder:
        packages = folder / "packages"
        pip_install(NINJA_WHEELS, packages, say)
        put_in_place(packages, target, NINJA_WHEELS)
    return target / "bin" / "ninja"


@contextlib.contextmanager
def staging(root: Path) -> Iterator[Path]:
    """A folder beside the final one, always removed afterwards. Also removes the folders of killed runs."""
    place = root / ".toolkit"
    place.mkdir(exist_ok=True)
    scratch.sweep(place, "partial")
    folder = Path(tempfile.mkdtemp(prefix=f"partial-{os.getpid()}-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put_in_place(finished: Path, target: Path, requirements: Path) -> None:
    shutil.copyfile(requirements, finished / STAMP)
    if target.exists():
        # It is damaged, otherwise this would not run. It is renamed first, so that no run sees a part of it.
        target.rename(finished.parent / "replaced")
    finished.rename(target)


def pip_install(requirements: Path, folder: Path, say: Say) -> None:
    """Installs exactly the files with the listed digests."""
    command = [*pip_command(folder), "install", "--no-deps", "--require-hashes", "--only-binary=:all:", "--no-compile"]
    command += ["--disable-pip-version-check", "--target", str(folder), "-r", str(requirements)]
    say(f"  pip install --target .toolkit/... -r {requirements.name}")
    try:
        # Shows pip's own progress, but not in output that may be a command's JSON. Its own folder needs no virtual
        # environment.
        own = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_ROOT_USER_ACTION": "ignore"}
        status = subprocess.run(command, env={**os.environ, **own}, stdout=sys.stderr.fileno()).returncode
    except OSError as error:
        raise WorkbookError(f"pip could not be started: {error}") from error
    if status != 0:
        raise WorkbookError(
            f"pip could not install what {requirements} lists (its message is above). Nothing was left behind; run the "
            "command again, or install CUDA 12 or 13 yourself: https://developer.nvidia.com/cuda-downloads"
        )


def pip_command(folder: Path) -> List[str]:
    """A pip that runs: the interpreter's own, or that of a virtual environment for this one installation."""
    own = [sys.executable, "-m", "pip"]
    if subprocess.run([*own, "--version"], capture_output=True).returncode == 0:
        return own
    made = subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], capture_output=True)
    if made.returncode == 0:
        return [str(folder / "venv" / "bin" / "python"), "-m", "pip"]
    raise WorkbookError("Python has neither pip nor a working venv. Debian and Ubuntu: apt-get install python3-venv")
