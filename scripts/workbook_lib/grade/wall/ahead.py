# SPDX-License-Identifier: MIT
"""The host compiler's parse of what all files of a stage include, made once for a class. It is a fifth of a compilation.

nvcc's text for the host compiler begins with those headers. A precompiled header has the text up to the first header of the
course. A file whose text begins with other bytes is compiled whole, and so is one with an error: the messages are the same."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Dict, Sequence

from ...course.stages import Stage

FEWEST = 20  # with fewer files it takes longer than it saves
FOR_ALL = 0o755
HEADER, FOLDER, MAKES = "ahead.h", "WORKBOOK_AHEAD", "WORKBOOK_MAKES"
PATH = "/usr/bin:/bin"
# Stands before the system's gcc. Its environment: the folder of the precompiled header, and what it is made of.
GCC = f"""#!/bin/sh
PATH={PATH}
for word; do case $word in *.cudafe1.cpp) text=$word ;; esac; done
header=${FOLDER}/{HEADER}
if [ -z "$text" ]; then exec gcc "$@"; fi
if [ -n "${MAKES}" ]; then
  line=$(grep -n -m 1 "^# [0-9]* \\"${MAKES}/" "$text" | cut -d : -f 1)
  head -n $((line - 1)) "$text" >"$header"
  for word; do
    shift
    case $word in
      -c) ;;
      c++) set -- "$@" c++-header ;;
      "$text") set -- "$@" "$header" ;;
      *.o) set -- "$@" "$header.gch" ;;
      *) set -- "$@" "$word" ;;
    esac
  done
  exec gcc "$@"
fi
bytes=$(wc -c <"$header")
if cmp -s -n "$bytes" "$text" "$header"; then
  rest=${{text%.cpp}}.rest.cpp
  tail -c +$((bytes + 1)) "$text" >"$rest"
  (
    for word; do
      shift
      case $word in "$text") set -- "$@" -include "$header" "$rest" ;; *) set -- "$@" "$word" ;; esac
    done
    exec gcc "$@" 2>/dev/null
  ) && exit
fi
exec gcc "$@"
"""


def folder_of(place: Path, stage: Stage) -> Path:
    """`place`: a wall's folder."""
    return place / f"ahead-{stage.name}"


def environment(folder: Path) -> Dict[str, str]:
    return {FOLDER: str(folder), "PATH": f"{folder}:{PATH}"}


def make(place: Path, stage: Stage, course: Path, command: Sequence[str]) -> None:
    """`command` compiles the file that is handed out, in the folder `course`. Without success nothing is there."""
    folder = folder_of(place, stage)
    folder.mkdir()
    (folder / "gcc").write_text(GCC, encoding="ascii")
    (folder / "gcc").chmod(FOR_ALL)
    own = {**environment(folder), MAKES: str(course), "TMPDIR": str(folder)}
    subprocess.run(command, cwd=course, env=own, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not (folder / f"{HEADER}.gch").exists():
        shutil.rmtree(folder)
        return
    for path in (folder, *folder.iterdir()):
        path.chmod(FOR_ALL)
