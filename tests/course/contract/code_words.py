#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that what a TODO or the task of a lesson names compiles as it is written there. A name stands, without a
namespace before it, in the code of the answer or of a header beside todo.cu. Or it is the compiler's own: one small file
with all such names is compiled. So a name of namespace workbook needs `workbook::` in the text, or a using-declaration
in the file. Names are looked up; expressions are not checked.

Usage: code_words.py NVCC, or code_words.py --self-test"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

ROOT = Path(__file__).resolve().parents[3]
SKIPPED = 77
NAME = re.compile(r"(?P<before>::|\.|->|)(?P<name>(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)(?P<behind>\s*\(|<|\[|)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
BACKTICKS = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
NO_CODE = re.compile(r"-|step \d|.*/|[\w.]+\.(cu|cuh|h|md|json|py)$|WORKBOOK_TODO$")  # an option, a file, a command
FILE = re.compile(r"\b[\w/]+\.(?:cu|cuh|h)\b|\w+\(\) of stage \d+")  # also a name of another stage
NUMBER = re.compile(r"\b(0[xX][0-9a-fA-F.]+p?\d*f?|\d[\d.']*(e\d+)?[a-zA-Z]*)\b")
TODO = re.compile(r"^ *// TODO \([^)]*\): (.*\n(?: *//  +\S.*\n)*)", re.MULTILINE)
TASK = re.compile(r"^## Your task\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
KEYWORDS = set("""auto bool break class const constexpr const_cast continue do double else enum false float for if int long
operator reinterpret_cast return short signed sizeof static static_cast struct template this true typename unsigned using void
volatile while""".split())
HEADERS = ("cuda_pipeline_primitives.h", "cuda/atomic", "cuda/std/limits", "algorithm", "cstddef", "cstdint", "cstring", "utility")


def is_code(found: "re.Match[str]") -> bool:
    """Whether a word of a TODO's prose is code: it has an underscore, is a constant or a call, or has a part of another."""
    name, behind = found["name"], found["behind"]
    return bool("_" in name or "::" in name or re.match(r"k[A-Z]", name) or behind in ("(", "<", "[") or found["before"])


def names(text: str, all_of_it: bool) -> Iterator[Tuple[str, bool]]:
    """The names in a text, and whether each is a part of another thing, as in `plan.size()`."""
    for found in NAME.finditer(NUMBER.sub(" ", FILE.sub(" ", text))):
        if found["name"] not in KEYWORDS and (all_of_it or is_code(found)):
            yield found["name"], found["before"] in (".", "->")


def words_of(stage: Path) -> Iterator[Tuple[str, str, bool]]:
    """Where, a name, and whether it is a part of another thing."""
    todo = (stage / "todo.cu").read_text(encoding="utf-8", errors="replace")
    for mark in TODO.findall(todo):
        text = re.sub(r"\n *//  +", " ", mark)
        for word in BACKTICKS.findall(text):
            if not NO_CODE.match(word):
                yield from (("todo.cu", *found) for found in names(word, True))
        yield from (("todo.cu", *found) for found in names(BACKTICKS.sub(" ", text), False))
    for task in TASK.findall((stage / "README.md").read_text(encoding="utf-8")):
        for word in BACKTICKS.findall(task):
            if not NO_CODE.match(word):
                yield from (("README.md", *found) for found in names(word, True))


def names_in_code(text: str) -> Set[str]:
    """The names in code, as they are written: of `workbook::key_of` there is no `key_of`. A using-declaration gives one."""
    code = COMMENT.sub(" ", text)
    found = {match["name"] for match in NAME.finditer(code)}
    found |= {name.rsplit("::", 1)[-1] for name in re.findall(r"^using ([\w:]+);", code, re.MULTILINE)}
    return found | set(re.findall(r"[A-Za-z_]\w*", re.sub(r"::\s*[A-Za-z_]\w*", "", code)))


def included(text: str) -> str:
    """The text of the workbook's headers that a file includes, and of those that these include."""
    whole, seen = "", set()
    waiting = re.findall(r'#include "(workbook/[\w/.]+)"', text)
    while waiting:
        header = waiting.pop()
        if header not in seen:
            seen.add(header)
            more = (ROOT / "common" / header).read_text(encoding="utf-8")
            whole += more
            waiting += re.findall(r'#include "(workbook/[\w/.]+)"', more)
    return whole


def unknown(root: Path) -> Dict[str, List[str]]:
    """By name: the places that use it, where neither the answer nor a header of the stage has it."""
    found: Dict[str, List[str]] = {}
    for stage in sorted((root / "stages").glob("stage[0-9][0-9]")):
        answer = (root / "answers" / stage.name / "solution.cu").read_text(encoding="utf-8")
        given = "".join(path.read_text(encoding="utf-8") for path in sorted(stage.glob("*.cuh")))
        own, library = names_in_code(answer + given), included(answer + given)
        parts = set(re.findall(r"[A-Za-z_]\w*", COMMENT.sub(" ", answer + given + library)))
        for place, name, is_part in words_of(stage):
            last = name.rsplit("::", 1)[-1]
            is_of_own = "::" in name and name.rsplit("::", 1)[0] in own  # a member of a type, as Limits::min
            if name in own or is_of_own or (is_part and name in parts) or (name.startswith("workbook::") and last in parts):
                continue
            places = found.setdefault(name, [])
            if f"stages/{stage.name}/{place}" not in places:
                places.append(f"stages/{stage.name}/{place}")
    return found


def not_compiled(nvcc: str, wanted: List[str]) -> Set[str]:
    """The names that neither CUDA nor the standard library declares."""
    lines = [f"#include <{header}>" for header in HEADERS] + ["namespace words {"]
    for name in wanted:
        lines += [f"#ifndef {name}" if "::" not in name else "#if 1", f"using {name if '::' in name else '::' + name};", "#endif"]
    with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
        source = Path(folder) / "words.cu"
        source.write_text("\n".join([*lines, "}\n"]), encoding="utf-8")
        command = [nvcc, "-std=c++17", "-arch=compute_80", "-ptx", "-o", "words.ptx", "-DCCCL_DISABLE_FP16_SUPPORT", source.name]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        failed = {int(line) for line in re.findall(r"words\.cu\((\d+)\): error", ended.stderr + ended.stdout)}
    if ended.returncode != 0 and not failed:
        sys.exit(ended.stderr + ended.stdout)
    return {lines[number - 1].split("using ")[1].strip(":;") for number in failed}


def problems(nvcc: str, root: Path) -> Iterator[str]:
    found = unknown(root)
    missing = not_compiled(nvcc, sorted(found))
    for name in sorted(missing):
        yield f"{', '.join(found[name])}: `{name}` is in no scope there: qualify it, or add a using-declaration to the answer"


def self_test() -> Iterator[str]:
    expected = {
        "a_name and a word, kSize, call(), f.b[1], workbook::key_of": ["a_name", "kSize", "call", "b", "workbook::key_of"],
        "0x1p11f and 2^-13, e.g. 3.5f": ["g"],
    }
    for text, wanted in expected.items():
        if (found := [name for name, _ in names(text, False)]) != wanted:
            yield f"{text}: expected {wanted}, found {found}"
    code = "using workbook::KeyType;\nint a = workbook::key_of(b, c::d); // hidden\n"
    own = names_in_code(code)
    for name, is_there in {"KeyType": True, "key_of": False, "workbook::key_of": True, "d": False, "hidden": False, "b": True}.items():
        if (name in own) != is_there:
            yield f"names_in_code: {name} is {'missing' if is_there else 'found'}"


def main() -> int:
    if not (ROOT / "answers").is_dir():
        print("skipped: the names that a student chooses are in the answers")
        return SKIPPED
    found = list(self_test() if sys.argv[1] == "--self-test" else problems(sys.argv[1], ROOT))
    print("\n".join(found) if found else "every code word is in scope")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
