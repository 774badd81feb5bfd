# SPDX-License-Identifier: MIT
"""The one error that ends a command with a clear line, and the exit statuses that the commands share with the
stages."""

MATCHES = 0
DOES_NOT_MATCH = 1
USAGE = 2
CUDA_ERROR = 3
UNSOLVED = 77
TIMED_OUT = 124  # as timeout(1) says it
INTERRUPTED = 130  # Ctrl-C, as shells say it
PIPE_CLOSED = 141  # SIGPIPE, as shells say it


class WorkbookError(Exception):
    """Ends the command: the message is printed as it is, and `status` is the exit status."""

    def __init__(self, message: str, status: int = USAGE):
        super().__init__(message)
        self.status = status


class Terminated(KeyboardInterrupt):
    """This process alone was told to end, and not also what it has started, as by Ctrl-C."""
