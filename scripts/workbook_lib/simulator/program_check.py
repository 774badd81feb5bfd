# SPDX-License-Identifier: MIT
"""Checks a program before its start. Some programs would run without the simulator and print no message. The causes are
a linked CUDA runtime without symbols, another CUDA version, a search path with priority, or device code without PTX. The
program's own loader gives the libraries."""

from __future__ import annotations

import mmap
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Tuple

from . import elf, fat_binary, linked_runtime, stand_ins, vocabulary
from .elf import Elf, ElfError

DRIVER = "libcuda.so.1"  # beside the runtime in the simulator's folder
RUNTIME = re.compile(r"libcudart\.so\.(\S+)")
STATIC_RUNTIME_MARK = b"cudaErrorCudartUnloading\0"  # a text that NVIDIA's static library has, stripped or not

# NVIDIA's libraries of machine code: the beginnings of their file names (after "lib") and of their functions' names.
MACHINE_CODE = {
    "cublas": "cuBLAS", "cudnn": "cuDNN", "cufft": "cuFFT", "curand": "cuRAND's host functions", "cusolver": "cuSOLVER",
    "cusparse": "cuSPARSE", "nccl": "NCCL", "npp": "NPP", "nvjpeg": "nvJPEG",
}  # fmt: skip

WITH_PTX = "compile with nvcc -gencode arch=compute_75,code=compute_75 (or -arch=compute_75)"


@dataclass(frozen=True)
class Problem:
    """The reason why a program cannot be simulated, and the next step: one line each."""

    what: str
    fix: str


def find_program(word: str) -> Optional[Path]:
    """The file that a shell would start."""
    found = shutil.which(word)
    return Path(found).absolute() if found else None


