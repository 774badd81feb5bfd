# SPDX-License-Identifier: MIT
"""How every command of scripts/ ends: with an exit status, and with one line instead of a traceback."""

from __future__ import annotations

import os
import sys
from typing import Callable

from . import errors
from .errors import WorkbookError
from .progress import Progress


def run(name: str, progress: Progress, work: Callable[[], int]) -> int:
    """The exit status of `work`. `name` begins the line that says why it came to no end of its own."""
    try:
        try:
            return work()
        finally:
            sys.stdout.flush()  # here, where a pipe that is closed can still be told from a mistake
    except WorkbookError as error:
        message, status = str(error), error.status
    except KeyboardInterrupt:
        message, status = "stopped", errors.INTERRUPTED
    except BrokenPipeError:  # who reads this has enough, as `head` has
        for stream in (sys.stdout, sys.stderr):
            discard(stream)
        return errors.PIPE_CLOSED
    except OSError as error:
        discard(sys.stdout)  # a full disk under it would fail once more when Python ends
        where = f"{error.filename}: " if error.filename else ""
        message, status = f"{where}{error.strerror or error}", errors.CUDA_ERROR
    progress.say(f"{name}: {message}")
    return status


def discard(stream: object) -> None:
    """What is still to be written, now and later."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
