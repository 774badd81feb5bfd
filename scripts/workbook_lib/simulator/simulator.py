# SPDX-License-Identifier: MIT
"""The simulator's interface to programs: the library that replaces the CUDA runtime, and its environment variables
(common/simulator/runtime/base/settings.h)."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence

from ..base.options import nearest
from . import linked_runtime, vocabulary

CHECKS = [check.word for check in vocabulary.CHECKS]  # what --check takes
KNOWN_CHECKS = vocabulary.listed(",")  # the same, for help texts
ON_REQUEST = {check.word for check in vocabulary.CHECKS if check.asked == "on_request"}

# The settings of glibc's memory for a simulated program: huge pages where the system has them, large steps, and a late
# return. Its blocks come and go with each launch, and each new page of 4 KiB costs the host a page fault.
KEPT_MEMORY = {"hugetlb": 1, "mmap_threshold": 32 << 20, "trim_threshold": 1 << 30, "top_pad": 16 << 20}


@dataclass(frozen=True)
class Schedule:
    """The order of blocks and warps, on one core. The same seed gives the same run."""

    order: str
    seed: int

    def environment(self) -> Dict[str, str]:
        return {"CUDASIM_SCHEDULE": self.order, "CUDASIM_SEED": str(self.seed)}


def checks(text: str) -> str:
    """The value of CUDASIM_CHECK for an option's value. Lists the words where one is not known."""
    given = [word.strip() for word in text.split(",")]
    if given == ["none"]:
        return given[0]
    others = given[1:] if given[0] == "all" and ON_REQUEST.issuperset(given[1:]) else given
    unknown = [word for word in others if word not in CHECKS]
    if unknown:
        known = f"give all, none, or some of {KNOWN_CHECKS}{nearest(unknown[0], ['all', 'none', *CHECKS])}"
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is no check: {known}")
    return ",".join(dict.fromkeys(given))


def add_gpu(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--gpu", choices=vocabulary.GPUS, metavar="NAME", help=f"simulate the limits of this GPU: {', '.join(vocabulary.GPUS)}"
    )


def of_gpu(word: Optional[str]) -> Dict[str, str]:
    """The setting for the value of --gpu."""
    return {} if word is None else {"CUDASIM_GPU": word}


def find_libraries(root: Path) -> List[Path]:
    """The simulators in this checkout, the usual one first."""
    found = [path for path in root.glob("build/*/simulator/libcudart.so.*") if path.suffix[1:].isdigit()]
    plain = [path for path in found if path.parts[-3] != "asan"]  # it starts only with its sanitizer preloaded
    return sorted(plain, key=lambda path: (path.parts[-3] != "default", path))


def choose_library(libraries: Sequence[Path], needed: Sequence[str]) -> Optional[Path]:
    """The simulator whose name is among those that a program needs, else the first."""
    fitting = [path for path in libraries if path.name in needed]
    return (fitting or list(libraries) or [None])[0]


def of_any_program(
    word: str, folder: Path, report: str, checked: str = "none", schedule: Optional[Schedule] = None
) -> Dict[str, str]:
    """The environment for a program of a user, as typed: its CUDA runtime may be linked into it."""
    return {**environment(folder, report, checked, schedule), **linked_runtime.environment(word, folder)}


def environment(
    folder: Path,
    report: str,
    checked: str = "none",
    schedule: Optional[Schedule] = None,
    base: Mapping[str, str] = os.environ,
) -> Dict[str, str]:
    """The environment in which a program uses the simulator in `folder` instead of the CUDA runtime. The file `report`
    gets findings and counters."""
    path = os.pathsep.join(filter(None, (str(folder), base.get("LD_LIBRARY_PATH"))))
    kept = ":".join(f"glibc.malloc.{name}={value}" for name, value in KEPT_MEMORY.items())
    changed = {"GLIBC_TUNABLES": kept, **base, "LD_LIBRARY_PATH": path, "CUDASIM_REPORT": report, "CUDASIM_CHECK": checked}
    return {**changed, **(schedule.environment() if schedule else {})}
