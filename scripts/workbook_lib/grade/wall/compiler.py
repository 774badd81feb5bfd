# SPDX-License-Identifier: MIT
"""The compiler behind the wall: a student's file may include anything, and never end."""

from __future__ import annotations

import contextlib
import functools
import json
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Sequence

from ...base.errors import WorkbookError
from ...base.harmless import harmless
from ...course.stages import Stage
from . import ahead
from .levels import SCRATCH
from .result import Result, Status
from .task import MB, Limits, Task
from .wall import FOR_ALL, Wall

LIMITS = Limits(
    cpu_s=120, wall_s=300, memory_bytes=2048 * MB, processes=32, file_bytes=256 * MB, scratch_bytes=512 * MB, output_bytes=64 * MB
)
STUDENT_HEADERS = Path("common/workbook/student")
# After these options the next word, or the rest of the word, names a folder of the checkout.
OF_CHECKOUT = re.compile(r"^(-I|-isystem=?|-Xcompiler=-f\w+-prefix-map=)")
# The object goes to standard output and all messages to the other stream: a file that leaves the wall is one stream of
# bounded size, which a user without rights has read.
SCRIPT = 'object=$TMPDIR/todo.o; "$@" -o "$object" >&2 || exit; exec cat "$object"'
# $0: the steps that have been prepared
PREPARED = (
    'object=$TMPDIR/todo.o; work=$(mktemp -d); for source; do :; done; '
    '/bin/sh -e "$0" "$source" "$object" "$work" >/dev/null 2>&1 || "$@" -o "$object" >&2 || exit; exec cat "$object"'
)
# The compilers' names for what is between them: ccSYjaLT.s, tmpxft_000055f9_00000000-6_todo.cudafe1.cpp
TEMPORARY = re.compile(r"\bcc\w{6}(?=\.\w)|\btmpxft_[0-9a-f]+_[0-9a-f]+-\d+_todo")
MOST_MESSAGES = 16 * 1024


@dataclass(frozen=True)
class Compiled:
    object: bytes  # empty where there is none
    messages: str
    result: Result

    @property
    def words(self) -> str:
        """What to say where there is no object."""
        if self.object or self.result.status is not Status.OK:
            return self.result.words
        return f"does not compile (status {self.result.exit_code})"


@functools.lru_cache(maxsize=1)
def entries_of(commands: Path) -> List[Dict[str, str]]:
    try:
        return json.loads(commands.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WorkbookError(f"{commands} can't be read: {error}") from error


def command_of(root: Path, commands: Path, source: Path) -> List[str]:
    """The build's own command for this file, without its source and output (compile_commands.json)."""
    for entry in entries_of(commands):
        if Path(entry["file"]) == root / source:
            words = shlex.split(entry["command"])
            return words[: words.index("-c")]
    raise WorkbookError(f"{commands} does not know {source}: configure the build once more")


def moved(words: Sequence[str], root: Path, place: Path) -> List[str]:
    """The options, with folders of the checkout replaced by those behind the wall."""
    return [word.replace(str(root), str(place), 1) if OF_CHECKOUT.match(word) else word for word in words]


def lay_out(root: Path, stage: Stage, todo: bytes, place: Path) -> None:
    """All of the course that the compiler can see, and the student's file at its usual place."""
    shutil.copytree(root / STUDENT_HEADERS, place / STUDENT_HEADERS, ignore=shutil.ignore_patterns("*.cpp", "*.cu"))
    target = place / stage.source("todo")
    target.parent.mkdir(parents=True)
    for header in sorted((root / stage.source("todo")).parent.glob("*.cuh")):
        shutil.copyfile(header, target.with_name(header.name))
    target.write_bytes(todo)
    for path in (place, *place.rglob("*")):  # copied files have the modes of the checkout
        path.chmod(FOR_ALL)


def folders_of(words: Sequence[str]) -> List[Path]:
    """The folders of the toolkit and of a host compiler that the command names, as they are named and as they are."""
    programs = [Path(words[0]), *(Path(word.partition("=")[2]) for word in words if word.startswith("-ccbin="))]
    folders = [folder for each in programs for folder in (each.parent.parent, each.resolve().parent.parent)]
    return [folder for folder in dict.fromkeys(folders) if folder not in (Path("/"), Path("/usr"))]


def nvcc_words(root: Path, build: Path, stage: Stage) -> List[str]:
    """The build's command for this stage's file, without a cache's name before it."""
    words = command_of(root, build / "compile_commands.json", stage.source("todo"))
    nvcc = next((index for index, word in enumerate(words) if Path(word).name == "nvcc"), None)
    if nvcc is None:
        raise WorkbookError(f"{build}/compile_commands.json compiles {stage.source('todo')} without nvcc")
    return words[nvcc:]


@contextlib.contextmanager
def course_with(wall: Wall, root: Path, stage: Stage, todo: bytes) -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="course-", dir=wall.folder))
    try:
        lay_out(root, stage, todo, place)
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def prepared_at(wall: Wall, root: Path, words: Sequence[str], stage: Stage) -> Path:
    """What is made ahead of the files of this stage, and of others that are alike, where prepare() was there."""
    handed_out = (root / stage.source("todo")).read_text(encoding="utf-8")
    return ahead.folder_of(wall.folder, words, ahead.first_headers(handed_out))


