# SPDX-License-Identifier: MIT
"""Programs with the CUDA runtime linked into them, which is nvcc's default. The simulator takes the place of such a
runtime, where the program still has its symbols (common/simulator/linked_runtime)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Optional

from . import elf
from .elf import Elf

PRELOADED = "libcudasim_linked_runtime.so"  # beside the simulator's runtime

# Calls that have come and gone with a major version, as the preloaded library knows them.
REGISTERS, UNTIL_12, SINCE_12 = b"__cudaRegisterFatBinary\0", b"cudaThreadExit\0", b"cudaGetDeviceProperties_v2\0"


def major_version(path: Path, headers: Elf) -> Optional[int]:
    """The major version of CUDA of a runtime that is linked into the program. None: its symbols show none."""
    names = elf.section(path, headers, ".strtab")
    if REGISTERS not in names:
        return None
    if UNTIL_12 not in names:
        return 13
    return 12 if SINCE_12 in names else 11


def environment(word: str, folder: Path, base: Mapping[str, str] = os.environ) -> Dict[str, str]:
    """What hands the calls of a linked runtime over to the simulator in `folder`, which LD_LIBRARY_PATH has, too. It is
    for the program and all that it starts. A program with the shared runtime needs it not."""
    needed = libraries(word)
    if not (folder / PRELOADED).exists() or has_shared(needed):
        return {}
    first = [name for name in needed if name.startswith("libasan.so.")]  # which refuses to come later
    return {"LD_PRELOAD": ":".join(filter(None, (*first, PRELOADED, base.get("LD_PRELOAD"))))}


def has_shared(names: Iterable[str]) -> bool:
    """Whether the shared runtime is among these libraries."""
    return any(name.startswith("libcudart.so.") for name in names)


def libraries(word: str) -> List[str]:
    """Those that the program names, as far as it can be read."""
    path = shutil.which(word)
    try:
        return elf.read(Path(path)).needed if path is not None else []
    except (elf.ElfError, OSError, ValueError):
        return []
