# SPDX-License-Identifier: MIT
"""What g++ makes of the host's code while cicc still works at the device's: assembly. Of the device's half g++ needs the kernels'
stubs, and what fatbinary writes around the packed kernels. cicc writes the stubs when it ends; but as long as no kernel's parameters
change, both are those of the compilation before, beside whose object they are kept. The kernels the assembler finds in a file.
Where one of the two turns out to be another, nothing is made, and g++ has to be asked again.

Needs nothing but the standard library's small modules, as the launcher."""

from __future__ import annotations

import contextlib
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


class HostAhead:
    """For one compilation: begins at once. `folder`: for what it makes on the way. `target`: the object."""

    def __init__(self, steps: nvcc_steps.Steps, folder: Path, target: Path, environment: Mapping[str, str], where: Path):
        self.environment, self.where, self.compiler = environment, where, steps.last[0]
        cicc = next((words for words in steps.device if nvcc_steps.option(words, "--stub_file_name")), [])
        self.stubs = Path(nvcc_steps.option(cicc, "--stub_file_name") or "")
        self.packed = folder / (nvcc_steps.option(cicc, "--include_file_name") or "")
        self.kept = [Path(f"{target}.stubs"), Path(f"{target}.around-kernels")]
        self.folder = folder / "ahead"
        self.kernels, self.assembly = self.folder / "kernels.s", self.folder / "host.s"
        self.of: List[bytes] = []  # stubs and surroundings
        self.process: Optional[subprocess.Popen] = None
        with contextlib.suppress(OSError):  # at the first compilation there are none
            self.of = [file.read_bytes() for file in self.kept]
            self.begin(steps)

    def begin(self, steps: nvcc_steps.Steps) -> None:
        stubs, around = self.of
        for known, name in self.names():
            stubs = stubs.replace(known, name)
        self.folder.mkdir()
        (self.folder / self.stubs.name).write_bytes(stubs)
        included = f'asm(".include \\"{self.kernels}\\"\\n");'.encode()
        (self.folder / self.packed.name).write_bytes(around.replace(KERNELS, included))
        made = Path(nvcc_steps.option(steps.front, "--gen_c_file_name"))
        text = self.folder / made.name
        shutil.copyfile(made, text)
        words = ["-S" if word == "-c" else word for word in compiling(steps.last, text, self.assembly)]
        self.process = subprocess.Popen(
            ["nice", *words],
            env=self.environment,
            cwd=self.where,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def names(self) -> List[Tuple[bytes, bytes]]:
        """In the stubs: nvcc has others at each compilation."""
        return [(b"<stubs>", str(self.stubs).encode()), (b"<packed>", self.packed.name.encode())]

    def make(self, target: Path) -> Optional[bytes]:
        """The object, when the kernels are packed: what g++ has said. None: it has to be made otherwise."""
        try:
            stubs, packed = self.stubs.read_bytes(), self.packed.read_bytes()
        except OSError:
            return None
        kernels = PACKED.findall(packed)
        if len(kernels) != 1:
            return None
        for known, name in self.names():
            stubs = stubs.replace(name, known)
        now = [stubs, WORDS.sub(b"1", PACKED.sub(KERNELS, packed))]
        if self.process is None or self.of != now:
            self.stop()
            with contextlib.suppress(OSError):  # then the next compilation does not begin with them
                for file, text in zip(self.kept, now):
                    file.write_bytes(text)
            return None
        said = self.process.communicate()[0]
        lines = [line[1:-3].replace(b'\\"', b'"') for line in kernels[0].split(b"\n")]
        self.kernels.write_bytes(b"\n".join(lines) + b"\n")
        words = [self.compiler, "-c", str(self.assembly), "-o", str(target)]
        is_made = self.process.returncode == 0 and run(words, self.environment, self.where).returncode == 0
        return said if is_made else None

    def stop(self) -> None:
        """What g++ has started ends by itself, within a second."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


def run(words: Sequence[str], environment: Mapping[str, str], where: Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(words, env=environment, cwd=where, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def compiling(words: Sequence[str], source: Path, output: object) -> List[str]:
    """The same command for another file."""
    text = next(word for word in words if word.endswith(".cudafe1.cpp"))
    changed = {text: str(source), words[words.index("-o") + 1]: str(output)}
    return [changed.get(word, word) for word in words]
