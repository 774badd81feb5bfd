# SPDX-License-Identifier: MIT
"""For a class, what all files of a stage have in common is compiled once. That is cuda_runtime.h, which nvcc includes before each
of them, and the headers of the system at the head of the file as it is handed out.

nvcc names the steps of a compilation (--dryrun). `steps.sh` takes the same steps for a student's file, with three things that are
made ahead: the preprocessed text of these headers, their macros, and a precompiled header of what cudafe++ makes of them. An
object of these steps has the same device code. Where one of them fails, or a file begins with other headers, nvcc compiles the
file whole: the messages are the same."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, Mapping, Sequence, Tuple

FEWEST = 20  # with fewer files it takes longer than it saves
FOR_ALL = 0o755
PATH = "/usr/bin:/bin"
UNFILLED = "workbook-unfilled.so"  # common/wall/unfilled.cpp
STEPS, HEADER, TEXTS = "steps.sh", "ahead.h", ("cpp4.ii", "cpp1.ii")  # nvcc's names: for the host, for the device
NAMES = ("PATH", "LD_LIBRARY_PATH", "CICC_PATH")  # that nvcc sets for its steps
FIRST_INCLUDE = ("-include", "cuda_runtime.h")
BUILT_IN = '# 0 "<built-in>"\n'  # begins the text of the first header
HOST_CODE, ITS_END = "todo.cudafe1.cpp", '\n# 1 "todo.cudafe1.stub.c"\n'  # of what stands in the file itself
NOT_KEPT = ("push_macro", "GCC poison")  # states of the preprocessor that a list of macros does not hold
CPU_S = 20  # of one step; with a text that takes longer, nvcc begins anew
INCLUDE = re.compile(r"#include (<[\w./]+>)")
# $1: the file, $2: the object, $3: a folder for what is between them. The course is the working folder.
BEGIN = f"""ulimit -t {CPU_S}
source=$1 object=$2 work=$3 course=$PWD
begins() {{  # with these headers, behind comments
  awk -v wanted="$1" '
    {{ gsub(/^[ \\t]+|[ \\t\\r]+$/, "") }}
    /^$/ || (/^[/][/]/ && !/[\\\\]$/) {{ next }}
    /^#include <[A-Za-z0-9_.\\/]+>$/ {{ found = found substr($0, 10); next }}
    {{ exit }}
    END {{ exit index(found, wanted) != 1 }}' "$source"
}}
join() {{
  sed '/^# 0 "<built-in>"$/,$d' "$work/own.ii"
  cat "$1"
  sed -n "\\|^# 1 \\"$source\\"\\$|,\\$p" "$work/own.ii"
}}
rest() {{
  tail -n +2 "$work/{HOST_CODE}" | cmp -s -n "$1" - "$2"
  tail -n +2 "$work/{HOST_CODE}" | tail -c +$(($1 + 1)) >"$work/rest.cpp"
}}
"""


class CannotSplit(Exception):
    """This compiler works in another way."""


def first_headers(text: str) -> List[str]:
    """The headers of the system with which a file begins, as <cstddef>."""
    found = []
    for line in map(str.strip, text.splitlines()):
        include = INCLUDE.fullmatch(line)
        if include:
            found.append(include[1])
        elif line and (not line.startswith("//") or line.endswith("\\")):
            break
    return found


def folder_of(place: Path, words: Sequence[str], headers: Sequence[str]) -> Path:
    """`place`: a wall's folder. `words`: of the command. Many stages have both in common."""
    return place / f"ahead-{hashlib.sha256(shlex.join([*words, *headers]).encode()).hexdigest()[:16]}"


