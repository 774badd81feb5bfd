# SPDX-License-Identifier: MIT
"""The end of every command of scripts/: an exit status, and one line instead of a traceback."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Callable

from . import errors, files
from .errors import WorkbookError
from .progress import Progress


def run(name: str, progress: Progress, work: Callable[[], int]) -> int:
    """Runs `work` and returns the exit status. `name` begins the line about an error or an interrupt."""
    hear_signals()
    try:
        try:
            return work()
        finally:
            sys.stdout.flush()  # here, because a closed pipe can be told from an error only here
    except WorkbookError as error:
        message, status = str(error), error.status
    except KeyboardInterrupt:
        message, status = "stopped", errors.INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        for stream in (sys.stdout, sys.stderr):
            discard(stream)
        return errors.PIPE_CLOSED
    except OSError as error:
        discard(sys.stdout)  # otherwise a full disk would fail once more when Python ends
        where = f"{error.filename}: " if error.filename else ""
        message, status = f"{where}{error.strerror or error}{files.advice(error)}", errors.CUDA_ERROR
    progress.say(f"{name}: {message}")
    return status


def hear_signals() -> None:
    """Makes SIGTERM and SIGHUP end a command as Ctrl-C does, so that compilers and programs end too. A signal that is
    ignored, as by nohup, stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return  # Python allows it only in the main thread
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, raise_terminated)


def raise_terminated(number: int, frame: object) -> None:
    raise errors.Terminated


def discard(stream: object) -> None:
    """Drops all output, now and later."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
