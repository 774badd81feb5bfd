# SPDX-License-Identifier: MIT
"""Compiles the one file that `run N --todo` is about to build from the first moment on: before the command has found its tools,
and Ninja what has changed. The launcher that Ninja starts takes the object (made_object.py)."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Iterator

from . import compile_launcher, made_object, nvcc_steps
from .compiled_headers import command_of

OTHER_LAUNCHER = re.compile(r"^CMAKE_CUDA_COMPILER_LAUNCHER:\w+=.", re.MULTILINE)  # a compiler cache, which takes no object


@contextlib.contextmanager
def begun(build_folder: Path, source: Path, target: str) -> Iterator[None]:
    """While the build that needs it is under way. Where nothing is to be compiled, or it is not known how, nothing happens."""
    try:
        is_built = (build_folder / "stages" / f"{target}.built-from").read_bytes() == source.read_bytes()
        cache = (build_folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        is_built, cache = True, ""  # or never was, and then there is more to do than to compile it
    command = [] if is_built or OTHER_LAUNCHER.search(cache) else made_object.without_dependencies(command_of(build_folder, source))
    if not command or "-o" not in command:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="workbook-ahead-") as name:
        folder = Path(name)
        made_object.begin(folder, command, source, made_object.fingerprint(source))
        environment = {name: value for name, value in os.environ.items() if name != made_object.VARIABLE}
        listed = ["-MD", "-MF", str(folder / made_object.DEPENDENCIES), "-MT", nvcc_steps.option(command, "-o")]
        launcher = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", compile_launcher.__file__, compile_launcher.INTO, name, *command, *listed],
            env=environment,
            cwd=build_folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        waiting = threading.Thread(target=tell_end, args=(launcher, folder), daemon=True)
        waiting.start()
        try:
            yield
        finally:
            os.environ.pop(made_object.VARIABLE, None)
            if launcher.poll() is None:
                launcher.send_signal(signal.SIGINT)
            waiting.join()


def tell_end(launcher: "subprocess.Popen[bytes]", folder: Path) -> None:
    """To who waits for an object, where the launcher has not come to that."""
    launcher.wait()
    if not (folder / made_object.ENDED).exists():
        made_object.end(folder, None, "")