def prepare(wall: Wall, root: Path, build: Path, chosen: Mapping[Stage, int]) -> None:
    """For many files of these stages. `chosen`: how many."""
    folders: Dict[Path, List[Stage]] = {}
    for stage in chosen:
        folders.setdefault(prepared_at(wall, root, nvcc_words(root, build, stage), stage), []).append(stage)
    for folder, alike in folders.items():
        if sum(chosen[stage] for stage in alike) >= ahead.FEWEST:
            prepare_folder(wall, root, build, alike[0], folder)


def prepare_folder(wall: Wall, root: Path, build: Path, stage: Stage, folder: Path) -> None:
    source = stage.source("todo")
    todo = (root / source).read_bytes()
    with course_with(wall, root, stage, b"") as empty, course_with(wall, root, stage, todo) as handed_out:
        command = [*moved(nvcc_words(root, build, stage), root, handed_out), "-c", str(source)]
        ahead.make(folder, build, command, str(source), empty, handed_out, ahead.first_headers(todo.decode()))


def compile_in_wall(
    wall: Wall, root: Path, build: Path, todo: bytes, stage: Stage, limits: Limits = LIMITS, more: Sequence[str] = ()
) -> Compiled:
    """One object file from the text of a student's todo.cu, with the command of this build folder. `more`: options at the
    end of the command."""
    words = nvcc_words(root, build, stage)
    prepared = prepared_at(wall, root, words, stage)
    script = (PREPARED, str(prepared / ahead.STEPS)) if prepared.exists() and not more else (SCRIPT, "sh")
    with course_with(wall, root, stage, todo) as place:
        command = (*moved(words, root, place), *more, "-c", str(stage.source("todo")))
        task = Task(
            command=("/bin/sh", "-c", *script, *command),
            read=(place, *folders_of(words), *([prepared] if prepared.exists() else [])),
            limits=limits,
            folder=place,
            removes_files=True,
        )
        result = wall.run(task)
    is_whole = result.status is Status.OK and result.exit_code == 0
    return Compiled(result.stdout if is_whole else b"", shown(harmless(result.stderr, MOST_MESSAGES), wall.folder), result)


def require_compiler(wall: Wall, root: Path, build: Path, stage: Stage) -> None:
    """Raises where not even a kernel without content compiles. Otherwise each student would hear that his file does not."""
    compiled = compile_in_wall(wall, root, build, b"__global__ void nothing() {}\n", stage)
    if not compiled.object:
        raise WorkbookError(f"The compiler does not work behind the wall ({compiled.words}):\n{compiled.messages}")


def shown(messages: str, folder: Path) -> str:
    """Paths as in the checkout, and the same names of temporary files in each run."""
    return TEMPORARY.sub("todo", re.sub(rf"(?:{re.escape(str(folder))}/[\w-]+|{SCRATCH})/", "", messages))
