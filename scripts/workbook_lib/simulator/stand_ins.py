# SPDX-License-Identifier: MIT
"""The simulator's stand-ins for NVIDIA's libraries of machine code: which of them a program needs, and which functions
they have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, List, Mapping, Optional, Tuple

from . import elf
from .elf import Elf


@dataclass(frozen=True)
class StandIn:
    prefix: str  # of the file after "lib", and of all functions
    target: str  # of the build

    def file_in(self, names: Iterable[str]) -> Optional[str]:
        """The library's name among those that a program needs: "libcublas.so.13"."""
        return next((name for name in names if name.startswith(f"lib{self.prefix}.so.")), None)


STAND_INS = (StandIn("cublas", "cudasim_blas"), StandIn("curand", "cudasim_rand"))
LINKED_RUNTIME = StandIn("cudart", "cudasim_linked_runtime")  # for a runtime that is linked into the program


def needed(names: Iterable[str]) -> List[Tuple[StandIn, str]]:
    """Those for these libraries, each with its file."""
    names = list(names)
    found = ((stand_in, stand_in.file_in(names)) for stand_in in STAND_INS)
    return [(stand_in, file) for stand_in, file in found if file]


def of_packages(program: Path, major: str) -> List[str]:
    """The libraries that CuPy opens, where it is installed beside this Python."""
    is_there = any(program.parent.parent.glob("lib/python3*/site-packages/cupy"))
    return [f"libcublas.so.{major}", "libcurand.so.10"] if is_there else []


def missing_function(path: Path, headers: Elf, prefix: str, libraries: Mapping[str, str], folder: Path) -> Optional[str]:
    """A function of the library that this file calls, and the stand-in lacks. "" where it has all that are called; None
    where there is no stand-in, or another library would be loaded."""
    stand_in = next((each for each in STAND_INS if each.prefix == prefix), None)
    file = stand_in.file_in(headers.needed) if stand_in else None
    own = folder / file if file else None
    if own is None or not own.exists() or not libraries.get(file) or not own.samefile(libraries[file]):
        return None
    called = {name for name in elf.symbols(path, headers, defined=False) if name.startswith(prefix)}
    return min(called - elf.symbols(own, elf.read(own), defined=True), default="")
