# SPDX-License-Identifier: MIT
"""OpenBLAS, which computes on the simulator what a program asks of cuBLAS. Nothing else needs it."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import Optional

from ..base.errors import WorkbookError
from . import toolkit
from .toolkit import Say

REQUIREMENTS = Path(__file__).with_name("openblas_requirements.txt")
WHEELS_FILE = "libscipy_openblas.so"
OF_THE_SYSTEM = ("libopenblas.so.0", "libblas.so.3")  # as common/simulator/libraries/blas/cpu_blas.cpp tries them
OPENBLAS_HAS = "openblas_get_config"  # and no other BLAS
A_DAY_S = 24 * 3600
SLOW = "OpenBLAS could not be installed. The system's libblas computes cuBLAS, and large products take long"
ADVICE = (
    "cuBLAS is computed by a BLAS of the CPU here, and OpenBLAS could not be installed; with a network, run the command "
    "again, or bring it yourself: apt-get install libopenblas0"
)


def is_loadable(name: str, symbol: Optional[str] = None) -> bool:
    """Whether the library is there and, where that is asked, has the symbol."""
    try:
        library = ctypes.CDLL(name)
    except OSError:
        return False
    return symbol is None or hasattr(library, symbol)


def provide(root: Path, simulator: Path, say: Say) -> None:
    """Makes sure that a program with the simulator's folder in its search path finds a BLAS. A reference BLAS is some
    thirty times slower than OpenBLAS: it is used only where OpenBLAS cannot be installed, which is tried once a day."""
    link = simulator / WHEELS_FILE
    if link.exists() or any(is_loadable(name, OPENBLAS_HAS) for name in OF_THE_SYSTEM):
        return
    own = root / ".toolkit" / "openblas"
    failed = own.with_name("openblas-failed")
    has_slow_one = any(map(is_loadable, OF_THE_SYSTEM))
    if has_slow_one and failed.exists() and time.time() - failed.stat().st_mtime < A_DAY_S:
        return
    try:
        if not own.exists():
            install(root, own, say)
        link.unlink(missing_ok=True)  # it led to a folder that is gone
        link.symlink_to(next(own.glob(f"*/lib/{WHEELS_FILE}")))
    except (WorkbookError, OSError, StopIteration) as error:
        if not has_slow_one:
            raise WorkbookError(ADVICE) from error
        failed.touch()
        say(SLOW)


def install(root: Path, target: Path, say: Say) -> None:
    say("The program calls cuBLAS. Installing OpenBLAS into .toolkit (8 MB, no root needed)")
    with toolkit.staging(root) as folder:
        packages = folder / "packages"
        packages.mkdir()
        toolkit.pip_install(REQUIREMENTS, packages, say)
        toolkit.put_in_place(packages, target, REQUIREMENTS)
