# SPDX-License-Identifier: MIT
"""The targets to build before some of the tests can run: the programs in their commands. A test without such a program
(a script, which may start anything) needs the default build."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Dict, List, Sequence

from .build import Build

# CMake 3 writes the name in brackets, CMake 4 in quotes.
ADD_TEST = re.compile(r"""^ *add_test\((?:\[=*\[|")(.*?)(?:\]=*\]|") (.*)\)$""", re.MULTILINE)


def targets(build: Build, command: Sequence[str]) -> List[str]:
    """The targets of the tests that this ctest command chooses. Empty where that is not known."""
    listed = subprocess.run(
        [*command, "--show-only=json-v1"],
        cwd=build.machine.root,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        chosen = [test["name"] for test in json.loads(listed.stdout)["tests"]]
    except (ValueError, KeyError):
        return []
    known, commands = build.targets(), read_commands(build)
    needed = {"cudasim"}
    for name in chosen:
        programs = re.findall(re.escape(f"{build.folder}/bin/") + r'([^"\\/\s;]+)', commands.get(name, ""))
        found = {program.replace("-", "_") for program in programs}
        needed |= found if found and found <= known else {"all"}
    return sorted(needed) if chosen else []


def read_commands(build: Build) -> Dict[str, str]:
    """The commands by test, from CMake's files for ctest. The program ctest itself does not give the command of a
    program that does not exist yet."""
    commands: Dict[str, str] = {}
    for file in build.folder.rglob("CTestTestfile.cmake"):
        commands.update(ADD_TEST.findall(file.read_text(encoding="utf-8")))
    return commands
