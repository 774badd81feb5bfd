# SPDX-License-Identifier: MIT
"""The inputs of a student's program, by content and not by time. They are todo.cu, all headers that the compiler has
read, and the names of the sources beside todo.cu. A new source may replace another. A restored copy has an old time,
which neither ninja nor make notices.

The build folder holds the list of these files with one digest of all (`TARGET.inputs`). The build compiles again where
the digest differs. A record "solved" holds list and digest too. It is valid only for that digest, and for the digest of
the course's own sources."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence

from ..course.stages import Stage
from ..base.files import create, write_own

SOURCES = {".cu", ".cuh", ".h", ".hh", ".hpp", ".inc", ".inl", ".cpp"}
LISTED = re.compile(r"^(\S.*): #deps \d+.*\n((?: {4}.*\n)*)", re.MULTILINE)

MOST_BYTES = 64 << 20  # a larger file is no source, and is known by its time and size

_digests: Dict[Path, "tuple[object, str]"] = {}


def students_files(root: Path, targets: Sequence[str]) -> List[Stage]:
    """The students' files of these targets. Without targets, all of them."""
    folders = sorted(file.parent.name for file in (root / "stages").glob("stage[0-9][0-9]/todo.cu"))
    found = [Stage(name, int(name[len("stage") :]), "") for name in folders]
    return [stage for stage in found if not targets or stage.target("todo") in targets]


def object_of(stage: Stage) -> str:
    """The object file in the build folder."""
    return f"stages/CMakeFiles/{stage.target('todo')}_kernel.dir/{stage.name}/todo.cu.o"


class Inputs(NamedTuple):
    files: List[str]  # the files that the compiler has read; empty: unknown
    digest: str  # of these and of the names of sources beside todo.cu


def digest_of_file(file: Path) -> str:
    """The digest of the content; empty where there is none. A file is read once a process, as long as it does not
    change."""
    try:
        found = os.stat(file)
        if not stat.S_ISREG(found.st_mode):  # a pipe would wait, and a device may never end
            return ""
        look = found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns
        if found.st_size > MOST_BYTES:
            return str(look)
        if _digests.get(file, (None, ""))[0] != look:
            _digests[file] = look, hashlib.sha256(file.read_bytes()).hexdigest()
        return _digests[file][1]
    except OSError:
        return ""


def sources_beside(root: Path, stage: Stage) -> List[Path]:
    """All files in the stage's folder that a source may include, without the files of editors."""
    folder = (root / stage.source("todo")).parent
    found = (Path(where) / name for where, _, names in os.walk(folder) for name in names)
    return sorted(file for file in found if file.suffix in SOURCES and file.name[0] not in ".#")


def students_own(root: Path, stage: Stage, files: Sequence[str]) -> List[Path]:
    """The files that a student may edit: those beside todo.cu, and other read files in stages/."""
    beside = sources_beside(root, stage)
    return [*beside, *(file for file in map(Path, files) if root / "stages" in file.parents and file not in beside)]


def digest(root: Path, stage: Stage, files: Sequence[str]) -> str:
    """The digest of the present files."""
    made = hashlib.sha256()
    for beside in sources_beside(root, stage):
        made.update(f"{beside.relative_to(root)}\n".encode(errors="surrogateescape"))
    for name in sorted({*names(root, files), str(stage.source("todo"))}):
        made.update(f"{name}\n{digest_of_file(root / name)}\n".encode(errors="surrogateescape"))
    return made.hexdigest()


def names(root: Path, files: Iterable[str]) -> List[str]:
    """The files of the course from its folder on, so that a course that was moved keeps its records; others as they are."""
    return [str(file.relative_to(root)) if root in file.parents else str(file) for file in map(Path, files)]


def of_course(root: Path) -> str:
    """The digest of the sources of the library and of the simulator, which judge the student's file."""
    made = hashlib.sha256()
    for file in sorted((root / "common").rglob("*")):
        if file.is_file() and file.suffix != ".md":
            made.update(f"{file.relative_to(root)}\n{digest_of_file(file)}\n".encode(errors="surrogateescape"))
    return made.hexdigest()


def file_of(build_folder: Path, stage: Stage) -> Path:
    return build_folder / "stages" / f"{stage.target('todo')}.inputs"


def read(build_folder: Path, stage: Stage) -> Optional[Inputs]:
    """The record of the last build. None where there was none."""
    try:
        found = json.loads(file_of(build_folder, stage).read_text(encoding="utf-8"))
        return Inputs(list(found["files"]), str(found["digest"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def last_built(root: Path, build_folder: Path, stage: Stage) -> Inputs:
    """The program's inputs."""
    return read(build_folder, stage) or Inputs([], digest(root, stage, []))


def forget_if_changed(root: Path, build_folder: Path, stage: Stage) -> None:
    """Removes the object where its inputs have changed."""
    built = read(build_folder, stage)
    if built is None or built.digest != digest(root, stage, built.files):
        (build_folder / object_of(stage)).unlink(missing_ok=True)


def stamp_ns(build_folder: Path) -> int:
    """The present time by the file system's clock, as changed_ns() reads it."""
    file = build_folder / "begun.stamp"
    create(file).close()
    return changed_ns(file)


def have_settled(
    root: Path, build_folder: Path, ninja: Sequence[str], listed: Sequence[Stage], begun_ns: int
) -> bool:
    """Call it after a build that began at `begun_ns`. Records the inputs of each program. False means that a file was
    saved during the build, so that the compiled text is not known. Then the object is removed, and must be built again."""
    is_settled = True
    for stage, files in read_by_compiler(build_folder, ninja, listed).items():
        inputs = [Path(file) for file in files] or [root / stage.source("todo")]
        kept = file_of(build_folder, stage)
        if any(changed_ns(file) >= begun_ns for file in inputs):
            is_settled = False
            (build_folder / object_of(stage)).unlink(missing_ok=True)
            kept.unlink(missing_ok=True)
        else:
            kept.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"files": files, "digest": digest(root, stage, files)})
            if not kept.is_file() or kept.read_text(encoding="utf-8") != text:
                write_own(kept, text)
    return is_settled


def changed_ns(file: Path) -> int:
    """The time when its content or its name last changed, by the system's clock (ctime), which no copy keeps."""
    try:
        return os.stat(file).st_ctime_ns
    except OSError:
        return 0


def read_by_compiler(build_folder: Path, ninja: Sequence[str], listed: Sequence[Stage]) -> Dict[Stage, List[str]]:
    """All files that the compiler has read for each target. Empty where it has not run."""
    if not ninja:
        return {stage: in_make_rule(build_folder, build_folder / f"{object_of(stage)}.d") for stage in listed}
    command = [*ninja, "-t", "deps", *(object_of(stage) for stage in listed)]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="surrogateescape")
    includes = {name: absolute(build_folder, files.split("\n")) for name, files in LISTED.findall(answer.stdout)}
    return {stage: includes.get(object_of(stage), []) for stage in listed}


def absolute(build_folder: Path, names: Iterable[str]) -> List[str]:
    return sorted({os.path.normpath(build_folder / name.strip()) for name in names if name.strip()})


def in_make_rule(build_folder: Path, file: Path) -> List[str]:
    """The files after the colon of a rule for make."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    words = re.split(r"(?<!\\)\s+", text.replace("\\\n", " ").partition(": ")[2])
    return absolute(build_folder, (word.replace("\\ ", " ") for word in words))
