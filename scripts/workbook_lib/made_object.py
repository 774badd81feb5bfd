# SPDX-License-Identifier: MIT
"""An object that is made before the build asks for it (ready_compiler.py), for the compiler's launcher to take: a folder with
the object, and with what it is made by and of, which an environment variable names. The launcher may come while it is made: so
the build's own steps go on meanwhile.

Needs nothing but the standard library's small modules, as the launcher."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import zlib
from pathlib import Path
from typing import List, Optional, Sequence

VARIABLE = "WORKBOOK_MADE_OBJECT"
OBJECT, DEPENDENCIES = "made.o", "made.d"
BEGUN, ENDED = "begun.json", "ended.json"  # what is made, and how that ended
LOOK_EVERY_S = 0.004


def fingerprint(source: Path) -> str:
    text = source.read_bytes()
    return f"{len(text)} {zlib.crc32(text):08x}"


def without_dependencies(command: Sequence[str]) -> List[str]:
    """The command as compile_commands.json has it: not asked for the list of headers."""
    named = [index for index, word in enumerate(command) if word in ("-MF", "-MT")]
    left_out = {*named, *(index + 1 for index in named)}
    return [word for index, word in enumerate(command) if index not in left_out and word != "-MD"]


def begin(folder: Path, command: List[str], source: Path, of: str) -> None:
    """From here on a launcher waits for it. `of`: the fingerprint of the source that it is made of."""
    notes = {"command": without_dependencies(command), "source": str(source), "of": of}
    (folder / BEGUN).write_text(json.dumps(notes), encoding="utf-8")
    os.environ[VARIABLE] = str(folder)


def end(folder: Path, status: Optional[int], said: str) -> None:
    """`status`: with which the compiler ended; None: there is no object, and nothing is known."""
    written = folder / f"{ENDED}.new"
    written.write_text(json.dumps({"status": status, "said": said}), encoding="utf-8")
    written.replace(folder / ENDED)


def take(command: Sequence[str]) -> Optional[int]:
    """The compiler's exit status, where this very command is what is made there. Then what the compiler said is said, and an object
    is where the command puts it, with the list of headers. Else None."""
    folder = Path(os.environ.get(VARIABLE) or "/nowhere")
    try:
        begun = json.loads((folder / BEGUN).read_text(encoding="utf-8"))
        if begun["command"] != without_dependencies(command):
            return None
        while (folder / BEGUN).exists() and not (folder / ENDED).exists():  # the folder goes with who makes it
            time.sleep(LOOK_EVERY_S)
        ended = json.loads((folder / ENDED).read_text(encoding="utf-8"))
        if ended["status"] is None or begun["of"] != fingerprint(Path(begun["source"])):
            return None
        if ended["status"] == 0:
            if "-MF" in command:
                shutil.copyfile(folder / DEPENDENCIES, command[command.index("-MF") + 1])
            shutil.copyfile(folder / OBJECT, command[command.index("-o") + 1])
    except OSError:
        return None
    sys.stderr.write(ended["said"])
    return int(ended["status"])
