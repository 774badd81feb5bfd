# SPDX-License-Identifier: MIT
"""What g++ makes of the host's code while cicc still works at the device's: assembly. Of the device's half g++ needs the kernels'
stubs, and what fatbinary writes around the packed kernels. cicc writes the stubs when it ends; but as long as no kernel's parameters
change, both are those of the compilation before, beside whose object they are kept. The kernels the assembler finds in a file.
Where one of the two turns out to be another, g++ compiles once more. And where all that g++ reads is as it was, but for the
bodies of device functions, over which it passes, it is not asked: its assembly is kept, too.

Needs nothing but the standard library's small modules, as the launcher."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import List, Mapping, Optional, Sequence, Tuple

from . import nvcc_steps

# What fatbinary writes: the packed kernels as lines of assembly, and how many words they have, which no object depends on.
PACKED = re.compile(rb'^asm\(\n((?:".*\\n"\n)*".*\\n")\);$', re.MULTILINE)
WORDS = re.compile(rb"(?<=fatbinData\[)\d+(?=\])")
KERNELS = b"asm(kernels);"
BODY = re.compile(rb"^#if 0\n.*?^#endif\n", re.DOTALL | re.MULTILINE)  # as cudafe++ leaves those of device functions
END = b"\0"  # behind what g++ has read


class HostAhead:
    """For one compilation: begins at once. `text`: what cudafe++ has made. `folder`: for what is made on the way. `kept`: the object
    beside which stubs are kept."""

    def __init__(
        self, steps: nvcc_steps.Steps, text: bytes, folder: Path, kept: Path, environment: Mapping[str, str], where: Path
    ):
        self.steps, self.environment, self.where = steps, environment, where
        cicc = next((words for words in steps.device if nvcc_steps.option(words, "--stub_file_name")), [])
        self.stubs = Path(nvcc_steps.option(cicc, "--stub_file_name") or "")
        self.packed = folder / (nvcc_steps.option(cicc, "--include_file_name") or "")
        self.kept = [Path(f"{kept}.stubs"), Path(f"{kept}.around-kernels")]
        self.kept_assembly = Path(f"{kept}.host-assembly")  # behind what it was made of
        self.folder = folder / "ahead"
        self.folder.mkdir()
        self.text = self.folder / Path(nvcc_steps.option(steps.front, "--gen_c_file_name") or "text").name
        self.text.write_bytes(text)
        self.kernels, self.assembly = self.folder / "kernels.s", self.folder / "host.s"
        self.of: List[bytes] = []  # stubs and surroundings
        self.read = b""  # all that g++ reads
        self.is_begun = False
        self.process: Optional[subprocess.Popen] = None
        with contextlib.suppress(OSError):  # at the first compilation there are none
            self.of = [file.read_bytes() for file in self.kept]
            self.begin(*self.of)

    def begin(self, stubs: bytes, around: bytes) -> None:
        self.is_begun = True
        self.read = self.all_read(stubs, around)
        if self.take_kept_assembly():
            return
        for known, name in self.names():
            stubs = stubs.replace(known, name)
        self.give(stubs, around.replace(KERNELS, f'asm(".include \\"{self.kernels}\\"\\n");'.encode()))
        words = nvcc_steps.compiling(self.steps.last, self.text, self.assembly)
        self.process = subprocess.Popen(
            ["nice", "-n", "4", *("-S" if word == "-c" else word for word in words)],
            env=self.environment,
            cwd=self.where,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def all_read(self, stubs: bytes, around: bytes) -> bytes:
        words = nvcc_steps.compiling(self.steps.last, Path("text"), Path("assembly"))
        compiler = os.stat(shutil.which(words[0], path=self.environment.get("PATH")) or words[0])
        text = BODY.sub(b"", self.text.read_bytes()).replace(self.stubs.name.encode(), b"<stubs>")
        return b"\n".join((repr((words, compiler.st_size, compiler.st_mtime_ns)).encode(), text, stubs, around))

    def take_kept_assembly(self) -> bool:
        with contextlib.suppress(OSError):
            read, _, assembly = self.kept_assembly.read_bytes().partition(END)
            if read == self.read and assembly:
                self.assembly.write_bytes(assembly.replace(KERNELS, str(self.kernels).encode()))
                return True
        return False

    def keep_assembly(self) -> None:
        with contextlib.suppress(OSError):  # it is no more than quicker
            new = Path(f"{self.kept_assembly}.{os.getpid()}")
            new.write_bytes(self.read + END + self.assembly.read_bytes().replace(str(self.kernels).encode(), KERNELS))
            new.replace(self.kept_assembly)

    def give(self, stubs: bytes, packed: bytes) -> None:
        """To the text, which includes them."""
        (self.folder / self.stubs.name).write_bytes(stubs)
        (self.folder / self.packed.name).write_bytes(packed)

    def names(self) -> List[Tuple[bytes, bytes]]:
        """In the stubs: nvcc has others at each compilation."""
        return [(b"<stubs>", str(self.stubs).encode()), (b"<packed>", self.packed.name.encode())]

    def make(self, target: Path) -> Optional[bytes]:
        """The object, when the kernels are packed: what g++ has said. None: it has to be made otherwise."""
        with contextlib.suppress(OSError):
            stubs, packed = self.stubs.read_bytes(), self.packed.read_bytes()
            kernels = PACKED.findall(packed)
            if len(kernels) == 1:
                return self.assemble(kernels[0], target) if self.is_of(stubs, packed) else self.once_more(stubs, packed, target)
        return None

    def is_of(self, stubs: bytes, packed: bytes) -> bool:
        """Whether it was begun with these. If not, the next one will be."""
        for known, name in self.names():
            stubs = stubs.replace(name, known)
        now = [stubs, WORDS.sub(b"1", PACKED.sub(KERNELS, packed))]
        if self.is_begun and self.of == now:
            return True
        with contextlib.suppress(OSError):
            for file, text in zip(self.kept, now):
                file.write_bytes(text)
        return False

    def assemble(self, kernels: bytes, target: Path) -> Optional[bytes]:
        said = b""
        if self.process is not None:
            said = self.process.communicate()[0]
            if self.process.returncode != 0:
                return None
            if not said:
                self.keep_assembly()
        lines = [line[1:-3].replace(b'\\"', b'"') for line in kernels.split(b"\n")]
        self.kernels.write_bytes(b"\n".join(lines) + b"\n")
        words = [self.steps.last[0], "-c", str(self.assembly), "-o", str(target)]
        return said if self.run(words).returncode == 0 else None

    def once_more(self, stubs: bytes, packed: bytes, target: Path) -> Optional[bytes]:
        self.stop()
        self.give(stubs, packed)
        ended = self.run(nvcc_steps.compiling(self.steps.last, self.text, target))
        return ended.stdout if ended.returncode == 0 else None

    def run(self, words: Sequence[str]) -> "subprocess.CompletedProcess[bytes]":
        pipe, none = subprocess.PIPE, subprocess.DEVNULL
        return subprocess.run(words, env=self.environment, cwd=self.where, stdin=none, stdout=pipe, stderr=subprocess.STDOUT, check=False)

    def stop(self) -> None:
        """What g++ has started ends by itself, within a second."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
