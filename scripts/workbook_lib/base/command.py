# SPDX-License-Identifier: MIT
"""How every command of scripts/ ends: with an exit status, and with one line instead of a traceback."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Callable

from . import errors
from .errors import WorkbookError
from .progress import Progress


def run(name: str, progress: Progress, work: Callable[[], int]) -> int:
    """The exit status of `work`. `name` begins the line that says why it came to no end of its own."""
    hear_signals()
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


def hear_signals() -> None:
    """SIGTERM and SIGHUP end a command as Ctrl-C does, so that no compiler and no program goes on alone. A signal that is
    ignored, as by nohup, stays so."""
    if threading.current_thread() is not threading.main_thread():
        return  # Python allows it nowhere else
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, raise_terminated)


def raise_terminated(number: int, frame: object) -> None:
    raise errors.Terminated


def discard(stream: object) -> None:
    """What is still to be written, now and later."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