def run(words: Sequence[str], course: Path, environment: Mapping[str, str]) -> str:
    """What it prints, on both streams."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(words, cwd=course, env=environment, text=True, **streams)
    if done.returncode:
        raise CannotSplit(done.stdout)
    return done.stdout


def steps_of(command: Sequence[str], course: Path) -> Tuple[List[List[str]], Dict[str, str]]:
    """The words of each step, and the environment that nvcc gives them."""
    steps, environment = [], {}
    for line in run([*command, "--dryrun"], course, {"PATH": PATH}).splitlines():
        name, is_set, value = line[3:].partition("=")
        if is_set and name.isidentifier():
            environment.update({name: value} if name in NAMES else {})
        elif line.startswith("#$ "):
            steps.append([word.replace("$CICC_PATH", environment.get("CICC_PATH", "")) for word in shlex.split(line[3:])])
    kinds = [Path(words[0]).name for words in steps]
    if len(steps) != 6 or kinds[1::2] != ["cudafe++", "cicc", kinds[5]] or kinds[4] != "fatbinary" or "-c" not in steps[5]:
        raise CannotSplit(f"steps {kinds}")
    return steps, environment


def first_include(words: Sequence[str]) -> int:
    place = next((at for at in range(len(words)) if tuple(words[at : at + 2]) == FIRST_INCLUDE), None)
    if place is None or "-E" not in words:
        raise CannotSplit(f"no text of {FIRST_INCLUDE[1]} in {words}")
    return place


def macros_of(with_headers: Sequence[str], without: Sequence[str], course: Path, environment: Mapping[str, str]) -> str:
    """The macros of the headers, of the system as these are."""
    all_macros, built_in = (set(run([*words, "-dM"], course, environment).splitlines()) for words in (with_headers, without))
    if built_in - all_macros:
        raise CannotSplit("a header takes macros of the compiler away")
    return "\n".join(["#pragma GCC system_header", *sorted(all_macros - built_in), ""])


def text_of(file: Path, source: str) -> str:
    """That of the headers, in the text of an empty file."""
    before, begin, text = file.read_text(encoding="utf-8").partition(BUILT_IN)
    text, end, _ = text.rpartition(f'# 1 "{source}"\n')
    headers = {Path(name) for name in re.findall(r'^# \d+ "(/[^"]+)"', text, re.MULTILINE)}
    is_kept = not any(word in text for word in NOT_KEPT) and not any(b"#pragma once" in header.read_bytes() for header in headers)
    if not (begin and end and is_kept):
        raise CannotSplit("the text of the headers does not stand alone")
    return begin + text


def quoted(words: Sequence[str], variables: Mapping[str, str]) -> str:
    """A line for a shell, with the names of variables in place of their values."""
    found = []
    for word in words:
        word = re.sub(r'(["\\$`])', r"\\\1", word)
        for value, name in variables.items():
            word = word.replace(value, f"${{{name}}}")
        found.append(f'"{word}"')
    return " ".join(found)


def write_header(folder: Path, compile_words: Sequence[str], course: Path, environment: Mapping[str, str]) -> int:
    """The precompiled header, from the host code of an empty file. Returns how many bytes it stands for."""
    whole = (folder / HOST_CODE).read_bytes()
    header = whole[whole.index(b"\n") + 1 : whole.index(ITS_END.encode())]
    (folder / HEADER).write_bytes(header)
    as_header = {"-c": None, "c++": "c++-header", str(folder / HOST_CODE): str(folder / HEADER)}
    words = [as_header.get(word, word) for word in compile_words[: compile_words.index("-o")]]
    run([*filter(None, words), "-o", str(folder / f"{HEADER}.gch")], course, environment)
    return len(header)


def write_steps(folder: Path, command: Sequence[str], course: Path, source: str, headers: Sequence[str]) -> None:
    """`command` compiles an empty file, in the folder `course`."""
    preloaded = f'LD_PRELOAD="{folder / UNFILLED}" ' if (folder / UNFILLED).exists() else ""
    steps, environment = steps_of([*command, "--keep", "--keep-dir", str(folder), "-o", str(folder / "todo.o")], course)
    lines = [f"export {name}={shlex.quote(value)}" for name, value in environment.items()]
    lines.append(f'begins "{"".join(headers)}"')
    variables = {str(folder): "work", str(course): "course", source: "source"}
    for name, own, next_step in zip(TEXTS, steps[0:4:2], steps[1:4:2]):
        at, end = first_include(own), own.index("-o")
        before, behind = own[:at], own[at + 2 : end]
        included = [word for header in headers for word in ("-include", header[1:-1])]
        with_headers = [*before, *FIRST_INCLUDE, *included, *behind]
        run([*with_headers, *own[end:]], course, environment)
        macros, text = folder / f"{name}.macros", folder / f"{name}.text"
        macros.write_text(macros_of(with_headers, [*before, *behind], course, environment), encoding="utf-8")
        text.write_text(text_of(folder / f"todo.{name}", source), encoding="utf-8")
        lines.append(f'{quoted(before, variables)} -imacros "{macros}" {quoted(behind, variables)} -o "$work/own.ii"')
        lines.append(f'join "{text}" >"$work/todo.{name}"')
        lines.append((preloaded if next_step is steps[1] else "") + quoted(next_step, variables))
    run(steps[1], course, environment)
    header_bytes = write_header(folder, steps[5], course, environment)
    lines += [quoted(steps[4], variables), f'rest {header_bytes} "{folder / HEADER}"']
    last = [word for word in steps[5][: steps[5].index("-o")] if word != str(folder / HOST_CODE)]
    lines.append(f'exec {quoted(last, variables)} -include "{folder / HEADER}" "$work/rest.cpp" -o "$object"')
    (folder / STEPS).write_text(BEGIN + "\n".join(lines) + "\n", encoding="utf-8")


def words_of(file: Path) -> List[str]:
    """The words of a preprocessed text, without the places that they come from."""
    return re.sub(r"^# \d.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE).split()


def is_same(folder: Path, command: Sequence[str], course: Path, source: str) -> bool:
    """Whether the steps work, and compile the same texts as nvcc does."""
    whole, own = folder / "whole", folder / "own"
    for each in (whole, own):
        each.mkdir()
    steps, environment = steps_of([*command, "--keep", "--keep-dir", str(whole), "-o", str(whole / "todo.o")], course)
    for words in steps[0:4:2]:
        run(words, course, environment)
    run(["/bin/sh", "-e", str(folder / STEPS), source, str(own / "todo.o"), str(own)], course, {"PATH": PATH})
    return all(words_of(whole / f"todo.{name}") == words_of(own / f"todo.{name}") for name in TEXTS)


def make(
    folder: Path, build: Path, command: Sequence[str], source: str, empty: Path, handed_out: Path, headers: Sequence[str]
) -> None:
    """`command` compiles the file `source` in the folder `handed_out`. In `empty` nothing is in it. `headers`: its first ones.
    Without success nothing is there."""
    folder.mkdir()
    if (build / "bin" / UNFILLED).exists():
        shutil.copyfile(build / "bin" / UNFILLED, folder / UNFILLED)
    moved = [word.replace(str(handed_out), str(empty)) for word in command]
    try:
        write_steps(folder, moved, empty, source, headers)
        is_right = is_same(folder, command, handed_out, source)
    except (CannotSplit, OSError, ValueError):
        is_right = False
    if not is_right:
        shutil.rmtree(folder)
        return
    kept = [STEPS, UNFILLED, HEADER, f"{HEADER}.gch", *(f"{name}.{part}" for name in TEXTS for part in ("macros", "text"))]
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in kept:
            os.unlink(path)
    for path in (folder, *folder.iterdir()):
        path.chmod(FOR_ALL)
