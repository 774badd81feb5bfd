# SPDX-License-Identifier: MIT
"""Headers that g++ has compiled beforehand: the begin of what cudafe++ makes of a file, as it makes it of the headers alone. The
newest few lie in the build folder, each as a text and as g++ has compiled it. g++ takes the text where the other is missing, or
is of another g++.

As a program, with a build folder and a file, it compiles those of the file, where they are not there yet, and keeps what they define
(known_headers.py). Needs nothing but the
standard library's small modules, as the launcher."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from workbook_lib import made_object, nvcc_steps  # noqa: E402
from workbook_lib.known_headers import KnownHeaders  # noqa: E402

MOST_KEPT = 4  # 20 to 55 MB each


def command_of(build_folder: Path, source: Path) -> List[str]:
    """How the file is compiled; empty where that is not known."""
    try:
        listed = json.loads((build_folder / "compile_commands.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    commands = [shlex.split(each["command"]) for each in listed if each["file"] == str(source)]
    return next((words[index:] for words in commands for index, word in enumerate(words) if Path(word).name == "nvcc"), [])


def headers_end(text: bytes, source: Path) -> int:
    """Where the preprocessor says that it is back from the last header."""
    returned = f'"{source}" 2\n'.encode()
    return text.rfind(returned) + len(returned) if returned in text else 0


class CompiledHeaders:
    def __init__(self, build_folder: Path):
        self.where, self.folder = build_folder, build_folder / "headers"

    def file_of(self, steps: nvcc_steps.Steps, headers: bytes) -> Path:
        """`headers`: preprocessed for the host."""
        return self.folder / f"{options_of(steps)}-{len(headers)}-{zlib.crc32(headers):08x}.h"

    def are_there(self, steps: nvcc_steps.Steps, headers: bytes) -> bool:
        return compiled(self.file_of(steps, headers)).exists()

    def compile(self, steps: nvcc_steps.Steps, headers: bytes, environment: Mapping[str, str]) -> None:
        with contextlib.suppress(OSError):  # it is no more than quicker
            file = self.file_of(steps, headers)
            made = self.output([*steps.front[:-1], "-"], environment, headers)
            stub = f'\n# 1 "{nvcc_steps.option(steps.front, "--stub_file_name")}"'.encode()
            begin = made[: max(made.find(stub), 0)].rstrip(b"\n")
            if not begin:
                return
            self.folder.mkdir(exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.folder) as name:
                text, new = Path(name) / file.name, Path(name) / "new"
                text.write_bytes(begin + b"\n")
                text.replace(file)
                words = ["c++-header" if word == "c++" else word for word in nvcc_steps.compiling(steps.last, file, new)]
                self.output(words, environment, b"")
                new.replace(compiled(file))
            self.forget_old()

    def output(self, words: Sequence[str], environment: Mapping[str, str], text: bytes) -> bytes:
        ended = subprocess.run(["nice", *words], env=environment, cwd=self.where, input=text, capture_output=True, check=False)
        return ended.stdout

    def forget_old(self) -> None:
        kept = sorted(self.folder.glob("*.h"), key=lambda file: file.stat().st_mtime_ns)
        for file in kept[:-MOST_KEPT]:
            compiled(file).unlink(missing_ok=True)
            file.unlink(missing_ok=True)

    def with_rest(self, steps: nvcc_steps.Steps, text: bytes) -> Optional[bytes]:
        """The same text with the headers included; None where it begins with none of these. Which warnings are told is not kept
        with compiled headers."""
        for file in self.folder.glob(f"{options_of(steps)}-*.h"):
            with contextlib.suppress(OSError):
                begin = file.read_bytes()
                if text.startswith(begin) and compiled(file).exists():
                    return f'#include "{file}"\n'.encode() + b"\n".join(in_force(begin)) + text[len(begin) - 1 :]
        return None


def compiled(file: Path) -> Path:
    return Path(f"{file}.gch")


def options_of(steps: nvcc_steps.Steps) -> str:
    """Of g++: what it has compiled with others it does not take."""
    return f"{zlib.crc32(repr(nvcc_steps.compiling(steps.last, Path(), Path())).encode()):08x}"


def in_force(text: bytes) -> List[bytes]:
    """The lines that say which warnings are told behind this text."""
    lines: List[bytes] = []
    for line in re.findall(rb"^#pragma GCC diagnostic .*$", text, re.MULTILINE):
        if line.endswith(b" pop"):
            while lines and not lines.pop().endswith(b" push"):
                pass
        else:
            lines.append(line)
    return lines


def note(target: Path, are_missing: bool) -> None:
    """Beside the object, whether it could have been made sooner, by headers that are compiled or known."""
    with contextlib.suppress(OSError):
        if are_missing:
            missing(target).touch()
        else:
            missing(target).unlink()


def missing(target: Path) -> Path:
    return Path(f"{target}.without-headers")


def compile_later(build_folder: Path, source: Path) -> None:
    """For the next time, where they were missing: in a process for which nobody waits."""
    target = nvcc_steps.option(command_of(build_folder, source), "-o")
    if target is None or not missing(build_folder / target).exists():
        return
    words = ["nice", sys.executable, "-I", "-B", __file__, str(build_folder), str(source)]
    nowhere = subprocess.DEVNULL
    with contextlib.suppress(OSError):
        subprocess.Popen(words, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)


def main(build_folder: Path, source: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="workbook-headers-") as folder:
        command = made_object.without_dependencies(command_of(build_folder, source))
        steps = nvcc_steps.read(command, Path(folder), os.environ, build_folder) if command else None
        if steps is None:
            return
        environment, begun_ns = {**os.environ, **steps.settings}, time.time_ns()
        headers, commands = CompiledHeaders(build_folder), nvcc_steps.preprocessing(steps)
        texts = [headers.output(words, environment, b"") for words in commands]
        begins = [text[: headers_end(text, source)] for text in texts]
        if not all(begins):
            return
        with contextlib.suppress(OSError):
            target = nvcc_steps.option(command, "-o")
            KnownHeaders.read(source, begins, commands, target, environment, build_folder, folder, begun_ns).keep()
        if not headers.are_there(steps, begins[0]):
            headers.compile(steps, begins[0], environment)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