def check(word: str, simulator: Path, environment: Mapping[str, str]) -> Optional[Problem]:
    """The first reason why this program cannot run on the simulator, a library that `environment` selects. None means
    that it can, or that the file does not show it (a script, or a program that loads CUDA later)."""
    path = find_program(word)
    if path is None:
        return not_startable(word)
    try:
        if not elf.is_elf(path):
            return script_problem(path)
        headers = elf.read(path)
    except (ElfError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return Problem(f"{path.name} cannot be started: {reason}", "build the program again, on this machine")
    return (
        machine_problem(path, headers)
        or privilege_problem(path)
        or (library_problem(path, headers, simulator, environment) if headers.interpreter else None)
        or linked_problem(path, headers, simulator, environment)
    )


SOURCES = (".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c")


def source_problem(path: Path) -> Problem:
    name = path.with_suffix("").name
    return Problem(
        f"{path} is source text, and no program",
        f"compile it: nvcc -arch=compute_75 -lineinfo {path} -o {name}, and then scripts/simulate -- ./{name}",
    )


def not_startable(word: str) -> Problem:
    path = Path(word)
    if path.is_file() and path.suffix in SOURCES:
        return source_problem(path)
    if "/" not in word:
        here = " (the folder you are in is not on PATH)" if path.exists() else ""
        return Problem(f"there is no program '{word}' on PATH{here}", f"write ./{word} for the one in this folder")
    if path.is_dir():
        return Problem(f"{word} is a folder", "name the program in it")
    if path.exists():
        return Problem(f"{word} is not executable", f"chmod +x {word}")
    return Problem(f"there is no program {word}", "build it first, or check the path")


def script_problem(path: Path) -> Optional[Problem]:
    with path.open("rb") as file:
        if file.read(2) == b"#!":
            return None
    if path.suffix in SOURCES:
        return source_problem(path)
    return Problem(f"{path.name} is neither a program (ELF) nor a script that begins with #!", "build it with nvcc")


def machine_problem(path: Path, headers: Elf) -> Optional[Problem]:
    if headers.machine == elf.MACHINES.get(platform.machine(), headers.machine):
        return None
    names = {number: name for name, number in elf.MACHINES.items()}
    other = names.get(headers.machine, f"machine number {headers.machine}")
    return Problem(
        f"{path.name} is for another processor ({other}; this machine is {platform.machine()})",
        "build it on this machine",
    )


def privilege_problem(path: Path) -> Optional[Problem]:
    """The loader ignores LD_LIBRARY_PATH for a program that runs with other rights than its user's."""
    status = path.stat()
    changes_user = status.st_mode & 0o4000 and status.st_uid != os.getuid()
    changes_group = status.st_mode & 0o2000 and status.st_gid != os.getgid()
    if not (changes_user or changes_group):
        return None
    return Problem(
        f"{path.name} is setuid or setgid: the loader ignores LD_LIBRARY_PATH for it, and so the simulator",
        f"run a copy: cp {path} /tmp/copy",
    )


def linked_problem(path: Path, headers: Elf, simulator: Path, environment: Mapping[str, str]) -> Optional[Problem]:
    """Of a program with the CUDA runtime linked into it. Call it only where the loader finds no runtime among the
    libraries."""
    if any(map(RUNTIME.fullmatch, headers.needed)):
        return None
    if not fat_binary.device_code(path, headers) and not contains(path, STATIC_RUNTIME_MARK):
        return None  # not a CUDA program itself; a program that it starts or loads later may be one
    shared = "link with nvcc -cudart shared (CMake: the target property CUDA_RUNTIME_LIBRARY Shared)"
    linked = f"{path.name} has the CUDA runtime linked into it (nvcc's default)"
    version = linked_runtime.major_version(path, headers)
    if not headers.interpreter:
        return Problem(f"{linked}, and all other libraries, too: nothing can take their place", f"leave -static out, or {shared}")
    if version is None:
        why = f"{linked}, and no symbols by which the simulator could take its place"
        return Problem(why, f"build it without -s and do not strip it, or {shared}")
    if not RUNTIME.fullmatch(simulator.name)[1].startswith(str(version)):
        return version_problem(path, version, "its linked runtime has the calls of that version", simulator)
    if not simulator.with_name(linked_runtime.PRELOADED).exists():
        return Problem(f"{linked}, of which this simulator does not know yet", "cmake --build build/default --target cudasim_linked_runtime builds what it lacks")
    return device_code_problem([(path, headers)], capability(environment))


def contains(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(mark) >= 0


def ask_loader(path: Path, headers: Elf, environment: Mapping[str, str]) -> Dict[str, str]:
    """The libraries that the program would load, and their places. If one is missing, only the first such library,
    without a place."""
    command = [headers.interpreter, "--list", str(path)]
    try:
        answer = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", timeout=60)
    except (OSError, subprocess.SubprocessError):
        return {}  # another C library's loader; the run itself will show whether it uses the simulator
    missing = re.search(r"error while loading shared libraries: (\S+): ", answer.stderr)
    if missing:
        return {missing[1]: ""}
    return dict(re.findall(r"^\s*(\S+) => (/.*) \(0x[0-9a-f]+\)$", answer.stdout, re.MULTILINE))


def library_problem(
    path: Path, headers: Elf, simulator: Path, environment: Mapping[str, str]
) -> Optional[Problem]:
    libraries = ask_loader(path, headers, environment)
    runtimes = {name: place for name, place in libraries.items() if RUNTIME.fullmatch(name)}
    for name in runtimes:
        if name != simulator.name:
            return version_problem(path, RUNTIME.fullmatch(name)[1].split(".")[0], f"it needs {name}", simulator)
    for name, place in runtimes.items():
        if not place or not simulator.samefile(place):
            return search_path_problem(path, headers, place)
    if "" in libraries.values():
        return machine_code_problem([(path, headers)], {}, simulator) or missing_problem(path, next(iter(libraries)))
    for name, place in libraries.items():
        if name == DRIVER and not simulator.with_name(DRIVER).samefile(place):
            return search_path_problem(path, headers, place)
    objects = [(path, headers), *readable(libraries)]
    return machine_code_problem(objects, libraries, simulator) or (
        device_code_problem(objects, capability(environment)) if runtimes else None
    )


def machine_code_problem(
    objects: List[Tuple[Path, Elf]], libraries: Mapping[str, str], simulator: Path
) -> Optional[Problem]:
    """A call of a library without PTX that the simulator has no stand-in for. A linked library without calls is
    harmless."""
    own = tuple(f"lib{prefix}" for prefix in MACHINE_CODE)  # they call each other
    for path, headers in objects:
        if path.name.startswith(own):
            continue
        for prefix, library in MACHINE_CODE.items():
            file = next((name for name in headers.needed if name.startswith(f"lib{prefix}")), None)
            if not file or not contains(path, b"\0" + prefix.encode()):
                continue
            lacking = stand_ins.missing_function(path, headers, prefix, libraries, simulator.parent)
            if lacking:
                return Problem(
                    f"{path.name} calls {lacking} of {library} ({file}), which the simulator does not have",
                    "call another one (common/simulator/DIFFERENCES.md lists those that it has); on a GPU it runs as it is",
                )
            if lacking is None:
                return Problem(
                    f"{path.name} calls {library} ({file}), whose kernels are machine code: the simulator runs PTX",
                    "call a kernel of your own, or of CUB or Thrust, which come as source; on a GPU it runs as it is",
                )
    return None


def version_problem(path: Path, wanted: object, why: str, simulator: Path) -> Problem:
    own = RUNTIME.fullmatch(simulator.name)[1]
    return Problem(
        f"{path.name} was built with CUDA {wanted} ({why}), and the simulator was built for CUDA {own}",
        f"build the program with the nvcc of CUDA {own}, or the simulator with that of CUDA {wanted} "
        "(CUDACXX=/path/to/nvcc scripts/workbook run 1)",
    )


def search_path_problem(path: Path, headers: Elf, place: str) -> Problem:
    cause = "its RPATH" if headers.rpath else "LD_PRELOAD or a library's RPATH"
    return Problem(
        f"{path.name} would load {place or 'no CUDA runtime at all'}: {cause} goes before LD_LIBRARY_PATH, "
        "which selects the simulator",
        f"patchelf --remove-rpath {path}, or link with -Xlinker --enable-new-dtags (a RUNPATH does no harm)",
    )


def missing_problem(path: Path, name: str) -> Problem:
    if name == DRIVER:
        return Problem(
            f"{path.name} uses the CUDA driver library ({name}), which this simulator does not have yet",
            "scripts/workbook run 1 builds it again",
        )
    return Problem(f"{path.name} needs {name}, which was not found", "add its folder to LD_LIBRARY_PATH")


def readable(libraries: Mapping[str, str]) -> List[Tuple[Path, Elf]]:
    found = []
    for place in libraries.values():
        try:
            found.append((Path(place), elf.read(Path(place))))
        except (ElfError, OSError):
            continue
    return found


def capability(environment: Mapping[str, str]) -> int:
    """That of the GPU which CUDASIM_GPU names, or of the default."""
    default = next(iter(vocabulary.GPUS.values()))
    return vocabulary.GPUS.get(environment.get("CUDASIM_GPU", ""), default)


def device_code_problem(objects: List[Tuple[Path, Elf]], simulated: int) -> Optional[Problem]:
    """Device code that cannot be simulated. One file with PTX is enough, because the others may not be used."""
    blamed: Optional[Path] = None
    too_new = 0
    for path, headers in objects:
        for entry in fat_binary.device_code(path, headers):
            if entry.kind == fat_binary.PTX and entry.arch <= simulated:
                return None
            if entry.kind == fat_binary.CUBIN and entry.arch <= simulated:
                return None  # machine code may hold its PTX, and it is compressed: the simulator looks for it
            blamed = blamed or path
            too_new = max(too_new, entry.arch if entry.kind == fat_binary.PTX else 0)
    if blamed is None:
        return None
    if too_new:
        return Problem(f"the PTX in {blamed.name} is for compute_{too_new}, newer than the simulated GPU", WITH_PTX)
    return Problem(f"{blamed.name} holds machine code for GPUs only, no PTX for the simulator to run", WITH_PTX)
