# SPDX-License-Identifier: MIT
"""The student's file of a stage, made from its answer; scripts/make_todo describes the answer's marks. Its head holds a
digest of the rest. The digest shows an unchanged file, also without git."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Callable, FrozenSet, List, Sequence, Tuple

from ..base import files

BEGIN = re.compile(r"^(\s*)// BEGIN (?:SOLUTION: (\S.*)|REPAIR)$")  # a repair has no hint
END = re.compile(r"^\s*// END (?:SOLUTION|REPAIR)$")
HINT = re.compile(r"^\s*//  +\S")
UNTIL = re.compile(r"^(\s*)// UNTIL SOLVED: ( *\S.*)$")  # of several lines, each keeps its indentation
WIDTH = 120  # .clang-format's ColumnLimit; the TODO made from a mark is longer than the mark
SPDX = "// SPDX-License-Identifier: MIT"
HANDED_OUT = "// As handed out: {}. Leave this line: scripts/workbook sees by it whether you have begun."


MOST_BYTES = 1 << 20  # of a source
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how such a file begins


class MarkError(Exception):
    """A mark that is unknown, misplaced or missing. The text is FILE:LINE: and the error."""


def is_code(line: str) -> bool:
    return line.strip() not in ("", "}") and not line.strip().startswith("//")


def region_to_todo(lines: Sequence[str], start: int, place: Callable[[int], str]) -> Tuple[List[str], int]:
    """The todo lines for the region that begins at lines[start], and the index after its end."""
    indent, hint = BEGIN.match(lines[start]).groups()
    index = start + 1
    more = []
    while index < len(lines) and HINT.match(lines[index]):
        more.append(lines[index])
        index += 1
    stand_in = []
    code_lines = 0
    while index < len(lines) and not END.match(lines[index]):
        until = UNTIL.match(lines[index])
        if until:
            stand_in.append(until.group(1) + until.group(2))
        elif BEGIN.match(lines[index]) or "BEGIN SOLUTION" in lines[index]:
            raise MarkError(f"{place(index)}: a region begins inside the one of line {start + 1}")
        elif is_code(lines[index]):
            code_lines += 1
        index += 1
    if index == len(lines):
        raise MarkError(f"{place(start)}: {lines[start].split('//')[1].split(':')[0].strip()} without its END")
    if code_lines == 0:
        raise MarkError(f"{place(start)}: a region without code")
    if hint is None:
        return stand_in, index + 1
    size = "1 line" if code_lines == 1 else f"roughly {code_lines} lines"
    return [f"{indent}// TODO ({size}): {hint}"] + more + stand_in, index + 1


def make_todo(solution: str, path: str, stage: int) -> str:
    """The text of todo.cu for the text of a solution. Errors name `path`; the first lines name `stage`."""

    def place(index: int) -> str:
        return f"{path}:{index + 1}"

    lines = solution.splitlines()
    if not lines or lines[0] != SPDX:
        raise MarkError(f"{place(0)}: the first line must be {SPDX}")
    todo = [SPDX, f"// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run {stage} --todo`."]
    index = 1
    while index < len(lines):
        line = lines[index]
        until = UNTIL.match(line)
        if BEGIN.match(line):
            region, index = region_to_todo(lines, index, place)
            todo += region
            continue
        if until:
            todo.append(until.group(1) + until.group(2))
        elif re.search(r"(BEGIN|END) (SOLUTION|REPAIR)|UNTIL SOLVED", line):
            raise MarkError(f"{place(index)}: a mark that cannot be read here: {line.strip()}")
        else:
            todo.append(line)
        index += 1
    todo.insert(2, HANDED_OUT.format(digest(todo)))
    text = "\n".join(todo) + "\n"
    if text.count("// TODO (") == 0 and not any("// BEGIN REPAIR" in line for line in lines):
        raise MarkError(f"{path}: no region for the student to write")
    for number, line in enumerate(todo, 1):
        if len(line) > WIDTH:
            raise MarkError(f"{path}: line {number} of the todo has {len(line)} columns, {WIDTH} are allowed: {line.strip()}")
    if not any("WORKBOOK_TODO(" in line.split("//")[0] for line in todo):
        raise MarkError(f"{path}: no `// UNTIL SOLVED: WORKBOOK_TODO(...)`, so the unsolved todo would run")
    return text


def given_lines(solution: Path, stage: int) -> FrozenSet[str]:
    """The lines of the student's file that are handed out, without indentation. Empty where there is no answer."""
    try:
        text = make_todo(read(solution), str(solution), stage)
    except (OSError, MarkError):
        return frozenset()
    return frozenset(line.strip() for line in text.splitlines() if is_code(line))


def digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()[:12]


def read(file: Path) -> str:
    """The text of a student's file. Any bytes are allowed."""
    return files.read_regular(file, MOST_BYTES).decode("utf-8", errors="surrogateescape")


def problem(file: Path) -> str:
    """Why no compiler can read the file as a source, and what to do. Empty where one can, or where there is no file."""
    try:
        data = files.read_regular(file, MOST_BYTES)
    except FileNotFoundError:
        return "" if not file.is_symlink() else "is a link to a file that does not exist"
    except OSError as error:
        return f"{error.strerror}: remove it, and `scripts/workbook reset N` brings the original back"
    if not data.strip():
        return "is empty: `scripts/workbook reset N` brings back the original"
    if data.startswith(UTF_16) or b"\0" in data:
        return "has zero bytes, as in UTF-16: save it as UTF-8" if not data.startswith(UTF_16) else "is UTF-16: save it as UTF-8"
    return ""


def is_untouched(text: str) -> bool:
    """Whether a student's file is unchanged since make_todo wrote it, from this answer or from an older one."""
    lines = text.splitlines()
    return len(lines) > 2 and lines[2] == HANDED_OUT.format(digest([*lines[:2], *lines[3:]]))


def handed_out(text: str) -> str:
    """The digest in the head of a student's file. Empty where it was removed."""
    found = re.search(HANDED_OUT.format("([0-9a-f]+)").replace(".", r"\."), text)
    return found[1] if found else ""


def keep(path: Path) -> Path:
    """Keeps a copy of the file under a free name."""
    number = 1
    while (kept := path.with_name(f"{path.name}.kept-{number}")).exists():
        number += 1
    files.copy_whole(path, kept)
    return kept


def without_marks(lines: Sequence[str]) -> List[str]:
    """The text for a comparison of a student's file and an answer: code and comments, without the parts that only one
    has."""
    kept, is_hint = [], False
    for line in lines:
        is_hint = bool(BEGIN.match(line)) or (is_hint and bool(HINT.match(line)))
        is_head = line.startswith(("// Yours to finish: ", "// As handed out: "))
        if not (is_hint or is_head or END.match(line) or UNTIL.match(line)):
            kept.append(line)
    return kept
