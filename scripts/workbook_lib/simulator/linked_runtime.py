# SPDX-License-Identifier: MIT
"""Programs with the CUDA runtime linked into them, which is nvcc's default. The simulator takes the place of such a
runtime, where the program still has its symbols (common/simulator/linked_runtime)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Dict, Mapping, Optional

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
    if not (folder / PRELOADED).exists() or needs_shared(word):
        return {}
    return {"LD_PRELOAD": ":".join(filter(None, (PRELOADED, base.get("LD_PRELOAD"))))}


def needs_shared(word: str) -> bool:
    path = shutil.which(word)
    try:
        return path is not None and any(name.startswith("libcudart.so.") for name in elf.read(Path(path)).needed)
    except (elf.ElfError, OSError, ValueError):
        return False
