# SPDX-License-Identifier: MIT
"""A compiler that has read a file's headers before the file is saved. nvcc's time for a student's file goes into headers, three
times: cudafe++ takes the host's half apart, cicc compiles the device's half, and g++ compiles what cudafe++ has made. Here the
first two wait for what comes behind the headers, and g++ finds them compiled, and does not wait for cicc. What they make and say of a text is what they
make and say where nvcc starts them; compile_launcher.py takes the object where it would make one itself.

cudafe++ and cicc want a file, and ask whether it is one behind opening it, by its name. So they open a named pipe, which takes as
long as nobody writes to it, and meanwhile a file is put into the pipe's place. g++ reads all before it compiles anything, but
can have headers compiled beforehand (those of cudafe++ and cicc end with a segmentation fault).

Where anything is not as expected, nothing is told and nothing is made, and nvcc is asked."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import List, Mapping, Optional, Sequence, Tuple

from . import made_object, nvcc_steps
from .compiled_headers import CompiledHeaders, command_of, headers_end
from .host_ahead import HostAhead
from .known_headers import KnownHeaders

STATUS = re.compile(r"^status (\d+)\n\Z", re.MULTILINE)
NOTE = re.compile(r"^(?P<file>[^\s(]+)\((?P<line>\d+)\): note #[^\n]*$(?!\n )", re.MULTILINE)
ERRORS = (1, 2)  # how cudafe++ and cicc end where a file has some
LONGEST_START_S = 5.0


class Waiting:
    """A program that has read the begin of its text. A shell tells how it ended, so that another process, forked from this
    one, can hear that."""

    def __init__(self, words: Sequence[str], file: Path, begin: bytes, environment: Mapping[str, str], folder: Path):
        self.file, self.begin = file, begin
        self.named = file.with_suffix(".pipe")
        os.mkfifo(self.named)
        os.link(self.named, file)
        self.shell = subprocess.Popen(
            ["/bin/sh", "-c", f'{shlex.join(words)} 2>&1 & echo $!; wait $!; echo "status $?"'],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def read_begin(self) -> None:
        """Raises OSError where it does not get there."""
        text = self.file.with_suffix(".text")
        text.write_bytes(self.begin)
        try:
            wait_until_asleep(int(self.shell.stdout.readline()))
            os.replace(text, self.file)
            writer = os.open(self.named, os.O_WRONLY | os.O_NONBLOCK)  # refused where nobody is about to read
            os.set_blocking(writer, True)
            self.pipe = os.fdopen(writer, "wb")
            self.pipe.write(self.begin)
            self.pipe.flush()
        except (OSError, ValueError) as error:
            self.kill()
            raise OSError(f"{self.file} is not waited for") from error

    def go_on(self, text: bytes) -> None:
        """With the rest of the text, once."""
        self.pipe.write(text)
        self.pipe.close()

    def end(self) -> Tuple[int, str]:
        """How it ended, and what it said."""
        said = self.shell.stdout.read().decode(errors="replace")
        ended = STATUS.search(said)
        return (int(ended[1]), said[: ended.start()]) if ended else (-1, said)

    def let_go(self) -> None:
        """It ends when there is nobody left who could write to it."""
        with contextlib.suppress(OSError, AttributeError):  # it may not have come so far
            self.pipe.close()
        self.shell.stdout.close()

    def kill(self) -> None:
        """The shell, with what it has started."""
        if self.shell.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.shell.pid, signal.SIGKILL)
            self.shell.wait()


def wait_until_asleep(process: int) -> None:
    """As it is when it opens a pipe to which nobody writes. Raises OSError where it has ended."""
    end = time.monotonic() + LONGEST_START_S
    while time.monotonic() < end:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
        if state == "S":
            return
        time.sleep(0.005)


class Headers:
    """What all saves have in common: what g++ has compiled of the headers, and what these define."""

    def __init__(self, build_folder: Path) -> None:
        self.compiled = CompiledHeaders(build_folder)
        self.scratch = tempfile.TemporaryDirectory(prefix="workbook-headers-")
        self.known: Optional[KnownHeaders] = None
        self.thread = threading.Thread()

    def compile(self, *of_what: object) -> None:
        """Where they are not there yet: in a thread for which nobody waits."""
        if not self.thread.is_alive() and not self.compiled.are_there(*of_what[:2]):
            self.thread = threading.Thread(target=self.compiled.compile, args=of_what, daemon=True)
            self.thread.start()


class ReadyCompiler:
    """For one save of one file. It gets ready by itself, in a thread; a process that is forked then asks it."""

    def __init__(self, build_folder: Path, source: Path, headers: Headers, environment: Mapping[str, str]):
        self.build_folder, self.source, self.headers, self.environment = build_folder, source, headers, dict(environment)
        self.folder = tempfile.TemporaryDirectory(prefix="workbook-nvcc-")
        self.command = made_object.without_dependencies(command_of(build_folder, source))
        self.steps: Optional[nvcc_steps.Steps] = None
        self.halves: List[Waiting] = []  # cudafe++ and cicc
        self.known: Optional[KnownHeaders] = None
        self.is_ready = self.is_handed_over = False
        self.finishing: Optional[threading.Thread] = None  # of the process that has asked it
        self.thread = threading.Thread(target=self.get_ready, daemon=True)
        self.thread.start()

    def get_ready(self) -> None:
        with contextlib.suppress(OSError):  # then it does not get ready
            folder, begun_ns = Path(self.folder.name), time.time_ns()
            self.steps = self.command and nvcc_steps.read(self.command, folder, self.environment, self.build_folder) or None
            if self.steps is None:
                return
            self.environment.update(self.steps.settings)
            commands, known = nvcc_steps.preprocessing(self.steps), self.headers.known
            if known is not None and known.source == self.source and known.commands == commands and known.are_still():
                self.known = known
                shutil.copyfile(known.listed, folder / made_object.DEPENDENCIES)
            begins = known.begins if self.known else [text[: headers_end(text, self.source)] for text in self.preprocessed()]
            for step, headers in zip((self.steps.front, self.steps.device[1]), begins):
                if not headers or self.is_handed_over:
                    return
                file = next(Path(word) for word in step if word.endswith(".ii"))
                self.halves.append(Waiting(step, file, headers, self.environment, self.build_folder))
            with ThreadPoolExecutor(len(self.halves)) as pool:
                list(pool.map(Waiting.read_begin, self.halves))
            self.is_ready = True
            self.headers.compile(self.steps, begins[0], dict(self.environment))
            if not self.known:
                target, kept = nvcc_steps.option(self.command, "-o"), self.headers.scratch.name
                self.known = self.headers.known = KnownHeaders.read(
                    self.source, begins, commands, target, self.environment, self.build_folder, kept, begun_ns
                )
        if self.is_handed_over or not self.is_ready:
            self.let_go()

    def preprocessed(self) -> List[bytes]:
        """For the host, with the list of headers beside it, and for the device."""
        listed = ["-MD", "-MF", f"{self.folder.name}/{made_object.DEPENDENCIES}", "-MT", nvcc_steps.option(self.command, "-o")]
        host, device = nvcc_steps.preprocessing(self.steps)
        running = [
            subprocess.Popen(
                words,
                env=self.environment,
                cwd=self.build_folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            for words in ([*host, *listed], device)
        ]
        return [process.communicate()[0] for process in running]

    def compile(self) -> str:
        """What nvcc would say of the file as it is now, if the host's half refuses it; else nothing, and perhaps its object is on
        its way to compile_launcher.py. To be asked once."""
        if not self.is_ready:
            return ""
        with contextlib.suppress(OSError):
            of = made_object.fingerprint(self.source)
            rests = self.known.rests() if self.known else None
            if rests is None:
                texts = self.preprocessed()
                if not all(text.startswith(half.begin) for half, text in zip(self.halves, texts)):
                    return ""  # there are other headers now
                rests = [text[len(half.begin) :] for half, text in zip(self.halves, texts)]
            for half, rest in zip(self.halves, rests):
                half.go_on(rest)
            status, said = self.halves[0].end()  # first, as nvcc stops at the host's errors
            if status != 0:
                return self.with_lines(said) if status in ERRORS else ""
            made_object.begin(Path(self.folder.name), self.command, self.source, of)
            self.finishing = threading.Thread(target=self.finish, args=(of, said), daemon=True)
            self.finishing.start()
        return ""

    def finish(self, of: str, said: str) -> None:
        """The device's half, and the object of both. `said`: by the host's half."""
        folder, status, host = Path(self.folder.name), None, None
        try:
            text = Path(nvcc_steps.option(self.steps.front, "--gen_c_file_name")).read_bytes()
            text, kept = self.headers.compiled.with_rest(self.steps, text) or text, nvcc_steps.option(self.command, "-o")
            host = HostAhead(self.steps, text, folder, self.build_folder / kept, self.environment, self.build_folder)
            ended, more = self.halves[1].end()
            said += more
            if ended in ERRORS:
                status, said = ended, self.with_lines(said)
            elif ended == 0:
                status, said = self.make_object(host, said)
            if of != made_object.fingerprint(self.source):
                status = None
        finally:
            if host is not None:
                host.stop()
            with contextlib.suppress(OSError):  # the folder is gone where nobody waits any more
                made_object.end(folder, status, said)

    def with_lines(self, said: str) -> str:
        """Notes on earlier lines have none below them, as who reads a pipe cannot go back."""
        lines = self.source.read_text(encoding="utf-8", errors="replace").splitlines()
        return NOTE.sub(lambda note: f"{note[0]}\n  {lines[int(note['line']) - 1]}" if note["file"] == str(self.source) else note[0], said)

    def make_object(self, host: HostAhead, said: str) -> Tuple[Optional[int], str]:
        """Of what both halves have made: the status, None where it fails, and what is said in all."""
        for words in self.steps.device[2:]:
            ended = host.run(words)
            if ended.returncode != 0:
                return None, said
            said += ended.stdout.decode(errors="replace")
        said_last = host.make(Path(self.folder.name) / made_object.OBJECT)
        return (None, said) if said_last is None else (0, said + said_last.decode(errors="replace"))

    def hand_over(self) -> None:
        """To a process that was forked before. Where it was not ready, nobody asks it."""
        self.is_handed_over = True
        if self.is_ready:
            self.let_go()

    def let_go(self) -> None:
        self.is_ready = False
        for half in self.halves:
            half.let_go()

    def close(self) -> None:
        """When nobody asks it any more, at any moment: what it does then is ended."""
        self.is_handed_over = True
        while self.thread.is_alive():
            self.kill()
            self.thread.join(0.05)
        self.kill()
        if self.finishing is not None:
            self.finishing.join()  # it reads what they say, and writes into the folder
        self.let_go()
        self.folder.cleanup()

    def kill(self) -> None:
        for half in self.halves:
            half.kill()
