# SPDX-License-Identifier: MIT
"""What nvcc does to compile a file, step by step, so that steps can be done in another order: nvcc prints its commands
(`--dryrun`), and does them one after the other. A file goes two ways through the compiler. The host's half: preprocessed,
and taken apart by cudafe++. The device's half: preprocessed again, compiled by cicc, packed. Then the host's compiler makes
the object of both.

The module's id, by which both halves name what is local to the file, is made by cudafe++ and read by cicc. Here it is made
beforehand, so that neither waits for the other.

Needs nothing but the standard library's small modules: as a compiler's launcher it is started for each file."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import zlib
from pathlib import Path
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence

from . import made_object

SETTING = re.compile(r"(\w+)=(.*)")
VARIABLE = re.compile(r"\$(\w+)")
DRY = "#$ "  # begins each line of a dry run
NO_COMMAND = ("--", "rm ")  # nvcc's own work, and what it cleans up


class Steps(NamedTuple):
    """The commands, as lists of words."""

    settings: Dict[str, str]  # environment variables for all of them
    preprocess: List[str]  # for the host
    front: List[str]  # cudafe++
    device: List[List[str]]
    last: List[str]


def option(words: Sequence[str], name: str) -> Optional[str]:
    return words[words.index(name) + 1] if name in words[:-1] else None


def without_output(words: Sequence[str]) -> List[str]:
    """The same command, which then writes to its standard output."""
    index = words.index("-o")
    return [*words[:index], *words[index + 2 :]]


def preprocessing(steps: Steps) -> List[List[str]]:
    """For the host and for the device: written to standard output, without a list of headers."""
    return [without_output(made_object.without_dependencies(words)) for words in (steps.preprocess, steps.device[0])]


def compiling(words: Sequence[str], source: Path, output: Path) -> List[str]:
    """The last step, for another file."""
    text = next((word for word in words if word.endswith(".cudafe1.cpp")), "")
    changed = {text: str(source), option(words, "-o"): str(output)}
    return [changed.get(word, word) for word in words]


def read(command: Sequence[str], folder: Path, environment: Mapping[str, str], where: Path) -> Optional[Steps]:
    """Of one call of nvcc, which is to be done in `where`; None where the steps are not the known ones. What lies between
    the steps is put into `folder`."""
    own = {"TMPDIR": str(folder)}
    answer = subprocess.run(
        [*command, "--dryrun"],
        env={**environment, **own},
        cwd=where,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    lines = answer.stdout.decode(errors="replace").splitlines()
    if answer.returncode != 0 or not all(line.startswith(DRY) for line in lines):
        return None
    steps = known_steps([line[len(DRY) :] for line in lines], command)
    return steps and steps._replace(settings={**steps.settings, **own})


def known_steps(lines: Sequence[str], command: Sequence[str]) -> Optional[Steps]:
    settings: Dict[str, str] = {}
    commands: List[List[str]] = []
    for line in lines:
        setting = SETTING.fullmatch(line)
        if setting:
            settings[setting[1]] = setting[2]
        elif not line.startswith(NO_COMMAND):
            commands.append(shlex.split(VARIABLE.sub(lambda name: settings.get(name[1], ""), line)))
    fronts = [words for words in commands if os.path.basename(words[0]) == "cudafe++"]
    if len(fronts) != 1:
        return None
    (front,), last = fronts, commands[-1]
    before = [words for words in commands if "-E" in words and option(words, "-o") == front[-1]]
    device = [words for words in commands[:-1] if words not in (*before, front)]
    is_known = len(before) == 1 and "-c" in last and option(last, "-o") == option(command, "-o") and device
    identity = option(front, "--module_id_file_name")
    if not (is_known and identity and "--gen_module_id_file" in front):
        return None
    source = before[0][before[0].index("-o") - 1]
    write_identity(Path(identity), source)
    front = [word for word in front if word != "--gen_module_id_file"]
    return Steps(settings, [*before[0], *dependencies(command)], front, device, last)


def write_identity(file: Path, source: str) -> None:
    """The id of the module: another for each source file."""
    name = re.sub(r"\W", "_", os.path.basename(source))
    file.write_text(f"_{zlib.crc32(os.path.abspath(source).encode()):08x}_{len(name)}_{name}", encoding="ascii")


def dependencies(command: Sequence[str]) -> List[str]:
    """nvcc's options for the list of headers, which gcc takes too. Those that only the device's half includes are left out:
    they are the toolkit's."""
    if "-MD" not in command:
        return []
    return ["-MD", *(word for name in ("-MF", "-MT") if name in command for word in (name, option(command, name)))]
