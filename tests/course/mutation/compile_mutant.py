# SPDX-License-Identifier: MIT
"""Compiles a text in place of a stage's answer, with the commands of the build folder, and tells whether it came to the
same code."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import List

# Line tables tell two texts apart that are the same code. Those of the host (-g1) also name the folder.
LEFT_OUT = ("ccache", "-lineinfo", "-Xcompiler=-g1", "-Xcompiler=-gdwarf-4", "-MD")
LEFT_OUT_WITH_VALUE = ("-MT", "-MF", "-x", "-c", "-o")
COMPILE_SECONDS = 300


class DoesNotCompile(Exception):
    """The text is no mutant: the compiler, or the linker, refuses it. The message is its own first error."""


class Toolchain:
    """How one stage's answer is compiled and linked."""

    def __init__(self, build_folder: Path, stage: str):
        self.build_folder = build_folder
        listed = subprocess.run(
            ["ninja", "-C", str(build_folder), "-t", "commands", f"answer_{stage}"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        self.object = f"stages/CMakeFiles/answer_{stage}_kernel.dir/__/answers/{stage}/solution.cu.o"
        compile_line = next(line for line in listed if line.endswith(f"-o {self.object}"))
        link_line = next(line for line in listed if f"-o bin/answer-{stage} " in line)
        self.compile_command = without_outputs(shlex.split(compile_line))
        self.link_command = shlex.split(link_line.removeprefix(": && ").removesuffix(" && :"))

    def compile(self, source: str, folder: Path) -> Path:
        """The object file of this text. nvcc is called in `folder`, with names that are the same for every mutant and
        with --keep, which makes the names of its own files the same too: equal code gives equal files."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "solution.cu").write_text(source, encoding="utf-8")
        run([*self.compile_command, "-w", "--keep", "-x", "cu", "-c", "solution.cu", "-o", "solution.o"], folder)
        return folder / "solution.o"

    def link(self, object_file: Path) -> Path:
        program = object_file.with_name("program")
        command = [str(object_file) if word == self.object else word for word in self.link_command]
        command[command.index("-o") + 1] = str(program)
        run(command, self.build_folder)
        return program


def without_outputs(command: List[str]) -> List[str]:
    kept: List[str] = []
    words = iter(command)
    for word in words:
        if word in LEFT_OUT_WITH_VALUE:
            next(words)
        elif Path(word).name not in LEFT_OUT:
            kept.append(word)
    return kept


def run(command: List[str], folder: Path) -> None:
    try:
        answer = subprocess.run(
            command, cwd=folder, text=True, errors="replace", capture_output=True, timeout=COMPILE_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise DoesNotCompile(f"{command[0]} did not end within {COMPILE_SECONDS} s") from error
    if answer.returncode != 0:
        lines = (answer.stderr + answer.stdout).splitlines()
        errors = [line for line in lines if "error" in line or "undefined reference" in line]
        raise DoesNotCompile((errors or lines or ["no message"])[0])
