#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each name that a using declaration brings into a source file is used in that file: clang-tidy's misc-unused-using-decls, which
would have to read every file alone. With --self-test it proves that it can fail."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator, Tuple

ROOT = Path(__file__).resolve().parents[3]
DECLARATION = re.compile(r"^\s*using (?:[A-Za-z_]\w*::)+([A-Za-z_]\w*);", re.MULTILINE)
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def unused(text: str) -> Iterator[Tuple[int, str]]:
    """The line of each declaration whose name stands nowhere else, and the name."""
    code = NO_CODE.sub(lambda match: "\n" * match.group().count("\n"), text)
    for declaration in DECLARATION.finditer(code):
        name = declaration.group(1)
        if len(re.findall(rf"\b{name}\b", code)) == len(re.findall(rf"\busing (?:\w+::)+{name};", code)):
            yield code.count("\n", 0, declaration.start(1)) + 1, name


def self_test() -> bool:
    used = "using a::f;\nint x = f(1);\n"
    return [*unused(used)] == [] and [*unused("// f\n" + "using a::b::f;  // f\n" + 'const char* t = "f";\n')] == [(2, "f")]


def main() -> int:
    if "--self-test" in sys.argv:
        return 0 if self_test() else 1
    files = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--", "*.cpp", "*.cu"], capture_output=True, check=False)
    # A student has not written yet what a todo.cu brings in.
    names = [name for name in files.stdout.decode().split("\0") if not name.endswith("todo.cu") and (ROOT / name).is_file()]
    if files.returncode != 0 or not names:
        print("git lists no files")
        return 77
    found = [f"{name}:{line}: nothing uses `{word}`: delete the declaration"
             for name in names for line, word in unused((ROOT / name).read_text(encoding="utf-8"))]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
