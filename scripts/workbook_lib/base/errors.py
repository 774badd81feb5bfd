# SPDX-License-Identifier: MIT
"""The error that ends a command with one clear line, and the exit statuses that commands share with the stages."""

MATCHES = 0
DOES_NOT_MATCH = 1
USAGE = 2
CUDA_ERROR = 3
UNSOLVED = 77
TIMED_OUT = 124  # as in timeout(1)
INTERRUPTED = 130  # Ctrl-C, as in shells
PIPE_CLOSED = 141  # SIGPIPE, as in shells


class WorkbookError(Exception):
    """Ends the command. The message is printed unchanged, and `status` is the exit status."""

    def __init__(self, message: str, status: int = USAGE):
        super().__init__(message)
        self.status = status


class Terminated(KeyboardInterrupt):
    """A signal to end this process alone. Ctrl-C also ends the processes that it has started."""
