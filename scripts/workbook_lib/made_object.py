# SPDX-License-Identifier: MIT
"""An object that was made before the build asked for it (ready_compiler.py), for the compiler's launcher to take: a folder with
the object and with what it was made by and of, which an environment variable names.

Needs nothing but the standard library's small modules, as the launcher."""

from __future__ import annotations

import json
import os
import shutil
import sys
import zlib
from pathlib import Path
from typing import List, Sequence

VARIABLE = "WORKBOOK_MADE_OBJECT"
OBJECT, DEPENDENCIES, NOTES = "made.o", "made.d", "made.json"


def fingerprint(source: Path) -> str:
    text = source.read_bytes()
    return f"{len(text)} {zlib.crc32(text):08x}"


def without_dependencies(command: Sequence[str]) -> List[str]:
    """The command as compile_commands.json has it: not asked for the list of headers."""
    named = [index for index, word in enumerate(command) if word in ("-MF", "-MT")]
    left_out = {*named, *(index + 1 for index in named)}
    return [word for index, word in enumerate(command) if index not in left_out and word != "-MD"]


def leave(folder: Path, command: List[str], source: Path, of: str, said: str) -> None:
    """`of`: the fingerprint of the source that the object in the folder was made of."""
    notes = {"command": without_dependencies(command), "source": str(source), "of": of, "said": said}
    (folder / NOTES).write_text(json.dumps(notes), encoding="utf-8")
    os.environ[VARIABLE] = str(folder)


def take(command: Sequence[str]) -> bool:
    """Whether there is one that this very command would make; then it is where the command puts it, with the list of headers, and
    what the compiler said is said."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return False
    try:
        notes = json.loads((Path(folder) / NOTES).read_text(encoding="utf-8"))
        if notes["command"] != without_dependencies(command) or notes["of"] != fingerprint(Path(notes["source"])):
            return False
        if "-MF" in command:
            shutil.copyfile(Path(folder) / DEPENDENCIES, command[command.index("-MF") + 1])
        shutil.copyfile(Path(folder) / OBJECT, command[command.index("-o") + 1])
    except OSError:
        return False
    sys.stderr.write(notes["said"])
    return True
